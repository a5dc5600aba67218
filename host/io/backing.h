// A second layer of boundary samples, about one spacing behind the surface's. A single layer is symmetric: a particle
// that a fast impact carries across is pushed out at the far side, and one that is alone slips through a wide hole. The
// second layer lies nearly out of reach of fluid at rest, which stands a spacing off the first, and turns back what
// comes closer.
#pragma once

#include <vector>

#include "host/io/safe_start.h"

namespace sluice::io {

// Backing of a surface in its object's frame; `samples` is the first layer, in the same frame. Empty for open meshes
// and for bodies too thin to hold one.
std::vector<Vec3> backing_samples(const Surface& surface, const std::vector<Vec3>& samples, double h);

}  // namespace sluice::io
