#include "engine/state.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/params.h"
#include "engine/step.h"

namespace sluice {
namespace {

using gpu::kGroup;
using vulkan::Buffer;
using vulkan::Where;

// An address as shaders take it.
template <typename T>
gpu::uvec2 words_of(gpu::Ptr<T> pointer) {
  return {static_cast<std::uint32_t>(pointer.address), static_cast<std::uint32_t>(pointer.address >> 32)};
}
template <typename T>
gpu::Ptr<T> offset(gpu::Ptr<T> pointer, std::uint64_t elements) {
  return {pointer.address + elements * sizeof(T)};
}

void upload_fluid(const State& s, const Scene& scene) {
  const std::uint64_t n = s.sizes.particles;
  std::vector<gpu::uvec4> x(n), x_low(n), v(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const FluidParticle& p = scene.fluid[i];
    const FixedPoint fixed = to_fixed(s.units, p.position);
    x[i] = {fixed.position[0], fixed.position[1], fixed.position[2], 0};
    x_low[i] = {0, 0, 0, pack_low_word(fixed.wraps, p.material)};
    const auto bits = [&](double speed) {
      return std::bit_cast<std::uint32_t>(narrow(speed / s.units.velocity()) + 0.0f);
    };
    v[i] = {bits(p.velocity.x), bits(p.velocity.y), bits(p.velocity.z), static_cast<std::uint32_t>(i)};
  }
  upload<gpu::uvec4>(s.device, s.stored_position, x);
  upload<gpu::uvec4>(s.device, s.stored_low, x_low);
  upload<gpu::uvec4>(s.device, s.stored_velocity, v);
  // Frames are read before a step has begun, and of a first step that could not begin: at rest, no neighbours found.
  upload<gpu::uvec4>(s.device, s.low, x_low);
  upload<gpu::uvec4>(s.device, s.velocity, v);
}

void upload_bodies(const State& s, const Scene& scene) {
  const RigidTables tables = rigid_tables(scene, s.units, s.sizes.rigid);
  upload<gpu::vec4>(s.device, s.shape_sample, tables.shapes);
  upload<gpu::RigidState>(s.device, s.rigid_state, tables.states);
  upload<gpu::RigidBody>(s.device, s.rigid_body, tables.bodies);
  upload<gpu::Chunk>(s.device, s.chunk, tables.chunks);
  upload<gpu::uvec2>(s.device, s.part, tables.parts);
  upload<gpu::uint>(s.device, s.sample_key, std::vector<gpu::uint>(s.sizes.rigid.samples, gpu::kNoKey));
}

void upload_boundaries(const State& s, const Scene& scene) {
  std::vector<gpu::BodyState> body_states;
  for (const Body& body : scene.bodies) {
    const FixedPoint fixed = to_fixed(s.units, body.position);
    const auto velocity_of = [&](double speed) { return narrow(speed / s.units.velocity()); };
    const auto spin_of = [&](double rate) { return narrow(rate * s.units.time); };
    body_states.push_back({{fixed.position[0], fixed.position[1], fixed.position[2], body.friction_class},
                           {0, 0, 0, pack_low_word(fixed.wraps, 0)},
                           {0, 0, 0, 1},
                           {velocity_of(body.velocity.x), velocity_of(body.velocity.y), velocity_of(body.velocity.z),
                            s.sizes.any_body_may_move || body.moving() ? 1.0f : 0.0f},
                           {spin_of(body.angular_velocity.x), spin_of(body.angular_velocity.y),
                            spin_of(body.angular_velocity.z), narrow(body.friction.value_or(-1))},
                           {0, 0, 0, 1},
                           packed(body.round.axis, rolls(scene.solver) ? roundness(body.round) : gpu::kRoundNone),
                           packed(1 / s.units.length * (body.round.center - body.position), body.restitution),
                           {1, 0, 0, 0},
                           {0, 0, 0, 1}});
  }
  upload<gpu::BodyState>(s.device, s.boundary_body, body_states);

  std::vector<gpu::uvec4> samples;
  samples.reserve(s.sizes.boundary);
  for (const BoundarySample& sample : scene.boundary) {
    const Body& body = scene.bodies[sample.body];
    const std::uint32_t word = pack_sample(sample.weight, sample.body);
    if (s.sizes.any_body_may_move || body.moving()) {
      const Vec3 local = sample.position - body.position;
      const auto bits = [&](double x_local) { return std::bit_cast<std::uint32_t>(narrow(x_local / s.units.length)); };
      samples.push_back({bits(local.x), bits(local.y), bits(local.z), word});
    } else {
      const FixedPoint fixed = to_fixed(s.units, sample.position);
      samples.push_back({fixed.position[0], fixed.position[1], fixed.position[2], word});
    }
  }
  upload<gpu::uvec4>(s.device, s.boundary_source, samples);
}

gpu::Control control_at_start(const State& s, const Scene& scene) {
  gpu::Control c{};
  c.phase = gpu::kPhaseBegin;
  c.particles = static_cast<std::uint32_t>(s.sizes.particles);
  c.samples = static_cast<std::uint32_t>(s.sizes.rigid.samples);
  c.boundary_particles = static_cast<std::uint32_t>(s.sizes.boundary);
  c.boundary_dirty = 1;
  c.spill_capacity = static_cast<std::uint32_t>(s.sizes.spill_blocks);
  c.max_speed = initial_speed(scene, s.units);
  choose_first_step(c, s.params_host);
  c.last_tau = c.tau;
  c.last_limit = 1;  // the first step has none before it to outgrow
  return c;
}

}  // namespace

State::State(vulkan::Device& device_in, const Scene& scene, const SimulationOptions& options)
    : device(device_in), units(units_of(scene)), sizes(affordable_sizes(device_in, scene, options)) {
  params_host = make_params(scene, units, sizes);
  {
    const Sizes& s = sizes;
    enum class Lifetime { constant, state, step, solve, cache, ring };
    const auto where = [](Lifetime lifetime) { return lifetime == Lifetime::ring ? Where::host : Where::device; };
#define BUFFER(name, Element, count, lifetime, part) \
  name = Buffer<gpu::Element>(device, count, where(Lifetime::lifetime));
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
  }
  std::vector<gpu::Page> pages;
  for (std::uint64_t k = 0; k < sizes.pages; ++k) {
    const std::uint64_t rows = std::min(std::max<std::uint64_t>(sizes.rows, kGroup) - (k << sizes.page_shift),
                                        std::uint64_t{1} << sizes.page_shift);
    // Rows interleave in blocks of up to 64; the last block is stored whole.
    sizes.last_page_words = (rows + 63) / 64 * 64 * sizes.row_capacity;
    const std::uint64_t pool = sizes.texels ? sizes.spill_blocks * gpu::kSpillBlock : 0;
    row_pages.emplace_back(device, sizes.last_page_words + pool);
    pages.push_back({words_of(row_pages.back().ptr())});
  }
  // On the host where the pool may take the page along as it grows: recorded commands must not have to wait for that.
  if (sizes.texels) page = Buffer<gpu::Page>(device, sizes.pages, Where::host);
  upload<gpu::Page>(device, page, pages);
  table = Buffer<gpu::BufferTable>(device, 1);
  upload_table(*this);

  upload<gpu::Params>(device, params, {&params_host, 1});

  upload_fluid(*this, scene);
  upload_bodies(*this, scene);
  upload_boundaries(*this, scene);
  vulkan::run_once(device, [&](VkCommandBuffer commands) {
    device.functions.vkCmdFillBuffer(commands, acceleration.raw.handle(), 0, VK_WHOLE_SIZE,
                                     std::bit_cast<std::uint32_t>(1.0f));
  });
  vulkan::clear(device,
                {&row_head.raw, &sample_solve.raw, &sample_row.raw, &rigid_step.raw, &body_sum.raw, &body_drag.raw});
  control_start = control_at_start(*this, scene);
  upload<gpu::Control>(device, control, {&control_start, 1});
}

State::Outgrown State::grow_spill_pool(std::uint64_t blocks) {
  const std::uint64_t words = blocks * gpu::kSpillBlock;
  Buffer<gpu::uint> grown(device, words + (sizes.texels ? sizes.last_page_words : 0));
  Buffer<gpu::Page> pages;
  if (sizes.texels) {
    pages = Buffer<gpu::Page>(device, 1, Where::host);
    *pages.mapped() = {words_of(grown.ptr())};
  }
  sizes.spill_blocks = blocks;
  if (!sizes.texels) return {std::exchange(spill_pool, std::move(grown)), {}};
  return {std::exchange(row_pages[0], std::move(grown)), std::exchange(page, std::move(pages))};
}

gpu::BufferTable table_of(const State& s) {
  gpu::BufferTable table{};
#define BUFFER(name, Element, count, lifetime, part) table.name = words_of(s.name.ptr());
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
  if (s.sizes.texels) table.spill_pool = words_of(offset(s.row_pages[0].ptr(), s.sizes.last_page_words));
  return table;
}

void upload_table(const State& state) {
  const gpu::BufferTable table = table_of(state);
  vulkan::upload<gpu::BufferTable>(state.device, state.table, {&table, 1});
}

void record_table(vulkan::Recorder& recorder, const State& state) {
  const gpu::BufferTable table = table_of(state);
  state.device.functions.vkCmdUpdateBuffer(recorder.commands(), state.table.raw.handle(), 0, sizeof table, &table);
  recorder.barrier();
}

vulkan::TexelViews texel_views(const State& s) {
  const vulkan::ViewCounts counts = views_of(ShaderVariant::texels);
  std::vector<vulkan::TexelView> views(counts.texels);
  std::vector<const vulkan::RawBuffer*> uniforms(counts.uniforms);
  uniforms[gpu::kUniformBuffers] = &s.table.raw;
  uniforms[gpu::kUniformParams] = &s.params.raw;
  uniforms[gpu::kUniformControl] = &s.control.raw;
  const auto set = [&](std::uint32_t binding, const vulkan::RawBuffer& buffer, std::size_t element) {
    views[binding - counts.uniforms] = {&buffer, element == 4   ? VK_FORMAT_R32_UINT
                                                 : element == 8 ? VK_FORMAT_R32G32_UINT
                                                                : VK_FORMAT_R32G32B32A32_UINT};
  };
#define BUFFER(name, Element, count, lifetime, part)
#define GATHERED(name, Element, count, lifetime, part, binding) set(binding, s.name.raw, sizeof(gpu::Element));
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
  set(gpu::kTexelRows, s.row_pages[0].raw, sizeof(gpu::uvec4));
  set(gpu::kTexelParams, s.params.raw, sizeof(gpu::uint));
  return {s.device, uniforms, views};
}

// Sizes that shaders/lib/buffers.glsl takes for granted.
static_assert(sizeof(gpu::RigidStep) == gpu::kRigidStepTexels * sizeof(gpu::vec4) &&
              sizeof(gpu::BodyState) == gpu::kBodyStateTexels * sizeof(gpu::vec4) &&
              sizeof(gpu::SampleRow) == gpu::kSampleRowTexels * sizeof(gpu::vec4) &&
              sizeof(gpu::SampleSolve) == gpu::kSampleSolveTexels * sizeof(gpu::vec4));
static_assert(offsetof(gpu::Params, materials) == 4 * gpu::kMaterialWord &&
              offsetof(gpu::Material, inverse_mass) == 4 && offsetof(gpu::Material, viscosity) == 8 &&
              sizeof(gpu::Material) == 16 && offsetof(gpu::Params, pair_friction) == 4 * gpu::kPairWord &&
              offsetof(gpu::Params, pair_restitution) == 4 * gpu::kPairRestitutionWord);

std::uint32_t first_key(const State& s, std::uint32_t key_bits) {
  return sort_start(key_bits) == 0 ? 0 : static_cast<std::uint32_t>(s.sizes.sort_items);
}

namespace {

SortArrays arrays_of(const State& s) {
  const gpu::Ptr<gpu::uint> keys = s.sort_key.ptr(), values = s.sort_value.ptr();
  return {{keys, offset(keys, s.sizes.sort_items)},
          {values, offset(values, s.sizes.sort_items)},
          s.sort_count.ptr(),
          s.sort_total.ptr()};
}
gpu::Ptr<gpu::uint> count_at(const State& s, std::size_t member) { return {s.control.ptr().address + member}; }

}  // namespace

CellSort boundary_sort(const State& s) {
  return {arrays_of(s),
          count_at(s, offsetof(gpu::Control, boundary_particles)),
          s.sizes.boundary_key_bits,
          gpu::kSlotBoundaryBlocks,
          gpu::kSlotBoundaryDigits,
          {},
          s.boundary_cell.ptr(),
          s.sizes.boundary_grid.cells,
          gpu::kSlotBoundaryCells,
          gpu::kSlotBoundaryParticles};
}

CellSort sample_sort(const State& s) {
  return {arrays_of(s),
          count_at(s, offsetof(gpu::Control, samples)),
          s.sizes.rigid.key_bits,
          gpu::kSlotBeginSampleBlocks,
          gpu::kSlotBeginSampleDigits,
          s.sample_order.ptr(),
          s.sample_cell.ptr(),
          s.sizes.rigid.grid.cells,
          gpu::kSlotBeginSampleCells,
          gpu::kSlotSortSamples};
}

CellSort particle_sort(const State& s) {
  return {arrays_of(s),          count_at(s, offsetof(gpu::Control, particles)),
          s.sizes.key_bits,      gpu::kSlotBeginBlocks,
          gpu::kSlotBeginDigits, {},
          s.cell.ptr(),          s.sizes.grid.cells,
          gpu::kSlotBeginCells,  gpu::kSlotBeginParticles};
}

std::uint64_t particles_in(const State& state) {
  const std::uint32_t count = vulkan::download(state.device, state.control, 1)[0].particles;
  if (count > state.sizes.particles)
    throw DeviceError("the device handed back a count of " + std::to_string(count) + " particles of " +
                      std::to_string(state.sizes.particles) + ": its memory or driver is faulty");
  return count;
}

std::uint64_t row_entries(const State& state) {
  const Sizes& sizes = state.sizes;
  const std::uint64_t particles = particles_in(state);
  const std::vector<gpu::uvec2> heads = vulkan::download(state.device, state.row_head, sizes.rows);
  std::uint64_t entries = 0;
  for (std::uint64_t row = 0; row < sizes.rows; ++row) {
    if (row >= particles && row < sizes.sample_row) continue;  // of no particle
    const gpu::uint counts = heads[row].x, solid = counts >> gpu::kFluidCountBits;
    entries += (counts & ((1u << gpu::kFluidCountBits) - 1)) + (solid & ((1u << gpu::kRigidCountBits) - 1)) +
               (solid >> gpu::kRigidCountBits);
  }
  return entries;
}

}  // namespace sluice
