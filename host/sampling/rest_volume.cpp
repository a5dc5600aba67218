#include "host/sampling/rest_volume.h"

#include <algorithm>
#include <cmath>

namespace sluice::io {

double cubic_spline(double distance, double h) {
  constexpr double kPi = 3.14159265358979323846;
  const double q = distance / h;
  const double shape = q <= 1 ? 1 - 1.5 * q * q + 0.75 * q * q * q : q < 2 ? 0.25 * (2 - q) * (2 - q) * (2 - q) : 0;
  return shape / (kPi * h * h * h);
}

std::vector<double> rest_weights(const std::vector<Vec3>& set, double h, double gamma, double most) {
  const PointGrid grid = grid_of(set, 2 * h);
  std::vector<double> weights;
  weights.reserve(set.size());
  for (const Vec3& p : set) {
    double sum = 0;
    visit_near(grid, p, 2 * h, [&](std::uint32_t, double distance2) {
      sum += cubic_spline(std::sqrt(distance2), h);
      return true;
    });
    weights.push_back(std::min(most, gamma / (h * h * h * sum)));
  }
  return weights;
}

}  // namespace sluice::io
