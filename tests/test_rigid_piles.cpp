// Stacks, a loaded plate and a pile for seconds, and iteration counts of the solvers on them [PT23 sec. 5.3].
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/reference/rigid.h"
#include "tests/reference/rigid_simulation.h"
#include "tests/rigid_runs.h"

namespace sluice::tests {
namespace {

// --- What stands ----------------------------------------------------------------------------------------------------

void report_speed(const std::string& name, const std::vector<Frame>& frames, double from) {
  report_figure({.name = name + "largest speed after " + text_of(from) + " s",
                 .value = 1000 * largest_speed(frames, from),
                 .unit = "mm/s",
                 .most = 1,
                 .source = "stands"});
}

void check_stack(Gpu& gpu, double amplitude, double end) {
  constexpr double kSettled = 1;  // s
  const Recording run = record(gpu, reference::stack(8, amplitude), end, 0.1);
  const std::string name =
      std::string("stack of 8, ") + (amplitude > 0 ? "offset by up to 0.3 h, " : "aligned, ") + text_of(end) + " s: ";
  report_figure({.name = name + "farthest that a body is from where it was after 1 s",
                 .value = largest_drift(run.frames, kSettled),
                 .unit = "h",
                 .most = 0.1,
                 .source = "stands"});
  if (amplitude == 0) report_speed(name, run.frames, kSettled);  // with offsets, bodies rock by some mm/s
}

void check_mass_ratio(Gpu& gpu, double end) {
  const Recording run = record(gpu, reference::mass_ratio(), end, 0.1);
  const Frame& last = run.frames.back();
  const std::string name = "cube of 1000 times the mass falls on a cube, " + text_of(end) + " s: ";
  report_speed(name, run.frames, 0.5);
  const double cube = 5;  // h
  constexpr double kGivesWay = 0.01;  // h; of a contact under this load, by its compliance
  report_figure({.name = name + "gap between floor and light cube",
                 .value = lowest_sample(last),
                 .unit = "h",
                 .least = reference::kRestGaps.floor - kGivesWay,
                 .most = reference::kRestGaps.floor + 0.005,
                 .source = "lattice sums: 1.000, less what compliance gives"});
  report_figure({.name = name + "gap between the cubes",
                 .value = (last.bodies[1].position.y - last.bodies[0].position.y) / kSpacing - cube,
                 .unit = "h",
                 .least = reference::kRestGaps.box - kGivesWay,
                 .most = reference::kRestGaps.box + 0.005,
                 .source = "lattice sums: 1.000, less what compliance gives"});
}

std::string plate_text(int side, const std::string& solver, double end) {
  return "plate under " + std::to_string(side * side) + " cubes of 100 times its mass, " + solver + ", " +
         text_of(end) + " s: ";
}

void check_loaded_plate(Gpu& gpu, int side, Acceleration acceleration, double end) {
  Scene scene = reference::loaded_plate(side);
  scene.solver.acceleration = acceleration;
  const std::vector<Frame> frames = record(gpu, scene, end, 0.01).frames;
  const std::string name = plate_text(side, acceleration == Acceleration::none ? "Jacobi" : "NNCG", end);
  report_figure({.name = name + "largest speed",
                 .value = largest_speed(frames, 0),
                 .unit = "m/s",
                 .most = 0.1,
                 .source = "no explosion"});
  report_figure({.name = name + "farthest that a body is from where it started",
                 .value = largest_drift(frames, 0),
                 .unit = "h",
                 .most = 0.1,
                 .source = "stands"});
}

// As printed, a step counts a row's own body only: too large where a light body carries many heavy ones.
void check_stalled_plate(Gpu& gpu, int side, int steps) {
  const Scene scene = reference::in_paper_mode(reference::loaded_plate(side, reference::kPaperRestGaps));
  const std::vector<StepRecord> records = run_scene(gpu, with_fixed_steps(scene, 0.001, steps)).steps;
  double unsolved = 0;
  for (const StepRecord& step : records) {
    if (!(step.residual <= step.tolerance)) unsolved += 1.0 / steps;
  }
  report_figure({.name = plate_text(side, "paper mode", 0.001 * steps) + "share of the solves that miss the tolerance",
                 .value = unsolved,
                 .least = 0.5,
                 .required = "most stall: > 0.5 after 2000 iterations",
                 .source = "[PT23 eq. 4.4]"});
}

// --- Iterations -----------------------------------------------------------------------------------------------------

// The tolerance is relative to g dt^2 / h.
void set_tolerance(Scene& scene, double relative_volume_error) {
  scene.solver.tolerance =
      relative_volume_error * scene.spacing / (kGravity * scene.time.max_step * scene.time.max_step);
  scene.solver.min_iterations = scene.solver.min_iterations_contact = 1;
}

struct Counts {
  double nncg = 0, jacobi = 0;  // sums over the states that both solved; Jacobi may stop at the cap, to its advantage
};
constexpr int kCap = 20000;
// Runs with NNCG; every `every`-th state is also solved by Jacobi.
Counts count(Gpu& gpu, Scene scene, int steps, int every) {
  scene.solver.max_iterations = kCap;
  Scene stops = with_fixed_steps(scene, 0.001, every);
  const Recording run = record(gpu, stops, 0.001 * steps, 0.001 * every);
  Scene once = with_fixed_steps(scene, 0.001, 1);
  once.solver.acceleration = Acceleration::none;
  Counts counts;
  for (std::size_t k = 0; k + 1 < run.frames.size(); ++k) {
    const Run jacobi = run_scene(gpu, continued(once, run.frames[k]));
    counts.nncg += run.steps[k * static_cast<std::size_t>(every)].iterations;
    counts.jacobi += jacobi.steps.at(0).iterations;
  }
  return counts;
}

// The same on the double-precision reference.
Counts count_on_reference(Scene scene, int steps, int every) {
  scene.solver.max_iterations = kCap;
  reference::RigidSimulation simulation = reference::make_rigid_simulation(scene);
  Counts counts;
  for (int k = 0; k < steps; ++k) {
    const reference::RigidPrepared prepared = reference::prepare(simulation, 1);
    reference::RigidSolveSettings settings = reference::rigid_solve_settings(simulation, prepared);
    const reference::RigidSolution solution = reference::solve(prepared, settings);
    if (k % every == 0) {
      settings.acceleration = Acceleration::none;
      counts.nncg += solution.iterations;
      counts.jacobi += reference::solve(prepared, settings).iterations;
    }
    reference::finish(simulation, prepared, solution);
  }
  return counts;
}

// One of the scenes with which the paper compares the two, and what the ratio must reach.
struct Rivalry {
  std::string name;
  Scene scene;
  double tolerance, least;
};
std::vector<Rivalry> rivalries() {
  std::vector<Rivalry> all;
  for (const auto& [tolerance, least] : {std::pair{1e-2, 4.0}, {1e-3, 10.0}})
    all.push_back(
        {"cube of 1000 times the mass on a cube", reference::mass_ratio(reference::kPaperRestGaps), tolerance, least});
  for (const double amplitude : {0.0, 0.3}) {
    const std::string name = amplitude > 0 ? "stack of 8, offset by up to 0.3 h" : "stack of 8, aligned";
    for (const auto& [tolerance, least] : {std::pair{1e-4, 3.0}, {1e-5, 6.0}})
      all.push_back({name, reference::stack(8, amplitude, reference::kPaperRestGaps), tolerance, least});
  }
  for (Rivalry& one : all) {
    set_tolerance(one.scene, one.tolerance);
    reference::use_paper_rigid_mode(one.scene.solver);
  }
  return all;
}

void report_ratio(const Rivalry& scene, const std::string& where, const Counts& counts) {
  report_figure({.name = scene.name + ", " + where + ", tolerance " + text_of(scene.tolerance) +
                         ": Jacobi iterations over NNCG's on the same states, paper mode",
                 .value = counts.jacobi / counts.nncg,
                 .least = scene.least,
                 .source = "[PT23 sec. 5.3]"});
}

// `build` makes the scene with given gaps.
template <typename Build>
void check_modes(Gpu& gpu, const std::string& what, Build build, int steps) {
  const auto iterations = [&](Scene s) {
    set_tolerance(s, 1e-5);
    return mean_iterations(run_scene(gpu, with_fixed_steps(s, 0.001, steps)).steps);
  };
  const double robust = iterations(build(reference::kRestGaps)),
               paper = iterations(reference::in_paper_mode(build(reference::kPaperRestGaps)));
  report_figure({.name = what + ", " + std::to_string(steps) +
                         " steps, tolerance 1e-5, no least number: iterations, robust over paper mode",
                 .value = robust / paper,
                 .most = 0.8,
                 .source = "our aim"});
}

// --- A pile ---------------------------------------------------------------------------------------------------------

// Cubes of 3 samples an edge that fall from nine columns, each turned at random.
Scene pile(int count, double friction, std::uint64_t seed) {
  Scene scene = reference::stack(1);
  scene.rigid.clear();
  lay_strip(scene, -40, 40, 40);
  Random random{seed};
  for (int k = 0; k < count; ++k) {
    const double pitch = 4.3;  // above the diagonal with the resting gap, so that no two cubes touch
    const Vec3 place{(k % 3 - 1) * pitch, 2.6 + k / 9 * pitch, (k / 3 % 3 - 1) * pitch};
    RigidBody& cube = reference::add_box(scene, {3, 3, 3}, 1000, place);
    cube.friction = friction;
    cube.orientation = reference::turn_by(6 * random.next_vec());
  }
  return scene;
}

// In a cone the mean distance from the axis is R / 2 and the mean height above its base H / 4.
double slope_of(const Frame& frame) {
  double radius = 0, height = 0, x = 0, z = 0;
  const auto n = static_cast<double>(frame.bodies.size());
  for (const BodyRecord& body : frame.bodies) x += body.position.x / n, z += body.position.z / n;
  for (const BodyRecord& body : frame.bodies) {
    radius += std::hypot(body.position.x - x, body.position.z - z) / n;
    height += body.position.y / n;
  }
  return 2 * height / radius;
}

}  // namespace

TEST_CASE("a stack of 8 stands for 10 s" * doctest::test_suite("full") * doctest::skip()) {
  check_stack(quiet_lavapipe(), 0, 10);
}

TEST_CASE("a stack of 8 with offsets stands for 10 s" * doctest::test_suite("full") * doctest::skip()) {
  check_stack(quiet_lavapipe(), 0.3, 10);
}

TEST_CASE("a cube of 1000 times the mass stands on a cube for 5 s" * doctest::test_suite("full") * doctest::skip()) {
  check_mass_ratio(quiet_lavapipe(), 5);
}

// 25 cubes take 1200 iterations a step, and Jacobi the 2000 that it is allowed: shorter runs than the 9 cubes'.
TEST_CASE("a plate carries 9 cubes, by NNCG and by Jacobi" * doctest::test_suite("full") * doctest::skip()) {
  check_loaded_plate(quiet_lavapipe(), 3, Acceleration::nncg, 2);
  check_loaded_plate(quiet_lavapipe(), 3, Acceleration::none, 0.2);
}

TEST_CASE("a plate carries 25 cubes, by NNCG" * doctest::test_suite("full") * doctest::skip()) {
  check_loaded_plate(quiet_lavapipe(), 5, Acceleration::nncg, 0.2);
}

TEST_CASE("in paper mode most solves of a loaded plate stall" * doctest::test_suite("full") * doctest::skip()) {
  check_stalled_plate(quiet_lavapipe(), 3, 40);
}

TEST_CASE("NNCG needs fewer iterations than Jacobi on the states of a mass ratio and of stacks, on the reference" *
          doctest::test_suite("figures")) {
  for (const Rivalry& scene : rivalries())
    report_ratio(scene, "120 steps of the reference", count_on_reference(scene.scene, 120, 15));
}

TEST_CASE("NNCG needs fewer iterations than Jacobi on the states of a mass ratio and of stacks" *
          doctest::test_suite("full") * doctest::skip()) {
  for (const Rivalry& scene : rivalries())
    report_ratio(scene, "250 steps", count(quiet_lavapipe(), scene.scene, 250, 25));
}

TEST_CASE("robust mode takes at least 20 % fewer iterations than paper mode" * doctest::test_suite("full") *
          doctest::skip()) {
  using reference::RestGaps;
  Gpu& gpu = quiet_lavapipe();
  check_modes(
      gpu, "stack of 8, aligned", [](RestGaps gaps) { return reference::stack(8, 0, gaps); }, 300);
  check_modes(
      gpu, "stack of 8, offset by up to 0.3 h", [](RestGaps gaps) { return reference::stack(8, 0.3, gaps); }, 300);
  for (const double mu : {0.3, 0.65})
    check_modes(
        gpu, "box on a slope of 30 degrees, mu " + text_of(mu),
        [&](RestGaps gaps) {
          return reference::incline(mu, {11, 6, 11}, 20, 30, gaps);
        },
        300);
}

// One pile's slope differs from the next's by 3 degrees (standard deviation), so it is the mean of eight that is told.
TEST_CASE("piles are steeper the rougher their cubes are" * doctest::test_suite("full") * doctest::skip()) {
  constexpr int kPiles = 8;
  double last = 0;
  for (const double friction : {0.2, 0.6}) {
    double degrees = 0;
    for (int seed = 1; seed <= kPiles; ++seed) {
      const std::vector<Frame> frames = record(quiet_lavapipe(), pile(36, friction, seed), 2.5, 0.1).frames;
      degrees += std::atan(slope_of(frames.back())) / kDegree / kPiles;
      double lowest = 0;
      for (const BodyRecord& body : frames.back().bodies) lowest = std::min(lowest, body.position.y);
      CHECK(lowest == 0);  // none fell off the floor
    }
    report_figure({.name = "8 piles of 36 cubes that fell from columns, 2.5 s, mu " + text_of(friction) + ": mean slope",
                   .value = degrees,
                   .unit = "degrees",
                   .least = 1.2 * last,
                   .required = last > 0 ? "grows with mu: 20 % above that at mu 0.2" : "> 0 degrees",
                   .source = "friction"});
    last = degrees;
  }
}

}  // namespace sluice::tests
