// Buffers for a sort of up to `capacity` keys, and a control record whose gates stand open for the count at hand.
#pragma once

#include <numeric>
#include <vector>

#include "engine/step.h"

namespace sluice {

struct SortRig {
  SortRig(vulkan::Device& device_in, std::uint64_t capacity_in)
      : device(device_in), control(device_in, 1), capacity(capacity_in) {
    for (int side = 0; side < 2; ++side) {
      sort.keys[side] = vulkan::Buffer<gpu::uint>(device, capacity);
      sort.values[side] = vulkan::Buffer<gpu::uint>(device, capacity);
    }
    const std::uint64_t blocks = (capacity + gpu::kSortBlock - 1) / gpu::kSortBlock;
    sort.counts = vulkan::Buffer<gpu::uint>(device, blocks * gpu::kSortDigits);
    sort.totals = vulkan::Buffer<gpu::uint>(device, gpu::kSortDigits);
  }

  gpu::Ptr<gpu::uint> count() const { return {control.ptr().address + offsetof(gpu::Control, particles)}; }

  // Values count from 0. `digits` is that of the widest pass.
  void start(const std::vector<std::uint32_t>& keys, std::uint32_t digits) {
    const auto blocks = static_cast<std::uint32_t>((keys.size() + gpu::kSortBlock - 1) / gpu::kSortBlock);
    gpu::Control c{};
    c.particles = static_cast<std::uint32_t>(keys.size());
    c.dispatches[gpu::kSlotBeginBlocks] = {blocks, 1, 1, 0};
    c.dispatches[gpu::kSlotBeginDigits] = {digits, 1, 1, 0};
    vulkan::upload<gpu::Control>(device, control, {&c, 1});
    std::vector<std::uint32_t> values(keys.size());
    std::iota(values.begin(), values.end(), 0u);
    vulkan::upload<gpu::uint>(device, sort.keys[0], keys);
    vulkan::upload<gpu::uint>(device, sort.values[0], values);
  }

  // The side on which the result is.
  int record(PassRecorder& passes, std::uint32_t bits) const {
    return record_sort(passes, sort, count(), bits, gpu::kSlotBeginBlocks, gpu::kSlotBeginDigits);
  }

  vulkan::Device& device;
  vulkan::Buffer<gpu::Control> control;
  std::uint64_t capacity;
  SortBuffers sort;
};

}  // namespace sluice
