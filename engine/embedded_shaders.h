// The compiled shaders inside the library.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sluice {

struct EmbeddedShader {
  std::string_view name;
  std::span<const std::uint32_t> code;
};

const std::vector<EmbeddedShader>& strict_shaders();
const std::vector<EmbeddedShader>& fast_shaders();   // the driver's division and roots: for measurements
const std::vector<EmbeddedShader>& texel_shaders();  // strict; of the passes that gather, by texel buffers

}  // namespace sluice
