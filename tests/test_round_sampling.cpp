// Even samples of bodies of revolution: no hole that water passes, rest volumes alike, insets as drawn.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "host/sampling/inset_sampling.h"
#include "host/sampling/point_grid.h"
#include "host/sampling/rest_volume.h"
#include "host/sampling/round_sampling.h"
#include "host/sampling/surface_sampling.h"
#include "tests/mesh_shapes.h"
#include "tests/rigid_texts.h"

using namespace sluice;
using namespace sluice::io;
using namespace sluice::tests;

namespace {

const double kPi = std::acos(-1.0);

}  // namespace

TEST_CASE("samples of balls and capsules leave no hole that water passes") {
  for (const double radius : {1.5, 2.0, 3.0, 4.0, 5.0, 8.0, 20.0})
    for (const double height : {0.0, 1.0, 4.0}) {
      const double r = (radius - kFullInset) * kH, half = 0.5 * height * kH;
      const std::vector<Vec3> samples = sample_capsule(r, 2 * half, kH);
      const PointGrid grid = grid_of(samples, kH);
      double gap = 0;
      for (const Vec3& v : icosphere(radius > 8 ? 6 : 5, r).vertices) {
        const Vec3 cap = v + Vec3{0, v.y < 0 ? -half : half, 0};
        const std::uint32_t nearest = nearest_point(grid, cap, 2 * kH);
        REQUIRE(nearest != kNoPoint);
        gap = std::max(gap, length(samples[nearest] - cap));
      }
      INFO("radius ", radius, " height ", height);
      CHECK(gap < 0.75 * kH);
      std::vector<double> volumes = rest_weights(samples, kH, 0.7, 10);
      std::sort(volumes.begin(), volumes.end());
      const double median = volumes[volumes.size() / 2];
      CHECK(volumes.front() > 0.97 * median);
      CHECK(volumes.back() < 1.03 * median);
    }
  // These, and not the samples of the mesh, are what a scene's ball gets: one per h^2, h/2 inside.
  const Built ball = build(scene_text(rigid(R"("sphere": {"radius": 0.4})")));
  REQUIRE(ball.scene.shapes[0].samples.size() == 154);
  for (const RigidSample& s : ball.scene.shapes[0].samples) CHECK(length(s.position) == doctest::Approx(0.35));
}

namespace {

using Profile = std::vector<std::array<double, 2>>;  // distance from the axis and height of its corners

double distance_to(const Profile& profile, Vec3 p) {
  const double radius = std::hypot(p.x, p.z);
  double best = 1e300;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const double x = profile[i + 1][0] - profile[i][0], y = profile[i + 1][1] - profile[i][1];
    const double along = (radius - profile[i][0]) * x + (p.y - profile[i][1]) * y;
    const double t = std::clamp(along / (x * x + y * y), 0.0, 1.0);
    best = std::min(best, std::hypot(radius - profile[i][0] - t * x, p.y - profile[i][1] - t * y));
  }
  return best;
}

// Largest distance from a point of the surface to the nearest sample.
double largest_hole(const Profile& profile, const std::vector<Vec3>& samples) {
  const PointGrid grid = grid_of(samples, kH);
  const auto steps = [](double length) { return std::max(1.0, std::ceil(length / (0.1 * kH))); };
  double hole = 0;
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const double x = profile[i + 1][0] - profile[i][0], y = profile[i + 1][1] - profile[i][1];
    const double count = steps(std::hypot(x, y));
    for (double k = 0; k <= count; ++k) {
      const double radius = profile[i][0] + k / count * x, around = steps(2 * kPi * radius);
      for (double j = 0; j < around; ++j) {
        const double turn = 2 * kPi * j / around;
        const Vec3 p{radius * std::cos(turn), profile[i][1] + k / count * y, radius * std::sin(turn)};
        const std::uint32_t nearest = nearest_point(grid, p, 2 * kH);
        hole = std::max(hole, nearest == kNoPoint ? 2 * kH : length(samples[nearest] - p));
      }
    }
  }
  return hole;
}

