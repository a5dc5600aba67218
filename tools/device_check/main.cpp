// What to run on a borrowed machine with a GPU and only a Vulkan loader: arithmetic probe, state hashes
// against those of the CPU drivers, then times. Correctness comes first: a time is printed only for work
// whose result was checked. One JSON object on stdout.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "engine/step.h"
#include "host/io/sampling.h"

namespace {

using namespace sluice;
using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

// A jittered lattice: about 29 neighbours a particle, like fluid at rest.
Scene lattice(std::uint32_t count) {
  Scene scene;
  scene.name = "lattice";
  scene.materials.push_back({"water", 1000, 0.01});
  scene.time = {1, 0.001, 0.4, 1};
  const auto side = static_cast<std::uint32_t>(std::ceil(std::cbrt(count)));
  std::uint32_t state = 1;
  const auto jitter = [&] {
    state = state * 747796405u + 2891336453u;
    return 0.2 * ((state >> 8) / 16777216.0 - 0.5);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const double x = i % side + jitter(), y = i / side % side + jitter(), z = i / side / side + jitter();
    scene.fluid.push_back({scene.spacing * Vec3{x, y, z}, {}, 0});
  }
  return scene;
}

// `steps` steps of the largest size: the frame of that length. The hash does not depend on the device.
std::string hash_after(Gpu& gpu, Scene scene, double steps) {
  scene.time.frame_interval = steps * scene.time.max_step;
  scene.time.end = scene.time.frame_interval;
  Simulation simulation(gpu, scene);
  simulation.next_frame();
  while (!simulation.done()) {
    simulation.advance();
    if (simulation.frame_ready()) simulation.next_frame();
  }
  return hex(simulation.state_hash());
}

// Median seconds of a few submits of `repeat` dispatches each, on the device's clock if it has one.
template <typename Record>
double median_seconds(vulkan::Device& device, const vulkan::Pipelines& pipelines, const State& state, int repeat,
                      Record record) {
  std::vector<double> times;
  vulkan::Timer timer(device, 2);
  vulkan::Commands commands(device);
  for (int run = 0; run < 6; ++run) {
    const VkCommandBuffer buffer = commands.begin();
    timer.reset(buffer);
    vulkan::Recorder recorder(device, buffer, pipelines);
    PassRecorder passes{recorder, state.control.raw.handle()};
    const std::uint32_t from = timer.mark(buffer);
    for (int k = 0; k < repeat; ++k) record(passes);
    const std::uint32_t to = timer.mark(buffer);
    const Clock::time_point start = Clock::now();
    commands.submit_and_wait();
    const double wall = seconds_since(start);
    timer.read();
    const double device_time = timer.milliseconds(from, to) * 1e-3;
    if (run > 0) times.push_back((device_time > 0 ? device_time : wall) / repeat);  // the first warms up
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Variant {
  bool fast, row_order;
  std::uint32_t interleave;
};

ordered_json time_passes(Gpu& gpu, const Scene& scene, const Variant& variant) {
  using namespace gpu;
  vulkan::Device& device = gpu.device();
  SimulationOptions options;
  options.fast_arithmetic = variant.fast;
  options.row_order = variant.row_order;
  const State s(device, scene, options);
  const auto sources = pipeline_sources(variant.fast);
  const vulkan::SpecConstant constants[] = {{kSpecGroupSize, kGroup}, {kSpecRowInterleave, variant.interleave}};
  const vulkan::Pipelines pipelines(device, sources, constants, vulkan::default_cache_folder());
  vulkan::run_once(device, [&](VkCommandBuffer buffer) {
    vulkan::Recorder recorder(device, buffer, pipelines);
    PassRecorder run{recorder, s.control.raw.handle()};
    record_tick(run, s, 0);
  });
  double pairs = 0;
  for (const uvec2& head : vulkan::download(device, s.row_heads, s.sizes.particles)) {
    pairs += head.x & ((1u << kFluidCountBits) - 1);
  }
  const auto n = static_cast<std::uint32_t>(s.sizes.particles);
  const auto groups = static_cast<std::uint32_t>(s.sizes.particle_groups);
  const Neighbors neighbors = s.neighbors();
  const Ptr<uint> count{s.control.ptr().address + offsetof(Control, particles)};
  ordered_json passes;
  const auto time = [&](const char* name, double work, auto record) {
    const double t = median_seconds(device, pipelines, s, 4, record);
    passes[name] = {{"ms", t * 1e3}, {"million_per_second", work / t * 1e-6}};
  };
  time("cell_keys", n, [&](PassRecorder& r) {
    r.run_groups<Pass::cell_keys>(
        groups, {s.params.ptr(), s.control.ptr(), s.position.ptr(), s.sort.keys[0].ptr(), s.sort.values[0].ptr()});
  });
  const auto blocks = static_cast<std::uint32_t>(s.sizes.sort_blocks);
  const std::uint32_t digits = s.params_host.sort_digits;
  time("sort_count", n, [&](PassRecorder& r) {
    r.run_groups<Pass::sort_count>(blocks, {count, s.sort.keys[0].ptr(), s.sort.counts.ptr(), 0, digits});
  });
  time("sort_spine", n, [&](PassRecorder& r) {
    r.run_groups<Pass::sort_count>(blocks, {count, s.sort.keys[0].ptr(), s.sort.counts.ptr(), 0, digits});
    r.run_groups<Pass::sort_spine>(digits, {count, s.sort.counts.ptr(), s.sort.totals.ptr()});
  });
  time("sort_scatter", n, [&](PassRecorder& r) {
    r.run_groups<Pass::sort_scatter>(
        blocks, {count, s.sort.keys[0].ptr(), s.sort.values[0].ptr(), s.sort.counts.ptr(), s.sort.totals.ptr(),
                 s.sort.keys[1].ptr(), s.sort.values[1].ptr(), 0, digits});
  });
  time("reorder", n, [&](PassRecorder& r) {
    r.run_groups<Pass::reorder>(
        groups, {s.control.ptr(), s.sort.values[1].ptr(), s.position.ptr(), s.low.ptr(), s.velocity.ptr(),
                 s.sorted_position.ptr(), s.sorted_low.ptr(), s.sorted_velocity.ptr()});
  });
  // The timed sort above may have left another order: sort and search again before the pair passes.
  vulkan::run_once(device, [&](VkCommandBuffer buffer) {
    vulkan::Recorder recorder(device, buffer, pipelines);
    const std::uint32_t phase = kPhaseBegin;
    device.functions.vkCmdUpdateBuffer(buffer, s.control.raw.handle(), offsetof(Control, phase), 4, &phase);
    recorder.barrier();
    PassRecorder run{recorder, s.control.raw.handle()};
    record_tick(run, s, 0);
  });
  time("build_rows", pairs, [&](PassRecorder& r) {
    r.run_groups<Pass::build_rows>(
        groups, {s.params.ptr(), s.control.ptr(), s.cells.ptr(), s.boundary_cells.ptr(), s.rigid.cells.ptr(),
                 s.rigid.sorted_samples.ptr(), s.group_spills.ptr(), s.rigid.group_coupled.ptr(), neighbors});
  });
  time("volumes", pairs, [&](PassRecorder& r) {
    r.run_groups<Pass::volumes>(groups,
                                {s.params.ptr(), s.control.ptr(), s.acceleration.ptr(), s.wall.ptr(), neighbors});
  });
  time("forces", pairs, [&](PassRecorder& r) {
    r.run_groups<Pass::forces>(
        groups, {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(), s.sorted_velocity.ptr(), s.bodies.ptr(),
                 s.acceleration.ptr(), s.wall_forces.ptr(), s.rigid.steps.ptr(), s.rigid.velocity.ptr(), neighbors});
  });
  time("diagonals", pairs, [&](PassRecorder& r) {
    r.run_groups<Pass::diagonals>(
        groups, {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(), s.sorted_velocity.ptr(), s.bodies.ptr(),
                 s.acceleration.ptr(), s.wall.ptr(), s.solve.ptr(), s.rigid.velocity.ptr(), neighbors});
  });
  time("solve_forces", pairs, [&](PassRecorder& r) {
    r.run_groups<Pass::solve_forces>(
        groups, {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(), s.acceleration.ptr(), s.wall.ptr(), neighbors});
  });
  time("solve_errors", pairs, [&](PassRecorder& r) {
    r.run_groups<Pass::solve_errors>(
        groups, {s.params.ptr(), s.control.ptr(), s.acceleration.ptr(), s.wall.ptr(), s.solve.ptr(),
                 s.solve_partials.ptr(), s.rigid.velocity.ptr(), s.rigid.coupled_index.ptr(), s.rigid.coupled.ptr(),
                 s.rigid.touching.ptr(), neighbors});
  });
  time("solve_update", n, [&](PassRecorder& r) {
    r.run_groups<Pass::solve_update>(
        groups, {s.params.ptr(), s.control.ptr(), s.sorted_position.ptr(), s.wall.ptr(), s.solve.ptr()});
  });
  time("integrate", n, [&](PassRecorder& r) {
    r.run_groups<Pass::integrate>(
        groups, {s.params.ptr(), s.control.ptr(), s.sorted_position.ptr(), s.sorted_low.ptr(), s.sorted_velocity.ptr(),
                 s.acceleration.ptr(), s.wall.ptr(), s.wall_forces.ptr(), s.position.ptr(), s.low.ptr(),
                 s.velocity.ptr(), s.step_partials.ptr()});
  });
  return {{"arithmetic", variant.fast ? "fast" : "strict"},
          {"order", variant.row_order ? "rows" : "morton"},
          {"row_interleave", variant.interleave},
          {"particles", n},
          {"neighbours", pairs / n},
          {"passes", passes}};
}

// A tick whose gates are all closed: what a submit pays for what it records and does not need.
ordered_json time_empty_tick(Gpu& gpu) {
  vulkan::Device& device = gpu.device();
  const State s(device, lattice(1000), {});
  const auto sources = pipeline_sources(false);
  const vulkan::SpecConstant constants[] = {{gpu::kSpecGroupSize, gpu::kGroup}, {gpu::kSpecRowInterleave, 1u}};
  const vulkan::Pipelines pipelines(device, sources, constants, vulkan::default_cache_folder());
  const std::uint32_t closed = gpu::kPhaseFailed;
  upload(device, s.control.raw, &closed, 4, offsetof(gpu::Control, phase));
  const double none = median_seconds(device, pipelines, s, 20, [&](PassRecorder& run) { record_tick(run, s, 0); });
  const double sixteen = median_seconds(device, pipelines, s, 20, [&](PassRecorder& run) { record_tick(run, s, 16); });
  return {{"without_iterations_ms", none * 1e3},
          {"with_16_iterations_ms", sixteen * 1e3},
          {"per_closed_dispatch_us", (sixteen - none) / 64 * 1e6}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Checks and times a Vulkan device; prints one JSON object.\nExample: device_check --device 0 --scenes scenes > "
      "result.json"};
  std::string device_name, scene_folder = "scenes";
  std::uint32_t particles = 1000000;
  double steps = 200;
  std::size_t variant_count = 4;
  bool write_golden = false, skip_scenes = false;
  app.add_option("--device", device_name, "index or part of a name");
  app.add_option("--scenes", scene_folder, "folder with scenes and golden_hashes.json")->capture_default_str();
  app.add_option("--particles", particles, "of the timed lattice")->capture_default_str();
  app.add_option("--variants", variant_count, "how many of: strict, fast, row order, the other row layout")
      ->capture_default_str();
  app.add_flag("--write-golden", write_golden, "store this device's hashes as the golden ones");
  app.add_flag("--skip-scenes", skip_scenes, "only the probe and the times");
  CLI11_PARSE(app, argc, argv);
  try {
    Gpu gpu = Gpu::create({device_name, Validation::off});
    const Clock::time_point start = Clock::now();
    ordered_json result;
    result["device"] = gpu.info().name;
    result["driver"] = gpu.info().driver;
    result["vulkan"] = gpu.info().api_version;
    result["subgroup_size"] = gpu.info().subgroup_size;
    result["memory_mib"] = gpu.info().memory >> 20;
    const std::string difference = certify_arithmetic(gpu);
    result["arithmetic"] = difference.empty() ? "certified" : difference;
    std::cerr << gpu.info().name << ": arithmetic " << result["arithmetic"] << "\n";

    const std::filesystem::path golden_file = std::filesystem::path(scene_folder) / "golden_hashes.json";
    ordered_json golden = ordered_json::object();
    if (std::ifstream in(golden_file); in) golden = ordered_json::parse(in);
    bool correct = difference.empty();
    if (!skip_scenes) {
      std::vector<std::string> names;
      for (const auto& [name, hash] : golden.items()) names.push_back(name);
      for (const std::string& name : names) {
        io::SamplingReport report;
        const Scene scene =
            io::build_scene(io::read_scene_file(std::filesystem::path(scene_folder) / (name + ".json")), report);
        const Clock::time_point begun = Clock::now();
        const std::string hash = hash_after(gpu, scene, steps);
        const bool equal = golden[name] == hash;
        result["scenes"][name] = {
            {"hash", hash}, {"equal", equal}, {"seconds", seconds_since(begun)}, {"particles", scene.fluid.size()}};
        std::cerr << name << " " << hash << (equal ? " equal" : write_golden ? " written" : " DIFFERS") << "\n";
        if (write_golden) golden[name] = hash;
        correct = correct && (equal || write_golden);
      }
      if (write_golden) std::ofstream(golden_file) << golden.dump(2) << "\n";
    }
    result["correct"] = correct;
    if (correct) {
      result["empty_tick"] = time_empty_tick(gpu);
      const Scene scene = lattice(particles);
      const std::uint32_t wide =
          gpu.info().type == DeviceType::cpu ? 1 : std::bit_floor(std::clamp(gpu.info().subgroup_size, 1u, 64u));
      std::vector<Variant> variants{{false, false, wide},
                                    {true, false, wide},
                                    {false, true, wide},
                                    {false, false, gpu.info().type == DeviceType::cpu ? 8u : 1u}};
      variants.resize(std::min(variant_count, variants.size()));
      for (const Variant& variant : variants) {
        result["passes"].push_back(time_passes(gpu, scene, variant));
        std::cerr << "timed " << result["passes"].size() << " of " << variants.size() << "\n";
      }
    }
    result["seconds"] = seconds_since(start);
    std::cout << result.dump(2) << "\n";
    return correct ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "device_check: " << error.what() << "\n";
    return 1;
  }
}
