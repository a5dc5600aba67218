// The passes of the pressure solve against the reference, each decision of solve_step, and whole solves.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "tests/gpu.h"
#include "tests/reference/scenes.h"
#include "tests/reference/simulation.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

// A prepared system with pressures that are 0 for a third of the particles, and the same for the reference.
struct SolveRig : Rig {
  SolveRig(Gpu& gpu, const Scene& scene, bool paper) : Rig(gpu, scene) {
    gpu::Params params = state.params_host;
    params.paper_mode = paper ? 1 : 0;
    set_params(params);
    tick(0);
    auto position = vulkan::download(device, state.position, particles());
    Random random{3};
    for (gpu::uvec4& x : position) {
      pressure.push_back(float(random.next() < 0.33 ? 0.0 : random.next()));
      x.w = bits_of(pressure.back());
    }
    vulkan::upload<gpu::uvec4>(device, state.position, position);
    const reference::Fluid seen = fluid();
    system.rows = neighbors().fluid;
    system.gradient = reference::pair_gradients(seen, system.rows);
    system.mass = seen.mass;
    for (const gpu::vec4& wall : vulkan::download(device, state.wall, particles())) {
      system.grad_boundary.push_back(to_vec(wall));
    }
    for (const gpu::vec4& solve : vulkan::download(device, state.solve, particles())) {
      system.source.push_back(solve.x);
      system.diagonal.push_back(solve.y);
    }
  }

  void solve_forces() {
    run([&](PassRecorder& passes) { passes.run_groups<Pass::solve_forces>(groups()); });
  }
  std::vector<gpu::SolvePartial> solve_errors() {
    run([&](PassRecorder& passes) { passes.run_groups<Pass::solve_errors>(groups()); });
    return vulkan::download(device, state.solve_partial, groups());
  }
  std::vector<Vec3> displacement() {
    std::vector<Vec3> values;
    for (const gpu::vec4& a : vulkan::download(device, state.acceleration, particles())) values.push_back(to_vec(a));
    return values;
  }

  std::vector<double> pressure;
  reference::PressureSystem system;
};

template <typename Test>
void on_every_system(Test test) {
  std::vector<Scene> scenes;
  for (const int count : {0, 1, 255, 256, 257, 1234}) scenes.push_back(shaken_cloud(count));
  scenes.push_back(stirred_column());
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    for (const Scene& scene : scenes) {
      for (const bool paper : {false, true}) {
        CAPTURE(scene.name);
        CAPTURE(scene.fluid.size());
        SolveRig rig(*gpu, scene, paper);
        test(rig, paper);
      }
    }
  }
}

// A control record in the midst of a solve, and what solve_step makes of it with one group's sums.
struct Decision {
  explicit Decision(Gpu& gpu) : rig(gpu, shaken_cloud(257)) {
    params = rig.state.params_host;
    params.nncg = 1;
    params.paper_mode = 0;
    params.min_iterations = 2;
    params.max_iterations = 10;
    rig.tick(0);
    control = rig.control();
    REQUIRE(control.phase == gpu::kPhaseSolve);
    control.iteration = 5;
    control.tolerance = 1e-3f;
    control.norm = 4;
    control.best_residual = 0.5f;
    control.best_iteration = 3;
  }
  // The mean residual is residual / active.
  gpu::Control operator()(float residual, float norm, float active = 100, float bad = 0) {
    const gpu::SolvePartial partials[2] = {{0.25f * residual, 0.5f * norm, 0.5f * active, 0},
                                           {0.75f * residual, 0.5f * norm, 0.5f * active, bad}};
    vulkan::upload<gpu::SolvePartial>(rig.device, rig.state.solve_partial, partials);
    rig.set_params(params);
    rig.set_control(control);
    rig.run([&](PassRecorder& passes) { passes.run_groups<Pass::solve_step>(1); });
    return rig.control();
  }
  Rig rig;
  gpu::Params params;
  gpu::Control control;
};