// Rest volumes of the samples on this part of the profile, farther than h from its ends off the axis, lie this close
// to their median.
void check_even(const std::vector<Vec3>& samples, std::array<double, 2> from, std::array<double, 2> to, double share) {
  const std::vector<double> all = rest_weights(samples, kH, 0.7, 10);
  std::vector<double> volumes;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double radius = std::hypot(samples[i].x, samples[i].z);
    const auto is_far = [&](std::array<double, 2> end) {
      return end[0] == 0 || std::hypot(radius - end[0], samples[i].y - end[1]) > 1.001 * kH;
    };
    if (distance_to(Profile{from, to}, samples[i]) < 1e-9 && is_far(from) && is_far(to)) volumes.push_back(all[i]);
  }
  if (volumes.empty()) return;
  std::sort(volumes.begin(), volumes.end());
  const double median = volumes[volumes.size() / 2];
  CHECK(volumes.front() > (1 - share) * median);
  CHECK(volumes.back() < (1 + share) * median);
}

constexpr double kRadii[] = {1.5, 2, 2.3, 3, 3.7, 5, 8, 13.1, 20};

}  // namespace

TEST_CASE("samples of cylinders are matched rings, without holes, at their insets") {
  for (const double radius : kRadii)
    for (const double height : {1.0, 1.5, 2.0, 3.3, 6.0, 12.0})
      for (const bool on_surface : {false, true}) {
        INFO("radius ", radius, " height ", height, " on its surface ", on_surface);
        const double r = radius * kH, y = 0.5 * height * kH;
        const auto found = sample_round({.kind = ShapeKind::cylinder, .radius = r, .height = 2 * y}, on_surface, kH);
        REQUIRE(found);
        const std::vector<Vec3>& samples = found->positions;
        const double side = r - (on_surface ? 0 : inset_of(2 * r, kH)),
                     flat = y - (on_surface ? 0 : inset_of(2 * y, kH));
        CHECK(largest_hole({{0, -flat}, {side, -flat}, {side, flat}, {0, flat}}, samples) < 0.75 * kH);
        const Profile drawn{{0, -y}, {r, -y}, {r, y}, {0, y}};
        REQUIRE(found->insets.size() == samples.size());
        double wrong = 0;
        for (std::size_t i = 0; i < samples.size(); ++i)
          wrong = std::max(wrong, std::abs(distance_to(drawn, samples[i]) - found->insets[i]));
        CHECK(wrong < 1e-12);
        // Caps that feel each other differ a little more.
        if (flat > 0.999 * kH) check_even(samples, {0, -flat}, {side, -flat}, 0.06);
        check_even(samples, {side, -flat}, {side, flat}, 0.01);
        // Every ring of the side is the lowest one, moved up; the caps are alike.
        const PointGrid grid = grid_of(samples, kH);
        const double rings = std::max(1.0, std::ceil(2 * flat / kH - 1e-9));
        std::size_t expected = 0, matched = 0;
        for (const Vec3& p : samples) {
          const bool rim = std::hypot(p.x, p.z) > side * (1 - 1e-9);
          if (rim && p.y == -flat) expected += static_cast<std::size_t>(rings) + 1;
          if (rim) {
            const std::uint32_t below = nearest_point(grid, {p.x, -flat, p.z}, 0.1 * kH);
            if (below != kNoPoint && length(samples[below] - Vec3{p.x, -flat, p.z}) < 1e-12) ++matched;
          } else {
            const std::uint32_t mirrored = nearest_point(grid, {p.x, -p.y, p.z}, 0.1 * kH);
            CHECK((mirrored != kNoPoint && length(samples[mirrored] - Vec3{p.x, -p.y, p.z}) < 1e-9));
          }
        }
        CHECK(matched == expected);
      }
}

