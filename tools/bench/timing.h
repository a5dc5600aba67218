// Times of submits, on the device's clock where it has one.
#pragma once

#include <chrono>

#include "engine/passes.h"
#include "host/vulkan/buffer.h"
#include "host/vulkan/recorder.h"
#include "tools/bench/bench.h"

namespace sluice::bench {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline vulkan::Pipelines make_pipelines(vulkan::Device& device, ShaderVariant variant = ShaderVariant::strict,
                                        SceneKinds kinds = {}, const std::vector<vulkan::SpecConstant>& more = {}) {
  std::vector<vulkan::SpecConstant> constants = spec_constants(device.info, kinds);
  constants.insert(constants.end(), more.begin(), more.end());
  return {device, pipeline_sources(variant), constants, vulkan::default_cache_folder(), views_of(variant)};
}

// ms of a call of `record`: the median of some submits of `calls` of them; one more before warms up.
template <typename Record>
double time_submits(vulkan::Device& device, const vulkan::Pipelines& pipelines, VkBuffer control, int calls,
                    Record record, VkDescriptorSet texels = VK_NULL_HANDLE, gpu::Ptr<gpu::BufferTable> buffers = {}) {
  constexpr int kSubmits = 5;
  std::vector<double> times;
  vulkan::Timer timer(device, 2);
  vulkan::Commands commands(device);
  for (int run = 0; run <= kSubmits; ++run) {
    const VkCommandBuffer buffer = commands.begin();
    timer.reset(buffer);
    vulkan::Recorder recorder(device, buffer, pipelines, nullptr, texels);
    PassRecorder passes{recorder, control, buffers};
    const std::uint32_t from = timer.mark(buffer);
    for (int k = 0; k < calls; ++k) record(passes);
    const std::uint32_t to = timer.mark(buffer);
    const auto start = std::chrono::steady_clock::now();
    commands.submit_and_wait();
    const double wall = 1e3 * seconds_since(start);
    timer.read();
    const double on_device = timer.milliseconds(from, to);
    if (run > 0) times.push_back((on_device > 0 ? on_device : wall) / calls);
  }
  return median(times);
}

}  // namespace sluice::bench
