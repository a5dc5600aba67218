// Balls and wheels against mechanics: how far they roll, how fast they are once they have stopped slipping, how they
// accelerate on a slope, and that nothing turns them off their line.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/sampling/sampling.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/reference/rigid.h"
#include "tests/rigid_runs.h"
#include "tests/scene_builders.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr double kSlope = 15;  // degrees

// A ball, or a lying cylinder, of this radius in h at rest on a floor whose lattice is turned by `degrees`.
Scene roller(bool ball, double radius, double degrees, double length_in_h) {
  const std::string size = "\"radius\": " + std::to_string(radius * kSpacing);
  Scene scene = shape_on_strip(ball ? R"("shape": {"sphere": {)" + size + "}}"
                                    : R"("shape": {"cylinder": {)" + size +
                                          R"(, "height": 0.2}}, "rotation": {"axis": [1, 0, 0], "degrees": 90})",
                               0.5, 0, 1);
  const Quat turn = reference::turn_by({0, degrees * kDegree, 0});
  const int reach = static_cast<int>(std::ceil(1.5 * length_in_h));
  std::vector<Vec3> lattice;  // in h
  for (int z = -reach; z <= reach; ++z) {
    for (int x = -reach; x <= reach; ++x) {
      const Vec3 p = rotate(turn, {double(x), 0, double(z)});
      if (p.x >= -15 && p.x <= length_in_h && std::fabs(p.z) <= 13) lattice.push_back(p);
    }
  }
  scene.boundary.clear();
  scene.bodies.clear();
  add_body(scene, lattice, {}, {}, {}, "floor");
  // As drawn: the floor's samples are h/2 below its surface.
  scene.rigid[0].position.y = (radius + 0.5) * kSpacing;
  return scene;
}

struct Found {
  double loss = 0, veer = 0, slide = 0, slope = 0;  // %, degrees, and twice the share by which the law is missed
};
void take(double& worst, double found) {
  if (!(std::fabs(found) <= worst)) worst = std::fabs(found);  // a NaN is taken, too
}

double veer_of(const std::vector<Frame>& frames) {
  const Vec3 way = frames.back().bodies[0].position - frames.front().bodies[0].position;
  return std::atan2(way.z, way.x) / kDegree;
}

void roll(Gpu& gpu, bool ball, double radius, double degrees, Found& worst) {
  const double k = ball ? 0.4 : 0.5, r = radius * kSpacing;
  {
    // Over a way of 10 R.
    Scene scene = roller(ball, radius, degrees, 11 * radius + 12);
    scene.rigid[0].velocity = {1, 0, 0};
    scene.rigid[0].angular_velocity = {0, 0, -1 / r};
    const std::vector<Frame> frames = record(gpu, scene, 0.02 + 10 * r, 0.01).frames;
    take(worst.loss, 100 * (1 - frames.back().bodies[0].velocity.x / frames[2].bodies[0].velocity.x));
    take(worst.veer, veer_of(frames));
  }
  {
    // Slips for 1 / (1 + 1 / k) / (mu g) seconds.
    Scene scene = roller(ball, radius, degrees, 0.4 / kSpacing + 15);
    scene.rigid[0].velocity = {1, 0, 0};
    const std::vector<Frame> frames = record(gpu, scene, 0.2, 0.1).frames;
    take(worst.slide, frames.back().bodies[0].velocity.x * (1 + k) - 1);
    take(worst.slide, -frames.back().bodies[0].angular_velocity.z * r * (1 + k) - 1);
    take(worst.veer, veer_of(frames));
  }
  {
    const double exact = kGravity * std::sin(kSlope * kDegree) / (1 + k);
    Scene scene = roller(ball, radius, degrees, 0.5 * exact * 0.16 / kSpacing + 15);
    lean(scene, kSlope);
    const std::vector<Frame> frames = record(gpu, scene, 0.4, 0.02).frames;
    take(worst.slope, fitted_acceleration(frames, 0.1, 0.4) / exact - 1);
  }
}

void check_rolling(Gpu& gpu, bool ball, double radius, const std::vector<double>& lattices) {
  Found worst;
  for (const double degrees : lattices) roll(gpu, ball, radius, degrees, worst);
  std::string name = ball ? "ball of radius " : "cylinder of radius ";
  name += text_of(radius) + " h, lattice of the floor at";
  for (const double degrees : lattices) name.append(" ").append(text_of(degrees));
  name += " degrees: ";
  report_figure({.name = name + "speed lost over 10 radii",
                 .value = worst.loss,
                 .unit = "%",
                 .most = 1,
                 .source = "rolls without resistance"});
  report_figure(
      {.name = name + "off its line", .value = worst.veer, .unit = "degrees", .most = 0.5, .source = "Newton"});
  report_figure({.name = name + "speed once it has stopped slipping, off v / (1 + k)",
                 .value = 100 * worst.slide,
                 .unit = "%",
                 .most = 1,
                 .source = ball ? "5/7 v" : "2/3 v"});
  report_figure({.name = name + "acceleration on a slope of 15 degrees, off g sin 15 / (1 + k)",
                 .value = 100 * worst.slope,
                 .unit = "%",
                 .most = 1,
                 .source = ball ? "5/7 g sin 15" : "2/3 g sin 15"});
}

