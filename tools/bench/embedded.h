// Texts that the program carries, so that it measures where nothing but a Vulkan loader is there.
#pragma once

#include <string>

namespace sluice::bench {

// Of scenes/<name>.json, or tools/bench/golden.json as "golden".
std::string embedded_text(const std::string& name);

}  // namespace sluice::bench
