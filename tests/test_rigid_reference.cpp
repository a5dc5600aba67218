// The double-precision reference of fluid and rigid bodies: that it is what its equations say, and moves as it should.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/reference/rigid_scenes.h"
#include "tests/reference/rigid_simulation.h"
#include "tests/reference/scenes.h"

using namespace sluice;
using namespace sluice::reference;

namespace {

constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

double component(Vec3 v, int axis) { return dot(v, kAxes[axis]); }

// Everything acts on everything: a box floats in a cup of water and touches its wall and a second, turned box.
Scene crowded_cup() {
  Scene scene = water_column(7, 5, 0.01);
  std::vector<FluidParticle> kept;
  for (const FluidParticle& particle : scene.fluid) {
    const Vec3 p = 1 / scene.spacing * particle.position;
    const bool in_boxes = p.x < 6.7 && p.y > 2.2 && p.z < 4.7;
    if (!in_boxes) kept.push_back(particle);
  }
  scene.fluid = kept;
  RigidBody& first = add_box(scene, {3, 3, 3}, 600, {1.78, 4, 2.1});
  first.velocity = {-0.1, -0.2, 0.05};
  first.friction = 0.4;
  RigidBody& second = add_box(scene, {3, 4, 3}, 3000, {4.7, 4.3, 2.3});
  second.orientation = turn_by({0.05, 0.1, -0.08});
  second.velocity = {-0.3, 0.1, 0};
  second.angular_velocity = {1, 2, -1};
  return scene;
}

Errors errors_at(const RigidSystem& system, const Multipliers& x) { return errors_of(system, motion_of(system, x), x); }

double sum_of_parts(const DiagonalParts& parts, std::size_t row, double DiagonalPart::*value) {
  double sum = 0;
  for (auto m = parts.start[row]; m < parts.start[row + 1]; ++m) sum += parts.part[m].*value;
  return sum;
}

struct Momentum {
  Vec3 linear, angular;  // about the origin
  double linear_scale = 0, angular_scale = 0;
};
Momentum momentum(const RigidSimulation& simulation) {
  Momentum sum;
  for (const BodyState& body : simulation.bodies) {
    const Vec3 linear = body.mass * body.velocity;
    const Vec3 angular = body.angular_momentum + cross(body.position, linear);
    sum.linear = sum.linear + linear;
    sum.angular = sum.angular + angular;
    sum.linear_scale += length(linear);
    sum.angular_scale += length(angular);
  }
  return sum;
}

double to_meters_per_second(const RigidSimulation& simulation, Vec3 v) {
  return length(v) * simulation.base.spacing / simulation.base.time_unit;
}

}  // namespace

TEST_CASE("a turn by a vector is the rotation about it, whatever its size") {
  constexpr double kPi = 3.14159265358979323846;
  for (const double angle : {0.0, 1e-9, 0.3, 1.0, kPi, 40.0}) {
    CAPTURE(angle);
    const Quat q = turn_by(angle * Vec3{0, 0.6, 0.8});
    CHECK(std::fabs(q.w - std::cos(angle / 2)) < 1e-13);
    CHECK(length(Vec3{q.x, q.y, q.z} - std::sin(angle / 2) * Vec3{0, 0.6, 0.8}) < 1e-13);
    CHECK(std::fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-14);
  }
}

TEST_CASE("moments of inertia are found in any frame") {
  const Quat turn = turn_by({0.3, -1, 0.5});
  const double moments[] = {2, 5, 6};
  Mat3 m;
  for (int i = 0; i < 3; ++i) {
    const Vec3 v = rotate(conjugate(turn), kAxes[i]);
    m.row[i] = rotate(turn, {moments[0] * v.x, moments[1] * v.y, moments[2] * v.z});
  }
  const auto found = eigenvalues(m);
  for (int i = 0; i < 3; ++i) CHECK(found[i] == doctest::Approx(moments[i]).epsilon(1e-12));
  const Vec3 v{1, -2, 3};
  CHECK(length(inverse(m) * (m * v) - v) < 1e-13);
}

TEST_CASE("a sample of a face counts like a fluid particle, of a corner for more") {
  const RigidShape shape = box_shape({7, 7, 7});
  CHECK(shape.samples.size() == 7 * 7 * 7 - 5 * 5 * 5);
  CHECK(shape.samples.front().rest_volume == doctest::Approx(1.16).epsilon(5e-3));  // a corner
  double largest = 0;
  for (const RigidSample& sample : shape.samples) {
    largest = std::max(largest, sample.rest_volume);
    const bool middle_of_top =
        sample.position.y > 0 && std::fabs(sample.position.x) + std::fabs(sample.position.z) < 1e-9;
    if (middle_of_top) CHECK(sample.rest_volume == doctest::Approx(0.999).epsilon(1e-3));
  }
  CHECK(largest == doctest::Approx(shape.samples.front().rest_volume).epsilon(1e-12));
}

