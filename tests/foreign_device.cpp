#define VOLK_IMPLEMENTATION
#include "tests/foreign_device.h"

#include <cstdlib>
#include <cstring>

namespace sluice::tests {
namespace {

void require(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw Error(std::string(what) + " failed: " + std::to_string(result));
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  static_cast<std::vector<std::string>*>(user)->emplace_back(data->pMessage);
  return VK_FALSE;
}

VkInstance make_instance() {
  require(volkInitialize(), "volkInitialize");
  const VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &synchronization;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  const char* layer = "VK_LAYER_KHRONOS_validation";
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  VkInstanceCreateInfo create{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &features};
  create.pApplicationInfo = &application;
  create.enabledLayerCount = 1;
  create.ppEnabledLayerNames = &layer;
  create.enabledExtensionCount = 2;
  create.ppEnabledExtensionNames = extensions;
  VkInstance instance = VK_NULL_HANDLE;
  require(vkCreateInstance(&create, nullptr, &instance), "vkCreateInstance");
  volkLoadInstanceOnly(instance);
  return instance;
}

VkPhysicalDevice find_device(VkInstance instance, const std::string& name) {
  std::uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(instance, &count, devices.data());
  for (VkPhysicalDevice device : devices) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device, &properties);
    if (std::strstr(properties.deviceName, name.c_str())) return device;
  }
  throw Error("the tests need the device " + name);
}

}  // namespace

ForeignDevice::ForeignDevice(const ForeignOptions& options) {
  const char* swiftshader = "/usr/lib/chromium/vk_swiftshader_icd.json";  // Debian's chromium brings it
  ::setenv("VK_ADD_DRIVER_FILES", swiftshader, 0);
  instance = make_instance();
  VkDebugUtilsMessengerCreateInfoEXT listen{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  listen.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  listen.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  listen.pfnUserCallback = on_message;
  listen.pUserData = &messages;
  require(vkCreateDebugUtilsMessengerEXT(instance, &listen, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");

  physical_device = find_device(instance, options.device);
  features12_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features13_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  features12_.pNext = &features13_;
  require_features(features12_, features13_);
  features13_.synchronization2 = options.synchronization2;
  features_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features_.pNext = &features12_;
  const float priority = 1;
  VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queues.queueFamilyIndex = queue_family;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  VkDeviceCreateInfo create{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features_};
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queues;
  require(vkCreateDevice(physical_device, &create, nullptr, &device), "vkCreateDevice");
  volkLoadDeviceTable(&vk, device);
  vk.vkGetDeviceQueue(device, queue_family, 0, &queue);
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.queueFamilyIndex = queue_family;
  require(vk.vkCreateCommandPool(device, &pool, nullptr, &pool_), "vkCreateCommandPool");
}

ForeignDevice::~ForeignDevice() {
  vk.vkDestroyCommandPool(device, pool_, nullptr);
  vk.vkDestroyDevice(device, nullptr);
  vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
  vkDestroyInstance(instance, nullptr);
}

ExternalDevice ForeignDevice::external() const {
  return {vkGetInstanceProcAddr, instance, physical_device, device, queue, queue_family, &features_, true};
}

VkCommandBuffer ForeignDevice::begin() {
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  require(vk.vkAllocateCommandBuffers(device, &allocate, &commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  require(vk.vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  return commands;
}

void ForeignDevice::submit(VkCommandBuffer commands) {
  require(vk.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  require(vk.vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
}

void ForeignDevice::wait() { require(vk.vkQueueWaitIdle(queue), "vkQueueWaitIdle"); }

std::vector<std::byte> ForeignDevice::read(const BufferView& view) {
  std::vector<std::byte> out(view.count * view.stride);
  if (out.empty()) return out;
  VkBufferCreateInfo create{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  create.size = out.size();
  create.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  require(vk.vkCreateBuffer(device, &create, nullptr, &buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vk.vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(physical_device, &types);
  const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = needs.size;
  while ((types.memoryTypes[allocate.memoryTypeIndex].propertyFlags & wanted) != wanted) ++allocate.memoryTypeIndex;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  require(vk.vkAllocateMemory(device, &allocate, nullptr, &memory), "vkAllocateMemory");
  require(vk.vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory");
  const VkCommandBuffer commands = begin();
  const VkBufferCopy region{view.offset, 0, out.size()};
  vk.vkCmdCopyBuffer(commands, view.buffer, buffer, 1, &region);
  submit(commands);
  wait();
  void* mapped = nullptr;
  require(vk.vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  std::memcpy(out.data(), mapped, out.size());
  vk.vkDestroyBuffer(device, buffer, nullptr);
  vk.vkFreeMemory(device, memory, nullptr);
  return out;
}

}  // namespace sluice::tests
