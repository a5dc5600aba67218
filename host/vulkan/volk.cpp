// The function loader's implementation, once.
#define VOLK_IMPLEMENTATION
#include "host/vulkan/vulkan.h"
