// Each pass of a step alone, over the same particles.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "engine/gpu_device.h"
#include "engine/step.h"
#include "tools/bench/bench.h"
#include "tools/bench/lattice.h"
#include "tools/bench/timing.h"

namespace sluice::bench {
namespace {

using namespace gpu;

constexpr std::uint32_t kIterations = 4;  // before the state is checked

// FNV-1a of buffers' bytes.
struct Hash {
  std::uint64_t value = 14695981039346656037ull;
  template <typename T>
  void add(const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) value = (value ^ bytes[i]) * 1099511628211ull;
  }
};

struct Timed {
  std::string name;
  double milliseconds = 0;
  int bytes_a_particle = 0;  // that must be moved besides rows: records once, as if neighbours' came from a cache
};

// How the passes are compiled, or in which order the particles lie.
enum class Variant { strict, fast, rows };

std::string name_of(std::uint32_t particles, Variant variant) {
  constexpr const char* kSuffix[] = {"", ", fast arithmetic", ", cells by rows"};
  return "passes, " + std::to_string(particles) + kSuffix[static_cast<int>(variant)];
}

struct Rig {
  Rig(Context& context_in, std::uint32_t particles, Variant variant)
      : context(context_in),
        device(device_of(context.gpu)),
        s(device, lattice(particles), options_of(context, variant)),
        pipelines(make_pipelines(device, shader_variant(s, options_of(context, variant)), SceneKinds{false, false})) {
    if (s.sizes.texels) texels.emplace(texel_views(s));
  }

  static SimulationOptions options_of(Context& context, Variant variant) {
    SimulationOptions options;
    options.fast_arithmetic = variant == Variant::fast;
    options.row_order = variant == Variant::rows;
    return resolved(device_of(context.gpu), options);
  }
  VkDescriptorSet set() const { return texels ? texels->set() : VK_NULL_HANDLE; }

  // From the start: sorts and searches, and solves as far as asked.
  void tick(std::uint32_t iterations) {
    vulkan::run_once(device, [&](VkCommandBuffer buffer) {
      vulkan::Recorder recorder(device, buffer, pipelines, nullptr, set());
      const std::uint32_t phase = kPhaseBegin;
      device.functions.vkCmdUpdateBuffer(buffer, s.control.raw.handle(), offsetof(Control, phase), 4, &phase);
      recorder.barrier();
      PassRecorder run{recorder, s.control.raw.handle(), s.table.ptr(), closed_slots(s)};
      record_tick(run, s, iterations);
    });
  }
  double pairs() { return static_cast<double>(row_entries(s)); }
  std::uint64_t hash() {
    Hash hash;
    hash.add(download(device, s.acceleration, s.sizes.particles));
    hash.add(download(device, s.solve, s.sizes.particles));
    return hash.value;
  }
  template <typename Record>
  double time(Record record) {
    return time_submits(device, pipelines, s.control.raw.handle(), 4, record, set(), s.table.ptr());
  }

