// Whole steps: boxes of fluid of several sizes, and scenes with bodies.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "host/sampling/sampling.h"
#include "tools/bench/bench.h"
#include "tools/bench/embedded.h"
#include "tools/bench/timing.h"

namespace sluice::bench {
namespace {

struct Plan {
  double warm_up = 0, timed = 0;  // s of simulated time
};

struct Measured {
  double milliseconds = 0;                // of the timed part
  std::uint32_t steps = 0, contacts = 0;  // of the last step
  std::uint64_t iterations = 0;
  double density_error = 0;  // largest mean of a step
  std::uint64_t hash = 0, pairs = 0;
  std::vector<PassTime> passes;  // with profile, of the whole run
  std::vector<MemoryPart> memory;
};

// Two frames: one that warms up, one that is timed, from the end of the first to the end of the second.
Measured measure(Gpu& gpu, Scene scene, const Plan& plan, bool profile) {
  // Frames are even, so the warm-up is rounded to a whole number of the timed part.
  const int before = std::max(1, static_cast<int>(std::lround(plan.warm_up / plan.timed)));
  scene.time.frame_interval = plan.timed;
  scene.time.end = (before + 1) * plan.timed;
  SimulationOptions options;
  options.profile = profile;
  Simulation simulation(gpu, scene, options);
  Measured out;
  out.memory = simulation.memory();
  auto start = std::chrono::steady_clock::now();
  while (!simulation.done()) {
    if (simulation.frame_ready()) {
      simulation.next_frame();
      start = std::chrono::steady_clock::now();
      continue;
    }
    const bool counts = static_cast<int>(simulation.frame_number()) == before;
    for (const StepRecord& step : simulation.advance()) {
      if (!counts) continue;
      ++out.steps;
      out.iterations += step.iterations;
      out.contacts = step.contacts;
      out.density_error = std::max(out.density_error, step.density_error_avg);
    }
    if (counts && simulation.frame_ready()) {
      out.milliseconds = 1e3 * seconds_since(start);
      out.hash = simulation.state_hash();
      out.pairs = simulation.neighbor_pairs();
      if (profile) out.passes = simulation.pass_times();
    }
  }
  return out;
}

void add_passes(Outcome& out, std::vector<PassTime> passes) {
  double sum = 0;
  for (const PassTime& pass : passes) sum += pass.milliseconds;
  std::stable_sort(passes.begin(), passes.end(),
                   [](const PassTime& a, const PassTime& b) { return a.milliseconds > b.milliseconds; });
  for (const PassTime& pass : passes)
    if (pass.milliseconds > 0)
      out.details[pass.iterated ? "pass_shares_iterations" : "pass_shares_step"][pass.pass] = pass.milliseconds / sum;
}

// What the timed steps must move at least: each pass reads and writes its records once, as if those of neighbours came
// from a cache, and reads every row, 4 bytes an entry. Bytes a fluid particle and step: sort and reorder 180, rows 24,
// volumes 40, forces 68, diagonals 96, integration 60; an iteration: forces 56, errors 72, update 64; a sample in
// contact and iteration: its rows' records, 192 bytes, in four passes, and 100 of places, loads and motions.
double least_bytes(const Measured& m, double fluid) {
  const double pairs = static_cast<double>(m.pairs), iterations = static_cast<double>(m.iterations);
  return m.steps * (468 * fluid + 4 * 4 * pairs) + iterations * (192 * fluid + 868 * m.contacts + 2 * 4 * pairs);
}

// A round's time is the median of as many runs as take this long, ms, but of no more than this: each needs a simulation
// of its own, which takes longer than its steps on a fast device.
constexpr double kLongEnough = 200;
constexpr std::size_t kMostRuns = 5;

// The end is compared with that of certified devices.
Outcome run(Context& context, const std::string& name, const Scene& scene, const Plan& plan, int rounds = 1) {
  Outcome out;
  out.name = name;
  out.unit = "a step";
  std::size_t samples = 0;
  for (const RigidBody& body : scene.rigid) samples += scene.shapes[body.shape].samples.size();
  Measured last;
  for (int k = 0; k < rounds; ++k) {
    std::vector<double> times;
    for (double sum = 0; sum < kLongEnough && times.size() < kMostRuns; sum += last.milliseconds) {
      const std::uint64_t hash = last.hash;
      last = measure(context.gpu, scene, plan, false);
      if (k + times.size() > 0 && hash != last.hash) out.failure = "two runs of it differ";
      times.push_back(last.milliseconds / last.steps);
    }
    out.times.push_back(median(times));
  }
  if (out.failure.empty()) check_hash(context, out, last.hash);
  std::uint64_t bytes = 0;
  for (const MemoryPart& part : last.memory) bytes += part.bytes;
  out.details = {{"fluid_particles", scene.fluid.size()},
                 {"rigid_samples", samples},
                 {"boundary_samples", scene.boundary.size()},
                 {"steps", last.steps},
                 {"iterations_a_step", static_cast<double>(last.iterations) / last.steps},
                 {"neighbour_pairs", last.pairs},
                 {"largest_mean_density_error", last.density_error},
                 {"device_memory_mib", static_cast<double>(bytes) / (1 << 20)}};
  out.summarize = [visited = static_cast<double>((scene.fluid.size() + samples) * last.iterations),
                   pairs = static_cast<double>(last.pairs * last.iterations), steps = last.steps, timed = plan.timed,
                   bytes_moved = least_bytes(last, static_cast<double>(scene.fluid.size())),
                   copied = context.copied_bytes_a_ms](Outcome& all) {
    const double ms = median(all.times) * steps;
    all.details["least_mib_moved_a_step"] = bytes_moved / steps / (1 << 20);
    if (*copied > 0) all.details["share_of_copy_bandwidth"] = bytes_moved / ms / *copied;
    all.rate = number_text(1e-3 * visited / ms) + " M particle-iterations/s";
    if (all.details.contains("paper_ms"))
      all.rate += ", paper " + number_text(all.details["paper_ms"].get<double>()) + " ms";
    all.details["ms_a_simulated_second"] = ms / timed;
    all.details["million_particle_iterations_per_second"] = 1e-3 * visited / ms;
    all.details["million_pairs_per_second"] = 1e-3 * pairs / ms;
  };
  if (context.round == 0 && !context.makes_golden) add_passes(out, measure(context.gpu, scene, plan, true).passes);
  return out;
}

// A column that collapses in a tank twice as long. `fixed` > 0: iterations of each solve.
std::string fluid_box(int x, int y, int z, int fixed) {
  constexpr double h = 0.02;
  const double length = 2 * h * x, height = h * y;
  std::string solver;
  if (fixed > 0) {
    const std::string number = std::to_string(fixed);
    solver = R"("solver": { "minIterations": )" + number + R"(, "maxIterations": )" + number + " },";
  }
  char text[1024];
  std::snprintf(text, sizeof text, R"({ "particleSpacing": %g, "time": { "end": 1, "step": 0.001 }, %s
  "materials": { "water": { "type": "fluid", "density": 1000, "viscosity": 0.005 } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [%g, %g, %g], "open": "top" }, "position": [0, %g, 0] },
    { "name": "column", "role": "fluid", "material": "water", "shape": { "box": [%g, %g, %g] },
      "position": [%g, %g, 0] } ] })",
                h, solver.c_str(), length, 1.5 * height, h * z, 0.75 * height, h * x, height, h * z, -0.25 * length,
                0.5 * height);
  return text;
}

