// A box on a deep pillar of water [PT23 figures 7 and 8]: iterations against plain Jacobi on the same states, and a
// body so light that it needs strong coupling.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/reference/rigid_scenes.h"
#include "tests/scene_builders.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr double kStep = 0.001;  // s

// Of plain Jacobi over NNCG, on every `every`-th of `steps` states of a run with NNCG in paper mode.
double iteration_ratio(Gpu& gpu, int layers, int steps, int every) {
  const Scene scene = reference::in_paper_mode(reference::pillar_with_box(layers));
  Scene stops = with_fixed_steps(scene, kStep, every);
  stops.time.end = steps * kStep;
  std::vector<Frame> frames;
  const Run run = run_scene(gpu, stops, {}, [&](const Frame& frame) { frames.push_back(frame); });
  frames.pop_back();  // no step follows the last one

  Scene once = with_fixed_steps(scene, kStep, 1);
  once.solver.acceleration = Acceleration::none;
  once.solver.max_iterations = 5000;
  double nncg = 0, jacobi = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const StepRecord& step = run.steps[(k + 1) * static_cast<std::size_t>(every)];
    CHECK(step.residual <= step.tolerance);
    const Run plain = run_scene(gpu, continued(once, frames[k]));
    REQUIRE(plain.steps.size() == 1);
    CHECK(plain.steps[0].residual <= plain.steps[0].tolerance);
    nncg += step.iterations;
    jacobi += plain.steps[0].iterations;
  }
  return jacobi / nncg;
}

void check_ratio(Gpu& gpu, int layers, int steps, int every, double least) {
  report_figure({.name = "box on a pillar of " + std::to_string(layers) + " layers, " + std::to_string(steps) +
                         " steps, tolerance 1e-5: Jacobi iterations over NNCG's on the same states, paper mode",
                 .value = iteration_ratio(gpu, layers, steps, every),
                 .least = least,
                 .source = "[PT23 fig. 8]"});
}

// A box of 20 kg/m^3, whose mass is a fiftieth of the water's that it pushes aside. Its lower samples start h above the
// water, and should end about where the top layer is.
void check_light_box(Gpu& gpu, int layers, int steps) {
  Scene scene = with_fixed_steps(reference::pillar_with_box(layers), kStep, 10);
  scene.time.end = steps * kStep;
  RigidBody& box = scene.rigid[0];
  const double lighter = 20.0 / 500;
  box.mass *= lighter;
  for (double& moment : box.inertia) moment *= lighter;

  const double start = box.position.y, h = scene.spacing;
  double highest = -1e300, speed = 0;
  const Run run = run_scene(gpu, scene, {}, [&](const Frame& frame) {
    highest = std::max(highest, (frame.bodies[0].position.y - start) / h);
    speed = std::max(speed, length(frame.bodies[0].velocity));
  });
  const std::string name =
      "box of 20 kg/m^3 on a pillar of " + std::to_string(layers) + " layers, " + std::to_string(steps) + " steps: ";
  report_figure({.name = name + "largest rise above its start",
                 .value = highest,
                 .unit = "h",
                 .most = 0.5,
                 .source = "it is not thrown out"});
  // Its draft would be 0.02 of its height; the surface settles by half a spacing.
  report_figure({.name = name + "height above its start at the end",
                 .value = (run.last.bodies[0].position.y - start) / h,
                 .unit = "h",
                 .least = -2,
                 .most = 0.5,
                 .source = "it floats"});
  CHECK(speed < 0.7);  // m/s; h takes 0.63 m/s to fall
}

}  // namespace

TEST_CASE("a box of 20 kg/m^3 floats on a pillar and is not thrown out" * doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  check_light_box(lavapipe(), 15, 100);
}

TEST_CASE("a light box floats on deep pillars" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  for (const int layers : {30, 60}) check_light_box(gpu, layers, 500);
}

TEST_CASE("under a box NNCG needs far fewer iterations than Jacobi, the fewer the deeper" *
          doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  check_ratio(gpu, 15, 300, 30, 4);
  check_ratio(gpu, 60, 300, 30, 8);
}
