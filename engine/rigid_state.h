// Rigid bodies as device memory has them: how many of what, and what they are at the start.
#pragma once

#include "engine/carriers.h"
#include "engine/units.h"
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
  std::uint64_t held() const { return bodies + carriers.size(); }  // with those that stand for boundaries
};
// Fills all but the grid. `fluid` is the number of fluid particles.
RigidSizes rigid_sizes(const Scene& scene, std::uint64_t fluid, bool any_body_may_move);
// Sets the constants of friction and restitution by pairs of bodies.
void set_pairs(const Scene& scene, gpu::Params& params);

// Whether samples of bodies that cannot move have rows: not as printed.
inline bool has_fixed_rows(const SolverSettings& solver) { return solver.mode == SolverMode::robust; }

// Whether bodies of revolution are taken as such: not as printed, where sliding is taken elsewhere than friction acts.
bool rolls(const SolverSettings& solver);
float roundness(const Revolution& round);  // kRound...

// Tables of a scene's rigid bodies, as the device has them when a run starts.
struct RigidTables {
  std::vector<gpu::vec4> shapes;  // all shapes' samples, one after the other
  std::vector<gpu::RigidState> states;
  std::vector<gpu::RigidBody> bodies;
  std::vector<gpu::Chunk> chunks;
  std::vector<gpu::uvec2> parts;
};
RigidTables rigid_tables(const Scene& scene, const Units& units, const RigidSizes& sizes);

}  // namespace sluice
