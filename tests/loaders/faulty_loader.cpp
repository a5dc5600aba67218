// A Vulkan loader that stands before the real one, and fails where the environment says so:
//   SLUICE_FAULT="vkAllocateMemory 3 -2"   the third call and those after it return this VkResult
//   SLUICE_FAULT="vkCreateDevice missing"  the function is not handed out
#define VK_NO_PROTOTYPES
#include <dlfcn.h>
#include <vulkan/vulkan.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace {

struct Fault {
  std::string function;
  bool missing = false;
  int good_calls = 0;  // before the first that fails
  VkResult result = VK_SUCCESS;
};

Fault& fault() {
  static Fault found = [] {
    Fault fault;
    const char* text = std::getenv("SLUICE_FAULT");
    std::istringstream words(text ? text : "");
    std::string second;
    int result = 0;
    words >> fault.function >> second >> result;
    fault.missing = second == "missing";
    fault.good_calls = fault.missing ? 0 : std::atoi(second.c_str()) - 1;
    fault.result = static_cast<VkResult>(result);
    return fault;
  }();
  return found;
}

// One function of the process is faulty, so a stand-in of each type is enough.
template <typename Function>
struct StandIn;
template <typename... Arguments>
struct StandIn<VkResult(VKAPI_PTR*)(Arguments...)> {
  using Function = VkResult(VKAPI_PTR*)(Arguments...);
  static inline Function real = nullptr;
  static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments... arguments) {
    return fault().good_calls-- > 0 ? real(arguments...) : fault().result;
  }
  static PFN_vkVoidFunction put(PFN_vkVoidFunction function) {
    real = reinterpret_cast<Function>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(call);
  }
};

// clang-format off
#define FAULTY_FUNCTIONS(X) \
  X(vkCreateInstance) X(vkEnumerateInstanceExtensionProperties) X(vkEnumeratePhysicalDevices) \
  X(vkCreateDevice) X(vkCreateBuffer) X(vkAllocateMemory) X(vkBindBufferMemory) X(vkMapMemory) \
  X(vkCreateCommandPool) X(vkAllocateCommandBuffers) X(vkCreateFence) X(vkBeginCommandBuffer) \
  X(vkEndCommandBuffer) X(vkQueueSubmit2) X(vkWaitForFences) X(vkResetFences) X(vkCreateQueryPool) \
  X(vkGetQueryPoolResults) X(vkCreatePipelineLayout) X(vkCreatePipelineCache) X(vkCreateShaderModule) \
  X(vkCreateComputePipelines) X(vkCreateDescriptorSetLayout) X(vkCreateDescriptorPool) \
  X(vkAllocateDescriptorSets) X(vkCreateBufferView) X(vkCreateImage) X(vkCreateImageView) \
  X(vkBindImageMemory) X(vkCreateSampler) X(vkCreateGraphicsPipelines) X(vkGetPipelineCacheData)
// clang-format on

PFN_vkVoidFunction stand_in(const char* name, PFN_vkVoidFunction real) {
  if (!real || fault().function != name) return real;
  if (fault().missing) return nullptr;
#define X(function) \
  if (!std::strcmp(name, #function)) return StandIn<PFN_##function>::put(real);
  FAULTY_FUNCTIONS(X)
#undef X
  std::abort();  // a test names a function that has no stand-in
}

PFN_vkGetInstanceProcAddr real_loader() {
  static void* library = dlopen(SLUICE_VULKAN_LOADER, RTLD_NOW | RTLD_LOCAL);
  return library ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr")) : nullptr;
}

PFN_vkGetDeviceProcAddr real_device_loader = nullptr;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
  return stand_in(name, real_device_loader(device, name));
}

}  // namespace

extern "C" VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char* name) {
  const PFN_vkGetInstanceProcAddr loader = real_loader();
  if (!loader) return nullptr;
  const PFN_vkVoidFunction real = loader(instance, name);
  if (!std::strcmp(name, "vkGetInstanceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(vkGetInstanceProcAddr);
  if (!std::strcmp(name, "vkGetDeviceProcAddr") && real && fault().function != name) {
    real_device_loader = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
    return reinterpret_cast<PFN_vkVoidFunction>(device_function);
  }
  return stand_in(name, real);
}
