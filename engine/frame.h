// From device memory to what a program reads of a completed step.
#pragma once

#include "engine/state.h"

namespace sluice {

// All but number and time. `control` is the device's, as the host has it: the last step's length gave pressures and
// forces their unit. Throws Error if the device hands back an index that does not exist: nothing is read by it.
Frame frame_of(const State& state, const std::vector<FluidMaterial>& materials, const gpu::Control& control);

// Throws Error unless index < count: the host's own indices come back from the device's memory, which a fault of the
// driver may have changed. `kind` names what is counted.
void need_index(std::uint64_t index, std::uint64_t count, const char* kind);

// FNV-1a, 64 bits, over ids of particles in the domain in ascending order, positions with their low words, velocities,
// then the poses of kinematic and the poses and velocities of rigid bodies. Throws Error as above.
std::uint64_t hash_of(const State& state);

}  // namespace sluice
