// Whole solves of scenes with rigid bodies against the reference, the momentum of collisions, and what must not change
// a bit. SwiftShader compiles all passes anew for every Simulation, about 5 s: it runs the same bits on a rig.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/frame.h"
#include "tests/body_momentum.h"
#include "tests/figures.h"
#include "tests/reference/rigid_simulation.h"
#include "tests/rigid_rig.h"
#include "tests/scene_builders.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

struct Comparison {
  std::vector<double> iterations, reference_iterations;
  double position_gap = 0;  // of bodies at the end, h
  double force_gap = 0;     // of the fluid's and contacts' forces on bodies, over the largest of them or a weight
};

// The engine and the reference side by side, with the engine's steps.
Comparison run_both(Gpu& gpu, Scene scene, int steps) {
  scene.time.frame_interval = 1;  // no frame within the test: whole steps
  scene.time.end = 1;
  Simulation simulation(gpu, scene, {.iterations_per_tick = 64, .ticks_per_submit = 1});
  simulation.next_frame();
  reference::RigidSimulation plain = reference::make_rigid_simulation(scene);
  const double h = scene.spacing;
  const double unit = 1000 * h * h * h * h / (scene.time.max_step * scene.time.max_step);  // N
  Comparison run;
  double gap = 0, scale = 0;
  while (static_cast<int>(run.iterations.size()) < steps) {
    for (const StepRecord& record : simulation.advance()) {
      const double tau = record.dt / scene.time.max_step;
      const reference::RigidPrepared prepared = reference::prepare(plain, tau);
      const auto solution = reference::solve(prepared, reference::rigid_solve_settings(plain, prepared));
      reference::finish(plain, prepared, solution);
      run.iterations.push_back(record.iterations);
      run.reference_iterations.push_back(solution.iterations);
      const Frame frame = simulation.read_frame();
      run.position_gap = 0;
      for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
        const BodyRecord& body = frame.bodies[b];
        const Vec3 force = unit / (tau * tau) * solution.motion.force[b] + unit * prepared.drag.force[b];
        gap = std::max(gap, length(body.contact_force + body.fluid_force - force));
        scale = std::max({scale, length(force), scene.rigid[b].mass * length(scene.gravity)});
        run.position_gap = std::max(run.position_gap, length(1 / h * body.position - plain.bodies[b].position));
      }
    }
  }
  run.force_gap = gap / scale;
  return run;
}

}  // namespace

TEST_CASE("whole solves take as many iterations as the reference and end in the same forces") {
  Scene paper = reference::in_paper_mode(reference::stack(3, 0.3, reference::kPaperRestGaps));
  paper.name = "paper stack";
  Scene collision = reference::rigid_collision({6, 6, 6});
  // The engine's least number holds where samples meet, the reference's where they press; only convergence counts here.
  collision.solver.min_iterations_contact = 2;
  Scene pillar = reference::pillar_with_box(6);
  pillar.rigid[0].position.y -= 0.6 * pillar.spacing;
  for (FluidMaterial& material : pillar.materials) material.viscosity = 0;
  MessageGuard guard(lavapipe());
  for (const Scene& scene : {reference::stack(4, 0.3), paper, reference::incline(0.3), collision, pillar}) {
    CAPTURE(scene.name);
    const Comparison run = run_both(lavapipe(), scene, 18);
    MESSAGE(scene.name << ": iterations a step " << mean(run.iterations) << ", reference "
                       << mean(run.reference_iterations) << "; positions differ by " << run.position_gap
                       << " h, forces by " << run.force_gap);
    CHECK(mean(run.iterations) == doctest::Approx(mean(run.reference_iterations)).epsilon(0.1));
    CHECK(run.position_gap < 1e-4);
    // A solve ends at a mean error of 1e-5 h a step, 2 % of a weight; errors of a body's rows may be some times that.
    CHECK(run.force_gap < 0.1);
  }
}

