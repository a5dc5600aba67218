// A Vulkan device that can run the engine: choice, requirements, functions, one queue.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/vulkan/vulkan.h"
#include "sluice/embed.h"

namespace sluice::vulkan {

// Instance-level functions, loaded per instance so that two engines in one process share nothing.
struct InstanceFunctions {
#define SLUICE_INSTANCE_FUNCTIONS(X)                                                                        \
  X(vkDestroyInstance)                                                                                      \
  X(vkEnumeratePhysicalDevices)                                                                             \
  X(vkGetPhysicalDeviceProperties2) X(vkGetPhysicalDeviceFeatures2) X(vkGetPhysicalDeviceMemoryProperties2) \
      X(vkGetPhysicalDeviceQueueFamilyProperties) X(vkEnumerateDeviceExtensionProperties) X(vkCreateDevice) \
          X(vkGetDeviceProcAddr)
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
