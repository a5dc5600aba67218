// All device memory of a simulation, sized once from the scene.
#pragma once

#include "engine/rigid_state.h"
#include "engine/units.h"
#include "host/vulkan/buffer.h"
#include "host/vulkan/texels.h"
#include "shaders/shared/args.h"
#include "sluice/sluice.h"

namespace sluice {

// Scratch of a sort and its result; one set serves both particle sets in turn.
struct SortBuffers {
  vulkan::Buffer<gpu::uint> keys[2], values[2];
  vulkan::Buffer<gpu::uint> counts, totals;
};

// Shapes of the buffers; from a scene alone, so that memory can be told without a device.
struct Sizes {
  std::uint64_t particles = 0, boundary = 0, bodies = 0;
  bool any_body_may_move = false;  // boundaries keep their samples in body coordinates, whether they move now or not
  bool drawn = false;
  std::uint64_t particle_groups = 0, sort_items = 0, sort_blocks = 0;
  gpu::Grid grid{}, boundary_grid{};
  std::uint32_t key_bits = 0, boundary_key_bits = 0;
  std::uint32_t row_capacity = 0, page_shift = 0;
  std::uint64_t pages = 0, page_words = 0, last_page_words = 0;
  std::uint64_t spill_blocks = 0;
  bool texels = false;           // rows and their spill pool share the only page, for one view
  std::uint64_t rows = 0;        // of fluid particles, then of samples
  std::uint64_t sample_row = 0;  // the first of these
  RigidSizes rigid;
  bool some_body_moves = false;
  bool boundary_moves() const { return some_body_moves || any_body_may_move; }
};
Sizes sizes_of(const Scene& scene, const SimulationOptions& options);

// With Gather::automatic replaced by what the device is faster with.
SimulationOptions resolved(const vulkan::Device& device, SimulationOptions options);
std::vector<MemoryPart> memory_parts(const Sizes& sizes);

struct State {
  State(vulkan::Device& device, const Scene& scene, const SimulationOptions& options);

  // More blocks for the rows that spill; the step that needed them starts again. Returns what held it until now, which
  // commands that were recorded before may still name.
  struct Outgrown {
    vulkan::Buffer<gpu::uint> words;
    vulkan::Buffer<gpu::Page> page_table;
  };
  Outgrown grow_spill_pool(std::uint64_t blocks);

  vulkan::Device& device;
  Units units;
  Sizes sizes;
  gpu::Params params_host{};
  gpu::Control control_start{};

  vulkan::Buffer<gpu::Params> params;
  vulkan::Buffer<gpu::Control> control;
  vulkan::Buffer<gpu::Status> status;    // ring, host memory
  vulkan::Buffer<gpu::Edit> edits;       // ring, host memory
  vulkan::Buffer<gpu::uint> edit_steps;  // likewise: after how many steps each was applied

  // The state between steps, in the order of the last sort.
  vulkan::Buffer<gpu::uvec4> position, low, velocity;
  // The same in this step's order; `sorted_position.w` is the pressure, `sorted_velocity` becomes v*.
  vulkan::Buffer<gpu::uvec4> sorted_position, sorted_low, sorted_velocity;
  vulkan::Buffer<gpu::vec4> acceleration;  // xyz: v*, then the displacement by pressure; w: V0 / V
  vulkan::Buffer<gpu::vec4> wall;          // xyz: sum of w grad W over samples; w: p of the best iterate
  vulkan::Buffer<gpu::vec4> solve;         // source, diagonal, s, p of the Jacobi step
  vulkan::Buffer<gpu::vec4> wall_forces;   // [group]
  vulkan::Buffer<gpu::SolvePartial> solve_partials;
  vulkan::Buffer<gpu::StepPartial> step_partials;

  vulkan::Buffer<gpu::uvec4> boundary_source, boundary;
  vulkan::Buffer<gpu::uvec4> boundary_moved;  // only if bodies move; static samples are placed as they are
  vulkan::Buffer<gpu::BodyState> bodies;
  RigidBuffers rigid;

  SortBuffers sort;
  vulkan::Buffer<gpu::uvec2> cells, boundary_cells;
  vulkan::Buffer<gpu::uvec2> row_heads;
  std::vector<vulkan::Buffer<gpu::uint>> row_pages;
  vulkan::Buffer<gpu::Page> page_table;
  vulkan::Buffer<gpu::uint> spill_pool, group_spills;

  gpu::Neighbors neighbors() const;
  // Of lib/gather.glsl, by binding; with sizes.texels.
  vulkan::TexelViews texel_views() const;
  gpu::Ptr<gpu::uvec4> boundary_placed() const {
    return params_host.boundary_moves ? boundary_moved.ptr() : boundary_source.ptr();
  }
};

// Fluid particles that have not been taken out.
std::uint64_t particles_in(const State& state);

// Entries of all neighbour rows of the last search: each pair counts from both sides.
std::uint64_t row_entries(const State& state);

}  // namespace sluice
