// A Vulkan device of the caller's, and what it has to be created with. See sluice/embed.h.
#pragma once

#include <vulkan/vulkan_core.h>

#include "sluice/device.h"

namespace sluice {

struct ExternalDevice {
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;  // of a family that computes
  std::uint32_t queue_family = 0;
  // The chain that the device was created with; with it, adopt() says which feature was forgotten.
  const VkPhysicalDeviceFeatures2* enabled = nullptr;
  bool debug_utils = false;  // VK_EXT_debug_utils is on: passes get labels
};

// Sets what a device must be created with. No extension is needed, and Vulkan 1.3.
void require_features(VkPhysicalDeviceVulkan12Features& features12, VkPhysicalDeviceVulkan13Features& features13);

// The device as list_devices() has it, before it is created: `missing` says what it lacks.
DeviceInfo inspect_device(PFN_vkGetInstanceProcAddr get_instance_proc_addr, VkInstance instance,
                          VkPhysicalDevice physical_device);

}  // namespace sluice
