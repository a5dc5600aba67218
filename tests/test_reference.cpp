// The double-precision reference of the fluid step: that it is what its equations say.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/reference/fixed_point.h"
#include "tests/reference/kernel.h"
#include "tests/reference/neighbors.h"
#include "tests/reference/passes.h"
#include "tests/reference/scenes.h"
#include "tests/reference/simulation.h"
#include "tests/reference/solver.h"

using namespace sluice;
using namespace sluice::reference;

namespace {

// Numbers in [0, 1) that are the same on every machine (PCG-XSH-RR 64/32) [O'Neill 2014].
struct Random {
  std::uint64_t state = 1;
  double next() {
    const std::uint64_t old = state;
    state = old * 6364136223846793005u + 1442695040888963407u;
    const auto shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return ((shifted >> turn) | (shifted << ((32 - turn) & 31))) / 4294967296.0;
  }
  Vec3 next_vec() {
    const double x = next() - 0.5, y = next() - 0.5, z = next() - 0.5;
    return {x, y, z};
  }
};

// A shaken cup of two liquids that everything acts on at once: walls, viscosity, unequal masses, speeds.
Simulation shaken_cup(int layers = 5) {
  Scene scene = water_column(5, layers, 0.01);
  scene.materials.push_back({.name = "oil", .density = 700, .viscosity = 0.03});
  Random random;
  for (FluidParticle& particle : scene.fluid) {
    particle.position = particle.position + 0.3 * scene.spacing * random.next_vec();
    particle.velocity = 0.4 * random.next_vec();
    particle.material = random.next() < 0.4 ? 1 : 0;
  }
  return make_simulation(scene);
}

std::vector<double> random_pressure(std::size_t count) {
  Random random{7};
  std::vector<double> pressure(count);
  for (double& p : pressure) p = random.next();
  return pressure;
}

std::vector<double> error_of(const PressureSystem& system, const std::vector<double>& pressure) {
  return volume_error(system, pressure_displacement(system, pressure));
}

Vec3 momentum(const Fluid& fluid) {
  Vec3 sum;
  for (std::size_t i = 0; i < fluid.mass.size(); ++i) sum = sum + fluid.mass[i] * fluid.velocity[i];
  return sum;
}

}  // namespace

TEST_CASE("the kernel's integral over space is 1") {
  constexpr int kShells = 20000;
  constexpr double kPi = 3.14159265358979323846;
  double integral = 0;
  for (int k = 0; k < kShells; ++k) {
    const double q = (k + 0.5) * kSupport / kShells;
    integral += 4.0 * kPi * q * q * kernel(q) * kSupport / kShells;
  }
  CHECK(integral == doctest::Approx(1.0).epsilon(1e-7));
  CHECK(kernel(kSupport) == 0.0);
}

TEST_CASE("the kernel's gradient is its finite difference") {
  constexpr double kStep = 1e-5;
  for (const double q : {0.0, 0.05, 0.5, 0.999, 1.0, 1.001, 1.5, 1.95, 2.0, 2.5}) {
    CAPTURE(q);
    const Vec3 x = q * Vec3{0.6, 0.0, -0.8};
    const Vec3 gradient = kernel_gradient(x);
    const auto slope = [&](Vec3 axis) {
      return (kernel(length(x + kStep * axis)) - kernel(length(x - kStep * axis))) / (2 * kStep);
    };
    CHECK(std::fabs(gradient.x - slope({1, 0, 0})) < 1e-8);
    CHECK(std::fabs(gradient.y - slope({0, 1, 0})) < 1e-8);
    CHECK(std::fabs(gradient.z - slope({0, 0, 1})) < 1e-8);
  }
}

TEST_CASE("in a full lattice the gradients sum to 0 and the density is 1") {
  std::vector<Vec3> lattice;
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      for (int z = -2; z <= 2; ++z) lattice.push_back({double(x), double(y), double(z)});
    }
  }
  Vec3 gradient;
  double density = 0;
  for (const Vec3& x : lattice) {
    gradient = gradient + kernel_gradient(x);
    density += kernel(length(x));
  }
  CHECK(length(gradient) < 1e-14);
  CHECK(density == doctest::Approx(1.0).epsilon(2e-3));  // the lattice sum of this kernel at its own spacing
}

