// Buffers for a sort of up to `capacity` keys, and a control record whose gates stand open for the count at hand.
#pragma once

#include <numeric>
#include <vector>

#include "engine/sort.h"

namespace sluice {

struct SortRig {
  SortRig(vulkan::Device& device_in, std::uint64_t capacity_in)
      : device(device_in), control(device_in, 1), capacity(capacity_in) {
    for (int side = 0; side < 2; ++side) {
      keys[side] = vulkan::Buffer<gpu::uint>(device, capacity);
      values[side] = vulkan::Buffer<gpu::uint>(device, capacity);
    }
    const std::uint64_t blocks = (capacity + gpu::kSortBlock - 1) / gpu::kSortBlock;
    counts = vulkan::Buffer<gpu::uint>(device, blocks * gpu::kSortDigits);
    totals = vulkan::Buffer<gpu::uint>(device, gpu::kSortDigits);
  }

  gpu::Ptr<gpu::uint> count() const { return {control.ptr().address + offsetof(gpu::Control, particles)}; }

  SortArrays arrays() const {
    return {{keys[0].ptr(), keys[1].ptr()}, {values[0].ptr(), values[1].ptr()}, counts.ptr(), totals.ptr()};
  }

  // Values count from 0.
  void start(const std::vector<std::uint32_t>& words, std::uint32_t bits) {
    const auto blocks = static_cast<std::uint32_t>((words.size() + gpu::kSortBlock - 1) / gpu::kSortBlock);
    const std::uint32_t digits = sort_digits(bits);
    const int side = sort_start(bits);
    gpu::Control c{};
    c.particles = static_cast<std::uint32_t>(words.size());
    c.dispatches[gpu::kSlotBeginBlocks] = {blocks, 1, 1, 0};
    c.dispatches[gpu::kSlotBeginDigits] = {digits, 1, 1, 0};
    vulkan::upload<gpu::Control>(device, control, {&c, 1});
    std::vector<std::uint32_t> order(words.size());
    std::iota(order.begin(), order.end(), 0u);
    vulkan::upload<gpu::uint>(device, keys[side], words);
    vulkan::upload<gpu::uint>(device, values[side], order);
  }

  // The result is in keys[0] and values[0].
  void record(PassRecorder& passes, std::uint32_t bits) const {
    record_sort(passes, arrays(), count(), bits, gpu::kSlotBeginBlocks, gpu::kSlotBeginDigits);
  }

  vulkan::Device& device;
  vulkan::Buffer<gpu::Control> control;
  std::uint64_t capacity;
  vulkan::Buffer<gpu::uint> keys[2], values[2];
  vulkan::Buffer<gpu::uint> counts, totals;
};

}  // namespace sluice
