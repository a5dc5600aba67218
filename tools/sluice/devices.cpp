#include <cstdio>

#include "tools/sluice/commands.h"

namespace sluice::program {
namespace {

const char* type_name(DeviceType type) {
  switch (type) {
    case DeviceType::discrete:
      return "discrete GPU";
    case DeviceType::integrated:
      return "integrated GPU";
    case DeviceType::virtual_gpu:
      return "virtual GPU";
    case DeviceType::cpu:
      return "CPU driver";
    case DeviceType::other:
      break;
  }
  return "other";
}

std::string arithmetic_of(const DeviceInfo& info) {
  try {
    Gpu gpu = Gpu::create({.device = std::to_string(info.index)});
    const std::string difference = certify_arithmetic(gpu);
    return difference.empty() ? "certified: the same bits as on every certified device"
                              : "not certified: " + difference;
  } catch (const Error& error) {
    return std::string("could not be tested: ") + error.what();
  }
}

}  // namespace

int list_devices_command() {
  const std::vector<DeviceInfo> devices = or_exit(kRunFailed, kProgramPrefix, [] { return list_devices(); });
  if (devices.empty()) {
    throw CommandError{kRunFailed,
                       "sluice: there is no Vulkan device; on Debian, apt-get install mesa-vulkan-drivers brings a CPU "
                       "driver"};
  }
  bool any = false;
  for (const DeviceInfo& device : devices) {
    std::printf("%u  %s\n", device.index, device.name.c_str());
    std::printf("   type        %s\n", type_name(device.type));
    std::printf("   driver      %s\n", device.driver.c_str());
    std::printf("   Vulkan      %s\n", device.api_version.c_str());
    std::printf("   memory      %llu MiB\n", static_cast<unsigned long long>(device.memory >> 20));
    std::printf("   subgroup    %u\n", device.subgroup_size);
    for (const std::string& missing : device.missing) std::printf("   missing     %s\n", missing.c_str());
    if (!device.missing.empty()) continue;
    any = true;
    std::printf("   status      can run\n");
    std::fflush(stdout);
    std::printf("   arithmetic  %s\n", arithmetic_of(device).c_str());
  }
  return any ? kDone : kRunFailed;
}

}  // namespace sluice::program