TEST_CASE("the grid finds the neighbours that trying every pair finds") {
  Random random;
  std::vector<Vec3> fluid, boundary;
  for (int i = 0; i < 600; ++i) fluid.push_back(9.0 * random.next_vec());
  for (int i = 0; i < 300; ++i) boundary.push_back(12.0 * random.next_vec());
  fluid.push_back({1000.5, -3000.25, 0});                           // far from all others
  for (int i = -3; i <= 3; ++i) fluid.push_back({2.0 * i, 0, 20});  // on cell faces, exactly the support apart
  const Neighbors grid = find_neighbors(fluid, boundary);
  const Rows among_fluid = find_by_brute_force(fluid, fluid, true);
  const Rows to_boundary = find_by_brute_force(fluid, boundary, false);
  CHECK(grid.fluid.start == among_fluid.start);
  CHECK(grid.fluid.index == among_fluid.index);
  CHECK(grid.boundary.start == to_boundary.start);
  CHECK(grid.boundary.index == to_boundary.index);
  CHECK(among_fluid.index.size() > 5000);
  CHECK(grid.fluid.start[607] == grid.fluid.start[600]);
  CHECK(find_neighbors({}, boundary).fluid.start.size() == 1);
}

TEST_CASE("an exploded state is an error, not an endless grid") {
  CHECK_THROWS_AS(find_neighbors({{std::numeric_limits<double>::quiet_NaN(), 0, 0}}, {}), Error);
  CHECK_THROWS_AS(find_neighbors({{0, 1e8, 0}}, {}), Error);
}

TEST_CASE("the diagonal is the finite difference of the volume error") {
  const PressureSystem system = prepare_step(shaken_cup(), 0.7).system;
  const std::vector<double> pressure = random_pressure(system.mass.size());
  const std::vector<double> before = error_of(system, pressure);
  for (std::size_t i = 0; i < pressure.size(); i += 3) {
    CAPTURE(i);
    REQUIRE(row_is_on(system.diagonal[i]));
    std::vector<double> raised = pressure;
    raised[i] += 0.01 / system.diagonal[i];
    const double slope = (error_of(system, raised)[i] - before[i]) / (raised[i] - pressure[i]);
    CHECK(slope == doctest::Approx(system.diagonal[i]).epsilon(1e-6));
  }
}

TEST_CASE("the pressure operator is symmetric, for unequal masses too") {
  const PressureSystem system = prepare_step(shaken_cup(3), 1).system;
  const std::size_t count = system.mass.size();
  const std::vector<double> none(count, 0.0);
  std::vector<std::vector<double>> columns;
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> unit = none;
    unit[i] = 1;
    std::vector<double> column = error_of(system, unit);
    for (std::size_t j = 0; j < count; ++j) {
      column[j] -= system.source[j];
      largest = std::max(largest, std::fabs(column[j]));
    }
    columns.push_back(std::move(column));
  }
  double asymmetry = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) asymmetry = std::max(asymmetry, std::fabs(columns[i][j] - columns[j][i]));
  }
  CHECK(largest > 0.1);
  CHECK(asymmetry < 1e-14 * largest);
}

TEST_CASE("the source is the volume error that v* leads to, to first order in the step") {
  Simulation cup = shaken_cup();
  cup.boundary.velocity.assign(cup.boundary.velocity.size(), {0.01, 0.02, -0.03});
  cup.boundary.chord = cup.boundary.approach = cup.boundary.velocity;
  cup.solver.overlap_speed = 0;
  constexpr double kTau = 1e-4;
  const PreparedStep step = prepare_step(cup, kTau);
  Simulation moved = cup;
  for (std::size_t i = 0; i < moved.fluid.position.size(); ++i) {
    moved.fluid.position[i] = moved.fluid.position[i] + kTau * step.predicted[i];
  }
  for (std::size_t s = 0; s < moved.boundary.position.size(); ++s) {
    moved.boundary.position[s] = moved.boundary.position[s] + kTau * moved.boundary.velocity[s];
  }
  const std::vector<double> density = number_density(moved.fluid, moved.boundary, step.neighbors);
  double largest_change = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    largest_change = std::max(largest_change, std::fabs(density[i] - step.density[i]));
    CHECK(std::fabs(1.0 - density[i] - step.system.source[i]) < 1e-10);
  }
  CHECK(largest_change > 1e-7);
}

