// Warnings of what falls out of the scene, and of what falls upwards.
#pragma once

#include <string>
#include <vector>

#include "host/sampling/safe_start.h"
#include "sluice/scene.h"

namespace sluice::io {

// A sentence each, where it applies. The blocks are the scene's fluid.
void warn_upwards(const Scene& scene, std::vector<std::string>& warnings);
void warn_unsupported(const Scene& scene, const std::vector<FluidBlock>& blocks, std::vector<std::string>& warnings);

}  // namespace sluice::io
