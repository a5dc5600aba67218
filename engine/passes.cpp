#include "engine/passes.h"

#include <algorithm>

#include "engine/embedded_shaders.h"

namespace sluice {

std::vector<vulkan::PipelineSource> pipeline_sources(bool fast_arithmetic) {
  std::vector<vulkan::PipelineSource> sources{
#define PASS(name, Args) {#name, {}, sizeof(gpu::Args)},
#include "engine/passes.def"
#undef PASS
  };
  const std::vector<EmbeddedShader>& shaders = fast_arithmetic ? fast_shaders() : strict_shaders();
  for (vulkan::PipelineSource& source : sources) {
    const auto found = std::find_if(shaders.begin(), shaders.end(),
                                    [&](const EmbeddedShader& shader) { return shader.name == source.name; });
    if (found == shaders.end()) throw Error(std::string("the pass ") + source.name + " has no shader");
    source.code = found->code;
  }
  if (shaders.size() != sources.size()) throw Error("a shader has no row in engine/passes.def");
  return sources;
}

}  // namespace sluice
