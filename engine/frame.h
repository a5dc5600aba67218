// From device memory to what a program reads of a completed step.
#pragma once

#include "engine/state.h"

namespace sluice {

// All but number and time. `tau` is the last step's length in T0, which gave pressures and forces their unit.
Frame frame_of(const State& state, const std::vector<FluidMaterial>& materials, float tau);

// FNV-1a, 64 bits, over ids of particles in the domain in ascending order, positions with their low words, velocities,
// then the poses of kinematic and the poses and velocities of rigid bodies.
std::uint64_t hash_of(const State& state);

}  // namespace sluice