TEST_CASE("robust mode corrects no more of an overlap than its cap, paper mode all of it") {
  CHECK(penetration_cap(SolverMode::robust, 1e-5, 0.01, 0.5) == 0.005);
  CHECK(penetration_cap(SolverMode::robust, 1e-3, 0.01, 0.5) == 0.01);
  CHECK(std::isinf(penetration_cap(SolverMode::robust, 1e-5, 0.0, 0.5)));
  CHECK(std::isinf(penetration_cap(SolverMode::paper, 1e-5, 0.01, 0.5)));
  Fluid pair{{{0, 0, 0}, {0.2, 0, 0}, {0.1, 0.1, 0}}, std::vector<Vec3>(3), {1, 1, 1}, {0, 0, 0}};
  const Neighbors neighbors = find_neighbors(pair.position, {});
  const std::vector<double> source = source_term(pair, {}, neighbors, {1.5, 1.004, 0.9}, pair.velocity, 1.0, 0.01);
  CHECK(source[0] == -0.01);
  CHECK(source[1] == doctest::Approx(-0.004));
  CHECK(source[2] == doctest::Approx(0.1));
}

TEST_CASE("pressure and viscosity keep momentum to the last bits") {
  Simulation balls = make_simulation(colliding_balls(8, 1.0));
  Random random;
  for (Vec3& velocity : balls.fluid.velocity) velocity = velocity + 0.02 * random.next_vec();
  const Vec3 before = momentum(balls.fluid);
  double scale = 0;
  for (std::size_t i = 0; i < balls.fluid.mass.size(); ++i) {
    scale += balls.fluid.mass[i] * length(balls.fluid.velocity[i]);
  }
  double pressed = 0;
  for (int k = 0; k < 40; ++k) {
    const Solution solution = advance(balls, 0.8);
    pressed = std::max(pressed, *std::max_element(solution.pressure.begin(), solution.pressure.end()));
  }
  CHECK(pressed > 1e-3);
  CHECK(length(momentum(balls.fluid) - before) < 1e-13 * scale);
}

TEST_CASE("what the walls take is what the fluid loses") {
  Simulation cup = shaken_cup();
  cup.gravity = {};
  std::fill(cup.fluid.viscosity.begin(), cup.fluid.viscosity.end(), 0.0);
  constexpr double kTau = 0.5;
  const PreparedStep step = prepare_step(cup, kTau);
  const Solution solution = solve(step.system, solve_settings(cup, step));
  const Vec3 force = boundary_force(step.system, solution.pressure, kTau);
  const Vec3 before = momentum(cup.fluid);
  finish_step(cup, step, solution);
  const Vec3 lost = before - momentum(cup.fluid);
  CHECK(length(force) > 1e-3);
  CHECK(length(lost - kTau * force) < 1e-12 * length(lost));
}

TEST_CASE("viscosity alone brings a shear flow between walls to rest") {
  Simulation cup = make_simulation(water_column(5, 5, 0.02));
  cup.gravity = {};
  for (std::size_t i = 0; i < cup.fluid.velocity.size(); ++i)
    cup.fluid.velocity[i] = {1e-3 * cup.fluid.position[i].y, 0, 0};
  const auto energy = [&] {
    double sum = 0;
    for (const Vec3& v : cup.fluid.velocity) sum += dot(v, v);
    return sum;
  };
  const double start = energy();
  double last = start;
  for (int k = 0; k < 60; ++k) {
    const std::vector<Vec3> a =
        viscous_acceleration(cup.fluid, cup.boundary, find_neighbors(cup.fluid.position, cup.boundary.position));
    cup.fluid.velocity = predicted_velocity(cup.fluid, a, {}, 1.0);
    CHECK(energy() < last);
    last = energy();
  }
  CHECK(last < 0.1 * start);
}

TEST_CASE("the Fischer-Burmeister function is zero just where the constraint holds") {
  CHECK(fischer_burmeister(0, 2) == 0.0);
  CHECK(fischer_burmeister(2, 0) == 0.0);
  CHECK(fischer_burmeister(0, 0) == 0.0);
  CHECK(fischer_burmeister(1, 1) > 0.5);
  CHECK(fischer_burmeister(1, -1) < -1.0);
}

