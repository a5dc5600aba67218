#include "host/vulkan/device.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <utility>

namespace sluice::vulkan {

const char* describe(VkResult result) {
  switch (result) {
    case VK_SUCCESS:
      return "success";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "initialization failed";
    case VK_ERROR_DEVICE_LOST:
      return "the device was lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "memory cannot be mapped";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "a layer is not installed";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "an extension is missing";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "a feature is missing";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "no compatible driver";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "too many objects";
    default:
      return "an unexpected result";
  }
}

void check(VkResult result, const char* call) {
  if (result == VK_SUCCESS) return;
  std::string name = std::string(call).substr(0, std::string(call).find('('));
  name = name.substr(name.rfind('.') + 1);  // without the table that the function is of
  std::string text = name + ": " + describe(result);
  if (result == VK_ERROR_DEVICE_LOST) {
    text += " (a driver fault or a watchdog reset); what was written is complete, start again from there";
  }
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
    text += "; use a larger particleSpacing or another device";
  }
  text += " [VkResult " + std::to_string(result) + "]";
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) throw DeviceMemoryError(text);
  throw DeviceError(text);
}

namespace {

// One row a required feature, so that the check, its sentence and its activation cannot differ.
struct Features {
  VkPhysicalDeviceFeatures2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, nullptr, {}};
  VkPhysicalDeviceVulkan12Features v12{};
  VkPhysicalDeviceVulkan13Features v13{};
  Features() {
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    core.pNext = &v12;
    v12.pNext = &v13;
  }
  Features(const Features&) = delete;
};
struct Requirement {
  const char* name;
  VkStructureType alone;  // of the structure that holds this feature first
  VkBool32& (*of)(Features&);
};
const Requirement kRequirements[] = {
    {"bufferDeviceAddress", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
     [](Features& f) -> VkBool32& { return f.v12.bufferDeviceAddress; }},
    {"scalarBlockLayout", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
     [](Features& f) -> VkBool32& { return f.v12.scalarBlockLayout; }},
    {"timelineSemaphore", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
     [](Features& f) -> VkBool32& { return f.v12.timelineSemaphore; }},
    {"synchronization2", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
     [](Features& f) -> VkBool32& { return f.v13.synchronization2; }},
    {"maintenance4", VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
     [](Features& f) -> VkBool32& { return f.v13.maintenance4; }},
};

// In the chain that a device was created with.
bool is_enabled(const Requirement& requirement, const VkPhysicalDeviceFeatures2& chain) {
  Features features;
  bool alone = false;
  for (auto* next = static_cast<const VkBaseInStructure*>(chain.pNext); next; next = next->pNext) {
    if (next->sType == features.v12.sType)
      features.v12 = *reinterpret_cast<const VkPhysicalDeviceVulkan12Features*>(next);
    if (next->sType == features.v13.sType)
      features.v13 = *reinterpret_cast<const VkPhysicalDeviceVulkan13Features*>(next);
    if (next->sType == requirement.alone) alone = *reinterpret_cast<const VkBool32*>(next + 1);
  }
  return alone || requirement.of(features);
}

struct Loaded {
  InstanceFunctions functions;
  VkInstance instance = VK_NULL_HANDLE;
  bool debug_utils = false;
};

bool instance_extension_present(const char* name, const char* layer) {
  std::uint32_t count = 0;
  if (vkEnumerateInstanceExtensionProperties(layer, &count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkExtensionProperties> found(count);
  vkEnumerateInstanceExtensionProperties(layer, &count, found.data());
  return std::any_of(found.begin(), found.end(),
                     [&](const auto& e) { return std::strcmp(e.extensionName, name) == 0; });
}

InstanceFunctions load_instance_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance, bool debug_utils) {
  InstanceFunctions functions;
#define X(name) functions.name = reinterpret_cast<PFN_##name>(get(instance, #name));
  SLUICE_INSTANCE_FUNCTIONS(X)
  if (debug_utils) {
    SLUICE_DEBUG_FUNCTIONS(X)
  }
#undef X
  const auto need = [](const void* function, const char* name) {
    if (!function)
      throw DeviceError(std::string("the Vulkan loader lacks ") + name +
                        "; check LD_LIBRARY_PATH, or install a newer one");
  };
#define X(name) need(reinterpret_cast<const void*>(functions.name), #name);
  SLUICE_INSTANCE_FUNCTIONS(X)
#undef X
  return functions;
}

bool labels_work(const InstanceFunctions& vk) {
#define X(name) &&vk.name
  return true SLUICE_DEBUG_FUNCTIONS(X);
#undef X
}

// volk's own way in calls what the library lacks.
void open_loader() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  const char* error = library ? nullptr : dlerror();
  const std::string reason = error ? error : "for no reason";
  if (!library) library = dlopen("libvulkan.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    throw Error("no Vulkan loader can be opened (" + reason +
                "); on Debian: apt-get install libvulkan1 mesa-vulkan-drivers");
  }
  // The library stays: its functions are called until the process ends.
  const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  for (const char* name : {"vkCreateInstance", "vkEnumerateInstanceExtensionProperties"}) {
    if (get && get(VK_NULL_HANDLE, name)) continue;
    throw Error(std::string("the Vulkan loader (libvulkan.so.1) is damaged, or is another library of that name: it "
                            "lacks ") +
                (get ? name : "vkGetInstanceProcAddr") +
                "; check LD_LIBRARY_PATH, or on Debian: apt-get install --reinstall libvulkan1");
  }
  volkInitializeCustom(get);
}

