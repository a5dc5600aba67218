// Forces between touching bodies, read on request: nothing of it is kept or computed otherwise.
#pragma once

#include <vector>

#include "engine/step.h"

namespace sluice {

// Room for the records, made at the first request and grown as needed.
struct ContactBuffers {
  vulkan::Buffer<gpu::ContactShare> shares;
  vulkan::Buffer<gpu::uint> count;
};

// Throws Error where the device no longer has the contacts of the last completed step.
void need_contacts(const gpu::Control& control, bool failed);

// The forces of samples on their bodies in the last solve, in any order, by a pass that changes nothing else. `texels` is
// the set of pipelines that were made with texel views. `control` is the device's, as the host has it.
std::vector<gpu::ContactShare> read_shares(const State& state, const vulkan::Pipelines& pipelines,
                                           VkDescriptorSet texels, const gpu::Control& control,
                                           ContactBuffers& buffers);

// Pair by pair, in the order of Simulation::read_contacts(). Sums are in double precision, by ascending sample: the
// same bits on every device. Throws Error if the device hands back an index that does not exist.
std::vector<Contact> contacts_of(const State& state, const gpu::Control& control,
                                 const std::vector<gpu::ContactShare>& shares);

}  // namespace sluice