bool solve_is_open(const gpu::Control& c) {
  return c.dispatches[gpu::kSlotSolveParticles].x == 2 && c.dispatches[gpu::kSlotSolveOne].x == 1 &&
         c.dispatches[gpu::kSlotEndParticles].x == 0;
}
bool end_is_open(const gpu::Control& c) {
  return c.phase == gpu::kPhaseEnd && c.dispatches[gpu::kSlotSolveParticles].x == 0 &&
         c.dispatches[gpu::kSlotSolveOne].x == 0 && c.dispatches[gpu::kSlotEndParticles].x == 2 &&
         c.dispatches[gpu::kSlotEndBodies].x == 1;
}

struct Run {
  std::vector<double> iterations, reference_iterations;
  double largest_gap = 0;  // between positions, h
  std::uint64_t hash = 0;
};

// The engine and the reference side by side, with the engine's steps.
Run run_both(Gpu& gpu, const Scene& scene, int steps) {
  SimulationOptions options;
  options.ticks_per_submit = 1;
  Simulation simulation(gpu, scene, options);
  simulation.next_frame();
  reference::Simulation plain = reference::make_simulation(scene);
  Run run;
  while (static_cast<int>(run.iterations.size()) < steps) {
    for (const StepRecord& record : simulation.advance()) {
      run.iterations.push_back(record.iterations);
      run.reference_iterations.push_back(reference::advance(plain, record.dt / scene.time.max_step).iterations);
    }
  }
  run.hash = simulation.state_hash();
  const Frame frame = simulation.read_frame();
  for (std::size_t i = 0; i < plain.fluid.position.size(); ++i) {
    const auto& x = frame.position[i];
    run.largest_gap =
        std::max(run.largest_gap, length(1.0 / scene.spacing * Vec3{x[0], x[1], x[2]} - plain.fluid.position[i]));
  }
  return run;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

Scene column() {
  Scene scene = reference::water_column(8, 15, 0.01);
  scene.time.frame_interval = 1;  // no frame within the test: whole steps of 1 ms
  scene.time.end = 1;
  return scene;
}

}  // namespace

TEST_CASE("displacements by pressure equal the reference") {
  on_every_system([](SolveRig& rig, bool) {
    rig.solve_forces();
    const auto found = rig.displacement();
    const auto expected = reference::pressure_displacement(rig.system, rig.pressure);
    const auto& rows = rig.system.rows;
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      // Gradients are at most 0.4 and err by a few half ulps of 1; each term is rounded again when it is added.
      double bound = 1e-12 + rig.pressure[i] * (1 + length(rig.system.grad_boundary[i]));
      for (auto k = rows.start[i]; k < rows.start[i + 1]; ++k) bound += rig.pressure[i] + rig.pressure[rows.index[k]];
      worst = std::max(worst, length(found[i] - expected[i]) / (6 * kHalfUlp * bound / rig.system.mass[i]));
    }
    CHECK(worst < 1);
  });
}