TEST_CASE("the pressure diagonals are the finite differences of the volume errors") {
  const RigidSimulation cup = make_rigid_simulation(crowded_cup());
  const RigidSystem system = prepare(cup, 0.8).system;
  const Errors before = errors_at(system, zero_multipliers(system));
  std::size_t rigid = 0, next_to_bodies = 0, of_two_bodies = 0;
  for (std::size_t r = 0; r < system.position.size(); ++r) {
    if (!system.pressure_on[r]) continue;
    const double diagonal = sum_of_parts(system.rigid_diagonal, r, &DiagonalPart::pressure);
    Multipliers x = zero_multipliers(system);
    x.rigid_pressure[r] = 1 / diagonal;
    const double expected =
        1 + overlap_to_mend(system, r, x.rigid_pressure[r]).error - overlap_to_mend(system, r, 0).error;
    CHECK(errors_at(system, x).rigid[r] - before.rigid[r] == doctest::Approx(expected).epsilon(1e-10));
    ++rigid;
    of_two_bodies += system.rigid_diagonal.start[r + 1] - system.rigid_diagonal.start[r] == 2 ? 1 : 0;
  }
  for (std::size_t f = 0; f < system.fluid.mass.size(); ++f) {
    const double bodies = sum_of_parts(system.fluid_diagonal, f, &DiagonalPart::pressure);
    if (bodies == 0) continue;
    Multipliers x = zero_multipliers(system);
    x.fluid_pressure[f] = 1 / (system.fluid.diagonal[f] + bodies);
    CHECK(errors_at(system, x).fluid[f] - before.fluid[f] == doctest::Approx(1).epsilon(1e-10));
    ++next_to_bodies;
  }
  CHECK(rigid > 20);
  CHECK(of_two_bodies > 10);
  CHECK(next_to_bodies > 50);
}

TEST_CASE("the friction diagonals are a third of the trace of the tangential velocities' finite differences") {
  const RigidSimulation cup = make_rigid_simulation(crowded_cup());
  const RigidSystem system = prepare(cup, 0.8).system;
  const Errors before = errors_at(system, zero_multipliers(system));
  std::size_t rows = 0;
  for (std::size_t r = 0; r < system.position.size(); ++r) {
    if (!system.friction_on[r]) continue;
    double trace = 0;
    for (int axis = 0; axis < 3; ++axis) {
      Multipliers x = zero_multipliers(system);
      x.friction[r] = kAxes[axis];
      trace += component(errors_at(system, x).tangential[r] - before.tangential[r], axis);
    }
    const double diagonal = sum_of_parts(system.rigid_diagonal, r, &DiagonalPart::friction);
    CHECK(diagonal > 0);
    CHECK(trace / 3 == doctest::Approx(diagonal + system.friction_compliance[r]).epsilon(1e-10));
    ++rows;
  }
  CHECK(rows > 20);
}

TEST_CASE("friction's work on the bodies is that of its multipliers on the sliding, which is taken where it acts") {
  const RigidSimulation cup = make_rigid_simulation(crowded_cup());
  RigidSystem system = prepare(cup, 0.8).system;
  tests::Random random{17};
  Multipliers x = zero_multipliers(system);
  for (std::size_t r = 0; r < x.friction.size(); ++r) {
    const Vec3 v = random.next_vec(), n = system.normal[r];
    if (system.friction_on[r]) x.friction[r] = v - dot(n, v) * n;
  }
  const Motion forces = motion_of(system, x);
  Motion motion = motion_of(system, zero_multipliers(system));
  double on_bodies = 0;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    motion.translation[b] = random.next_vec();
    motion.rotation[b] = 0.1 * random.next_vec();
    on_bodies += dot(forces.force[b], motion.translation[b]) + dot(forces.torque[b], motion.rotation[b]);
  }
  const auto on_sliding = [&] {
    const Errors errors = errors_of(system, motion, zero_multipliers(system));
    double work = 0;
    for (std::size_t r = 0; r < x.friction.size(); ++r) {
      work += dot(x.friction[r], errors.tangential[r] - system.friction_source[r]);
    }
    return work;
  };
  CHECK(std::fabs(on_bodies) > 0.1);
  CHECK(on_sliding() == doctest::Approx(on_bodies).epsilon(1e-12));
  system.slip = Slip::sample;  // as printed: another work
  CHECK(std::fabs(on_sliding() - on_bodies) > 0.01);
}