Loaded create_instance(Validation validation) {
  open_loader();
  const char* layer = "VK_LAYER_KHRONOS_validation";
  Loaded loaded;
  std::vector<const char*> extensions;
  if (instance_extension_present(VK_EXT_DEBUG_UTILS_EXTENSION_NAME, nullptr) ||
      (validation != Validation::off && instance_extension_present(VK_EXT_DEBUG_UTILS_EXTENSION_NAME, layer))) {
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    loaded.debug_utils = true;
  }
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "sluice";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo create{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  create.pApplicationInfo = &application;

  std::vector<VkValidationFeatureEnableEXT> enabled{VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  if (validation == Validation::gpu_assisted) {
    enabled = {VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
               VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT};
  }
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = static_cast<std::uint32_t>(enabled.size());
  features.pEnabledValidationFeatures = enabled.data();
  if (validation != Validation::off) {
    create.enabledLayerCount = 1;
    create.ppEnabledLayerNames = &layer;
    extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
    create.pNext = &features;
  }
  create.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  create.ppEnabledExtensionNames = extensions.data();
  const VkResult result = vkCreateInstance(&create, nullptr, &loaded.instance);
  if (result == VK_ERROR_LAYER_NOT_PRESENT) {
    throw Error("the Vulkan validation layer is not installed; on Debian: apt-get install vulkan-validationlayers");
  }
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    throw Error("no Vulkan driver is installed; on Debian: apt-get install mesa-vulkan-drivers");
  }
  check(result, "vkCreateInstance");
  try {
    loaded.functions = load_instance_functions(vkGetInstanceProcAddr, loaded.instance, loaded.debug_utils);
  } catch (...) {
    const auto destroy =
        reinterpret_cast<PFN_vkDestroyInstance>(vkGetInstanceProcAddr(loaded.instance, "vkDestroyInstance"));
    if (destroy) destroy(loaded.instance, nullptr);
    throw;
  }
  loaded.debug_utils = loaded.debug_utils && labels_work(loaded.functions);
  return loaded;
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  MessageLog& log = *static_cast<MessageLog*>(user);
  const std::lock_guard<std::mutex> lock(log.mutex);
  // Advice for people, not a finding: the layer names its own settings whenever GPU assistance is on.
  if (data->pMessageIdName && std::strstr(data->pMessageIdName, "UNASSIGNED-CreateInstance-status-message"))
    return VK_FALSE;
  log.messages.emplace_back(data->pMessage ? data->pMessage : "");
  return VK_FALSE;
}

// CPU drivers report heaps that the machine does not have; 70 % of what is free is what we may use.
std::uint64_t free_host_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  std::uint64_t kilobytes = 0;
  while (meminfo >> key >> kilobytes) {
    if (key == "MemAvailable:") return kilobytes * 1024;
    meminfo.ignore(64, '\n');
  }
  return std::uint64_t{2} << 30;
}

// The number of families if none has all of `flags`.
std::uint32_t queue_family_with(const InstanceFunctions& vk, VkPhysicalDevice device, VkQueueFlags flags,
                                std::uint32_t& timestamp_bits) {
  std::uint32_t count = 0;
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (std::uint32_t i = 0; i < count; ++i) {
    if ((families[i].queueFlags & flags) == flags) {
      timestamp_bits = families[i].timestampValidBits;
      return i;
    }
  }
  return count;
}

