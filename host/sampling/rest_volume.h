// Rest volumes of samples and the kernel they are summed with.
#pragma once

#include <vector>

#include "host/sampling/point_grid.h"
#include "sluice/scene.h"

namespace sluice::io {

// Cubic spline of smoothing length h and support 2h, in 1/m^3.
double cubic_spline(double distance, double h);

// V0 / h^3 = gamma / (h^3 sum W) over `set`, the sample itself included [PT23 eq. 3.2], at most `most`.
inline constexpr double kMaxWeight = 1.2;  // to the fluid, an isolated sample must not count for a whole patch
std::vector<double> rest_weights(const std::vector<Vec3>& set, double h, double gamma, double most = kMaxWeight);

}  // namespace sluice::io
