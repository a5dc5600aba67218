// Device memory that renderers read: two sides, written in turn, one a ticket.
#pragma once

#include "engine/passes.h"
#include "engine/state.h"
#include "sluice/embed.h"

namespace sluice {

std::uint64_t drawn_bytes(const Sizes& sizes);

struct DrawnSide {
  vulkan::Buffer<gpu::DrawnHeader> header;
  vulkan::Buffer<gpu::vec4> position, velocity;
  vulkan::Buffer<float> density;
  vulkan::Buffer<gpu::vec4> transforms;
  vulkan::Buffer<gpu::vec4> sample_position, sample_friction;
};

struct Drawn {
  Drawn(State& state, const Scene& scene, Vec3 origin);

  DrawnSide sides[2];
  vulkan::Buffer<gpu::DrawUnits> units;
  vulkan::Buffer<gpu::uint> material;      // by id
  vulkan::Buffer<gpu::uint> sample_place;  // of a sample among drawn ones
  vulkan::Buffer<gpu::uint> sample_body;   // of a drawn sample
};

void record_drawn(PassRecorder& run, const State& state, const Drawn& drawn, int side);
// Without ticket, time and generation.
DrawnState views_of(const State& state, const Drawn& drawn, int side);

}  // namespace sluice
