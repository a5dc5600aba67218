/* Sluice from C: adopts a device of this program's, records steps into its command buffers and prints what they did.
 *
 *   embed_c SCENE.json [FRAMES] [NAME OF DEVICE] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "sluice/sluice_c.h"

static void fail(const char* sentence) {
  fprintf(stderr, "embed_c: %s\n", sentence);
  exit(1);
}

static void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) fail(what);
}

static VkPhysicalDevice choose(VkInstance instance, const char* name) {
  uint32_t count = 16;
  VkPhysicalDevice devices[16];
  vkEnumeratePhysicalDevices(instance, &count, devices);
  for (uint32_t i = 0; i < count; ++i) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(devices[i], &properties);
    if (properties.apiVersion >= VK_API_VERSION_1_3 && strstr(properties.deviceName, name)) return devices[i];
  }
  fail("no Vulkan 1.3 device of that name");
  return VK_NULL_HANDLE;
}

int main(int argc, char** argv) {
  const char* usage = "usage: embed_c SCENE.json [FRAMES] [DEVICE]; example: embed_c scenes/stack8.json 30 llvmpipe";
  if (argc < 2) fail(usage);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    puts(usage);
    return 0;
  }
  char* end = NULL;
  const long frames = argc > 2 ? strtol(argv[2], &end, 10) : 60;
  if (argc > 2 && (*end != 0 || frames < 1)) fail(usage);
  const char* name = argc > 3 ? argv[3] : "";

  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                         .apiVersion = VK_API_VERSION_1_3};
  const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                              .pApplicationInfo = &application};
  VkInstance instance;
  check(vkCreateInstance(&instance_info, NULL, &instance), "vkCreateInstance");
  const VkPhysicalDevice physical = choose(instance, name);

  /* Family 0 computes on every driver known; a real program looks for one. */
  VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = &features13};
  const VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &features12};
  sluice_require_features(&features12, &features13);
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                              .queueCount = 1,
                                              .pQueuePriorities = &priority};
  const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                          .pNext = &features,
                                          .queueCreateInfoCount = 1,
                                          .pQueueCreateInfos = &queue_info};
  VkDevice device;
  check(vkCreateDevice(physical, &device_info, NULL, &device), "vkCreateDevice");
  VkQueue queue;
  vkGetDeviceQueue(device, 0, 0, &queue);

  sluice_error error;
  sluice_gpu* gpu;
  sluice_simulation* simulation;
  const sluice_external_device external = {vkGetInstanceProcAddr, instance, physical, device, queue, 0, &features, 0};
  if (sluice_gpu_adopt(&external, &gpu, &error)) fail(error.message);
  if (sluice_simulation_load(gpu, argv[1], NULL, &simulation, &error)) fail(error.message);

  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                             .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
  VkCommandPool pool;
  check(vkCreateCommandPool(device, &pool_info, NULL, &pool), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = pool,
                                                .commandBufferCount = 1};
  VkCommandBuffer commands;
  check(vkAllocateCommandBuffers(device, &allocate, &commands), "vkAllocateCommandBuffers");

  sluice_report report = {0};
  for (int frame = 0; frame < frames; ++frame) {
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    uint64_t ticket;
    if (sluice_record(simulation, commands, 16, (frame + 1) / 60.0, &ticket, &error)) fail(error.message);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
    if (sluice_retire(simulation, ticket, &report, &error) || report.failed) fail(error.message);
  }
  uint64_t hash;
  if (sluice_state_hash(simulation, &hash, &error)) fail(error.message);
  printf("%d frames, %u steps, %.3f s simulated, fastest particle %.2f m/s, state %016llx\n", frames, report.step,
         report.time, report.max_speed, (unsigned long long)hash);

  sluice_simulation_destroy(simulation);
  sluice_gpu_destroy(gpu);
  vkDestroyCommandPool(device, pool, NULL);
  vkDestroyDevice(device, NULL);
  vkDestroyInstance(instance, NULL);
  return 0;
}