  Context& context;
  vulkan::Device& device;
  State s;
  vulkan::Pipelines pipelines;
  std::optional<vulkan::TexelViews> texels;
};

// The passes that visit pairs, in the order of a step.
std::vector<Timed> time_pair_passes(Rig& rig) {
  const auto groups = static_cast<std::uint32_t>(rig.s.sizes.particle_groups);
  constexpr int kHead = sizeof(uvec2);
  std::vector<Timed> out;
  out.push_back({"rows", rig.time([&](PassRecorder& r) { r.run_groups<Pass::build_rows>(groups); }), kHead + 16});
  out.push_back(
      {"volumes", rig.time([&](PassRecorder& r) { r.run_groups<Pass::volumes>(groups); }), kHead + 16 + 4 + 12});
  out.push_back(
      {"forces", rig.time([&](PassRecorder& r) { r.run_groups<Pass::forces>(groups); }), kHead + 16 + 16 + 16 + 12});
  out.push_back({"diagonals", rig.time([&](PassRecorder& r) { r.run_groups<Pass::diagonals>(groups); }),
                 kHead + 16 + 16 + 16 + 12 + 4 + 16 + 12});
  out.push_back({"solve_forces", rig.time([&](PassRecorder& r) { r.run_groups<Pass::solve_forces>(groups); }),
                 kHead + 16 + 16 + 4 + 12});
  out.push_back({"solve_errors", rig.time([&](PassRecorder& r) { r.run_groups<Pass::solve_errors>(groups); }),
                 kHead + 16 + 16 + 16 + 12 + 4});
  return out;
}

// Compiled without the strict step they show what the same bits everywhere cost; with cells by rows, what the Morton
// curve brings.
std::vector<Outcome> passes(Context& context, std::uint32_t particles, Variant variant) {
  const std::string name = name_of(particles, variant);
  Rig rig(context, particles, variant);
  rig.tick(kIterations);
  Outcome head;
  head.unit = "a pass";
  if (variant == Variant::fast && context.round > 0) {
    // checked in round 0
  } else if (variant == Variant::fast) {
    Rig strict(context, particles, Variant::strict);
    strict.tick(kIterations);
    const auto a = download(rig.device, rig.s.acceleration, particles),
               b = download(rig.device, strict.s.acceleration, particles);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference += std::fabs(a[i].x - b[i].x) + std::fabs(a[i].y - b[i].y) + std::fabs(a[i].z - b[i].z);
      size += std::fabs(b[i].x) + std::fabs(b[i].y) + std::fabs(b[i].z);
    }
    head.check = "displacements differ from strict ones by less than 1e-3";
    if (!(difference < 1e-3 * size))
      head.failure = "displacements differ by " + number_text(difference / size) + " from those of strict arithmetic";
  } else {
    head.name = name;
    check_hash(context, head, rig.hash());
  }
  rig.tick(0);
  const double pairs = rig.pairs();
  std::vector<Outcome> out;
  for (const Timed& timed : time_pair_passes(rig)) {
    Outcome pass = head;
    pass.name = name + ": " + timed.name;
    pass.times = {timed.milliseconds};
    const double bytes = 4 * pairs + static_cast<double>(timed.bytes_a_particle) * particles;
    pass.details["neighbours_a_particle"] = pairs / particles;
    pass.details["least_mib_moved"] = bytes / (1 << 20);
    pass.summarize = [copied = context.copied_bytes_a_ms, pairs, bytes](Outcome& all) {
      const double rate = 1e-3 * pairs / median(all.times);
      all.rate = number_text(rate) + " M pairs/s";
      all.details["million_pairs_per_second"] = rate;
      if (*copied > 0) {
        const double share = bytes / median(all.times) / *copied;
        all.details["share_of_copy_bandwidth"] = share;
        all.rate += ", " + number_text(100 * share, 2) + " % of the copy's bandwidth";
      }
    };
    out.push_back(std::move(pass));
  }
  return out;
}

}  // namespace

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

std::vector<Case> pass_cases() {
  std::vector<Case> cases;
  const auto add = [&](Suite from, std::uint32_t particles, Variant variant, bool on_cpu) {
    const std::string name = name_of(particles, variant);
    cases.push_back({name, from, [=](Context& context) -> std::vector<Outcome> {
                       if (variant == Variant::fast && resolved(device_of(context.gpu), {}).gather == Gather::texels) {
                         Outcome skipped;
                         skipped.name = name;
                         skipped.skipped = "its shaders load by address, which this driver is slow at";
                         return {skipped};
                       }
                       if (!on_cpu && context.spares_cpu(name)) return {too_much_for_a_cpu(name)};
                       return passes(context, particles, variant);
                     }});
  };
  add(Suite::quick, 20000, Variant::strict, true);
  for (const Variant variant : {Variant::strict, Variant::rows, Variant::fast})
    add(Suite::standard, 100000, variant, true);
  for (const Variant variant : {Variant::strict, Variant::rows, Variant::fast})
    add(Suite::standard, 1000000, variant, false);
  return cases;
}

}  // namespace sluice::bench