TEST_CASE("the pressure operator is symmetric when scaled by the rest volumes") {
  const RigidSimulation cup = make_rigid_simulation(crowded_cup());
  const RigidSystem system = prepare(cup, 1.0).system;
  const std::size_t fluid = system.fluid.mass.size(), count = fluid + system.position.size();
  // All rigid rows, and the fluid rows next to bodies.
  std::vector<std::size_t> rows;
  for (std::size_t f = 0; f < fluid; ++f) {
    if (system.fluid_diagonal.start[f] < system.fluid_diagonal.start[f + 1]) rows.push_back(f);
  }
  for (std::size_t i = fluid; i < count; ++i) {
    if (system.pressure_on[i - fluid]) rows.push_back(i);
  }
  const Errors before = errors_at(system, zero_multipliers(system));
  const auto volume = [&](std::size_t i) { return i < fluid ? 1.0 : system.samples.rest_volume[i - fluid]; };
  std::vector<std::vector<double>> matrix;
  double largest = 0;
  for (const std::size_t i : rows) {
    Multipliers x = zero_multipliers(system);
    (i < fluid ? x.fluid_pressure[i] : x.rigid_pressure[i - fluid]) = 1;
    const Errors after = errors_at(system, x);
    std::vector<double>& column = matrix.emplace_back();
    for (const std::size_t j : rows) {
      const double change =
          j < fluid ? after.fluid[j] - before.fluid[j] : after.rigid[j - fluid] - before.rigid[j - fluid];
      column.push_back(change / (volume(i) * volume(i) * volume(j)));
      largest = std::max(largest, std::fabs(column.back()));
    }
  }
  double asymmetry = 0;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) asymmetry = std::max(asymmetry, std::fabs(matrix[a][b] - matrix[b][a]));
  }
  CHECK(rows.size() > 100);
  CHECK(asymmetry < 1e-11 * largest);
}

TEST_CASE("a body without neighbours needs one iteration and no pressure") {
  RigidSimulation drop = make_rigid_simulation(rigid_drop(2));
  const RigidPrepared prepared = prepare(drop, 1.0);
  for (const double overlap : prepared.system.overlap) CHECK(overlap == doctest::Approx(0.3).epsilon(1e-12));
  RigidSolveSettings settings = rigid_solve_settings(drop, prepared);
  settings.min_iterations = 1;
  const RigidSolution solution = solve(prepared, settings);
  CHECK(solution.iterations == 1);
  CHECK(solution.residuals.largest() == 0);
  for (const double p : solution.multipliers.rigid_pressure) CHECK(p == 0);
  finish(drop, prepared, solution);
  CHECK(length(drop.bodies[0].velocity - drop.base.gravity) < 1e-15);
}

TEST_CASE("contact conserves linear and angular momentum of boxes of any shape") {
  for (const BoxSamples samples : {BoxSamples{6, 6, 6}, BoxSamples{3, 5, 11}}) {
    CAPTURE(samples.z);
    for (const int cap : {3, 500}) {
      Scene scene = rigid_collision(samples);
      scene.solver.min_iterations_contact = 2;
      scene.solver.max_iterations = cap;
      RigidSimulation simulation = make_rigid_simulation(scene);
      const Momentum start = momentum(simulation);
      bool touched = false;
      for (int k = 0; k < 200; ++k) {
        const RigidSolution solution = advance(simulation, 1.0);
        for (const double p : solution.multipliers.rigid_pressure) touched |= p > 0;
      }
      const Momentum end = momentum(simulation);
      CHECK(touched);
      CHECK(length(end.linear - start.linear) < 1e-12 * start.linear_scale);
      CHECK(length(end.angular - start.angular) < 1e-10 * start.angular_scale);
    }
  }
}

TEST_CASE("fluid and bodies exchange momentum without loss") {
  Scene scene = crowded_cup();
  scene.gravity = {};
  scene.boundary.clear();
  RigidSimulation simulation = make_rigid_simulation(scene);
  const auto total = [&] {
    Vec3 sum = momentum(simulation).linear;
    const Fluid& fluid = simulation.base.fluid;
    for (std::size_t f = 0; f < fluid.mass.size(); ++f) sum = sum + fluid.mass[f] * fluid.velocity[f];
    return sum;
  };
  const Vec3 start = total();
  for (int k = 0; k < 5; ++k) advance(simulation, 0.5);
  CHECK(length(total() - start) < 1e-12 * momentum(simulation).linear_scale);
}

