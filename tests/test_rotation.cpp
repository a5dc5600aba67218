#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "host/scene/rotation.h"

using namespace sluice;
using namespace sluice::io;

TEST_CASE("rotations agree with the library's sine and cosine to the last bits") {
  const double pi = std::acos(-1.0);
  double worst = 0;
  for (double degrees = -1000; degrees <= 1000; degrees += 0.37) {
    const Quat q = rotation_about({0, 3e200, 4e200}, degrees);
    const double half = std::fmod(degrees, 720) * (pi / 360);
    worst = std::max({worst, std::abs(q.w - std::cos(half)), std::abs(q.y - 0.6 * std::sin(half)),
                      std::abs(q.z - 0.8 * std::sin(half)), std::abs(q.x)});
  }
  CHECK(worst < 2e-15);  // the library's argument carries the rounding of 2 pi
  for (const double turn : {0.0, 720.0, 7200.0}) CHECK(rotation_about({1, 2, 3}, turn).w == 1);
  CHECK(rotation_about({0, 1e-300, 0}, 180).y == 1);
  CHECK(rotation_about({0, -5, 0}, 180).w == 0);
  CHECK(rotation_about({0, 0, 7}, 90).w == std::sqrt(0.5));
  CHECK(rotation_about({0, 0, 7}, 90).z == std::sqrt(0.5));
  CHECK(rotation_about({0, 0, 1}, 60).z == doctest::Approx(0.5).epsilon(1e-15));
  const Vec3 turned = rotate(rotation_about({0, 0, 1}, 90), {1, 0, 0});
  CHECK(turned.y == doctest::Approx(1));
}
