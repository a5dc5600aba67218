// Single operations: a copy, a sort, sums over bodies, a tick that finds nothing to do.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/gpu_device.h"
#include "engine/step.h"
#include "tools/bench/bench.h"
#include "tools/bench/lattice.h"
#include "tools/bench/sort_rig.h"
#include "tools/bench/timing.h"

namespace sluice::bench {
namespace {

using Words = std::vector<std::uint32_t>;

Words random_words(std::size_t count, std::uint32_t largest) {
  Words words(count);
  std::uint32_t state = 1;
  for (std::uint32_t& word : words) {
    state = state * 747796405u + 2891336453u;
    word = ((state >> ((state >> 28) + 4)) ^ state) & largest;
  }
  return words;
}

std::vector<Outcome> copy(Context& context) {
  vulkan::Device& device = device_of(context.gpu);
  // More than the caches of large GPUs hold.
  const std::size_t mib = context.gpu.info().type == DeviceType::cpu ? 64 : 512, bytes = mib << 20;
  const Words words = random_words(bytes / 4, ~0u);
  const vulkan::Buffer<gpu::uint> from(device, words.size()), to(device, words.size());
  upload<gpu::uint>(device, from, words);
  const vulkan::Pipelines pipelines = make_pipelines(device);
  Outcome out;
  out.name = "copy";
  out.unit = "a copy";
  out.check = "the copy equals its source";
  out.times = {time_submits(device, pipelines, VK_NULL_HANDLE, 4, [&](PassRecorder& run) {
    const VkBufferCopy region{0, 0, bytes};
    device.functions.vkCmdCopyBuffer(run.recorder.commands(), from.raw.handle(), to.raw.handle(), 1, &region);
    run.recorder.barrier();
  })};
  out.details["mib"] = mib;
  if (download(device, to, words.size()) != words) out.failure = "the copy differs from its source";
  out.summarize = [copied = context.copied_bytes_a_ms, bytes](Outcome& all) {
    *copied = 2.0 * static_cast<double>(bytes) / median(all.times);
    const double rate = 1e-6 * *copied;
    all.rate = number_text(rate) + " GB/s";
    all.details["gigabytes_per_second"] = rate;
  };
  return {out};
}

std::string sort_name(std::uint32_t log_count, bool pairs) {
  return "sort of 2^" + std::to_string(log_count) + (pairs ? " pairs" : " keys");
}

std::vector<Outcome> sort(Context& context, std::uint32_t log_count, bool pairs) {
  vulkan::Device& device = device_of(context.gpu);
  Outcome out;
  out.name = sort_name(log_count, pairs);
  out.unit = "a sort";
  out.check = pairs ? "keys and values as std::stable_sort has them" : "keys as std::stable_sort has them";
  constexpr std::uint32_t kBits = 24;
  const Words keys = random_words(std::size_t{1} << log_count, (1u << kBits) - 1);
  SortRig rig(device, keys.size());
  const vulkan::Pipelines pipelines =
      make_pipelines(device, ShaderVariant::strict, {}, {{gpu::kSpecSortValues, pairs ? 1u : 0u}});
  rig.start(keys, kBits);
  // Three passes take turns with two sides, and each submit sorts what the last one left on the side where sorts start:
  // the work is the same.
  vulkan::run_once(device, [&](VkCommandBuffer buffer) {
    vulkan::Recorder recorder(device, buffer, pipelines);
    PassRecorder run{recorder, rig.control.raw.handle()};
    rig.record(run, kBits);
  });
  if (context.round == 0) {
    Words order(keys.size()), sorted(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    std::transform(order.begin(), order.end(), sorted.begin(), [&](std::uint32_t i) { return keys[i]; });
    if ((pairs && download(device, rig.values[0], order.size()) != order) ||
        download(device, rig.keys[0], sorted.size()) != sorted)
      out.failure = "the order differs from std::stable_sort's";
  }
  out.times = {
      time_submits(device, pipelines, rig.control.raw.handle(), 1, [&](PassRecorder& run) { rig.record(run, kBits); })};
  out.summarize = [log_count, pairs](Outcome& all) {
    const double rate = std::ldexp(1e-3, static_cast<int>(log_count)) / median(all.times);
    all.rate = number_text(rate) + (pairs ? " M pairs/s" : " M keys/s");
    all.details[pairs ? "million_pairs_per_second" : "million_keys_per_second"] = rate;
  };
  return {out};
}

// Forces and torques of chunks of samples, summed body by body in one order.
std::vector<Outcome> body_sums(Context& context) {
  constexpr std::uint32_t kBodies = 1024, kChunks = kBodies * gpu::kPartChunks;  // as large as one thread sums
  vulkan::Device& device = device_of(context.gpu);
  const Words words = random_words(kChunks * sizeof(gpu::RigidSum) / sizeof(float), (1u << 24) - 1);
  const auto force = [&](std::size_t i) { return static_cast<float>(words[i]) - 8e6f; };
  const auto vector = [&](std::size_t i) { return gpu::vec4{force(i), force(i + 1), force(i + 2), force(i + 3)}; };
  std::vector<gpu::RigidSum> partials(kChunks), sums(kBodies);
  for (std::size_t c = 0; c < kChunks; ++c)
    partials[c] = {vector(16 * c), vector(16 * c + 4), vector(16 * c + 8), vector(16 * c + 12)};
  Words first(kBodies + 1);
  const auto add = [](gpu::vec4& to, const gpu::vec4& v) { to.x += v.x, to.y += v.y, to.z += v.z, to.w += v.w; };
  for (std::uint32_t b = 0; b < kBodies; ++b) {
    first[b + 1] = first[b] + gpu::kPartChunks;
    for (std::uint32_t c = first[b]; c < first[b + 1]; ++c) {
      add(sums[b].contact_force, partials[c].contact_force);
      add(sums[b].contact_torque, partials[c].contact_torque);
      add(sums[b].fluid_force, partials[c].fluid_force);
      add(sums[b].fluid_torque, partials[c].fluid_torque);
    }
  }
  gpu::Params params{};
  params.parts = kBodies;
  // The buffers of a small scene, and in place of three of them:
  State state(device, lattice(1000), {});
  upload<gpu::Params>(device, state.params, {&params, 1});
  state.part_chunk = vulkan::Buffer<gpu::uint>(device, first.size());
  state.chunk_sum = vulkan::Buffer<gpu::RigidSum>(device, kChunks);
  state.part_sum = vulkan::Buffer<gpu::RigidSum>(device, kBodies);
  upload<gpu::uint>(device, state.part_chunk, first);
  upload<gpu::RigidSum>(device, state.chunk_sum, partials);
  upload_table(state);
  const vulkan::Pipelines pipelines = make_pipelines(device);
  Outcome out;
  out.name = "sums of 1024 bodies";
  out.unit = "a pass";
  out.check = "the bits of a sum in order on the host";
  out.times = {time_submits(
      device, pipelines, VK_NULL_HANDLE, 20,
      [&](PassRecorder& run) {
        run.run_groups<Pass::sum_parts>((kBodies * gpu::kSumVectors + gpu::kGroup - 1) / gpu::kGroup);
      },
      VK_NULL_HANDLE, state.table.ptr())};
  const std::vector<gpu::RigidSum> found = download(device, state.part_sum, kBodies);
  if (std::memcmp(found.data(), sums.data(), kBodies * sizeof(gpu::RigidSum)) != 0)
    out.failure = "sums differ from the host's";
  out.details["bodies"] = kBodies;
  out.details["chunks_a_body"] = gpu::kPartChunks;
  out.summarize = [](Outcome& all) {
    constexpr double kBytes = (kChunks + kBodies) * sizeof(gpu::RigidSum) + 2 * kBodies * sizeof(gpu::uint);
    const double rate = 1e-6 * kBytes / median(all.times);
    all.rate = number_text(rate) + " GB/s";
    all.details["gigabytes_per_second"] = rate;
  };
  return {out};
}

// What a submit pays for what it records and does not need: a tick whose gates are all closed.
std::vector<Outcome> closed_tick(Context& context) {
  constexpr std::uint32_t kIterations = 64;
  vulkan::Device& device = device_of(context.gpu);
  const State s(device, lattice(1000), {});
  const vulkan::Pipelines pipelines = make_pipelines(device);
  const std::uint32_t closed = gpu::kPhaseFailed;
  upload(device, s.control.raw, &closed, 4, offsetof(gpu::Control, phase));
  const auto before = download(device, s.stored_position, 1000);
  Outcome out;
  out.name = "closed tick of 64 iterations";
  out.unit = "a tick";
  out.check = "no particle has moved";
  const auto time = [&](std::uint32_t iterations) {
    return time_submits(
        device, pipelines, s.control.raw.handle(), 100,
        [&](PassRecorder& run) {
          run.closed = closed_slots(s);
          record_tick(run, s, iterations);
        },
        VK_NULL_HANDLE, s.table.ptr());
  };
  out.times = {time(kIterations)};
  out.base_times = {time(0)};
  const auto same = [](const gpu::uvec4& a, const gpu::uvec4& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  if (const auto after = download(device, s.stored_position, 1000);
      !std::equal(before.begin(), before.end(), after.begin(), after.end(), same))
    out.failure = "particles moved in a tick that was closed";
  out.summarize = [](Outcome& all) {
    std::vector<double> iterations;  // ms, of what was timed in one round
    for (std::size_t k = 0; k < all.times.size(); ++k) iterations.push_back(all.times[k] - all.base_times[k]);
    all.details["without_iterations_ms"] = median(all.base_times);
    if (iterations.size() > 1 && median(iterations) > spread(iterations)) {
      const double each = 1e3 * median(iterations) / (kIterations * 4);  // dispatches of an iteration of fluid
      all.rate = number_text(each) + " us a closed dispatch";
      all.details["closed_dispatch_us"] = each;
    }
  };
  return {out};
}

}  // namespace

std::vector<Case> primitive_cases() {
  std::vector<Case> cases{{"copy", Suite::quick, copy},
                          {"closed tick of 64 iterations", Suite::quick, closed_tick},
                          {"sums of 1024 bodies", Suite::quick, body_sums}};
  for (const std::uint32_t log_count : {16u, 20u, 22u, 25u})
    for (const bool pairs : {false, true}) {
      const std::string name = sort_name(log_count, pairs);
      cases.push_back({name, log_count <= 20 ? Suite::quick : Suite::standard,
                       [name, log_count, pairs](Context& context) -> std::vector<Outcome> {
                         if (log_count >= 25 && context.spares_cpu(name)) return {too_much_for_a_cpu(name)};
                         return sort(context, log_count, pairs);
                       }});
    }
  for (Case& c : pass_cases()) cases.push_back(std::move(c));
  return cases;
}

}  // namespace sluice::bench
