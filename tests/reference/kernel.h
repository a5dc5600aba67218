// The cubic spline of support 2h with its analytic gradient, in solver units (h = 1).
#pragma once

#include <cmath>
#include <numbers>

#include "sluice/scene.h"

namespace sluice::reference {

// Neighbours are strictly closer than this, in h.
inline constexpr double kSupport = 2.0;

// W(q) in 1/h^3, q the distance in h; its integral over space is 1 [Monaghan 1992].
inline double kernel(double q) {
  constexpr double kNorm = 1.0 / std::numbers::pi;
  if (q <= 1.0) return kNorm * (1.0 - 1.5 * q * q + 0.75 * q * q * q);
  if (q < kSupport) return kNorm * 0.25 * (2.0 - q) * (2.0 - q) * (2.0 - q);
  return 0.0;
}

// W'(q) / q, in 1/h^5: times x_ij it is the gradient with respect to x_i. Finite at q = 0, so coincident
// particles need no special case: their x_ij is zero.
inline double kernel_slope_over_distance(double q) {
  constexpr double kNorm = 1.0 / std::numbers::pi;
  if (q <= 1.0) return kNorm * (2.25 * q - 3.0);
  if (q < kSupport) return -kNorm * 0.75 * (2.0 - q) * (2.0 - q) / q;
  return 0.0;
}

// Gradient of W(|x_i - x_j|) with respect to x_i, for x_ij = x_i - x_j.
inline Vec3 kernel_gradient(Vec3 x_ij) { return kernel_slope_over_distance(length(x_ij)) * x_ij; }

}  // namespace sluice::reference
