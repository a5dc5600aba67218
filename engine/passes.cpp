#include "engine/passes.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "engine/embedded_shaders.h"

namespace sluice {

namespace {

// In the order of the rows.
constexpr std::uint32_t kGathered[] = {
#define BUFFER(name, Element, count, lifetime, part)
#define GATHERED(name, Element, count, lifetime, part, binding) binding,
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
};

constexpr bool follow_each_other() {
  for (std::uint32_t k = 0; k < std::size(kGathered); ++k)
    if (kGathered[k] != gpu::kTexelGathered + k) return false;
  return true;
}
static_assert(follow_each_other(), "bindings in engine/buffers.def count from kTexelGathered, without gaps");

}  // namespace

vulkan::ViewCounts views_of(ShaderVariant variant) {
  if (variant != ShaderVariant::texels) return {};
  const auto gathered = static_cast<std::uint32_t>(std::size(kGathered));
  return {.uniforms = gpu::kTexelRows, .texels = gpu::kTexelGathered - gpu::kTexelRows + gathered};
}

std::vector<vulkan::PipelineSource> pipeline_sources(ShaderVariant variant) {
  std::vector<vulkan::PipelineSource> sources{
#define PASS(name, slot, Args, reads, writes) {#name, {}, sizeof(gpu::Push<gpu::Args>)},
#define UTILITY(name, Args) {#name, {}, sizeof(gpu::Args)},
#include "engine/passes.def"
#undef PASS
#undef UTILITY
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
