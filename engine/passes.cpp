#include "engine/passes.h"

#include <algorithm>
#include <bit>

#include "engine/embedded_shaders.h"

namespace sluice {

std::vector<vulkan::PipelineSource> pipeline_sources(ShaderVariant variant) {
  std::vector<vulkan::PipelineSource> sources{
#define PASS(name, Args) {#name, {}, sizeof(gpu::Args)},
#include "engine/passes.def"
#undef PASS
  };
  const std::vector<EmbeddedShader>& shaders = variant == ShaderVariant::fast ? fast_shaders() : strict_shaders();
  const auto find = [](const std::vector<EmbeddedShader>& among, const char* name) {
    const auto found =
        std::find_if(among.begin(), among.end(), [&](const EmbeddedShader& shader) { return shader.name == name; });
    return found == among.end() ? nullptr : &*found;
  };
  for (vulkan::PipelineSource& source : sources) {
    const EmbeddedShader* shader = variant == ShaderVariant::texels ? find(texel_shaders(), source.name) : nullptr;
    if (!shader) shader = find(shaders, source.name);
    if (!shader) throw Error(std::string("the pass ") + source.name + " has no shader");
    source.code = shader->code;
  }
  if (shaders.size() != sources.size()) throw Error("a shader has no row in engine/passes.def");
  return sources;
}

std::vector<vulkan::SpecConstant> spec_constants(const DeviceInfo& info, SceneKinds kinds) {
  const std::uint32_t vector = std::bit_floor(std::clamp(info.subgroup_size, 1u, 64u));
  const bool cpu = info.type == DeviceType::cpu;
  return {{gpu::kSpecGroupSize, gpu::kGroup},
          {gpu::kSpecRowInterleave, vector},
          {gpu::kSpecOneGroupSize, cpu ? vector : gpu::kGroup},
          {gpu::kSpecSortByRuns, cpu ? 1u : 0u},
          {gpu::kSpecBodies, kinds.bodies ? 1u : 0u},
          {gpu::kSpecMaterials, kinds.materials ? 1u : 0u}};
}

}  // namespace sluice