TEST_CASE("stacks and a mass ratio of 1000 take as many iterations as the reference over 200 steps" *
          doctest::test_suite("full") * doctest::skip()) {
  constexpr double kOffset = 0.3;  // h
  Scene ratio = reference::mass_ratio(), aligned = reference::stack(8), offset_stack = reference::stack(8, kOffset);
  ratio.solver.tolerance *= 10;  // 1e-4
  ratio.name = "cube of 1000 times the mass on a cube, tolerance 1e-4";
  aligned.name = "stack of 8, aligned, tolerance 1e-5";
  offset_stack.name = "stack of 8, offset by up to 0.3 h, tolerance 1e-5";
  MessageGuard guard(lavapipe());
  for (const Scene& scene : {aligned, offset_stack, ratio}) {
    CAPTURE(scene.name);
    const Comparison run = run_both(lavapipe(), scene, 200);
    report_figure({.name = scene.name + ", 200 steps: iterations a step",
                   .value = mean(run.iterations),
                   .exact = mean(run.reference_iterations),
                   .within = 0.10,
                   .source = "double reference"});
    report_figure({.name = scene.name + ", 200 steps: bodies off those of the reference",
                   .value = run.position_gap,
                   .unit = "h",
                   .most = 0.01,
                   .source = "double reference"});
    if (scene.name == ratio.name) continue;  // the aim is for stacks
    const double offset = scene.name == offset_stack.name ? kOffset : 0;
    const Scene paper = reference::in_paper_mode(reference::stack(8, offset, reference::kPaperRestGaps));
    report_figure({.name = scene.name + ", 200 steps: iterations, robust over paper mode",
                   .value = mean(run.iterations) /
                            mean_iterations(run_scene(lavapipe(), with_fixed_steps(paper, 0.001, 200)).steps),
                   .most = 0.8,
                   .source = "our aim"});
  }
}

TEST_CASE("the drag limit reckons with a body's least moment of inertia, as the reference does") {
  const Scene scene = reference::pillar_with_box(6);
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    RigidRig rig(*gpu, scene);
    const auto prepared = reference::prepare(reference::make_rigid_simulation(scene), rig.tau());
    CHECK(steps_of(rig)[0].velocity.w == doctest::Approx(prepared.drag.scale[0]).epsilon(1e-4));
  }
}

TEST_CASE("a collision of cubes, and of boxes of 1:2:5, keeps momentum and angular momentum, solved to the end or not" *
          doctest::test_suite("figures")) {
  // On one driver: the same bits on both are another test's.
  MessageGuard guard(lavapipe());
  for (const reference::BoxSamples samples : {reference::BoxSamples{6, 6, 6}, reference::BoxSamples{3, 5, 11}}) {
    for (const int cap : {3, 500}) {
      CAPTURE(samples.z);
      CAPTURE(cap);
      Scene scene = with_fixed_steps(reference::rigid_collision(samples), 0.001, 75);
      scene.solver.min_iterations_contact = 2;
      scene.solver.max_iterations = cap;
      Simulation simulation(lavapipe(), scene, {});
      const BodyMomentum start = momentum_of(scene, simulation.read_frame());
      simulation.next_frame();
      std::uint32_t contacts = 0;
      while (!simulation.frame_ready()) {
        for (const StepRecord& step : simulation.advance()) contacts += step.contacts;
      }
      const BodyMomentum end = momentum_of(scene, simulation.read_frame());
      CHECK(contacts > 100);
      const std::string name = std::string("collision of ") + (samples.z == 6 ? "cubes" : "boxes of 1:2:5") +
                               " with friction, at most " + std::to_string(cap) + " iterations: change of ";
      report_figure({.name = name + "momentum / sum of m abs(v)",
                     .value = length(end.linear - start.linear) / start.linear_scale,
                     .most = 2e-6,
                     .source = "Newton"});
      report_figure({.name = name + "angular momentum / sum of abs(L)",
                     .value = length(end.angular - start.angular) / start.angular_scale,
                     .most = 3e-5,
                     .source = "Newton"});
    }
  }
}

