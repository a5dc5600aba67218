// Rest volumes of boundary samples and the kernel they are summed with.
#pragma once

#include <vector>

#include "host/io/point_grid.h"
#include "sluice/scene.h"

namespace sluice::io {

// Cubic spline of smoothing length h and support 2h, in 1/m^3.
double cubic_spline(double distance, double h);

// V0_b / h^3 = gamma / (h^3 sum W) over `set`, the sample itself included [PT23 eq. 3.2], at most kMaxWeight.
// On a regular face with gamma = 0.7 it is 0.999.
inline constexpr double kMaxWeight = 1.2;  // an isolated sample must not count for a whole patch
std::vector<double> rest_weights(const std::vector<Vec3>& set, double h, double gamma);

}  // namespace sluice::io