TEST_CASE("drag takes at most half of a light body's relative velocity in a step") {
  Scene scene = crowded_cup();
  for (FluidMaterial& material : scene.materials) material.viscosity = 10;
  const RigidSimulation simulation = make_rigid_simulation(scene);
  const RigidPrepared prepared = prepare(simulation, 1.0);
  for (std::size_t b = 0; b < scene.rigid.size(); ++b) {  // the cup's row carriers come behind
    CHECK(prepared.drag.scale[b] > 0);
    CHECK(prepared.drag.scale[b] < 0.1);
  }
  for (std::size_t b = 0; b < simulation.bodies.size(); ++b) {
    const BodyState& body = simulation.bodies[b];
    double speed = length(body.velocity) + 3 * length(body.angular_velocity);  // water is at rest
    CHECK(length(prepared.drag.force[b]) / body.mass <= 0.5 * speed);
  }
}

TEST_CASE("multipliers stay in p >= 0 and in the cones") {
  for (const bool paper : {false, true}) {
    Scene scene = crowded_cup();
    if (paper) use_paper_rigid_mode(scene.solver);
    scene.solver.max_iterations = 50;
    RigidSimulation simulation = make_rigid_simulation(scene);
    const RigidPrepared prepared = prepare(simulation, 0.5);
    const RigidSystem& s = prepared.system;
    const RigidSolution solution = solve(prepared, rigid_solve_settings(simulation, prepared));
    double sliding = 0;
    for (const double p : solution.multipliers.fluid_pressure) CHECK(p >= 0);
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      const double p = solution.multipliers.rigid_pressure[r];
      const Vec3 lambda = solution.multipliers.friction[r];
      CHECK(p >= 0);
      const double radius = s.friction[r] * p * reference::normal_load(s, r);
      CHECK(length(lambda) <= radius * (1 + 1e-12));
      CHECK(std::fabs(dot(lambda, s.normal[r])) <= 1e-12 * radius);
      sliding = std::max(sliding, length(lambda));
    }
    CHECK(sliding > 0);
  }
}

TEST_CASE("Jacobi and NNCG find the same motion in both modes") {
  for (const bool paper : {false, true}) {
    CAPTURE(paper);
    const Scene scene = paper ? in_paper_mode(stack(2, 0.3, kPaperRestGaps)) : stack(2, 0.3);
    RigidSimulation simulation = make_rigid_simulation(scene);
    for (int k = 0; k < 5; ++k) advance(simulation, 1.0);
    const RigidPrepared prepared = prepare(simulation, 1.0);
    RigidSolveSettings settings = rigid_solve_settings(simulation, prepared);
    // Below 2e-8, contacts that stick and are more than their bodies can move are told different things by pressure and
    // friction: Jacobi would go on for some 20,000 iterations, to where one of them slips.
    settings.tolerance = 1e-7;
    settings.max_iterations = 5000;
    const RigidSolution fast = solve(prepared, settings);
    // The diagonal of friction is two thirds of the response of a face that slides as a whole: from 4/3 on, Jacobi
    // steps would overshoot.
    settings.acceleration = Acceleration::none;
    settings.relaxation_rigid = std::min(settings.relaxation_rigid, 1.2);
    const RigidSolution slow = solve(prepared, settings);
    CHECK(fast.converged);
    CHECK(slow.converged);
    CHECK(fast.iterations < slow.iterations);
    for (std::size_t b = 0; b < simulation.bodies.size(); ++b) {
      CHECK(length(fast.motion.translation[b] - slow.motion.translation[b]) < 1e-6);
    }
  }
}

TEST_CASE("a dropped box rests a gap above the floor") {
  for (const bool weighted : {true, false}) {
    Scene scene = rigid_drop(2);
    scene.solver.contact_weights = weighted;
    if (!weighted) scene.solver.load_sharing = 0;  // as printed, too: four corners that carry it all give way by 0.005 h
    RigidSimulation drop = make_rigid_simulation(scene);
    for (int k = 0; k < 400; ++k) advance(drop, 1.0);
    CHECK(drop.bodies[0].position.y - 2 ==
          doctest::Approx((weighted ? kRestGaps : kPaperRestGaps).floor).epsilon(2e-3));
    CHECK(to_meters_per_second(drop, drop.bodies[0].velocity) < 1e-3);
  }
}