namespace {

// As shifted_by_cells and scaled, with shapes and bodies.
Scene shifted_with_bodies(const Scene& scene, double x, double y, double z) {
  Scene moved = shifted_by_cells(scene, x, y, z);
  for (RigidBody& b : moved.rigid) b.position = b.position + 2 * scene.spacing * Vec3{x, y, z};
  return moved;
}
Scene scaled_with_bodies(const Scene& scene, double size, double time) {
  Scene other = scaled(scene, size, time);
  const double volume = size * size * size, speed = size / time;
  for (RigidShape& shape : other.shapes) {
    for (RigidSample& s : shape.samples) s.position = size * s.position;
  }
  for (RigidBody& b : other.rigid) {
    b.mass *= volume;
    for (double& moment : b.inertia) moment *= volume * size * size;
    b.position = size * b.position;
    b.velocity = speed * b.velocity;
    b.angular_velocity = 1 / time * b.angular_velocity;
    b.force = volume * speed / time * b.force;
    b.torque = volume * speed / time * size * b.torque;
  }
  return other;
}

Scene tank(int columns, int layers, const std::string& name) {
  Scene scene;
  scene.name = name;
  scene.materials = {{"water", 1000, 0.01}};
  add_body(scene, tank_lattice({columns, layers + 6, columns}, false), {}, {}, {}, "tank");
  return scene;
}
void fill(Scene& scene, int columns, int layers, int hole_from, int hole_to) {
  for (int y = 1; y <= layers; ++y) {
    for (int z = 1; z <= columns; ++z) {
      for (int x = 1; x <= columns; ++x) {
        const bool hole = x >= hole_from && x <= hole_to && z >= hole_from && z <= hole_to;
        if (!hole) scene.fluid.push_back({scene.spacing * Vec3{double(x), double(y), double(z)}, {}, 0});
      }
    }
  }
}

Scene wet_stack(int steps) {
  Scene scene = tank(9, 2, "stack in shallow water");
  fill(scene, 9, 2, 3, 7);
  for (int k = 0; k < 3; ++k)
    reference::add_box(scene, {4, 4, 4}, 1500, {5 + 0.125 * k, 2.375 + 3.75 * k, 5 - 0.0625 * k});
  // Some solves reach the cap and end with their best iterate.
  scene.solver.max_iterations = 15;
  return with_fixed_steps(scene, 0.001, steps);
}

Scene splash(int steps) {
  Scene scene = tank(7, 5, "splash");
  fill(scene, 7, 5, 0, -1);
  RigidBody& box = reference::add_box(scene, {3, 4, 3}, 600, {5.5, 8.25, 3.75});
  box.orientation = reference::turn_by({0.3, 0.2, -0.4});
  box.velocity = {0.2, -2, 0.1};
  box.angular_velocity = {4, 1, -6};
  return with_fixed_steps(scene, 0.001, steps);
}

// Ten boxes of 500 and 2000 kg/m^3 thrown into a tank.
Scene splash_of_ten(int steps) {
  Scene scene = tank(14, 5, "splash of ten");
  fill(scene, 14, 5, 0, -1);
  for (int k = 0; k < 10; ++k) {
    RigidBody& box = reference::add_box(scene, {3, 3, 4}, k % 2 == 0 ? 500 : 2000,
                                        {3.0 + 4.5 * (k % 3), 8.5 + 5.0 * (k / 6), 4.0 + 7.0 * (k / 3 % 2)});
    box.orientation = reference::turn_by({0.3 * k, 0.2, -0.1 * k});
    box.velocity = {0.2, -1.5, 0.05 * k};
    box.angular_velocity = {4, 1, 2.0 - k};
  }
  return with_fixed_steps(scene, 0.001, steps);
}

std::uint64_t hash_of(Gpu& gpu, const Scene& scene, const SimulationOptions& options = {}) {
  const Run run = run_scene(gpu, scene, options);
  const double steps = scene.time.frame_interval / scene.time.max_step;
  CHECK(static_cast<double>(run.steps.size()) == doctest::Approx(steps).epsilon(1e-9));
  CHECK(run.steps.back().contacts > 0);
  return run.last.state_hash;
}

std::uint64_t hash_on_rig(Gpu& gpu, const Scene& scene, std::uint32_t steps) {
  Rig rig(gpu, scene);
  for (std::uint32_t submit = 0; submit < 20 * steps && rig.control().step < steps; ++submit) {
    rig.run([&](PassRecorder& run) {
      for (int k = 0; k < 5; ++k) record_tick(run, rig.state, 8);
    });
  }
  CHECK(rig.control().step == steps);
  CHECK(rig.control().contacts > 0);
  return sluice::hash_of(rig.state);
}

}  // namespace

