// The table of passes as types: step.run<Pass::volumes>() dispatches it in its slot, with the table of buffers, and
// compiles for the right arguments only. Pipelines, labels, times and size checks all come from passes.def.
#pragma once

#include <string>
#include <type_traits>

#include "host/vulkan/recorder.h"
#include "shaders/shared/args.h"
#include "shaders/shared/buffers.h"

namespace sluice {

enum class Pass : std::uint32_t {
#define PASS(name, slot, Args, reads, writes) name,
#define UTILITY(name, Args) name,
#include "engine/passes.def"
#undef PASS
#undef UTILITY
};

namespace gpu {
// Instead of a slot: one workgroup; what the caller says.
inline constexpr std::uint32_t kSlotOne = kSlotCount, kSlotGiven = kSlotCount + 1;
struct NoArgs {};
// Layout as in shaders/lib/buffers.glsl.
template <typename Args>
struct Push {
  Ptr<BufferTable> buffers;
  Args args;
};
template <>
struct Push<NoArgs> {
  Ptr<BufferTable> buffers;
};
}  // namespace gpu

template <Pass pass>
struct PassTraits;
#define PASS(name, slot_of_pass, Arguments, reads, writes)                                   \
  template <>                                                                                \
  struct PassTraits<Pass::name> {                                                            \
    using Args = gpu::Arguments;                                                             \
    static constexpr std::uint32_t slot = gpu::slot_of_pass;                                 \
    static constexpr bool is_utility = false;                                                \
    static_assert(sizeof(gpu::Push<Args>) <= 128, #Arguments " exceeds the push constants"); \
  };
#define UTILITY(name, Arguments)                                                  \
  template <>                                                                     \
  struct PassTraits<Pass::name> {                                                 \
    using Args = gpu::Arguments;                                                  \
    static constexpr std::uint32_t slot = gpu::kSlotGiven;                        \
    static constexpr bool is_utility = true;                                      \
    static_assert(sizeof(Args) <= 128, #Arguments " exceeds the push constants"); \
  };
#include "engine/passes.def"
#undef PASS
#undef UTILITY

// fast: the driver's division and roots. texels: strict, with gathers by texel buffers (lib/buffers.glsl).
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
vulkan::ViewCounts views_of(ShaderVariant variant);

// Arguments of a pass that has none of its own.
template <Pass pass>
constexpr typename PassTraits<pass>::Args no_args() {
  static_assert(std::is_empty_v<typename PassTraits<pass>::Args>, "this pass has arguments");
  return {};
}

// A recorder that knows the passes, the buffers and where the gates' indirect arguments lie.
struct PassRecorder {
  vulkan::Recorder& recorder;
  VkBuffer control;
  gpu::Ptr<gpu::BufferTable> buffers{};
  std::uint64_t closed = 0;  // a bit a slot: gates that never open in this scene, so that their passes are left out

  // A pass in its own slot.
  template <Pass pass>
  void run(const typename PassTraits<pass>::Args& args = no_args<pass>()) {
    constexpr std::uint32_t slot = PassTraits<pass>::slot;
    static_assert(slot != gpu::kSlotGiven, "run_in() says which slot opens this pass, run_groups() how many groups");
    if constexpr (slot == gpu::kSlotOne) {
      run_groups<pass>(1, args);
    } else {
      run_in<pass>(slot, args);
    }
  }
  template <Pass pass>
  void run_in(std::uint32_t slot, const typename PassTraits<pass>::Args& args = no_args<pass>()) {
    if (closed >> slot & 1) return;
    with_push<pass>(args, [&](const auto& push) {
      recorder.dispatch_indirect(static_cast<std::size_t>(pass), &push, sizeof(push), control,
                                 offsetof(gpu::Control, dispatches) + slot * sizeof(gpu::uvec4));
    });
  }
  template <Pass pass>
  void run_groups(std::uint32_t groups, const typename PassTraits<pass>::Args& args = no_args<pass>()) {
    with_push<pass>(args, [&](const auto& push) {
      recorder.dispatch(static_cast<std::size_t>(pass), &push, sizeof(push), groups);
    });
  }

 private:
  template <Pass pass, typename Dispatch>
  void with_push(const typename PassTraits<pass>::Args& args, Dispatch dispatch) {
    using Args = typename PassTraits<pass>::Args;
    if constexpr (PassTraits<pass>::is_utility) {
      dispatch(args);
    } else if constexpr (std::is_empty_v<Args>) {
      dispatch(gpu::Push<Args>{buffers});
    } else {
      dispatch(gpu::Push<Args>{buffers, args});
    }
  }
};

// Numbers of slots count from 0 without gaps.
inline constexpr std::uint32_t kSlotNumbers[] = {
#define SLOT(number, name, when, needs, groups) number,
#include "engine/slots.def"
#undef SLOT
};
constexpr bool slots_count_up() {
  for (std::uint32_t k = 0; k < gpu::kSlotCount; ++k)
    if (kSlotNumbers[k] != k) return false;
  return gpu::kSlotCount <= 64;
}
static_assert(slots_count_up(), "slots in engine/slots.def count from 0, without gaps, to 63 at most");

}  // namespace sluice