DeviceInfo inspect(const InstanceFunctions& vk, VkPhysicalDevice device, std::uint32_t index) {
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &driver};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup, {}};
  vk.vkGetPhysicalDeviceProperties2(device, &properties);
  const VkPhysicalDeviceProperties& core = properties.properties;

  DeviceInfo info;
  info.index = index;
  info.name = core.deviceName;
  info.driver = std::string(driver.driverName) + (driver.driverInfo[0] ? std::string(" ") + driver.driverInfo : "");
  info.api_version = std::to_string(VK_API_VERSION_MAJOR(core.apiVersion)) + "." +
                     std::to_string(VK_API_VERSION_MINOR(core.apiVersion)) + "." +
                     std::to_string(VK_API_VERSION_PATCH(core.apiVersion));
  info.subgroup_size = subgroup.subgroupSize;
  switch (core.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      info.type = DeviceType::discrete;
      break;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      info.type = DeviceType::integrated;
      break;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      info.type = DeviceType::virtual_gpu;
      break;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      info.type = DeviceType::cpu;
      break;
    default:
      info.type = DeviceType::other;
  }
  VkPhysicalDeviceMemoryProperties2 memory{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, nullptr, {}};
  vk.vkGetPhysicalDeviceMemoryProperties2(device, &memory);
  for (std::uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
    const VkMemoryHeap& heap = memory.memoryProperties.memoryHeaps[i];
    if (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) info.memory = std::max<std::uint64_t>(info.memory, heap.size);
  }
  if (info.type == DeviceType::cpu) info.memory = free_host_memory() / 10 * 7;

  if (core.apiVersion < VK_API_VERSION_1_3) {
    info.missing.push_back("Vulkan 1.3 (the driver offers " + info.api_version + "; a newer driver may help)");
    return info;
  }
  Features features;
  vk.vkGetPhysicalDeviceFeatures2(device, &features.core);
  for (const Requirement& requirement : kRequirements) {
    if (!requirement.of(features)) info.missing.push_back("the feature " + std::string(requirement.name));
  }
  const auto need = [&](bool holds, const std::string& sentence) {
    if (!holds) info.missing.push_back(sentence);
  };
  std::uint32_t timestamp_bits = 0;
  std::uint32_t families = 0;
  vk.vkGetPhysicalDeviceQueueFamilyProperties(device, &families, nullptr);
  need(queue_family_with(vk, device, VK_QUEUE_COMPUTE_BIT, timestamp_bits) < families, "a queue that computes");
  info.draws = queue_family_with(vk, device, VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT, timestamp_bits) < families;
  need(core.limits.maxComputeWorkGroupInvocations >= 256, "workgroups of 256 invocations");
  need(core.limits.maxComputeSharedMemorySize >= 16384, "16 KiB of shared memory");
  need(core.limits.maxPushConstantsSize >= 128, "128 bytes of push constants");
  return info;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string listing(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const DeviceInfo& d : devices) {
    text += "\n  " + std::to_string(d.index) + "  " + d.name;
    for (const std::string& m : d.missing) text += "\n       lacks " + m;
  }
  return text;
}

std::size_t choose(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
  if (devices.empty()) {
    throw Error("there is no Vulkan device; on Debian, apt-get install mesa-vulkan-drivers brings a CPU driver");
  }
  const bool number =
      !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c); });
  std::size_t best = devices.size();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!wanted.empty()) {
      const bool matches = number ? std::to_string(devices[i].index) == wanted
                                  : lower(devices[i].name).find(lower(wanted)) != std::string::npos;
      if (!matches) continue;
      if (devices[i].missing.empty()) return i;
      best = i;
      continue;
    }
    if (!devices[i].missing.empty()) continue;
    const auto rank = [](const DeviceInfo& d) {
      const int order = d.type == DeviceType::discrete      ? 0
                        : d.type == DeviceType::integrated  ? 1
                        : d.type == DeviceType::virtual_gpu ? 2
                                                            : 3;
      return std::pair<int, std::int64_t>(order, order == 0 ? -static_cast<std::int64_t>(d.memory) : 0);
    };
    if (best == devices.size() || rank(devices[i]) < rank(devices[best])) best = i;
  }
  if (best == devices.size()) {
    throw Error(
        (wanted.empty() ? "no Vulkan device here can run the engine" : "no Vulkan device matches \"" + wanted + "\"") +
        "; there are:" + listing(devices));
  }
  if (!devices[best].missing.empty()) {
    throw Error(devices[best].name + " cannot run the engine:" + listing({devices[best]}));
  }
  return best;
}

