// A sphere that sinks in a viscous fluid: its terminal speed, and the balance of all momentum.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "host/sampling/sampling.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/scene_builders.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

// A sphere of 3 h radius in a tank of 14 x 14 h that is 35 h deep; it stays 3 radii above the floor. A quarter of g on
// 13,000 kg/m^3 is the same weight in fluid as g on 4,000, at a quarter of the pressure, with which drag grows: under g
// that sphere slows down from 0.50 to 0.32 m/s while it sinks by another 20 h. By 0.4 s the fluid has settled from its
// lattice, and moves with the sphere.
constexpr const char* kSinkingSphere = R"({ "particleSpacing": 0.02, "gravity": [0, -2.4525, 0],
"time": { "maxStep": 0.001 },
"materials": { "oil": { "type": "fluid", "density": 1000, "viscosity": 0.02 },
               "lead": { "type": "rigid", "density": 13000 } }, "objects": [
{ "name": "tank", "role": "boundary", "shape": { "box": [0.28, 0.9, 0.28], "open": "top" }, "position": [0, 0.45, 0] },
{ "name": "oil", "role": "fluid", "material": "oil", "shape": { "box": [0.28, 0.7, 0.28] }, "position": [0, 0.35, 0] },
{ "name": "sphere", "role": "rigid", "material": "lead", "shape": { "sphere": { "radius": 0.06 } },
  "position": [0, 0.54, 0] } ] })";

struct Sinking {
  std::vector<double> time, speed;  // s, m/s down; of the sphere, a value a frame
  double imbalance = 0;  // change of momentum less the impulses of gravity and walls, over the sphere's weight
                         // times the time
};

Sinking sink(Gpu& gpu, double end) {
  io::SamplingReport report;
  Scene scene = io::build_scene(io::parse_scene(kSinkingSphere, "drag.json"), report);
  scene.time.end = end;
  scene.time.frame_interval = end / 50;
  const RigidBody& sphere = scene.rigid[0];

  Sinking found;
  const Run run = run_scene(gpu, scene, {}, [&](const Frame& frame) {
    found.time.push_back(frame.time);
    found.speed.push_back(-frame.bodies[0].velocity.y);
  });
  const double mass = total_mass(scene) + sphere.mass;
  Vec3 impulse;
  for (const StepRecord& step : run.steps) {
    const auto& wall = step.wall_force;
    impulse = impulse + step.dt * (mass * scene.gravity - Vec3{wall[0], wall[1], wall[2]});
  }
  const Vec3 momentum = tests::momentum(scene, run.last) + sphere.mass * run.last.bodies[0].velocity;
  found.imbalance = length(momentum - impulse) / (sphere.mass * length(scene.gravity) * end);
  return found;
}

std::string name_of(double end) {
  char text[96];
  std::snprintf(text, sizeof text, "sphere of 3 h radius sinks in a viscous fluid for %.4g s: ", end);
  return text;
}

void check_sinking(Gpu& gpu, double end) {
  const Sinking found = sink(gpu, end);
  Series curve{"speed", {}, true};
  for (std::size_t k = 0; k < found.time.size(); ++k) {
    curve.points.emplace_back(found.time[k], found.speed[k]);
  }
  const auto late = found.speed.end() - static_cast<std::ptrdiff_t>(found.speed.size() / 5) - 1;
  const auto [least, most] = std::minmax_element(late, found.speed.end());
  CHECK(*least > 0.02);  // it does sink
  report_figure({.name = name_of(end) + "change of speed over the last fifth",
                 .value = 100 * (*most - *least) / *most,
                 .unit = "%",
                 .most = 1,
                 .source = "terminal speed"});
  report_figure(
      {.name = name_of(end) + "momentum less the impulses of gravity and walls, of the sphere's weight times time",
       .value = 100 * found.imbalance,
       .unit = "%",
       .most = 1,
       .source = "Newton"});
  report_curve({.name = "sinking_sphere",
                .title = "A sphere of 13,000 kg/m^3 sinks in a fluid of 0.02 m^2/s under g/4",
                .x_label = "time, s",
                .y_label = "speed, m/s",
                .series = {curve}});
}

}  // namespace

TEST_CASE("a sphere sinks at a terminal speed, and momentum balances" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  check_sinking(gpu, 0.9);
}
