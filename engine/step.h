// The time step as device work.
#pragma once

#include "engine/passes.h"
#include "engine/state.h"

namespace sluice {

// Which shaders go with a state: how its rows and their pool lie depends on it.
inline ShaderVariant shader_variant(const State& state, const SimulationOptions& options) {
  if (options.fast_arithmetic) return ShaderVariant::fast;
  return state.sizes.texels ? ShaderVariant::texels : ShaderVariant::strict;
}

// What a tick may do; baked into its commands, so that commands that are never submitted change nothing.
struct TickLimits {
  std::uint32_t frames_taken = 0;                 // a complete frame with a higher number holds the device
  std::uint32_t until_frame = ~std::uint32_t{0};  // no step begins at or after until_time (T0) in that frame
  float until_time = 0;
  std::uint32_t edits_wait = 0;  // 1: the host has more than the ring holds
  std::uint32_t edits = 0;       // that it may see, since the start of the run
};

// Gates that never open in the state's scene, a bit a slot: see PassRecorder.
std::uint64_t closed_slots(const State& state);

gpu::BeginStepArgs begin_step_args(const State& state, const TickLimits& limits);

// Records one tick: whatever is due of a step, with at most `iterations` of its solve.
void record_tick(PassRecorder& step, const State& state, std::uint32_t iterations, const TickLimits& limits = {});

}  // namespace sluice