std::vector<VkPhysicalDevice> physical_devices(const InstanceFunctions& vk, VkInstance instance) {
  std::uint32_t count = 0;
  VK_CHECK(vk.vkEnumeratePhysicalDevices(instance, &count, nullptr));
  std::vector<VkPhysicalDevice> devices(count);
  VK_CHECK(vk.vkEnumeratePhysicalDevices(instance, &count, devices.data()));
  return devices;
}

std::vector<DeviceInfo> inspect_all(const InstanceFunctions& vk, const std::vector<VkPhysicalDevice>& devices) {
  std::vector<DeviceInfo> infos;
  for (std::size_t i = 0; i < devices.size(); ++i)
    infos.push_back(inspect(vk, devices[i], static_cast<std::uint32_t>(i)));
  return infos;
}

}  // namespace

Device::Device(const GpuOptions& options) {
  const int validation = static_cast<int>(options.validation);
  if (validation < 0 || validation > static_cast<int>(Validation::gpu_assisted))
    throw Error("GpuOptions::validation is " + std::to_string(validation) + ", which names nothing");
  const Loaded loaded = create_instance(options.validation);
  instance = loaded.instance;
  instance_functions = loaded.functions;
  labels = loaded.debug_utils;
  try {
    if (options.validation != Validation::off && instance_functions.vkCreateDebugUtilsMessengerEXT) {
      VkDebugUtilsMessengerCreateInfoEXT create{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
      create.messageSeverity =
          VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
      create.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
      create.pfnUserCallback = on_message;
      create.pUserData = log.get();
      VK_CHECK(instance_functions.vkCreateDebugUtilsMessengerEXT(instance, &create, nullptr, &messenger));
    }
    const std::vector<VkPhysicalDevice> devices = physical_devices(instance_functions, instance);
    const std::vector<DeviceInfo> infos = inspect_all(instance_functions, devices);
    const std::size_t chosen = choose(infos, options.device);
    info = infos[chosen];
    physical_device = devices[chosen];

    read_properties();
    std::uint32_t timestamp_bits = 0;
    draws = options.draws && info.draws;
    const VkQueueFlags flags = VK_QUEUE_COMPUTE_BIT | (draws ? VK_QUEUE_GRAPHICS_BIT : 0);
    queue_family = queue_family_with(instance_functions, physical_device, flags, timestamp_bits);
    timestamp_period = timestamp_bits > 0 ? limits.timestampPeriod : 0;
    const float priority = 1;
    VkDeviceQueueCreateInfo queue_create{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue_create.queueFamilyIndex = queue_family;
    queue_create.queueCount = 1;
    queue_create.pQueuePriorities = &priority;
    Features features;
    for (const Requirement& requirement : kRequirements) requirement.of(features) = VK_TRUE;
    features.v13.dynamicRendering = draws;
    if (options.validation == Validation::gpu_assisted) {
      // The layer's own instrumentation needs these; our shaders do not.
      features.core.features.shaderInt64 = VK_TRUE;
      features.core.features.fragmentStoresAndAtomics = VK_TRUE;
      features.core.features.vertexPipelineStoresAndAtomics = VK_TRUE;
    }
    VkDeviceCreateInfo create{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features.core};
    create.queueCreateInfoCount = 1;
    create.pQueueCreateInfos = &queue_create;
    VK_CHECK(instance_functions.vkCreateDevice(physical_device, &create, nullptr, &device));
    load_functions();
    functions.vkGetDeviceQueue(device, queue_family, 0, &queue);
  } catch (...) {
    release();
    throw;
  }
}

// Nothing is released if this throws: it is all the caller's.
Device::Device(const ExternalDevice& external)
    : instance(external.instance),
      physical_device(external.physical_device),
      device(external.device),
      queue(external.queue),
      queue_family(external.queue_family),
      owned_(false) {
  const auto need = [](bool holds, const std::string& sentence) {
    if (!holds) throw Error("the adopted device cannot be used: " + sentence);
  };
  need(external.get_instance_proc_addr && instance && physical_device && device && queue,
       "its loader, instance, physical device, device or queue is null");
  instance_functions = load_instance_functions(external.get_instance_proc_addr, instance, external.debug_utils);
  labels = external.debug_utils && labels_work(instance_functions);
  const std::vector<VkPhysicalDevice> devices = physical_devices(instance_functions, instance);
  const auto found = std::find(devices.begin(), devices.end(), physical_device);
  need(found != devices.end(), "the instance does not list its physical device");
  info = inspect(instance_functions, physical_device, static_cast<std::uint32_t>(found - devices.begin()));
  for (const std::string& missing : info.missing) need(false, info.name + " lacks " + missing);
  for (const Requirement& requirement : kRequirements)
    need(!external.enabled || is_enabled(requirement, *external.enabled),
         "it was created without the feature " + std::string(requirement.name) + "; see sluice::require_features");
  read_properties();
  std::uint32_t families = 0;
  instance_functions.vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &families, nullptr);
  std::vector<VkQueueFamilyProperties> properties(families);
  instance_functions.vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &families, properties.data());
  need(queue_family < families,
       "queue family " + std::to_string(queue_family) + " does not exist; there are " + std::to_string(families));
  need(properties[queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT,
       "queue family " + std::to_string(queue_family) + " does not compute; take one with VK_QUEUE_COMPUTE_BIT");
  timestamp_period = properties[queue_family].timestampValidBits > 0 ? limits.timestampPeriod : 0;
  load_functions();
}

void Device::read_properties() {
  VkPhysicalDeviceVulkan12Properties v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &v12, {}};
  instance_functions.vkGetPhysicalDeviceProperties2(physical_device, &properties);
  limits = properties.properties.limits;
  std::memcpy(pipeline_cache_uuid, properties.properties.pipelineCacheUUID, VK_UUID_SIZE);
  driver_id = v12.driverID;
  round_to_nearest = v12.shaderRoundingModeRTEFloat32;
  VkPhysicalDeviceMemoryProperties2 memory2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, nullptr, {}};
  instance_functions.vkGetPhysicalDeviceMemoryProperties2(physical_device, &memory2);
  memory = memory2.memoryProperties;
}

