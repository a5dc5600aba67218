#include "host/scene/rotation.h"

#include <algorithm>
#include <cmath>

namespace sluice::io {
namespace {

// Squares of what comes out neither overflow nor vanish.
Vec3 scaled_to_one(Vec3 v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return {v.x / largest, v.y / largest, v.z / largest};
}

}  // namespace

SineCosine sine_cosine(double degrees) {
  // The angle is brought into a quarter turn of [-45, 45] degrees; both steps are exact in floating point.
  const double turn = std::fmod(degrees, 360);
  const double quarter = std::floor(turn / 90 + 0.5);
  const double rest = turn - 90 * quarter;
  const double x = rest * (3.14159265358979323846 / 180);
  // Taylor series: the first term left out is below 1e-19 of the sum.
  double sine = 1, cosine = 1;
  for (int k = 9; k >= 1; --k) {
    sine = 1 - x * x / (2 * k * (2 * k + 1)) * sine;
    cosine = 1 - x * x / ((2 * k - 1) * 2 * k) * cosine;
  }
  sine *= x;
  if (rest == 45 || rest == -45) {  // the two series may differ in the last bit
    cosine = std::sqrt(0.5);
    sine = rest > 0 ? cosine : -cosine;
  }
  switch (((static_cast<int>(quarter) % 4) + 4) % 4) {
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    case 3:
      return {-cosine, sine};
    default:
      return {sine, cosine};
  }
}

Quat rotation_about(Vec3 axis, double degrees) {
  const auto [s, c] = sine_cosine(std::fmod(degrees, 720) / 2);
  const Vec3 scaled = scaled_to_one(axis);
  const double factor = s / length(scaled);
  return {c, factor * scaled.x, factor * scaled.y, factor * scaled.z};
}

Vec3 normalized(Vec3 v) {
  const Vec3 scaled = scaled_to_one(v);
  return (1 / length(scaled)) * scaled;
}

Pose pose_at(const Body& body, double time) {
  constexpr double kDegrees = 57.29577951308232;
  const double rate = length(body.angular_velocity);
  return {body.position + time * body.velocity,
          rate > 0 ? rotation_about(body.angular_velocity, rate * time * kDegrees) : Quat{}};
}

}  // namespace sluice::io