Scene loaded(const std::string& text) {
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

// Two balls that are 1 : 3.3 in mass, head on.
void check_head_on(Gpu& gpu) {
  Scene scene = loaded(R"({"particleSpacing": 0.02, "gravity": [0, 0, 0], "time": {"end": 1, "maxStep": 0.001},
    "materials": {"light": {"type": "rigid", "density": 1000, "friction": 0},
                  "heavy": {"type": "rigid", "density": 3300, "friction": 0}},
    "objects": [{"role": "rigid", "name": "a", "material": "light", "shape": {"sphere": {"radius": 0.11}},
      "rotation": {"axis": [0.76, -0.23, 0.61], "degrees": 143}},
    {"role": "rigid", "name": "b", "material": "heavy", "shape": {"sphere": {"radius": 0.11}},
      "rotation": {"axis": [0.76, -0.23, 0.61], "degrees": 143}}]})");
  const double between = std::sqrt(0.0723114587 * 0.0723114587 + 0.016241724 * 0.016241724 + 0.290701323 * 0.290701323);
  const Vec3 along = 1 / between * Vec3{0.0723114587, 0.016241724, 0.290701323};
  scene.rigid[1].position = between * along;
  scene.rigid[0].velocity = 1.3 * along;
  const std::vector<BodyRecord> end = record(gpu, scene, 0.4, 0.2).frames.back().bodies;
  double sideways = 0;
  for (const BodyRecord& body : end)
    take(sideways, std::atan2(length(cross(body.velocity, along)), dot(body.velocity, along)) / kDegree);
  const std::string name = "balls of masses 1 : 3.3 head on at 1.3 m/s, without friction: ";
  report_figure({.name = name + "off their line", .value = sideways, .unit = "degrees", .most = 1, .source = "Newton"});
  // Two things part them: the overlap that a step leaves, at up to 0.02 m/s, and a tenth of that, which the compliance
  // of the contact gives back, since the impact takes five steps, one more than the limit's memory of pressures.
  report_figure({.name = name + "speed of the heavy one",
                 .value = length(end[1].velocity),
                 .unit = "m/s",
                 .exact = 1.3 / 4.3,
                 .within = 0.03,
                 .source = "inelastic impact"});
  report_figure({.name = name + "speed at which they part",
                 .value = length(end[1].velocity) - length(end[0].velocity),
                 .unit = "m/s",
                 .most = 0.022,
                 .source = "overlaps part at 0.02 m/s, and compliance gives back a tenth"});
}

// A wheel of 10 h that lies on its side surface.
void check_lying_wheel(Gpu& gpu) {
  const Scene scene = loaded(R"({"particleSpacing": 0.001, "time": {"end": 1, "maxStep": 0.001},
    "materials": {"m": {"type": "rigid", "density": 1000, "friction": 0.5}},
    "objects": [{"role": "boundary", "name": "floor", "shape": {"box": [0.1, 0.02, 0.1]}, "position": [0, -0.01, 0]},
    {"role": "rigid", "name": "wheel", "material": "m", "shape": {"cylinder": {"radius": 0.01, "height": 0.015}},
      "position": [0, 0.01005, 0], "rotation": {"axis": [1, 0, 0], "degrees": 90}}]})");
  double moved = 0;
  for (const Frame& frame : record(gpu, scene, 2, 0.05).frames) {
    const Vec3 x = frame.bodies[0].position;
    take(moved, 1000 * std::sqrt(x.x * x.x + x.z * x.z));
  }
  report_figure({.name = "wheel of 10 h on a floor, 2 s: way that it moves",
                 .value = moved,
                 .unit = "mm",
                 .most = 0.1,
                 .source = "rests"});
}

}  // namespace

TEST_CASE("a ball and a wheel of 5 h roll on a floor whose lattice is turned by 20 degrees" *
          doctest::test_suite("figures")) {
  check_rolling(quiet_lavapipe(), true, 5, {20});
  check_rolling(quiet_lavapipe(), false, 5, {20});
}

TEST_CASE("balls head on stay on their line" * doctest::test_suite("figures")) { check_head_on(quiet_lavapipe()); }

TEST_CASE("balls of 5, 8 and 10 h roll on floors of any lattice" * doctest::test_suite("full") * doctest::skip()) {
  for (const double radius : {5, 8, 10}) check_rolling(quiet_lavapipe(), true, radius, {0, 20, 33, 45});
}

TEST_CASE("a ball of 20 h rolls on floors of any lattice" * doctest::test_suite("full") * doctest::skip()) {
  check_rolling(quiet_lavapipe(), true, 20, {0, 20, 33, 45});
}

TEST_CASE("wheels of 5, 8 and 10 h roll on floors of any lattice" * doctest::test_suite("full") * doctest::skip()) {
  for (const double radius : {5, 8, 10}) check_rolling(quiet_lavapipe(), false, radius, {0, 20, 33, 45});
}

TEST_CASE("a wheel of 20 h rolls on floors of any lattice" * doctest::test_suite("full") * doctest::skip()) {
  check_rolling(quiet_lavapipe(), false, 20, {0, 20, 33, 45});
}

TEST_CASE("a wheel lies still" * doctest::test_suite("full") * doctest::skip()) { check_lying_wheel(quiet_lavapipe()); }
