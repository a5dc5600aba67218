// Whole runs against closed forms and conservation laws, the clock, and what happens when a run cannot go on.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "tests/figures.h"
#include "tests/folder.h"
#include "tests/gpu.h"
#include "tests/scene_builders.h"

namespace sluice::tests {
namespace {

constexpr double kStep = 0.001;  // s

Scene open_space(double spacing, double viscosity) {
  Scene scene;
  scene.name = "open space";
  scene.spacing = spacing;
  scene.materials = {{"water", 1000, viscosity}};
  return scene;
}

Vec3 to_vec(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }
Vec3 to_vec(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

// The largest distance from the parabola over all particles, in h.
double ballistic_error(const Scene& scene, const Frame& frame, double t) {
  double error = 0;
  for (std::size_t i = 0; i < frame.position.size(); ++i) {
    const FluidParticle& start = scene.fluid[i];
    const Vec3 expected = start.position + t * start.velocity + 0.5 * t * t * scene.gravity;
    error = std::max(error, length(to_vec(frame.position[i]) - expected) / scene.spacing);
  }
  return error;
}

// |change of momentum| over sum m |v| of the start.
void check_momentum(Gpu& gpu, const Scene& scene, int steps) {
  const Run run = run_scene(gpu, with_fixed_steps(scene, kStep, steps));
  Frame start;
  for (const FluidParticle& p : scene.fluid) {
    start.material.push_back(p.material);
    start.velocity.push_back({float(p.velocity.x), float(p.velocity.y), float(p.velocity.z)});
  }
  const Vec3 change = momentum(scene, run.last) - momentum(scene, start);
  const double share = length(change) / momentum_scale(scene, start);
  const double left = momentum_scale(scene, run.last) / momentum_scale(scene, start);
  CHECK(left < 0.9);  // they did collide
  report_figure({.name = scene.name + ", " + std::to_string(scene.fluid.size()) + " particles, " +
                         std::to_string(steps) + " steps: change of momentum / sum of m abs(v)",
                 .value = share,
                 .most = 1e-5,
                 .source = "Newton"});
}

// The least distance of any of `found` from each of `wanted`, the largest of these, in h.
double farthest_match(const std::vector<Vec3>& wanted, const std::vector<std::array<double, 3>>& found, double h) {
  double farthest = 0;
  for (const Vec3& w : wanted) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& f : found) nearest = std::min(nearest, length(to_vec(f) - w) / h);
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

}  // namespace

TEST_CASE("a single particle and a ball of them fly on their parabolas") {
  MessageGuard guard(lavapipe());
  // Each step rounds a speed of 0.1 h a step by 4e-9: in 100 steps that moves a particle by 2e-5 h at the very most.
  constexpr int kSteps = 100;
  Scene one = open_space(0.02, 0.01);
  one.fluid = {{{0.3, 2, -1}, {1.5, 2, -0.5}, 0}};
  const Run single = run_scene(lavapipe(), with_fixed_steps(one, kStep, kSteps));
  CHECK(ballistic_error(one, single.last, kStep * kSteps) < 1e-5);
  CHECK(single.last.velocity[0][1] == doctest::Approx(2 - 9.81 * kSteps * kStep).epsilon(1e-5));
  CHECK(single.steps.back().iterations == 2);  // the least that a solve makes

  Scene ball = collision(6);  // the left one alone, of a lattice that is just under rest density
  ball.gravity = {0, -9.81, 0};
  std::erase_if(ball.fluid, [](const FluidParticle& p) { return p.material != 0; });
  const Run falling = run_scene(lavapipe(), with_fixed_steps(ball, kStep, kSteps));
  CHECK(ballistic_error(ball, falling.last, kStep * kSteps) < 1e-5);
}

TEST_CASE("two balls that collide keep their momentum: two densities, with viscosity" *
          doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  Scene scene = collision(6);
  scene.name = "two viscous liquids collide";
  check_momentum(lavapipe(), scene, 500);
}

TEST_CASE("two balls of one liquid without viscosity keep their momentum" * doctest::test_suite("figures")) {
  MessageGuard guard(swiftshader());
  Scene scene = collision(6);
  for (FluidParticle& p : scene.fluid) p.material = 0;
  scene.materials = {{"water", 1000, 0}};
  for (FluidParticle& p : scene.fluid) p.velocity = p.velocity + Vec3{0.1, 0.2, -0.3};
  scene.name = "two balls of one inviscid liquid collide on SwiftShader";
  check_momentum(swiftshader(), scene, 100);
}

// The force between a thick and a thin liquid is that of their mean, so that the thin one's own viscosity says little.
TEST_CASE("a thick liquid that hits a thin one shortens the step and gains no energy") {
  MessageGuard guard(lavapipe());
  Scene scene = collision(5);
  scene.materials[0] = {"honey", 1400, 0.01};
  scene.materials[1] = {"air", 1.2, 1.5e-5};
  const double nu = 0.5 * (1400 * 0.01 + 1.2 * 1.5e-5) / 1.2;
  scene.time.end = scene.time.frame_interval = 500 * 0.05 * scene.spacing * scene.spacing / nu;  // 500 steps
  CHECK(largest_viscosity(scene.materials) == doctest::Approx(nu));
  const Run run = run_scene(lavapipe(), scene);
  CHECK(run.steps[0].limited_by == std::string("viscosity"));
  for (const StepRecord& step : run.steps) {
    CHECK(step.dt <= 1.0001 * 0.05 * scene.spacing * scene.spacing / nu);
    CHECK(step.kinetic_energy <= 1.001 * run.steps[0].kinetic_energy);
  }
}

TEST_CASE("the record's momentum, energies and speed are those of the frame") {
  MessageGuard guard(lavapipe());
  Scene scene = stirred_moving_tank(5, 6);
  scene.gravity = {0, -9.81, 1};
  scene = with_fixed_steps(shifted_by_cells(scene, 3, -5, 20), kStep, 20);
  const Run run = run_scene(lavapipe(), scene);
  const StepRecord& record = run.steps.back();
  const Vec3 p = momentum(scene, run.last);
  CHECK(length(to_vec(record.momentum) - p) < 1e-5 * momentum_scale(scene, run.last));
  double kinetic = 0, potential = 0, speed = 0;
  for (std::size_t i = 0; i < run.last.position.size(); ++i) {
    const double mass = particle_mass(scene, run.last.material[i]);
    const Vec3 v = to_vec(run.last.velocity[i]);
    kinetic += 0.5 * mass * dot(v, v);
    potential -= mass * dot(scene.gravity, to_vec(run.last.position[i]));
    speed = std::max(speed, length(v));
  }
  CHECK(record.kinetic_energy == doctest::Approx(kinetic).epsilon(1e-5));
  CHECK(record.potential_energy == doctest::Approx(potential).epsilon(1e-5));
  CHECK(record.max_speed == doctest::Approx(speed).epsilon(1e-5));
}

TEST_CASE("a body moves and turns by its velocities, and is back after a whole turn") {
  MessageGuard guard(lavapipe());
  Scene scene = open_space(0.02, 0);
  scene.fluid = {{{0, 5, 0}, {}, 0}};
  const Vec3 velocity{0.4, -0.2, 0.1};
  std::vector<Vec3> arm;
  for (int x = 0; x < 8; ++x) arm.push_back({x + 1.0, 2.0, 0.0});
  constexpr int kSteps = 80;
  const double turn = 2 * std::numbers::pi / (kSteps * kStep);
  const Vec3 axis = 1 / std::sqrt(14.0) * Vec3{1, -2, 3};
  add_body(scene, arm, {0.5, -1, 2}, velocity, turn * axis, "arm");
  const auto expected = [&](int steps, Quat q) {
    std::vector<Vec3> points;
    for (const BoundarySample& s : scene.boundary) {
      const Body& body = scene.bodies[0];
      points.push_back(body.position + steps * kStep * velocity + rotate(q, s.position - body.position));
    }
    return points;
  };
  const Run whole = run_scene(lavapipe(), with_fixed_steps(scene, kStep, kSteps));
  CHECK(farthest_match(expected(kSteps, {}), whole.last.boundary, scene.spacing) < 1e-3);
  const Run half = run_scene(lavapipe(), with_fixed_steps(scene, kStep, kSteps / 2));
  CHECK(farthest_match(expected(kSteps / 2, {0, axis.x, axis.y, axis.z}), half.last.boundary, scene.spacing) < 1e-3);
}

TEST_CASE("water between plates that slide takes the linear profile of Couette flow" * doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  // Free at its rims, without gravity; slow, so that it shears by less than h while viscosity acts for 4 times
  // height^2 / (pi^2 nu).
  constexpr int kLength = 20, kLayers = 6, kWidth = 8, kSteps = 250;
  constexpr double kSpeed = 0.05;  // m/s of each plate
  Scene scene = open_space(0.02, 0.02);
  scene.gravity = {};
  for (int y = 1; y <= kLayers; ++y) {
    for (int z = 0; z < kWidth; ++z) {
      for (int x = 0; x < kLength; ++x) scene.fluid.push_back({0.02 * Vec3{double(x), double(y), double(z)}, {}, 0});
    }
  }
  for (const double side : {-1.0, 1.0}) {
    std::vector<Vec3> plate;
    const double y = side < 0 ? 0 : kLayers + 1;
    for (int z = -4; z < kWidth + 4; ++z) {
      for (int x = -4; x < kLength + 4; ++x) plate.push_back({double(x), y, double(z)});
    }
    add_body(scene, plate, {0, y, 0}, {side * kSpeed, 0, 0}, {}, "plate");
  }
  const Run run = run_scene(lavapipe(), with_fixed_steps(scene, kStep, kSteps));
  // Layer means in the middle, and the line through them by least squares about the centre.
  std::vector<double> speed(kLayers, 0.0);
  std::vector<int> count(kLayers, 0);
  for (std::size_t i = 0; i < scene.fluid.size(); ++i) {
    const Vec3 start = 50 * scene.fluid[i].position;
    if (start.x < 7 || start.x > 12 || start.z < 2 || start.z > 5) continue;
    const auto layer = static_cast<std::size_t>(start.y - 0.5);
    speed[layer] += run.last.velocity[i][0];
    ++count[layer];
  }
  double slope = 0, moment = 0;
  for (int k = 0; k < kLayers; ++k) {
    speed[k] /= count[k];
    const double y = k + 1 - 0.5 * (kLayers + 1);
    slope += y * speed[k];
    moment += y * y;
  }
  slope /= moment;
  double worst = 0;
  for (int k = 0; k < kLayers; ++k) {
    worst = std::max(worst, std::fabs(speed[k] - slope * (k + 1 - 0.5 * (kLayers + 1))));
  }
  const double exact = 2 * kSpeed / (kLayers + 1);  // m/s per h, no slip at the plates' samples
  report_figure({.name = "water between sliding plates: slope of the profile over the exact one",
                 .value = slope / exact,
                 .least = 0.85,
                 .most = 1.05,
                 .source = "Couette flow"});
  report_figure({.name = "water between sliding plates: profile off a straight line, of the plates' speed",
                 .value = 100 * worst / kSpeed,
                 .unit = "%",
                 .most = 3,
                 .source = "Couette flow"});
}

TEST_CASE("steps towards a frame are equal slices that add up, never a sliver") {
  MessageGuard guard(lavapipe());
  Scene scene = collision(5);
  scene.gravity = {0, -9.81, 0};
  // A tenth of a frame does not divide by the largest step; from 0.3 s on the balls are too fast for it.
  scene.time = {.end = 0.5, .max_step = 0.0031, .cfl = 0.5, .frame_interval = 0.025};
  double in_frame = 0;
  std::uint32_t frames = 0;
  std::map<std::string, int> causes;
  Simulation simulation(lavapipe(), scene);
  simulation.next_frame();
  while (!simulation.done()) {
    for (const StepRecord& step : simulation.advance()) {
      in_frame += step.dt;
      ++causes[step.limited_by];
      CHECK(step.dt <= step.dt_limit * 1.0001);
      CHECK(step.dt >= 0.5 * step.dt_limit);
      CHECK(step.dt <= scene.time.max_step * 1.0001);
      CHECK(std::fabs(step.time - (frames * scene.time.frame_interval + in_frame)) < 1e-6);
    }
    if (!simulation.frame_ready()) continue;
    ++frames;
    CHECK(simulation.frame_number() == frames);
    CHECK(std::fabs(in_frame - scene.time.frame_interval) < 1e-6);
    CHECK(simulation.time() == doctest::Approx(frames * scene.time.frame_interval).epsilon(1e-6));
    simulation.next_frame();
    in_frame = 0;
  }
  CHECK(frames == 20);
  CHECK(causes["frame"] > 10);
  CHECK(causes["cfl"] > 0);
  for (const auto& [cause, count] : causes) MESSAGE(cause << ": " << count << " steps");
}

TEST_CASE("a pool of spilled rows that is too small grows and changes no bit") {
  MessageGuard guard(lavapipe()), other_guard(swiftshader());
  const Scene scene = with_fixed_steps(stirred_moving_tank(5, 6), kStep, 12);
  const std::uint64_t hash = run_scene(lavapipe(), scene).last.state_hash;
  const SimulationOptions tight{.row_capacity = 8, .spill_blocks = 1};
  CHECK(run_scene(lavapipe(), scene, tight).last.state_hash == hash);
  CHECK(run_scene(swiftshader(), scene, tight).last.state_hash == hash);
  // Frame 0 is read before any step: the pool grows there too.
  Simulation simulation(lavapipe(), scene, tight);
  const Frame start = simulation.read_frame();
  CHECK(start.density[0] > 500);
}

TEST_CASE("values that are not finite are refused with a sentence") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Scene good = stirred_moving_tank(4, 4);
  const auto refused = [&](auto spoil) {
    Scene scene = good;
    spoil(scene);
    return error_of([&] { Simulation simulation(lavapipe(), scene); });
  };
  CHECK(refused([](Scene&) {}) == "nothing thrown");
  CHECK(refused([&](Scene& s) { s.fluid[3].position.y = kNan; }).find("finite") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.fluid[3].velocity.x = kInfinity; }).find("finite") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.boundary[5].position.z = kNan; }).find("finite") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.boundary[5].weight = kNan; }).find("weight") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.bodies[1].angular_velocity.y = kInfinity; }).find("paddle") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.gravity.y = kNan; }).find("gravity") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.materials[0].density = 0; }).find("density") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.materials[0].viscosity = kNan; }).find("viscosity") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.time.max_step = kNan; }).find("maxStep") != std::string::npos);
  CHECK(refused([&](Scene& s) { s.fluid[0].material = 7; }).find("material") != std::string::npos);
}