TEST_CASE("NNCG in both modes and plain Jacobi reach the same tolerance and the same motion") {
  Simulation column = make_simulation(water_column(5, 10, 0.01));
  for (int k = 0; k < 15; ++k) advance(column, 1.0);
  const PreparedStep step = prepare_step(column, 1.0);

  SolveSettings robust = solve_settings(column, step);
  robust.tolerance = 1e-9;
  robust.max_iterations = 20000;
  SolveSettings paper = robust;
  paper.mode = SolverMode::paper;
  paper.relaxation = 0.5;
  SolveSettings jacobi = paper;
  jacobi.acceleration = Acceleration::none;

  const Solution by_robust = solve(step.system, robust);
  const Solution by_paper = solve(step.system, paper);
  const Solution by_jacobi = solve(step.system, jacobi);
  for (const Solution* solution : {&by_robust, &by_paper, &by_jacobi}) {
    CHECK(solution->converged);
    CHECK(solution->residual <= 1e-9);
    CHECK(solution->residual == residual(step.system, solution->pressure, error_of(step.system, solution->pressure)));
    CHECK(*std::min_element(solution->pressure.begin(), solution->pressure.end()) >= 0.0);
    for (std::size_t i = 0; i < solution->displacement.size(); ++i) {
      CHECK(length(solution->displacement[i] - by_robust.displacement[i]) < 1e-7);
    }
  }
  CHECK(by_jacobi.iterations > 3 * by_paper.iterations);
  CHECK(by_jacobi.iterations > 3 * by_robust.iterations);

  // Plain Jacobi falls steadily; only a change of the active set, over which the mean is taken, can lift it.
  int rises = 0;
  for (std::size_t k = 1; k < by_jacobi.residuals.size(); ++k) {
    rises += by_jacobi.residuals[k] > by_jacobi.residuals[k - 1] ? 1 : 0;
  }
  CHECK(by_jacobi.residuals.size() > 300);
  CHECK(rises <= 5);
}

TEST_CASE("the second iterate is the Jacobi step plus beta times the first, beta as its mode has it") {
  Simulation column = make_simulation(water_column(5, 10, 0.01));
  for (int k = 0; k < 15; ++k) advance(column, 1.0);
  const PreparedStep step = prepare_step(column, 1.0);
  const std::vector<double>& d = step.system.diagonal;
  SolveSettings settings = solve_settings(column, step);
  settings.max_iterations = 2;
  settings.tolerance = 0;
  for (const SolverMode mode : {SolverMode::paper, SolverMode::robust}) {
    settings.mode = mode;
    const std::vector<double> none(d.size(), 0.0);
    const std::vector<double> first = jacobi_step(step.system, none, error_of(step.system, none), settings.relaxation);
    const std::vector<double> second =
        jacobi_step(step.system, first, error_of(step.system, first), settings.relaxation);
    double now = 0, before = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      const double weight = mode == SolverMode::robust ? d[i] : 1.0;
      now += weight * (second[i] - first[i]) * (second[i] - first[i]);
      before += weight * first[i] * first[i];
    }
    const double beta = mode == SolverMode::robust ? now / before : std::sqrt(now / before);
    REQUIRE(beta < 1.0);
    const Solution solution = solve(step.system, settings);
    REQUIRE(solution.residual == solution.residuals[2]);
    for (std::size_t i = 0; i < d.size(); ++i) {
      CHECK(std::fabs(solution.pressure[i] - std::max(0.0, second[i] + beta * first[i])) < 1e-15);
    }
  }
}

TEST_CASE("a solve that hits its cap gives its best iterate") {
  Simulation column = make_simulation(water_column(5, 10, 0.01));
  for (int k = 0; k < 15; ++k) advance(column, 1.0);
  const PreparedStep step = prepare_step(column, 1.0);
  SolveSettings settings = solve_settings(column, step);
  settings.tolerance = 0;
  for (const int cap : {0, 1, 2, 7, 12, 30}) {
    CAPTURE(cap);
    settings.max_iterations = cap;
    const Solution solution = solve(step.system, settings);
    CHECK_FALSE(solution.converged);
    CHECK(solution.iterations == cap);
    CHECK(solution.residuals.size() == static_cast<std::size_t>(cap) + 1);
    CHECK(solution.residual == *std::min_element(solution.residuals.begin(), solution.residuals.end()));
    CHECK(solution.residual == residual(step.system, solution.pressure, error_of(step.system, solution.pressure)));
  }
}

TEST_CASE("a particle without neighbours has no pressure and falls") {
  Scene scene = water_column(1, 1, 0.0);
  scene.boundary.clear();
  Simulation drop = make_simulation(scene);
  const PreparedStep step = prepare_step(drop, 0.5);
  CHECK_FALSE(row_is_on(step.system.diagonal[0]));
  const Solution solution = advance(drop, 0.5);
  CHECK(solution.iterations == 2);  // the least a solve makes
  CHECK(solution.pressure[0] == 0.0);
  CHECK(drop.fluid.velocity[0].y == doctest::Approx(0.5 * drop.gravity.y));
  CHECK(drop.fluid.position[0].y == doctest::Approx(1.0 + 0.125 * drop.gravity.y));
}