TEST_CASE("on an incline a box slides with g (sin - mu cos), and sticks above the tangent") {
  struct Slope {
    double friction, acceleration;  // m/s^2
  };
  for (const Slope slope : {Slope{0.3, 2.356}, Slope{0.65, 0}}) {
    CAPTURE(slope.friction);
    RigidSimulation simulation = make_rigid_simulation(incline(slope.friction));
    for (int k = 0; k < 200; ++k) advance(simulation, 1.0);
    const Vec3 early = simulation.bodies[0].velocity;
    for (int k = 0; k < 400; ++k) advance(simulation, 1.0);
    const double change = to_meters_per_second(simulation, simulation.bodies[0].velocity - early);
    if (slope.acceleration > 0) {
      CHECK(change / 0.4 == doctest::Approx(slope.acceleration).epsilon(0.03));
    } else {
      CHECK(to_meters_per_second(simulation, simulation.bodies[0].velocity) < 1e-3);
    }
  }
}

TEST_CASE("a stack stands, and takes fewer iterations in robust mode than as printed" *
          doctest::test_suite("figures")) {
  double mean[2] = {};
  for (const bool paper : {false, true}) {
    const Scene scene = paper ? in_paper_mode(stack(8, 0, kPaperRestGaps)) : stack(8);
    RigidSimulation simulation = make_rigid_simulation(scene);
    const Vec3 top = simulation.bodies.back().position;
    for (int k = 0; k < 60; ++k) mean[paper] += advance(simulation, 1.0).iterations / 60.0;
    // Aligned boxes start 0.003 h above where weighted contacts let them rest.
    CHECK(length(simulation.bodies.back().position - top) < (paper ? 0.01 : 0.03));
  }
  CHECK(mean[0] == doctest::Approx(15.1).epsilon(0.1));
  CHECK(mean[1] == doctest::Approx(32).epsilon(0.1));
  tests::report_figure(
      {.name = "stack of 8, aligned, 60 steps, tolerance 1e-5, double reference: iterations, robust over paper",
       .value = mean[0] / mean[1],
       .most = 0.8,
       .source = "our aim"});
}

TEST_CASE("a light box floats on a column of water in contact with it") {
  Scene scene = pillar_with_box(6);
  RigidSimulation simulation = make_rigid_simulation(scene);
  int capped = 0;
  for (int k = 0; k < 100; ++k) capped += advance(simulation, 1.0).converged ? 0 : 1;
  CHECK(capped == 0);
  CHECK(simulation.bodies[0].position.y > 6.5);
  CHECK(simulation.bodies[0].position.y < 8.6);
}

TEST_CASE("what cannot move does not") {
  Scene scene = rigid_drop(0.01);
  scene.rigid[0].free_translation = {true, false, true};
  scene.rigid[0].turning = Turning::about_axis;
  scene.rigid[0].angular_velocity = {1, 2, 3};
  scene.rigid[0].torque = {1e-4, 1e-4, 0};
  RigidSimulation held = make_rigid_simulation(scene);
  const double height = held.bodies[0].position.y;
  for (int k = 0; k < 10; ++k) advance(held, 1.0);
  CHECK(held.bodies[0].position.y == height);
  CHECK(held.bodies[0].angular_velocity.x == 0);
  CHECK(held.bodies[0].angular_velocity.y > 0.002);  // 2 rad/s and what the torque adds

  scene.rigid[0].turning = Turning::none;
  RigidSimulation locked = make_rigid_simulation(scene);
  for (int k = 0; k < 10; ++k) advance(locked, 1.0);
  CHECK(locked.bodies[0].orientation.w == 1);
}

TEST_CASE("the reference refuses what it does not follow") {
  Scene scene = stack(1);
  scene.solver.friction_method = FrictionMethod::staggered;
  CHECK_THROWS_WITH_AS(make_rigid_simulation(scene), doctest::Contains("staggered"), Error);
  scene = stack(1);
  scene.rigid[0].mass = 0;
  CHECK_THROWS_WITH_AS(make_rigid_simulation(scene), doctest::Contains("positive mass"), Error);
  scene = stack(1);
  scene.rigid[0].shape = 3;
  CHECK_THROWS_WITH_AS(make_rigid_simulation(scene), doctest::Contains("no shape"), Error);
}
