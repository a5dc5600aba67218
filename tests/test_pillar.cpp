// Iterations of the pressure solve over depth, against the double-precision reference and against plain Jacobi
// [PT23 figure 8]. All at a relative volume error of 1e-5.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/reference/scenes.h"
#include "tests/reference/simulation.h"
#include "tests/scene_builders.h"

namespace sluice::tests {
namespace {

constexpr double kTolerance = 1e-5;
constexpr double kSpacing = 0.02;  // m
constexpr double kStep = 0.001;    // s
constexpr int kColumns = 8;

Scene pillar(int layers, SolverMode mode) {
  Scene scene = hydrostatic(kColumns, layers, kSpacing, 0.01, kStep);
  scene.name = "pillar";
  if (mode == SolverMode::paper) reference::use_paper_mode(scene.solver);
  scene.solver.tolerance = kTolerance * kSpacing / (length(scene.gravity) * kStep * kStep);
  return scene;
}

// Plain Jacobi takes hundreds of iterations a step.
void use_jacobi(SolverSettings& solver) {
  solver.acceleration = Acceleration::none;
  solver.max_iterations = 5000;
}

double reference_iterations(const Scene& scene, int steps) {
  reference::Simulation simulation = reference::make_simulation(scene);
  double sum = 0;
  for (int k = 0; k < steps; ++k) sum += reference::advance(simulation, 1.0).iterations;
  return sum / steps;
}

struct Counts {
  double nncg_mean = 0;                   // over all steps
  double nncg_same = 0, jacobi_same = 0;  // over the states that both solved
  double ratio() const { return jacobi_same / nncg_same; }
};

// Runs with NNCG; every `every`-th state is also solved by Jacobi.
Counts count(Gpu& gpu, const Scene& scene, int steps, int every) {
  Scene stops = with_fixed_steps(scene, kStep, every);
  stops.time.end = steps * kStep;
  std::vector<Frame> frames;
  const Run run = run_scene(gpu, stops, {}, [&](const Frame& frame) { frames.push_back(frame); });
  frames.pop_back();  // no step follows the last one

  Counts counts;
  counts.nncg_mean = mean_iterations(run.steps);
  Scene once = with_fixed_steps(scene, kStep, 1);
  use_jacobi(once.solver);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    counts.nncg_same += run.steps[(k + 1) * static_cast<std::size_t>(every)].iterations;
    const Run jacobi = run_scene(gpu, continued(once, frames[k]));
    REQUIRE(jacobi.steps.size() == 1);
    CHECK(jacobi.steps[0].residual <= jacobi.steps[0].tolerance);
    counts.jacobi_same += jacobi.steps[0].iterations;
  }
  return counts;
}

std::string pillar_text(int layers, int steps) {
  return "pillar of " + std::to_string(layers) + " layers, " + std::to_string(steps) + " steps, tolerance 1e-5: ";
}

void report_iterations(int layers, int steps, SolverMode mode, double found, double reference) {
  const std::string mode_text = mode == SolverMode::paper ? "paper" : "robust";
  report_figure({.name = pillar_text(layers, steps) + "NNCG iterations a step, " + mode_text + " mode",
                 .value = found,
                 .exact = reference,
                 .within = 0.10,
                 .source = "double reference"});
}

void report_ratio(int layers, int steps, const Counts& counts, double least, const std::string& source) {
  report_figure({.name = pillar_text(layers, steps) + "Jacobi iterations over NNCG's on the same states, paper mode",
                 .value = counts.ratio(),
                 .least = least,
                 .source = source});
}

}  // namespace

TEST_CASE("iterations of a shallow pillar equal the double reference's within 10 %" * doctest::test_suite("figures")) {
  Gpu& gpu = lavapipe();
  MessageGuard guard(gpu);
  std::map<SolverMode, double> engine;
  for (const SolverMode mode : {SolverMode::paper, SolverMode::robust}) {
    const Scene scene = pillar(15, mode);
    const Run run = run_scene(gpu, with_fixed_steps(scene, kStep, 40));
    CHECK(run.steps[0].tolerance == doctest::Approx(kTolerance).epsilon(1e-6));
    for (const StepRecord& step : run.steps) CHECK(step.residual <= step.tolerance);
    engine[mode] = mean_iterations(run.steps);
    report_iterations(15, 40, mode, engine[mode], reference_iterations(scene, 40));
  }
  report_figure({.name = "pillar of 15 layers, 40 steps: iterations, robust over paper mode",
                 .value = engine[SolverMode::robust] / engine[SolverMode::paper],
                 .most = 0.8,
                 .source = "our aim"});
}