TEST_CASE("a run that gets too fast stops with the step and the cause, and its last good state can be read") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Scene scene = open_space(0.02, 0);
    scene.gravity = {0, -1e5, 0};  // 5 h more a step: step 13 would move 65 h
    scene.fluid = {{{0, 0, 0}, {}, 0}, {{1, 0, 0}, {}, 0}};
    scene = with_fixed_steps(scene, kStep, 40);
    Simulation simulation(*gpu, scene, {.ticks_per_submit = 3});
    simulation.next_frame();
    std::uint32_t steps = 0;
    const std::string sentence = error_of([&] {
      while (!simulation.done()) {
        const auto records = simulation.advance();
        if (!records.empty()) steps = records.back().step;
      }
    });
    CHECK(sentence.find("step 13 ") != std::string::npos);
    CHECK(sentence.find("more than 64 particle spacings") != std::string::npos);
    CHECK(sentence.find("time.maxStep") != std::string::npos);
    CHECK(steps >= 9);
    const Frame last = simulation.read_frame();
    CHECK(ballistic_error(scene, last, kStep * 12) < 1e-3);
    // It stays stopped.
    CHECK(error_of([&] { simulation.advance(); }) == sentence);
  }
}

TEST_CASE("a scene without particles, or without walls, runs to its end") {
  MessageGuard guard(lavapipe());
  Scene scene = open_space(0.02, 0.01);
  add_body(scene, tank_lattice({3, 3, 3}, false), {}, {}, {}, "tank");
  const Run empty = run_scene(lavapipe(), with_fixed_steps(scene, kStep, 5));
  CHECK(empty.steps.size() == 5);
  CHECK(empty.last.position.empty());
  CHECK(empty.last.boundary.size() == scene.boundary.size());
}

}  // namespace sluice::tests
