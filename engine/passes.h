// The table of passes as types: recorder.run<Pass::volumes>(slot, VolumesArgs{...}) compiles for the
// right arguments only. Pipelines, labels, times and size checks all come from passes.def.
#pragma once

#include <string>

#include "host/vulkan/recorder.h"
#include "shaders/shared/args.h"

namespace sluice {

enum class Pass : std::uint32_t {
#define PASS(name, Args) name,
#include "engine/passes.def"
#undef PASS
};

template <Pass pass>
struct PassArgs;
#define PASS(name, Args)                                                          \
  template <>                                                                     \
  struct PassArgs<Pass::name> {                                                   \
    using Type = gpu::Args;                                                       \
    static_assert(sizeof(gpu::Args) <= 128, #Args " exceeds the push constants"); \
  };
#include "engine/passes.def"
#undef PASS

// fast: the driver's division and roots. texels: strict, with gathers by texel buffers (lib/gather.glsl).
enum class ShaderVariant { strict, fast, texels };
// Every row of passes.def with its embedded shader. Throws Error if one has none.
std::vector<vulkan::PipelineSource> pipeline_sources(ShaderVariant variant);

// What passes may leave out in a scene.
struct SceneKinds {
  bool bodies = true;     // it has rigid bodies
  bool materials = true;  // it has several fluid materials
};
// What is the best choice for a device and a scene; no value changes a bit.
std::vector<vulkan::SpecConstant> spec_constants(const DeviceInfo& info, SceneKinds kinds);

// What the descriptor set holds for shaders of a variant.
inline vulkan::ViewCounts views_of(ShaderVariant variant) {
  return variant == ShaderVariant::texels ? vulkan::ViewCounts{gpu::kTexelViews, gpu::kUniformViews}
                                          : vulkan::ViewCounts{};
}

// A recorder that knows the passes and where the gates' indirect arguments lie.
struct PassRecorder {
  vulkan::Recorder& recorder;
  VkBuffer control;
  std::uint64_t closed = 0;  // a bit a slot: gates that never open in this scene, so that their passes are left out

  template <Pass pass>
  void run(std::uint32_t slot, const typename PassArgs<pass>::Type& args) {
    if (closed >> slot & 1) return;
    recorder.dispatch_indirect(static_cast<std::size_t>(pass), &args, sizeof(args), control,
                               offsetof(gpu::Control, dispatches) + slot * sizeof(gpu::uvec4));
  }
  template <Pass pass>
  void run_groups(std::uint32_t groups, const typename PassArgs<pass>::Type& args) {
    recorder.dispatch(static_cast<std::size_t>(pass), &args, sizeof(args), groups);
  }
};

static_assert(gpu::kSlotCount <= 64);

}  // namespace sluice