TEST_CASE("NNCG needs far fewer iterations than Jacobi on the same states" * doctest::test_suite("figures")) {
  Gpu& gpu = lavapipe();
  MessageGuard guard(gpu);
  const Counts counts = count(gpu, pillar(15, SolverMode::paper), 60, 30);
  report_ratio(15, 60, counts, 4, "[PT23 fig. 8]");
}

// The depth law on the reference, whose counts the engine's equal: the engine takes minutes for it.
TEST_CASE("iterations grow like depth to the 0.6 or slower") {
  std::map<int, double> paper, robust;
  for (const int layers : {15, 30, 60}) {
    constexpr int kSteps = 40;
    paper[layers] = reference_iterations(pillar(layers, SolverMode::paper), kSteps);
    robust[layers] = reference_iterations(pillar(layers, SolverMode::robust), kSteps);
  }
  const double exponent = std::log(paper[60] / paper[15]) / std::log(4.0);
  MESSAGE("paper " << paper[15] << ", " << paper[30] << ", " << paper[60] << ", exponent " << exponent << "; robust "
                   << robust[15] << ", " << robust[30] << ", " << robust[60]);
  CHECK(exponent <= 0.75);  // the first 40 steps of a deep pillar are its hardest
  CHECK(robust[60] < 0.9 * paper[60]);
}

TEST_CASE("pillar figures hold at 15, 30 and 60 layers" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  constexpr int kSteps = 300;
  std::map<int, double> paper_mean;
  double shallower_ratio = 4;  // what 15 layers must reach
  Series paper_series{"NNCG, paper mode", {}}, paper_line{"double reference, paper mode", {}, true},
      robust_series{"NNCG, robust mode", {}}, robust_line{"double reference, robust mode", {}, true},
      jacobi_series{"Jacobi, every 30th state", {}}, same_series{"NNCG, paper mode, every 30th state", {}};
  for (const int layers : {15, 30, 60}) {
    CAPTURE(layers);
    const Counts paper = count(gpu, pillar(layers, SolverMode::paper), kSteps, 30);
    const Run robust = run_scene(gpu, with_fixed_steps(pillar(layers, SolverMode::robust), kStep, kSteps));
    paper_mean[layers] = paper.nncg_mean;
    const double robust_mean = mean_iterations(robust.steps);
    const double paper_reference = reference_iterations(pillar(layers, SolverMode::paper), kSteps);
    const double robust_reference = reference_iterations(pillar(layers, SolverMode::robust), kSteps);
    report_iterations(layers, kSteps, SolverMode::paper, paper_mean[layers], paper_reference);
    report_iterations(layers, kSteps, SolverMode::robust, robust_mean, robust_reference);
    report_figure({.name = pillar_text(layers, kSteps) + "iterations, robust over paper mode",
                   .value = robust_mean / paper_mean[layers],
                   .most = 0.8,
                   .source = "our aim"});
    // Jacobi's iterations grow like the depth, NNCG's more slowly: the ratio must grow.
    report_ratio(layers, kSteps, paper, layers == 60 ? 8 : shallower_ratio, "[PT23 fig. 8]");
    shallower_ratio = paper.ratio();

    const double solved = kSteps / 30 - 1;
    paper_series.points.emplace_back(layers, paper_mean[layers]);
    paper_line.points.emplace_back(layers, paper_reference);
    robust_series.points.emplace_back(layers, robust_mean);
    robust_line.points.emplace_back(layers, robust_reference);
    jacobi_series.points.emplace_back(layers, paper.jacobi_same / solved);
    same_series.points.emplace_back(layers, paper.nncg_same / solved);
  }
  report_figure({.name = "pillar of 15 to 60 layers, tolerance 1e-5: NNCG iterations grow like depth to the",
                 .value = std::log(paper_mean[60] / paper_mean[15]) / std::log(4.0),
                 .most = 0.6,
                 .source = "[PT23 fig. 8]"});
  report_curve({.name = "iterations_over_depth",
                .title = "Pillar of water, relative volume error 1e-5",
                .x_label = "layers",
                .y_label = "iterations a step",
                .log_axes = true,
                .series = {jacobi_series, same_series, paper_series, paper_line, robust_series, robust_line}});
}

}  // namespace sluice::tests