// A cube of 46^3 particles in the corner of a wide tank, solved until the mean volume error is 0.05 %, as other solvers
// of incompressible SPH are by default. With steps of 1 ms SPlisHSPlasH 2.16 (DFSPH, AVX2) takes 92 ms a step for it on
// two cores of an EPYC (Zen 3).
std::string loose_dam(double step) {
  const double tolerance = 2.5e-6 / (step * step);  // of g dt^2 / h
  return R"({ "particleSpacing": 0.05, "time": { "end": 1, "step": )" + number_text(step) + R"( },
  "solver": { "tolerance": )" +
         number_text(tolerance) + R"(, "minIterations": 1 },
  "materials": { "water": { "type": "fluid", "density": 1000, "viscosity": 0.01 } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [4.7, 3.525, 2.35], "open": "top" },
      "position": [0, 1.7625, 0] },
    { "name": "water", "role": "fluid", "material": "water", "shape": { "box": [2.3, 2.3, 2.3] },
      "position": [-1.2, 1.15, 0] } ] })";
}

// 64 boxes that rest apart on a floor: whatever their height, as many samples touch it.
std::string resting_boxes(int layers) {
  constexpr double h = 0.02;
  char text[1024];
  std::snprintf(text, sizeof text, R"({ "particleSpacing": %g, "time": { "end": 1, "step": 0.001 },
  "materials": { "wood": { "type": "rigid", "density": 700, "friction": 0.5 } },
  "objects": [
    { "name": "floor", "role": "boundary", "shape": { "box": [2.4, 0.08, 2.4] }, "position": [0, -0.04, 0] },
    { "name": "box", "role": "rigid", "material": "wood", "shape": { "box": [0.16, %g, 0.16] },
      "position": [-0.98, %g, -0.98], "repeat": { "count": [8, 1, 8], "step": [0.28, 0, 0.28] } } ] })",
                h, h * layers, 0.5 * h * layers);
  return text;
}