TEST_CASE("samples of cones leave no hole, at their insets, and reach a sharp tip") {
  for (const double radius : kRadii)
    for (const double share : {0.6, 0.8, 1.0, 1.5, 2.0, 4.0})
      for (const bool on_surface : {false, true}) {
        INFO("radius ", radius, " height ", share * radius, " on its surface ", on_surface);
        const double r = radius * kH, height = share * r, side = std::hypot(r, height);
        const auto found = sample_round({.kind = ShapeKind::cone, .radius = r, .height = height}, on_surface, kH);
        const double inset = on_surface ? 0 : kFullInset * kH;
        const double base = -0.5 * height + inset, inner = height - inset * (1 + side / r), rim = r * inner / height;
        if (std::min(rim, inner) < 0.5 * kH) {
          CHECK(!found);  // nothing left inside: the mesh's samples
          continue;
        }
        REQUIRE(found);
        const std::vector<Vec3>& samples = found->positions;
        CHECK(largest_hole({{0, base}, {rim, base}, {0, base + inner}}, samples) < 0.75 * kH);
        const Profile drawn{{0, -0.5 * height}, {r, -0.5 * height}, {0, 0.5 * height}};
        REQUIRE(found->insets.size() == samples.size());
        double wrong = 0, top = -height;
        for (std::size_t i = 0; i < samples.size(); ++i) {
          const double depth = distance_to(drawn, samples[i]);
          // One sample stands for a narrow ring, deeper than it.
          const bool on_axis = std::hypot(samples[i].x, samples[i].z) < 1e-9 && !on_surface;
          wrong = std::max(wrong, std::abs((on_axis ? std::min(depth, inset) : depth) - found->insets[i]));
          top = std::max(top, samples[i].y);
        }
        if (!on_surface) CHECK(wrong < 1e-12);
        CHECK(top == doctest::Approx(share > std::sqrt(3.0) ? 0.5 * height : base + inner));
      }
  // Flatter ones would lose their rims.
  CHECK(!sample_round({.kind = ShapeKind::cone, .radius = 20 * kH, .height = 10 * kH}, false, kH));
}

TEST_CASE("samples of tori leave no hole, and lie evenly at their inset") {
  for (const double tube : {1.5, 2.0, 2.3, 3.0, 5.0})
    for (const double share : {1.05, 1.5, 2.0, 4.0}) {
      INFO("tube ", tube, " radius ", share * tube);
      const double t = tube * kH, r = share * t, inner = t - kFullInset * kH;
      const auto found = sample_round({.kind = ShapeKind::torus, .radius = r, .tube = t}, false, kH);
      REQUIRE(found);
      Profile circle;
      for (int k = 0; k <= 360; ++k)
        circle.push_back({r + inner * std::cos(k * kPi / 180), inner * std::sin(k * kPi / 180)});
      CHECK(largest_hole(circle, found->positions) < 0.75 * kH);
      double wrong = 0;
      for (std::size_t i = 0; i < found->positions.size(); ++i) {
        const Vec3 p = found->positions[i];
        const double depth = t - std::hypot(std::hypot(p.x, p.z) - r, p.y);
        wrong = std::max({wrong, std::abs(depth - found->insets[i]), std::abs(depth - kFullInset * kH)});
      }
      CHECK(wrong < 1e-12);
      // A hole narrower than h crowds its ring.
      if (r - t < kH) continue;
      std::vector<double> volumes = rest_weights(found->positions, kH, 0.7, 10);
      std::sort(volumes.begin(), volumes.end());
      CHECK(volumes.front() > 0.97 * volumes[volumes.size() / 2]);
      CHECK(volumes.back() < 1.03 * volumes[volumes.size() / 2]);
    }
}

TEST_CASE("rigid cylinders, cones and tori of a scene have even samples, thin ones those of their meshes") {
  const auto count = [](const std::string& shape) {
    return build(scene_text(rigid(shape))).scene.shapes[0].samples.size();
  };
  const Shape wheel{.kind = ShapeKind::cylinder, .radius = 0.5, .height = 0.7};
  CHECK(count(R"("cylinder": {"radius": 0.5, "height": 0.7})") == sample_round(wheel, false, kH)->positions.size());
  const Shape cone{.kind = ShapeKind::cone, .radius = 0.5, .height = 0.7};
  CHECK(count(R"("cone": {"radius": 0.5, "height": 0.7})") == sample_round(cone, false, kH)->positions.size());
  const Shape ring{.kind = ShapeKind::torus, .radius = 0.5, .tube = 0.2};
  CHECK(count(R"("torus": {"radius": 0.5, "tube": 0.2})") == sample_round(ring, false, kH)->positions.size());
  for (const Shape& thin : {Shape{.kind = ShapeKind::cylinder, .radius = 0.14, .height = 1},
                            Shape{.kind = ShapeKind::cylinder, .radius = 1, .height = 0.09},
                            Shape{.kind = ShapeKind::cone, .radius = 0.14, .height = 1},
                            Shape{.kind = ShapeKind::torus, .radius = 0.5, .tube = 0.14}})
    CHECK(!sample_round(thin, false, kH));
}