TEST_CASE("iterations a tick and ticks a submit change no bit of a stack in shallow water") {
  MessageGuard guard(lavapipe());
  const Scene scene = wet_stack(5);
  const std::uint64_t hash = hash_of(lavapipe(), scene);
  struct Cut {
    std::uint32_t iterations, ticks;
  };
  for (const Cut cut : {Cut{1, 1}, Cut{1, 50}, Cut{4, 7}, Cut{16, 1}, Cut{16, 50}}) {
    CAPTURE(cut.iterations);
    CAPTURE(cut.ticks);
    CHECK(hash_of(lavapipe(), scene, {.iterations_per_tick = cut.iterations, .ticks_per_submit = cut.ticks}) == hash);
  }
}

TEST_CASE("a stack, a box on an incline and a splash have one hash on two drivers") {
  MessageGuard guard(lavapipe()), other_guard(swiftshader());
  for (const Scene& scene :
       {wet_stack(100), with_fixed_steps(reference::incline(0.3, {7, 4, 7}), 0.001, 100), splash(100)}) {
    CAPTURE(scene.name);
    const std::uint64_t hash = hash_on_rig(lavapipe(), scene, 100);
    CHECK(hash_on_rig(swiftshader(), scene, 100) == hash);
  }
}

TEST_CASE("a stack of 8, a box on an incline and a splash of ten bodies have one hash after 500 steps on two drivers" *
          doctest::test_suite("full") * doctest::skip()) {
  MessageGuard guard(lavapipe()), other_guard(swiftshader());
  for (const Scene& scene : {with_fixed_steps(reference::stack(8, 0.3), 0.001, 500),
                             with_fixed_steps(reference::incline(0.3), 0.001, 500), splash_of_ten(500)}) {
    const std::uint64_t hash = hash_on_rig(lavapipe(), scene, 500);
    const std::uint64_t other = hash_on_rig(swiftshader(), scene, 500);
    report_figure({.name = scene.name + ", 500 steps: hashes of lavapipe and SwiftShader",
                   .value = hash == other ? 1.0 : 2.0,
                   .exact = 1,
                   .source = "strict arithmetic"});
  }
}

TEST_CASE("neither the place of a splash nor its units change a bit, rows that spill neither") {
  MessageGuard guard(lavapipe());
  const Scene scene = splash(15);
  const std::uint64_t hash = hash_of(lavapipe(), scene);
  CHECK(hash_of(lavapipe(), shifted_with_bodies(scene, 25, -7, 3)) == hash);
  CHECK(hash_of(lavapipe(), shifted_with_bodies(scene, 250000, -250000, 250000)) == hash);
  CHECK(hash_of(lavapipe(), scaled_with_bodies(scene, 100, 10)) == hash);
  CHECK(hash_of(lavapipe(), scaled_with_bodies(scene, 0.25, 0.5)) == hash);
  CHECK(hash_of(lavapipe(), scene, {.row_capacity = 8, .spill_blocks = 8000}) == hash);
}