TEST_CASE("Jacobi steps, residuals and norms by group equal the reference in both modes") {
  on_every_system([](SolveRig& rig, bool paper) {
    rig.solve_forces();
    const std::vector<Vec3> displacement = rig.displacement();
    const auto partials = rig.solve_errors();
    const auto solve = vulkan::download(rig.device, rig.state.solve, rig.particles());
    const auto error = reference::volume_error(rig.system, displacement);
    const double relaxation = rig.state.params_host.relaxation;
    const auto next = reference::jacobi_step(rig.system, rig.pressure, error, relaxation);
    const auto& rows = rig.system.rows;
    double worst = 0;
    std::vector<gpu::SolvePartial> zero(partials.size());
    std::vector<double> residual(partials.size()), norm(partials.size()), active(partials.size());
    std::vector<double> residual_bound(partials.size()), norm_bound(partials.size());
    for (std::size_t i = 0; i < next.size(); ++i) {
      const double diagonal = rig.system.diagonal[i];
      if (!reference::row_is_on(diagonal)) {
        CHECK(solve[i].w == 0.0f);
        continue;
      }
      double bound = std::fabs(rig.system.source[i]) + length(displacement[i]) * length(rig.system.grad_boundary[i]);
      for (auto k = rows.start[i]; k < rows.start[i + 1]; ++k) {
        bound += length(displacement[i] - displacement[rows.index[k]]);
      }
      bound *= 6 * kHalfUlp;
      const double step_bound =
          relaxation / diagonal * (bound + 4 * kHalfUlp * std::fabs(error[i])) + 2 * kHalfUlp * rig.pressure[i];
      worst = std::max(worst, std::fabs(solve[i].w - next[i]) / step_bound);
      if (!(rig.pressure[i] > 0 || error[i] < 0)) continue;
      const std::size_t g = i / 256;
      const double change = next[i] - rig.pressure[i], weight = paper ? 1.0 : diagonal;
      residual[g] += std::fabs(reference::fischer_burmeister(rig.pressure[i] * diagonal, error[i]));
      // The root's argument cancels against the sum: an error of either part goes in up to three times.
      residual_bound[g] += 3 * (bound + 4 * kHalfUlp * (rig.pressure[i] * diagonal + std::fabs(error[i])));
      norm[g] += weight * change * change;
      norm_bound[g] +=
          weight * (2 * std::fabs(change) + step_bound) * step_bound + 16 * kHalfUlp * weight * change * change;
      active[g] += 1;
    }
    CHECK(worst < 1);
    for (std::size_t g = 0; g < partials.size(); ++g) {
      CHECK(std::fabs(partials[g].residual - residual[g]) <= residual_bound[g]);
      CHECK(std::fabs(partials[g].norm - norm[g]) <= norm_bound[g]);
      CHECK(partials[g].active_rows == active[g]);
      CHECK(partials[g].bad == 0);
    }
    if (rig.particles() > 200) CHECK((active[0] > 100 && active[0] < 256 && norm[0] > 0));
  });
}

TEST_CASE("rows whose displacement is not finite or far too large are counted; the step goes back or fails") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    for (const float bad : {float_of(0x7fc00000u), float_of(0xff800000u), 70.0f}) {
      SolveRig rig(*gpu, shaken_cloud(1), false);
      const gpu::vec4 displacement{0, bad, 0, 1};
      vulkan::upload<gpu::vec4>(rig.device, rig.state.acceleration, {&displacement, 1});
      CHECK(rig.solve_errors()[0].bad == 1);
    }
    // With a best iterate at hand the solve goes back to it; without one, or if that is it, the step fails.
    Decision decide(*gpu);
    const gpu::Control restoring = decide(50, 1, 100, 1);
    CHECK(restoring.phase == gpu::kPhaseSolve);
    CHECK(restoring.restore_best == 1);
    Decision hopeless(*gpu);
    hopeless.control.best_residual = 1e30f;
    CHECK(hopeless(50, 1, 100, 1).phase == gpu::kPhaseFailed);
    decide.control.restore_best = 1;
    const gpu::Control failed = decide(50, 1, 100, 1);
    CHECK(failed.phase == gpu::kPhaseFailed);
    CHECK(failed.failure == gpu::kFailureNotFinite);
    for (const gpu::uvec4& slot : failed.dispatches) CHECK(slot.x == 0);
  }
}

TEST_CASE("a solve ends at its tolerance, but not before the least number of iterations") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Decision decide(*gpu);
    gpu::Control c = decide(0.0999f, 1);  // of 100 active rows: just under the tolerance of 1e-3
    CHECK(end_is_open(c));
    CHECK(c.residual == doctest::Approx(0.000999));
    CHECK(c.active_rows == 100);
    CHECK(c.iteration == 5);
    CHECK(c.save_best == 0);
    c = decide(0.1002f, 1);
    CHECK(solve_is_open(c));
    CHECK(c.iteration == 6);
    c = decide(0, 0, 0);  // no pressure and no compression anywhere
    CHECK(end_is_open(c));
    CHECK(c.residual == 0.0f);
    decide.control.iteration = 1;
    c = decide(0.05f, 1);
    CHECK(solve_is_open(c));
    CHECK(c.iteration == 2);
  }
}