void Device::load_functions() {
  // volk loads a table through this one global; every instance's loader hands out the same kind of pointer.
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  vkGetDeviceProcAddr = instance_functions.vkGetDeviceProcAddr;
  volkLoadDeviceTable(&functions, device);
  const auto need = [&](const void* function, const char* name) {
    if (!function)
      throw DeviceError(info.name + " hands out no Vulkan 1.3 functions, such as " + name +
                        "; make the instance with apiVersion 1.3, or install a newer driver");
  };
#define X(name) need(reinterpret_cast<const void*>(functions.name), #name);
  SLUICE_DEVICE_FUNCTIONS(X)
  if (draws) {
    SLUICE_DRAWING_FUNCTIONS(X)
  }
#undef X
}

Device::~Device() { release(); }

void Device::release() noexcept {
  if (!owned_) return;
  if (device && functions.vkDestroyDevice) functions.vkDestroyDevice(device, nullptr);
  if (messenger) instance_functions.vkDestroyDebugUtilsMessengerEXT(instance, messenger, nullptr);
  if (instance) instance_functions.vkDestroyInstance(instance, nullptr);
}

}  // namespace sluice::vulkan

namespace sluice {

std::vector<DeviceInfo> list_devices() {
  const vulkan::Loaded loaded = vulkan::create_instance(Validation::off);
  std::vector<DeviceInfo> infos;
  try {
    infos = vulkan::inspect_all(loaded.functions, vulkan::physical_devices(loaded.functions, loaded.instance));
  } catch (...) {
    loaded.functions.vkDestroyInstance(loaded.instance, nullptr);
    throw;
  }
  loaded.functions.vkDestroyInstance(loaded.instance, nullptr);
  return infos;
}

DeviceInfo inspect_device(PFN_vkGetInstanceProcAddr get, VkInstance instance, VkPhysicalDevice physical_device) {
  if (!get || !instance || !physical_device)
    throw Error("inspect_device was given a null loader, instance or physical device");
  return vulkan::inspect(vulkan::load_instance_functions(get, instance, false), physical_device, 0);
}

void require_features(VkPhysicalDeviceVulkan12Features& features12, VkPhysicalDeviceVulkan13Features& features13) {
  vulkan::Features features;
  features.v12 = features12;
  features.v13 = features13;
  for (const vulkan::Requirement& requirement : vulkan::kRequirements) requirement.of(features) = VK_TRUE;
  features12 = features.v12;
  features13 = features.v13;
}

}  // namespace sluice
