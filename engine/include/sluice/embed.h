// Sluice inside a program that owns its Vulkan device.
//
//   VkPhysicalDeviceVulkan12Features features12{...};            // create your device with what we need as well
//   sluice::require_features(features12, features13);
//   sluice::Gpu gpu = sluice::Gpu::adopt({vkGetInstanceProcAddr, instance, physical_device, device, queue, family});
//   sluice::Simulation simulation(gpu, scene, {.drawn = true});
//
//   each frame:
//     until += 1.0 / 60;  // s
//     const sluice::Ticket ticket = simulation.record(commands, 8, until);
//     const sluice::DrawnState state = simulation.drawn(ticket);
//     vkCmdBeginRendering(...); bind state.position.buffer; vkCmdDrawIndirect(..., state.indirect, state.quads, 1, 0);
//     submit with your fence; once it is signalled: simulation.retire(ticket);
//
// Threads: a simulation and its Gpu are used by one thread at a time. Construction, read_frame(), state_hash() and
// advance() submit to the adopted queue and wait; record(), retire(), discard(), drawn() and edits never touch it.
//
// Order: a simulation is destroyed once its submitted commands have run, before its Gpu; the Gpu before the device.
// Without ExternalDevice::enabled, adopt() cannot see a feature that was supported but not switched on.
//
// Recorded commands bind compute pipelines, push constants and, on some drivers, a descriptor set: bind yours again.
// They stay out of render passes.
//
// Barriers: recorded commands begin and end with a full memory barrier. So earlier commands on the queue may still
// read what an earlier ticket drew, and later ones may read what this one draws, at any stage, without a barrier.
//
// Queues: buffers are exclusive to the adopted queue's family. To draw on a queue of another family, release and
// acquire them, and wait by a semaphore. What is drawn has two sides, used in turn: while one is read, commands of the
// next ticket may run; those of the one after it may not.
#pragma once

#include <vulkan/vulkan_core.h>

#include "sluice/external_device.h"
#include "sluice/sluice.h"

namespace sluice {

// An array in a buffer that may be bound as vertices, as storage, read by address or copied from.
struct BufferView {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
  VkDeviceAddress address = 0;
  std::uint32_t stride = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;  // of an element; of a row of a transform
  std::uint64_t count = 0;
};

// State of the last step that a ticket's commands completed. Metres are relative to SimulationOptions::drawn_origin.
struct DrawnState {
  Ticket ticket;
  double time = 0;  // s; NaN until the ticket is retired
  std::uint64_t generation = 0;
  VkBuffer indirect = VK_NULL_HANDLE;  // of VkDrawIndirectCommands, written on the device
  VkDeviceSize points = 0, quads = 0;  // their offsets: a point a particle, or 4 vertices and an instance
  // Particles, by id. One that has left the domain has a density of 0, and lies 1e30 m away, out of sight.
  BufferView position;  // vec4: m; w: pressure, Pa
  BufferView velocity;  // vec4: m/s; w: speed
  BufferView density;   // float, kg/m^3
  BufferView material;  // uint, index into Scene::materials
  // Of rigid bodies, then of boundaries: three rows of a 3 x 4 matrix (as VkTransformMatrixKHR) that takes coordinates
  // of the body, from its centre of mass or Body::position, to the drawing's.
  BufferView transform;
  std::uint32_t rigid_bodies = 0, boundary_bodies = 0;
  // Samples of rigid bodies, body by body, in the order of their shapes.
  BufferView sample_position;  // vec4: m; w: pressure, Pa
  BufferView sample_friction;  // vec4: N; w: share of the friction cone that is used, 0 to 1
  BufferView sample_body;      // uint, index into Scene::rigid
};

}  // namespace sluice
