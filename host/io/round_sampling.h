// Even samples of round bodies: a spiral has no holes that water passes, where samples thrown at random do.
#pragma once

#include <vector>

#include "sluice/scene.h"

namespace sluice::io {

// On a capsule of this radius along y, whose caps' centres are `height` apart; a sphere has height 0. One sample per
// h^2: the turn from one to the next is the golden section of a circle, and each has the same area, that is, the same
// share of the height.
std::vector<Vec3> sample_capsule(double radius, double height, double h);

}  // namespace sluice::io