TEST_CASE("beta is Fletcher and Reeves' in robust mode, its root in paper mode, and growth damps or restarts") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Decision decide(*gpu);
    CHECK(decide(30, 1).beta == 0.25f);  // the last norm is 4
    CHECK(decide(30, 4.4f).beta == 0.95f);
    CHECK(decide(30, 4.4f).norm == 4.4f);
    decide.params.paper_mode = 1;
    CHECK(decide(30, 1).beta == doctest::Approx(0.5).epsilon(1e-6));
    CHECK(decide(30, 4.4f).beta < 0);
    decide.params.nncg = 0;
    CHECK(decide(30, 1).beta < 0);
    decide.params = {decide.rig.state.params_host};
    decide.params.nncg = 1;
    decide.control.iteration = 0;  // nothing to compare with
    CHECK(decide(30, 1).beta == 0.0f);
  }
}

TEST_CASE("the best iterate is kept and comes back when the cap is reached") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Decision decide(*gpu);
    gpu::Control c = decide(30, 1);  // 0.3 is under the best so far, 0.5
    CHECK(c.save_best == 1);
    CHECK(c.best_iteration == 5);
    CHECK(c.best_residual == doctest::Approx(0.3));
    c = decide(60, 1);
    CHECK(c.save_best == 0);
    CHECK(c.best_iteration == 3);
    CHECK(c.best_residual == 0.5f);
    decide.control.iteration = 10;
    CHECK(end_is_open(decide(30, 1)));
    c = decide(60, 1);
    CHECK(solve_is_open(c));
    CHECK(c.restore_best == 1);
    CHECK(c.iteration == 10);
    decide.control.restore_best = 1;
    c = decide(50, 1);
    CHECK(end_is_open(c));
    CHECK(c.residual == doctest::Approx(0.5));
  }
}

TEST_CASE("solve_step adds the sums of more groups than it has threads") {
  constexpr std::uint32_t kGroups = 700;
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Decision decide(*gpu);
    decide.control.particles = kGroups * 256 - 13;
    decide.rig.state.solve_partial = vulkan::Buffer<gpu::SolvePartial>(decide.rig.device, kGroups);
    std::vector<gpu::SolvePartial> partials;
    Random random;
    double residual = 0, norm = 0, active = 0;
    for (std::uint32_t g = 0; g < kGroups; ++g) {
      partials.push_back({float(random.next()), float(random.next()), float(random.word() % 256), 0});
      residual += partials.back().residual;
      norm += partials.back().norm;
      active += partials.back().active_rows;
    }
    vulkan::upload<gpu::SolvePartial>(decide.rig.device, decide.rig.state.solve_partial, partials);
    decide.rig.set_control(decide.control);
    decide.rig.run([&](PassRecorder& passes) { passes.run_groups<Pass::solve_step>(1); });
    const gpu::Control c = decide.rig.control();
    CHECK(c.active_rows == active);
    CHECK(c.residual == doctest::Approx(residual / active).epsilon(20 * kHalfUlp));
    CHECK(c.norm == doctest::Approx(norm).epsilon(20 * kHalfUlp));
  }
}