TEST_CASE("a small column rests on its floor: walls carry its weight and its volume is kept") {
  Simulation column = make_simulation(water_column(5, 8, 0.02));
  constexpr int kSteps = 500, kMeasured = 250;
  const double weight = -column.gravity.y * static_cast<double>(column.fluid.mass.size());
  double carried = 0;
  double densest = 0;
  for (int k = 0; k < kSteps; ++k) {
    const PreparedStep step = prepare_step(column, 1.0);
    const Solution solution = solve(step.system, solve_settings(column, step));
    if (k >= kSteps - kMeasured) {
      carried -= boundary_force(step.system, solution.pressure, 1.0).y / kMeasured;
      densest = std::max(densest, *std::max_element(step.density.begin(), step.density.end()));
    }
    finish_step(column, step, solution);
  }
  CHECK(carried == doctest::Approx(weight).epsilon(0.02));
  CHECK(densest < 1.01);
}

TEST_CASE("the time unit does not matter: half of a unit twice as long is the same step") {
  Scene scene = water_column(5, 6, 0.02);
  for (FluidParticle& particle : scene.fluid) particle.velocity = {0.3, 0, -0.2};
  Simulation one = make_simulation(scene);
  scene.time.max_step *= 2.0;
  Simulation two = make_simulation(scene);
  for (int k = 0; k < 10; ++k) {
    const Solution by_one = advance(one, 1.0);
    const Solution by_two = advance(two, 0.5);
    CHECK(by_one.iterations == by_two.iterations);
    for (std::size_t i = 0; i < by_one.pressure.size(); ++i) {
      CHECK(std::fabs(by_one.pressure[i] - by_two.pressure[i]) < 1e-10);
    }
  }
  for (std::size_t i = 0; i < one.fluid.position.size(); ++i) {
    CHECK(length(one.fluid.position[i] - two.fluid.position[i]) < 1e-9);
    CHECK(length(2.0 * one.fluid.velocity[i] - two.fluid.velocity[i]) < 1e-9);
  }
}

TEST_CASE("a warm start takes fewer iterations to the same tolerance") {
  const auto iterations = [](double warm_start) {
    Scene scene = water_column(5, 10, 0.02);
    scene.solver.warm_start_fluid = warm_start;
    Simulation column = make_simulation(scene);
    int sum = 0;
    for (int k = 0; k < 60; ++k) {
      const Solution solution = advance(column, 1.0);
      CHECK(solution.converged);
      sum += solution.iterations;
    }
    return sum;
  };
  CHECK(iterations(0.5) < iterations(0.0));
}

TEST_CASE("samples of a flat lattice weigh 1 and rims no more than 1.2") {
  std::vector<Vec3> plane;
  for (int x = 0; x < 9; ++x) {
    for (int z = 0; z < 9; ++z) plane.push_back({double(x), 0, double(z)});
  }
  const std::vector<double> weights = boundary_weights(plane, 0.7);
  CHECK(weights[4 * 9 + 4] == doctest::Approx(1.0).epsilon(2e-3));
  CHECK(weights[0] == 1.2);
  CHECK(weights[4] > 1.1);
  CHECK(weights[4] <= 1.2);
}

TEST_CASE("the tolerance is kappa g dt^2 / h and never under what float32 resolves") {
  CHECK(solver_tolerance(0.02, 9.81, 0.02, 0.001) == doctest::Approx(9.81e-6));
  CHECK(solver_tolerance(0.02, 0.0, 0.02, 0.002) == doctest::Approx(4e-6));
  CHECK(solver_tolerance(0.02, 9.81, 0.02, 0.0001) == 2e-6);
}

TEST_CASE("fixed-point coordinates keep differences across the wrap") {
  CHECK(to_fixed_point(2.0) == 1 << 20);
  CHECK(to_fixed_point(4096.0) == std::numeric_limits<std::int32_t>::min());
  const std::int32_t a = to_fixed_point(4095.5), b = to_fixed_point(4096.75);
  CHECK(b < a);
  CHECK(from_fixed_point(b, a) == 1.25);
  CHECK(from_fixed_point(a, b) == -1.25);
  CHECK(from_fixed_point(to_fixed_point(-3.125)) == -3.125);
}
