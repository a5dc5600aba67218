// The renderer's SPIR-V, embedded at build time.
#pragma once

#include "engine/embedded_shaders.h"

namespace sluice {
const std::vector<EmbeddedShader>& render_shaders();
}  // namespace sluice
