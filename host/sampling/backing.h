// A second layer of boundary samples, about one spacing behind the surface's. A single layer is symmetric: a particle
// that a fast impact carries across is pushed out at the far side, and one that is alone slips through a wide hole. The
// second layer lies nearly out of reach of fluid at rest, which stands a spacing off the first, and turns back what
// comes closer.
#pragma once

#include <vector>

#include "host/sampling/safe_start.h"

namespace sluice::io {

// Backing of a surface in its object's frame; `samples` is the first layer, in the same frame. Empty for open meshes
// and for bodies too thin to hold one. `nearest`: to a sample of the first layer, but of a box, in spacings. A particle
// alone slips through the holes between the samples of a surface where its own density and theirs stay below that at
// rest; so the layer behind stands as near as a fluid particle would. From holes of 0.8 that is 0.4 below the surface,
// elsewhere about 0.8. From 1.1 on, a ball let one particle in a hundred in.
inline constexpr double kBackingDistance = 0.9;
std::vector<Vec3> backing_samples(const Surface& surface, const std::vector<Vec3>& samples, double h,
                                  double nearest = kBackingDistance);

}  // namespace sluice::io