Scene scene_of(const std::string& name, const std::string& text) {
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, name + ".json"), report);
}

// How many particles of a step a CPU driver can take: larger cases are for GPUs.
constexpr int kMostOnCpu = 150000;

// A tenth of a paper's scene in length, whose bits are known.
Outcome run_tenth(Context& context, const PaperScene& paper) {
  const std::string name = std::string("paper: ") + paper.name + ", a tenth as long";
  return run(context, name, scene_of(name, paper.make(0.1).dump()), {paper.step, 2 * paper.step});
}

// The whole of it, beside the paper's time.
Outcome run_whole(Context& context, const PaperScene& paper) {
  const std::string name = std::string("paper: ") + paper.name;
  if (context.spares_cpu(name)) return too_much_for_a_cpu(name);
  Outcome whole =
      run(context, name, scene_of(name, paper.make(1).dump()), {paper.step, 2 * paper.step}, context.rounds_at_once());
  whole.details["paper_ms"] = paper.paper_ms;
  return whole;
}

}  // namespace

std::vector<Case> scene_cases() {
  std::vector<Case> cases;
  const auto fluid = [&](Suite from, const char* name, int x, int y, int z, Plan plan, int fixed = 0) {
    const bool large = x * y * z > kMostOnCpu;
    cases.push_back({name, from,
                     [=](Context& context) -> std::vector<Outcome> {
                       if (large && context.spares_cpu(name)) return {too_much_for_a_cpu(name)};
                       return {run(context, name, scene_of(name, fluid_box(x, y, z, fixed)), plan,
                                   large ? context.rounds_at_once() : 1)};
                     },
                     large});
  };
  const auto embedded = [&](Suite from, const char* name, Plan plan) {
    cases.push_back({name, from, [=](Context& context) -> std::vector<Outcome> {
                       return {run(context, name, scene_of(name, embedded_text(name)), plan)};
                     }});
  };
  fluid(Suite::quick, "fluid 1k, 10 iterations", 10, 10, 10, {0.01, 0.01}, 10);
  fluid(Suite::quick, "fluid 10k", 20, 25, 20, {0.01, 0.01});
  embedded(Suite::quick, "pillar_15", {0.01, 0.01});
  embedded(Suite::quick, "stack8", {0.01, 0.01});
  fluid(Suite::standard, "fluid 100k", 50, 50, 40, {0.005, 0.005});
  cases.push_back({"dam 97k, 0.05 %", Suite::standard, [](Context& context) -> std::vector<Outcome> {
                     return {run(context, "dam 97k, 0.05 %", scene_of("dam", loose_dam(0.001)), {0.05, 0.01})};
                   }});
  // Through the collapse, as large steps are tried by it.
  cases.push_back({"dam 97k, 0.05 %, steps of 4 ms", Suite::standard,
                   [](Context& context) -> std::vector<Outcome> {
                     return {run(context, "dam 97k, 0.05 %, steps of 4 ms", scene_of("dam", loose_dam(0.004)),
                                 {0.2, 0.2}, context.rounds_at_once())};
                   },
                   true});
  fluid(Suite::standard, "fluid 1M", 100, 100, 100, {0.002, 0.004});
  fluid(Suite::standard, "fluid 4M", 160, 160, 156, {0.002, 0.004});
  embedded(Suite::standard, "hydrostatic", {0.02, 0.02});
  embedded(Suite::standard, "collision", {0.02, 0.02});
  embedded(Suite::standard, "rotating_tank", {0.02, 0.02});
  embedded(Suite::standard, "pillar_60", {0.01, 0.01});
  embedded(Suite::standard, "mass_ratio_1000", {0.01, 0.01});
  embedded(Suite::standard, "loaded_plate", {0.01, 0.01});
  embedded(Suite::standard, "pile", {0.01, 0.01});
  embedded(Suite::standard, "splash", {0.01, 0.01});
  for (const auto& [name, layers] : {std::pair{"64 flat boxes at rest", 4}, std::pair{"64 tall boxes at rest", 32}})
    cases.push_back({name, Suite::standard, [name = name, layers = layers](Context& context) -> std::vector<Outcome> {
                       return {run(context, name, scene_of(name, resting_boxes(layers)), {0.02, 0.01})};
                     }});
  for (const PaperScene& paper : paper_scenes()) {
    const std::string name = std::string("paper: ") + paper.name;
    cases.push_back({name + ", a tenth as long", Suite::papers,
                     [paper](Context& context) { return std::vector{run_tenth(context, paper)}; }});
    cases.push_back(
        {name, Suite::papers, [paper](Context& context) { return std::vector{run_whole(context, paper)}; }, true});
  }
  return cases;
}

}  // namespace sluice::bench
