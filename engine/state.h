// All device memory of a simulation, sized once from the scene: engine/buffers.def.
#pragma once

#include "engine/rigid_state.h"
#include "engine/sort.h"
#include "engine/units.h"
#include "host/vulkan/buffer.h"
#include "host/vulkan/texels.h"
#include "shaders/shared/buffers.h"
#include "sluice/sluice.h"

namespace sluice {

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
// The same; throws MemoryError if the scene needs more memory than the device has.
Sizes affordable_sizes(const vulkan::Device& device, const Scene& scene, const SimulationOptions& options);

// With Gather::automatic replaced by what the device is faster with.
SimulationOptions resolved(const vulkan::Device& device, SimulationOptions options);
std::vector<MemoryPart> memory_parts(const Sizes& sizes);

struct State {
  State(vulkan::Device& device, const Scene& scene, const SimulationOptions& options);

  // More blocks for the rows that spill; the step that needed them starts again. Returns what held it until now, which
  // commands that were recorded before may still name.
  struct Outgrown {
    vulkan::Buffer<gpu::uint> words;
    vulkan::Buffer<gpu::Page> page;
  };
  Outgrown grow_spill_pool(std::uint64_t blocks);

  vulkan::Device& device;
  Units units;
  Sizes sizes;
  gpu::Params params_host{};
  gpu::Control control_start{};

#define BUFFER(name, Element, count, lifetime, part) vulkan::Buffer<gpu::Element> name;
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
  std::vector<vulkan::Buffer<gpu::uint>> row_pages;   // what `page` points to
  vulkan::Buffer<gpu::BufferTable> table;             // where all of them lie, for the passes
};

// The table as it has to be, and at once on the device, which must be idle.
gpu::BufferTable table_of(const State& state);
void upload_table(const State& state);
// Brings the device's table up to date in the order of the commands: those recorded before find the buffers of then.
void record_table(vulkan::Recorder& recorder, const State& state);

// Bindings of shaders/lib/buffers.glsl; with sizes.texels.
vulkan::TexelViews texel_views(const State& state);

// The three sets of particles that are searched by cell. Keys of a set start `first_key` words into the arrays.
CellSort boundary_sort(const State& state);
CellSort sample_sort(const State& state);
CellSort particle_sort(const State& state);
std::uint32_t first_key(const State& state, std::uint32_t key_bits);

// Fluid particles that have not been taken out.
std::uint64_t particles_in(const State& state);

// Entries of all neighbour rows of the last search: each pair counts from both sides.
std::uint64_t row_entries(const State& state);

}  // namespace sluice
