// The Vulkan devices of a machine, and how to ask for one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

enum class DeviceType { discrete, integrated, virtual_gpu, cpu, other };

struct DeviceInfo {
  std::uint32_t index = 0;  // in the order in which the loader lists devices
  std::string name;
  DeviceType type = DeviceType::other;
  std::string driver;        // name and version
  std::string api_version;   // "1.3.230"
  std::uint64_t memory = 0;  // bytes of the largest device-local heap; 70 % of free memory on CPU drivers
  std::uint32_t subgroup_size = 0;
  bool draws = false;                // a queue of it draws and computes, for pictures
  std::vector<std::string> missing;  // a sentence each; empty: the device can run the engine
};

enum class Validation { off, core, gpu_assisted };  // core: with synchronization validation

struct GpuOptions {
  std::string device;  // an index or part of a name; empty: discrete, then integrated, then a CPU driver
  Validation validation = Validation::off;
  bool draws = false;  // with a queue that draws as well, for the renderer, where DeviceInfo::draws
};

// Every Vulkan device of this machine. Throws if there is no Vulkan loader.
std::vector<DeviceInfo> list_devices();

}  // namespace sluice
