#include "host/vulkan/buffer.h"

#include <algorithm>
#include <utility>

namespace sluice::vulkan {
namespace {

// Staging copies go in slices, so that a frame of many gigabytes needs little extra memory.
constexpr std::uint64_t kStagingBytes = std::uint64_t{64} << 20;

}  // namespace

std::uint32_t memory_type(const Device& device, std::uint32_t allowed, VkMemoryPropertyFlags wanted,
                          VkMemoryPropertyFlags preferred) {
  for (const VkMemoryPropertyFlags flags : {wanted | preferred, wanted}) {
    for (std::uint32_t i = 0; i < device.memory.memoryTypeCount; ++i) {
      if ((allowed & (1u << i)) && (device.memory.memoryTypes[i].propertyFlags & flags) == flags) return i;
    }
  }
  throw Error(device.info.name + " has no memory that a buffer can use");
}

RawBuffer::RawBuffer(Device& device, std::uint64_t bytes, Where where)
    : device_(&device), bytes_(std::max<std::uint64_t>(bytes, 256)) {
  VkBufferCreateInfo create{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  create.size = bytes_;
  create.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  const VolkDeviceTable& vk = device.functions;
  try {
    VK_CHECK(vk.vkCreateBuffer(device.device, &create, nullptr, &buffer_));
    VkMemoryRequirements needs;
    vk.vkGetBufferMemoryRequirements(device.device, buffer_, &needs);
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex =
        where == Where::device ? memory_type(device, needs.memoryTypeBits, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
                               : memory_type(device, needs.memoryTypeBits,
                                             VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                             VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    VK_CHECK(vk.vkAllocateMemory(device.device, &allocate, nullptr, &memory_));
    VK_CHECK(vk.vkBindBufferMemory(device.device, buffer_, memory_, 0));
    VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    info.buffer = buffer_;
    address_ = vk.vkGetBufferDeviceAddress(device.device, &info);
    if (where == Where::host) {
      VK_CHECK(vk.vkMapMemory(device.device, memory_, 0, VK_WHOLE_SIZE, 0, &mapped_));
      std::memset(mapped_, 0, bytes_);
    }
  } catch (...) {
    release();
    throw;
  }
}

RawBuffer& RawBuffer::operator=(RawBuffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(buffer_, other.buffer_);
  std::swap(memory_, other.memory_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

void RawBuffer::release() noexcept {
  if (!device_) return;
  if (buffer_) device_->functions.vkDestroyBuffer(device_->device, buffer_, nullptr);
  if (memory_) device_->functions.vkFreeMemory(device_->device, memory_, nullptr);
  buffer_ = VK_NULL_HANDLE;
  memory_ = VK_NULL_HANDLE;
}

void upload(Device& device, const RawBuffer& to, const void* data, std::uint64_t bytes, std::uint64_t offset) {
  if (bytes == 0) return;
  const RawBuffer staging(device, std::min(bytes, kStagingBytes), Where::host);
  Commands commands(device);
  for (std::uint64_t done = 0; done < bytes; done += kStagingBytes) {
    const std::uint64_t slice = std::min(bytes - done, kStagingBytes);
    std::memcpy(staging.mapped(), static_cast<const std::byte*>(data) + done, slice);
    const VkCommandBuffer buffer = commands.begin();
    const VkBufferCopy region{0, offset + done, slice};
    device.functions.vkCmdCopyBuffer(buffer, staging.handle(), to.handle(), 1, &region);
    commands.submit_and_wait();
  }
}

void download(Device& device, const RawBuffer& from, void* data, std::uint64_t bytes, std::uint64_t offset) {
  if (bytes == 0) return;
  const RawBuffer staging(device, std::min(bytes, kStagingBytes), Where::host);
  Commands commands(device);
  for (std::uint64_t done = 0; done < bytes; done += kStagingBytes) {
    const std::uint64_t slice = std::min(bytes - done, kStagingBytes);
    const VkCommandBuffer buffer = commands.begin();
    const VkBufferCopy region{offset + done, 0, slice};
    device.functions.vkCmdCopyBuffer(buffer, from.handle(), staging.handle(), 1, &region);
    VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    barrier.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
    barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT;
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = 1;
    dependency.pMemoryBarriers = &barrier;
    device.functions.vkCmdPipelineBarrier2(buffer, &dependency);
    commands.submit_and_wait();
    std::memcpy(static_cast<std::byte*>(data) + done, staging.mapped(), slice);
  }
}

void clear(Device& device, std::initializer_list<const RawBuffer*> buffers) {
  run_once(device, [&](VkCommandBuffer commands) {
    for (const RawBuffer* buffer : buffers)
      device.functions.vkCmdFillBuffer(commands, buffer->handle(), 0, VK_WHOLE_SIZE, 0);
  });
}

Commands::Commands(Device& device) : device_(device) {
  const VolkDeviceTable& vk = device.functions;
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = device.queue_family;
  VK_CHECK(vk.vkCreateCommandPool(device.device, &pool, nullptr, &pool_));
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  const VkResult allocated = vk.vkAllocateCommandBuffers(device.device, &allocate, &buffer_);
  const VkResult created =
      allocated == VK_SUCCESS ? vk.vkCreateFence(device.device, &fence, nullptr, &fence_) : allocated;
  if (created != VK_SUCCESS) {
    vk.vkDestroyCommandPool(device.device, pool_, nullptr);
    check(created, allocated == VK_SUCCESS ? "vkCreateFence" : "vkAllocateCommandBuffers");
  }
}

Commands::~Commands() {
  device_.functions.vkDestroyFence(device_.device, fence_, nullptr);
  device_.functions.vkDestroyCommandPool(device_.device, pool_, nullptr);
}

VkCommandBuffer Commands::begin() {
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  VK_CHECK(device_.functions.vkBeginCommandBuffer(buffer_, &begin));
  return buffer_;
}

void Commands::submit_and_wait() {
  const VolkDeviceTable& vk = device_.functions;
  VK_CHECK(vk.vkEndCommandBuffer(buffer_));
  VkCommandBufferSubmitInfo command{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  command.commandBuffer = buffer_;
  VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  submit.commandBufferInfoCount = 1;
  submit.pCommandBufferInfos = &command;
  VK_CHECK(vk.vkQueueSubmit2(device_.queue, 1, &submit, fence_));
  const VkResult waited = vk.vkWaitForFences(device_.device, 1, &fence_, VK_TRUE, ~std::uint64_t{0});
  // What the commands use is destroyed as the error is on its way, and they may still run.
  if (waited != VK_SUCCESS) vk.vkQueueWaitIdle(device_.queue);
  check(waited, "vkWaitForFences");
  VK_CHECK(vk.vkResetFences(device_.device, 1, &fence_));
}

}  // namespace sluice::vulkan
