// A Vulkan device that can run the engine: choice, requirements, functions, one queue.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/vulkan/vulkan.h"
#include "sluice/external_device.h"

namespace sluice::vulkan {

// Instance-level functions, loaded per instance so that two engines in one process share nothing.
struct InstanceFunctions {
#define SLUICE_INSTANCE_FUNCTIONS(X)                                                  \
  X(vkDestroyInstance)                                                                \
  X(vkEnumeratePhysicalDevices)                                                       \
  X(vkGetPhysicalDeviceProperties2)                                                   \
  X(vkGetPhysicalDeviceFeatures2)                                                     \
  X(vkGetPhysicalDeviceMemoryProperties2) X(vkGetPhysicalDeviceQueueFamilyProperties) \
      X(vkEnumerateDeviceExtensionProperties) X(vkCreateDevice) X(vkGetDeviceProcAddr)
#define X(name) PFN_##name name = nullptr;
  SLUICE_INSTANCE_FUNCTIONS(X)
#undef X
  // Null without VK_EXT_debug_utils.
#define SLUICE_DEBUG_FUNCTIONS(X)   \
  X(vkCreateDebugUtilsMessengerEXT) \
  X(vkDestroyDebugUtilsMessengerEXT) X(vkCmdBeginDebugUtilsLabelEXT) X(vkCmdEndDebugUtilsLabelEXT)
#define X(name) PFN_##name name = nullptr;
  SLUICE_DEBUG_FUNCTIONS(X)
#undef X
};

// What the device hands out: for the engine, and for pictures.
// clang-format off
#define SLUICE_DEVICE_FUNCTIONS(X) \
  X(vkAllocateCommandBuffers) X(vkAllocateDescriptorSets) X(vkAllocateMemory) X(vkBeginCommandBuffer) \
  X(vkBindBufferMemory) X(vkCmdBindDescriptorSets) X(vkCmdBindPipeline) X(vkCmdCopyBuffer) X(vkCmdDispatch) \
  X(vkCmdDispatchIndirect) X(vkCmdFillBuffer) X(vkCmdPipelineBarrier2) X(vkCmdPushConstants) \
  X(vkCmdResetQueryPool) X(vkCmdUpdateBuffer) X(vkCmdWriteTimestamp2) X(vkCreateBuffer) \
  X(vkCreateBufferView) X(vkCreateCommandPool) X(vkCreateComputePipelines) X(vkCreateDescriptorPool) \
  X(vkCreateDescriptorSetLayout) X(vkCreateFence) X(vkCreatePipelineCache) X(vkCreatePipelineLayout) \
  X(vkCreateQueryPool) X(vkCreateShaderModule) X(vkDestroyBuffer) X(vkDestroyBufferView) \
  X(vkDestroyCommandPool) X(vkDestroyDescriptorPool) X(vkDestroyDescriptorSetLayout) X(vkDestroyDevice) \
  X(vkDestroyFence) X(vkDestroyPipeline) X(vkDestroyPipelineCache) X(vkDestroyPipelineLayout) \
  X(vkDestroyQueryPool) X(vkDestroyShaderModule) X(vkEndCommandBuffer) X(vkFreeMemory) \
  X(vkGetBufferDeviceAddress) X(vkGetBufferMemoryRequirements) X(vkGetDeviceQueue) \
  X(vkGetPipelineCacheData) X(vkGetQueryPoolResults) X(vkMapMemory) X(vkQueueSubmit2) X(vkQueueWaitIdle) \
  X(vkResetFences) X(vkUpdateDescriptorSets) X(vkWaitForFences)
#define SLUICE_DRAWING_FUNCTIONS(X) \
  X(vkBindImageMemory) X(vkCmdBeginRendering) X(vkCmdCopyImageToBuffer) X(vkCmdDraw) X(vkCmdDrawIndirect) \
  X(vkCmdEndRendering) X(vkCmdSetScissor) X(vkCmdSetViewport) X(vkCreateGraphicsPipelines) X(vkCreateImage) \
  X(vkCreateImageView) X(vkCreateSampler) X(vkDestroyImage) X(vkDestroyImageView) X(vkDestroySampler) \
  X(vkGetImageMemoryRequirements)
// clang-format on

// Validation messages, as the layers' threads report them.
struct MessageLog {
  std::mutex mutex;
  std::vector<std::string> messages;
};

// Owns the instance, the device and its queue, or names a caller's; not movable, since the log's address is registered.
struct Device {
  explicit Device(const GpuOptions& options);
  explicit Device(const ExternalDevice& external);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  InstanceFunctions instance_functions;
  VolkDeviceTable functions{};
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t queue_family = 0;
  VkPhysicalDeviceMemoryProperties memory{};
  VkPhysicalDeviceLimits limits{};
  std::uint8_t pipeline_cache_uuid[VK_UUID_SIZE]{};
  float timestamp_period = 0;     // ns; 0: the queue has no timestamps
  bool round_to_nearest = false;  // RoundingModeRTE for float32 is offered
  bool labels = false;            // VK_EXT_debug_utils is on
  DeviceInfo info;
  bool draws = false;  // the queue and the features can
  VkDriverId driver_id{};
  std::unique_ptr<MessageLog> log = std::make_unique<MessageLog>();

 private:
  // What the physical device says of itself; `info` is set before.
  void read_properties();
  // The device's functions and its queue.
  void load_functions();
  void release() noexcept;
  bool owned_ = true;
};

}  // namespace sluice::vulkan
