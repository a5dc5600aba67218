// Device memory of rigid bodies: their state, their samples, and what a step makes of them.
#pragma once

#include "engine/carriers.h"
#include "engine/units.h"
#include "host/vulkan/buffer.h"
#include "shaders/shared/state.h"

namespace sluice {

// Shapes of the buffers; from a scene alone.
struct RigidSizes {
  std::uint64_t bodies = 0;         // of the scene; behind them lie one a boundary with row carriers
  std::vector<Carriers> carriers;
  std::uint64_t body_chunks = 0;    // of the scene's bodies; the other counts of chunks and samples are of all
  std::uint64_t samples = 0;  // each body's padded to whole chunks
  std::uint64_t chunks = 0, parts = 0;
  std::uint64_t shape_samples = 0;  // of all shapes
  std::uint64_t coupled = 0;        // fluid particles that may lie next to samples
  std::uint64_t body_groups = 0, sample_groups = 0, coupled_groups = 0;
  gpu::Grid grid{};
  std::uint32_t key_bits = 0;
};
// Fills all but the grid. `fluid` is the number of fluid particles.
RigidSizes rigid_sizes(const Scene& scene, std::uint64_t fluid, bool any_body_may_move);
std::uint64_t rigid_bytes(const RigidSizes& sizes);
// Sets the constants of friction and restitution by pairs of bodies.
void set_pairs(const Scene& scene, gpu::Params& params);

// Whether samples of bodies that cannot move have rows: not as printed.
inline bool has_fixed_rows(const SolverSettings& solver) { return solver.mode == SolverMode::robust; }

// Whether bodies of revolution are taken as such: not as printed, where sliding is taken elsewhere than friction acts.
bool rolls(const SolverSettings& solver);
float roundness(const Revolution& round);  // kRound...

struct RigidBuffers {
  RigidBuffers(vulkan::Device& device, const Scene& scene, const Units& units, const RigidSizes& sizes);

  vulkan::Buffer<gpu::RigidState> states;  // between steps
  vulkan::Buffer<gpu::RigidBody> bodies;   // constant
  vulkan::Buffer<gpu::Chunk> chunks;
  vulkan::Buffer<gpu::vec4> shapes;  // place in the body's frame, h; w: V0
  vulkan::Buffer<gpu::uvec2> parts;

  vulkan::Buffer<gpu::RigidStep> steps;
  vulkan::Buffer<gpu::RigidSum> partials, part_sums;  // of contact chunks, of parts
  vulkan::Buffer<gpu::RigidSum> sums, drag;           // of bodies: by the solver's forces, by viscosity
  vulkan::Buffer<gpu::uint> touching;

  vulkan::Buffer<gpu::uvec4> samples, sorted_samples;
  vulkan::Buffer<gpu::uint> keys, order;  // of the last sort: by sample; in order
  vulkan::Buffer<gpu::uvec2> cells;
  vulkan::Buffer<gpu::vec4> velocity;  // v, v*, then the displacement by the solver's forces; w: V
  vulkan::Buffer<gpu::SampleRow> rows;
  vulkan::Buffer<gpu::SampleSolve> solve;
  vulkan::Buffer<gpu::vec4> load;
  vulkan::Buffer<gpu::ContactPartial> contact_partials;
  vulkan::Buffer<gpu::uint> contact_samples, part_chunks, crowded;

  vulkan::Buffer<gpu::uint> group_coupled, coupled_particles, coupled_index;
  vulkan::Buffer<gpu::CoupledRow> coupled;
  vulkan::Buffer<gpu::SolvePartial> coupled_partials;
};

}  // namespace sluice
