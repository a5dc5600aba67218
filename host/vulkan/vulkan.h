// Vulkan without a link-time loader, and what to do with a failed call.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <volk.h>

#include <string>

#include "sluice/error.h"

namespace sluice::vulkan {

// A sentence for a VkResult: "out of device memory" rather than -2.
const char* describe(VkResult result);

// Throws Error naming the call unless it succeeded. Device loss and lack of memory get their own advice.
void check(VkResult result, const char* call);

}  // namespace sluice::vulkan

#define VK_CHECK(call) ::sluice::vulkan::check((call), #call)