TEST_CASE("the conjugate step, the restart, saving and restoring equal plain arithmetic") {
  struct Case {
    float beta;
    std::uint32_t save, restore;
  };
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    for (const int count : {0, 1, 255, 256, 257, 1234}) {
      for (const Case& k : {Case{0.7f, 0, 0}, Case{-1, 1, 0}, Case{0.3f, 1, 0}, Case{0.7f, 0, 1}}) {
        CAPTURE(count);
        CAPTURE(k.beta);
        SolveRig rig(*gpu, shaken_cloud(count), false);
        const State& s = rig.state;
        gpu::Control c = rig.control();
        c.beta = k.beta;
        c.save_best = k.save;
        c.restore_best = k.restore;
        rig.set_control(c);
        Random random{9};
        std::vector<gpu::vec4> solve(rig.particles()), wall(rig.particles());
        for (gpu::vec4& v : solve) v = {1, 2, float(random.next() - 0.5), float(std::max(0.0, random.next() - 0.2))};
        for (gpu::vec4& v : wall) v = {3, 4, 5, float(random.next())};
        vulkan::upload<gpu::vec4>(rig.device, s.solve, solve);
        vulkan::upload<gpu::vec4>(rig.device, s.wall, wall);
        rig.run([&](PassRecorder& passes) { passes.run_groups<Pass::solve_update>(rig.groups()); });
        const auto position = vulkan::download(rig.device, s.position, rig.particles());
        const auto new_solve = vulkan::download(rig.device, s.solve, rig.particles());
        const auto new_wall = vulkan::download(rig.device, s.wall, rig.particles());
        double worst = 0;
        for (std::size_t i = 0; i < position.size(); ++i) {
          const double p = rig.pressure[i], jacobi = solve[i].w, s_last = solve[i].z;
          double next = jacobi, direction = 0, kept = k.save ? p : wall[i].w;
          if (k.beta >= 0) {
            direction = k.beta * s_last + jacobi - p;
            next = std::max(0.0, jacobi + k.beta * s_last);
          }
          if (k.restore) {
            next = wall[i].w;
            direction = s_last;
          }
          worst = std::max({worst, std::fabs(float_of(position[i].w) - next), std::fabs(new_solve[i].z - direction),
                            std::fabs(new_wall[i].w - kept)});
        }
        CHECK(worst < 4 * kHalfUlp);  // all values are under 1
      }
    }
  }
}

TEST_CASE("robust solves of a settling column take as many iterations as the reference, on both drivers to the bit") {
  std::vector<std::uint64_t> hashes;
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    const Run run = run_both(*gpu, column(), 50);
    MESSAGE("iterations a step: " << mean(run.iterations) << ", reference " << mean(run.reference_iterations)
                                  << "; positions differ by " << run.largest_gap << " h");
    CHECK(mean(run.iterations) == doctest::Approx(mean(run.reference_iterations)).epsilon(0.1));
    CHECK(mean(run.iterations) > 5);
    CHECK(run.largest_gap < 1e-3);
    hashes.push_back(run.hash);
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("solves in paper mode and by plain Jacobi take as many iterations as the reference") {
  MessageGuard guard(lavapipe());
  Scene paper = column();
  reference::use_paper_mode(paper.solver);
  paper.solver.overlap_speed = 0;
  Scene jacobi = paper;
  jacobi.solver.acceleration = Acceleration::none;
  jacobi.solver.max_iterations = 2000;
  const Run by_nncg = run_both(lavapipe(), paper, 50);
  const Run by_jacobi = run_both(lavapipe(), jacobi, 6);
  MESSAGE("NNCG " << mean(by_nncg.iterations) << ", reference " << mean(by_nncg.reference_iterations) << "; Jacobi "
                  << mean(by_jacobi.iterations) << ", reference " << mean(by_jacobi.reference_iterations));
  CHECK(mean(by_nncg.iterations) == doctest::Approx(mean(by_nncg.reference_iterations)).epsilon(0.1));
  CHECK(mean(by_jacobi.iterations) == doctest::Approx(mean(by_jacobi.reference_iterations)).epsilon(0.1));
  CHECK(by_nncg.largest_gap < 1e-3);
  CHECK(by_jacobi.largest_gap < 1e-3);
}
