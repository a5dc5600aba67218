// A Gpu's device, for what is built with the library's sources.
#pragma once

#include "host/vulkan/device.h"
#include "sluice/sluice.h"

namespace sluice {

vulkan::Device& device_of(const Gpu& gpu);

}  // namespace sluice
