// A Vulkan device as a program that embeds the engine has one: made without any of the engine's code, validated.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <volk.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "sluice/embed.h"

namespace sluice::tests {

struct ForeignOptions {
  std::string device = "llvmpipe";  // part of a name
  bool synchronization2 = true;     // false: forgotten
};

struct ForeignDevice {
  explicit ForeignDevice(const ForeignOptions& options = {});
  ~ForeignDevice();
  ForeignDevice(const ForeignDevice&) = delete;

  ExternalDevice external() const;
  VkCommandBuffer begin();  // a new command buffer
  void submit(VkCommandBuffer commands);
  void wait();  // for all that was submitted
  // A copy of what a view shows, by the device's own transfer.
  std::vector<std::byte> read(const BufferView& view);
  template <typename T>
  std::vector<T> read(const BufferView& view) {
    const std::vector<std::byte> bytes = read(view);
    std::vector<T> out(bytes.size() / sizeof(T));
    std::copy_n(bytes.data(), out.size() * sizeof(T), reinterpret_cast<std::byte*>(out.data()));
    return out;
  }

  VolkDeviceTable vk{};
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t queue_family = 0;
  std::vector<std::string> messages;  // of the validation layers

 private:
  VkPhysicalDeviceVulkan13Features features13_{};
  VkPhysicalDeviceVulkan12Features features12_{};
  VkPhysicalDeviceFeatures2 features_{};
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
};

}  // namespace sluice::tests
