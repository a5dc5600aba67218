// The one place that dispatches. Every dispatch is labelled, timed on request, and followed by a memory
// barrier: buffers are reached by address, so the validation layers cannot see a missing one.
#pragma once

#include <vector>

#include "host/vulkan/buffer.h"
#include "host/vulkan/pipeline.h"

namespace sluice::vulkan {

// Timestamps of a submit: a pair a dispatch while profiling, else one pair for the whole.
class Timer {
 public:
  Timer(Device& device, std::uint32_t capacity);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void reset(VkCommandBuffer commands);
  // Writes a timestamp after all earlier work; returns its index, or none() when there is no room.
  std::uint32_t mark(VkCommandBuffer commands);
  static constexpr std::uint32_t none() { return ~0u; }
  // After the submit: milliseconds between two marks.
  void read();
  double milliseconds(std::uint32_t from, std::uint32_t to) const;

 private:
  Device& device_;
  VkQueryPool pool_ = VK_NULL_HANDLE;
  std::uint32_t capacity_ = 0, used_ = 0;
  std::vector<std::uint64_t> ticks_;
};

struct TimedDispatch {
  std::size_t pass;
  std::uint32_t from, to;  // marks
};

class Recorder {
 public:
  // Passes are indices into `pipelines`; `timer` may be null. Marks go to `timed`. `texels` is the set of pipelines
  // that were made with texel views.
  Recorder(Device& device, VkCommandBuffer commands, const Pipelines& pipelines, Timer* timer = nullptr,
           VkDescriptorSet texels = VK_NULL_HANDLE)
      : device_(device), commands_(commands), pipelines_(pipelines), timer_(timer), texels_(texels) {}

  // `groups` workgroups, folded along y past 65535.
  void dispatch(std::size_t pass, const void* args, std::uint32_t bytes, std::uint32_t groups);
  // As many as the three words at `offset` say when it runs.
  void dispatch_indirect(std::size_t pass, const void* args, std::uint32_t bytes, VkBuffer groups,
                         std::uint64_t offset);
  // Makes what a transfer or the host wrote before visible to what follows, and the reverse.
  void barrier();
  // Between the engine's commands and a caller's: all that was written before is visible to all that follows.
  void full_barrier();

  VkCommandBuffer commands() const { return commands_; }
  std::vector<TimedDispatch> timed;

 private:
  void bind(std::size_t pass, const void* args, std::uint32_t bytes);
  void finish(std::size_t pass, std::uint32_t from);
  Device& device_;
  VkCommandBuffer commands_;
  const Pipelines& pipelines_;
  Timer* timer_;
  VkDescriptorSet texels_;
  std::size_t bound_ = ~std::size_t{0};
};

}  // namespace sluice::vulkan
