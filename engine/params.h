// Parameters of a scene and its first step, in solver units.
#pragma once

#include "engine/state.h"

namespace sluice {

gpu::Params make_params(const Scene& scene, const Units& units, const Sizes& sizes);

// The fastest point at the start, h / T0.
float initial_speed(const Scene& scene, const Units& units);

// The first step and what limits it: as choose_step of shaders/lib/clock.glsl does it, from the initial speeds.
void choose_first_step(gpu::Control& control, const gpu::Params& params);

}  // namespace sluice
