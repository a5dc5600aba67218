#include "host/vulkan/recorder.h"

#include <cassert>

#include "shaders/shared/constants.h"

namespace sluice::vulkan {

Timer::Timer(Device& device, std::uint32_t capacity) : device_(device) {
  if (device.timestamp_period <= 0) return;  // marks become none(), times 0
  VkQueryPoolCreateInfo create{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  create.queryType = VK_QUERY_TYPE_TIMESTAMP;
  create.queryCount = capacity;
  VK_CHECK(device.functions.vkCreateQueryPool(device.device, &create, nullptr, &pool_));
  capacity_ = capacity;
}

Timer::~Timer() {
  if (pool_) device_.functions.vkDestroyQueryPool(device_.device, pool_, nullptr);
}

void Timer::reset(VkCommandBuffer commands) {
  used_ = 0;
  if (pool_) device_.functions.vkCmdResetQueryPool(commands, pool_, 0, capacity_);
}

std::uint32_t Timer::mark(VkCommandBuffer commands) {
  if (used_ == capacity_) return none();
  device_.functions.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_, used_);
  return used_++;
}

void Timer::read() {
  ticks_.assign(used_, 0);
  if (used_ == 0) return;
  VK_CHECK(device_.functions.vkGetQueryPoolResults(device_.device, pool_, 0, used_, used_ * sizeof(std::uint64_t),
                                                   ticks_.data(), sizeof(std::uint64_t),
                                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
}

double Timer::milliseconds(std::uint32_t from, std::uint32_t to) const {
  if (from >= ticks_.size() || to >= ticks_.size() || ticks_[to] < ticks_[from]) return 0;
  return static_cast<double>(ticks_[to] - ticks_[from]) * device_.timestamp_period * 1e-6;
}

void Recorder::bind(std::size_t pass, const void* args, std::uint32_t bytes) {
  assert(bytes == pipelines_.source(pass).push_bytes);
  const VolkDeviceTable& vk = device_.functions;
  if (device_.labels) {
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
    label.pLabelName = pipelines_.source(pass).name;
    device_.instance_functions.vkCmdBeginDebugUtilsLabelEXT(commands_, &label);
  }
  if (texels_ && bound_ == ~std::size_t{0})
    vk.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_.layout(), 0, 1, &texels_, 0,
                               nullptr);
  if (bound_ != pass) vk.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_[pass]);
  bound_ = pass;
  vk.vkCmdPushConstants(commands_, pipelines_.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes, args);
}

void Recorder::finish(std::size_t pass, std::uint32_t from) {
  barrier();
  if (timer_) timed.push_back({pass, from, timer_->mark(commands_)});
  if (device_.labels) device_.instance_functions.vkCmdEndDebugUtilsLabelEXT(commands_);
}

void Recorder::dispatch(std::size_t pass, const void* args, std::uint32_t bytes, std::uint32_t groups) {
  if (groups == 0) return;
  const std::uint32_t from = timer_ ? timer_->mark(commands_) : 0;
  bind(pass, args, bytes);
  const std::uint32_t folds = (groups + gpu::kMaxGroupsX - 1) / gpu::kMaxGroupsX;
  device_.functions.vkCmdDispatch(commands_, groups < gpu::kMaxGroupsX ? groups : gpu::kMaxGroupsX, folds, 1);
  finish(pass, from);
}

void Recorder::dispatch_indirect(std::size_t pass, const void* args, std::uint32_t bytes, VkBuffer groups,
                                 std::uint64_t offset) {
  const std::uint32_t from = timer_ ? timer_->mark(commands_) : 0;
  bind(pass, args, bytes);
  device_.functions.vkCmdDispatchIndirect(commands_, groups, offset);
  finish(pass, from);
}

namespace {

void record_barrier(Device& device, VkCommandBuffer commands, const VkMemoryBarrier2& barrier) {
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  device.functions.vkCmdPipelineBarrier2(commands, &dependency);
}

}  // namespace

void Recorder::barrier() {
  VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT |
                         VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                          VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
                          VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_HOST_READ_BIT;
  record_barrier(device_, commands_, barrier);
}

void Recorder::full_barrier() {
  VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_HOST_READ_BIT;
  record_barrier(device_, commands_, barrier);
}

}  // namespace sluice::vulkan
