// Free flight: velocity Verlet has the exact parabola under constant gravity and forces, whatever the steps.
// Euler-Cromer, as printed, is ahead by g t dt / 2.
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

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr double kForce = 0.3;    // N
constexpr double kTorque = 4e-4;  // N m

// A particle, a thrown box, and a wheel on its axle that a motor turns, none of which meets anything.
Scene flight(const std::string& mode, double max_step) {
  const std::string text = R"({"particleSpacing": 0.02, "gravity": [1, -9.81, 0.5], "solver": {"mode": ")" + mode +
                           R"("}, "time": {"end": 10, "maxStep": )" + std::to_string(max_step) + R"(},
    "domain": "unlimited",
    "materials": {"w": {"type": "fluid", "density": 1000}, "m": {"type": "rigid", "density": 1000}},
    "objects": [{"role": "fluid", "material": "w", "shape": {"box": [0.02, 0.02, 0.02]}, "velocity": [0.3, 2, -0.4]},
      {"role": "rigid", "material": "m", "shape": {"box": [0.1, 0.1, 0.1]}, "position": [1, 0, 0],
       "velocity": [-0.2, 3, 0.1], "force": [0, 0, )" +
                           std::to_string(kForce) + R"(]},
      {"role": "rigid", "material": "m", "shape": {"cylinder": {"radius": 0.1, "height": 0.1}}, "position": [2, 0, 0],
       "fixed": false, "freeTranslation": [false, false, false], "rotationAxis": [0, 1, 0],
       "torque": [0, )" + std::to_string(kTorque) +
                           R"(, 0], "angularVelocity": [0, 2, 0]}]})";
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

template <typename Number>
Vec3 to_vec(const std::array<Number, 3>& v) {
  return {v[0], v[1], v[2]};
}

struct Misses {
  double way = 0;       // h
  double speed = 0;     // m/s
  double angle = 0;     // rad
  double momentum = 0;  // share of the particle's and the box's
};

// The farthest that frames and records are from the exact flight.
Misses misses(Gpu& gpu, const Scene& scene, double end, double interval) {
  const Recording found = record(gpu, scene, end, interval);
  const RigidBody &box = scene.rigid[0], &wheel = scene.rigid[1];
  const double pull = kForce / box.mass, spin_up = kTorque / wheel.inertia[1];
  Misses worst;
  const auto take = [](double& most, double miss) {
    if (!(miss <= most)) most = miss;
  };
  for (std::size_t f = 0; f < found.frames.size(); ++f) {
    const Frame& frame = found.frames[f];
    const double t = interval * static_cast<double>(f);
    const auto fly = [&](Vec3 x, Vec3 v, Vec3 start, Vec3 start_velocity, Vec3 acceleration) {
      take(worst.way, length(x - start - t * start_velocity - 0.5 * t * t * acceleration) / kSpacing);
      take(worst.speed, length(v - start_velocity - t * acceleration));
    };
    fly(to_vec(frame.position[0]), to_vec(frame.velocity[0]), scene.fluid[0].position, scene.fluid[0].velocity,
        scene.gravity);
    fly(frame.bodies[0].position, frame.bodies[0].velocity, box.position, box.velocity,
        scene.gravity + Vec3{0, 0, pull});
    take(worst.speed, 0.1 * std::fabs(frame.bodies[1].angular_velocity.y - 2 - t * spin_up));
    const Quat turn = reference::turn_by({0, 2 * t + 0.5 * t * t * spin_up, 0});
    const Quat q = frame.bodies[1].orientation;
    take(worst.angle, 2 * std::fabs(q.w * turn.y - q.y * turn.w));
  }
  const double particle = 1000 * kSpacing * kSpacing * kSpacing;
  for (const StepRecord& step : found.steps) {
    const Vec3 p = particle * (scene.fluid[0].velocity + step.time * scene.gravity) +
                   box.mass * (box.velocity + step.time * (scene.gravity + Vec3{0, 0, pull}));
    take(worst.momentum, length(to_vec(step.momentum) - p) / length(p));
  }
  return worst;
}

}  // namespace

TEST_CASE("free flight is exact while steps change" * doctest::test_suite("figures")) {
  const Misses worst = misses(quiet_lavapipe(), flight("robust", 0.004), 0.3, 1.0 / 30);
  const auto report = [](const std::string& what, double value, const std::string& unit, double most,
                         const std::string& law) {
    report_figure({.name = "thrown particle, thrown box with a constant force, wheel with a motor, 0.3 s: " + what,
                   .value = value,
                   .unit = unit,
                   .most = most,
                   .source = law});
  };
  report("farthest off the parabola", worst.way, "h", 1e-4, "x + v t + g t^2 / 2");
  report("error of speeds", worst.speed, "m/s", 1e-5, "v + g t");
  report("error of the wheel's angle", worst.angle, "rad", 1e-5, "w t + T t^2 / 2 I");
  report("error of the momentum, as a share", worst.momentum, "", 1e-5, "v + g t");
}

TEST_CASE("as printed, what falls is ahead by g t dt / 2") {
  const Misses worst = misses(quiet_lavapipe(), flight("paper", 0.001), 0.5, 0.1);
  CHECK(worst.way == doctest::Approx(length(Vec3{1, -9.81, 0.5}) * 0.5 * 0.001 / 2 / kSpacing).epsilon(0.05));
}

TEST_CASE("edits of gravity and force act from the time of their step on") {
  for (Gpu* gpu : drivers()) {
    Scene scene = flight("robust", 0.002);
    scene.time.end = 10;
    scene.time.frame_interval = 0.01;
    Simulation simulation(*gpu, scene);
    const RigidBody& box = scene.rigid[0];
    Vec3 x = box.position, v = box.velocity, gravity = scene.gravity, force{0, 0, kForce};
    double last = 0;
    for (int frame = 0; frame <= 12; ++frame) {
      while (!simulation.frame_ready()) simulation.advance();
      const BodyRecord now = simulation.read_frame().bodies[0];
      const double t = 0.01 * frame - last;
      const Vec3 a = gravity + 1 / box.mass * force;
      x = x + t * v + 0.5 * t * t * a;
      v = v + t * a;
      last = 0.01 * frame;
      CAPTURE(frame);
      CHECK(length(now.position - x) < 1e-4 * kSpacing);
      CHECK(length(now.velocity - v) < 1e-5);
      if (frame == 3) simulation.set_gravity(gravity = {-3, 4, 0});
      if (frame == 6) simulation.set_force(0, force = {0.5, 0, -1}, {});
      if (frame == 9) {
        simulation.apply_impulse(0, {0, box.mass * 0.25, 0}, {});
        v.y += 0.25;
      }
      simulation.next_frame();
    }
  }
}
