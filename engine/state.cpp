#include "engine/state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/check_scene.h"
#include "engine/drawn.h"
#include "engine/step.h"

namespace sluice {
namespace {

using gpu::kGroup;
using vulkan::Buffer;
using vulkan::Where;

// The stiffness of contacts is that of a step in which gravity moves a body by half of this, h
// (shaders/lib/compliance.glsl).
constexpr double kContactFall = 0.01;

std::uint64_t groups_of(std::uint64_t count, std::uint64_t size) { return (count + size - 1) / size; }

struct Extent {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void take(Vec3 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
};

// About log2(2 count) key bits, at least 2 an axis, given to the axes in turn while their extent needs
// them; then interleaved (Morton) or concatenated (rows). 12 bits an axis is all that positions have.
gpu::Grid make_grid(std::uint64_t count, const Extent& extent, double cell, bool row_order, std::uint32_t& bits) {
  // In steps of 1/2048 of a cell: the rounding of coordinates that are shifted or in other units must not decide a tie,
  // since other keys give another order of summation.
  const auto cells_along = [&](double low, double high) { return std::floor((high - low) / cell * 2048 + 0.5) / 2048; };
  const double sides[3] = {cells_along(extent.low.x, extent.high.x), cells_along(extent.low.y, extent.high.y),
                           cells_along(extent.low.z, extent.high.z)};
  int axis_bits[3] = {2, 2, 2};
  const int wanted = std::clamp<int>(std::bit_width(std::max<std::uint64_t>(count, 1)), 6, 28);
  for (int total = 6; total < wanted; ++total) {
    // The axis whose cells are most often shared; ties go to x, y, z in turn.
    int best = 0;
    double best_ratio = -1;
    for (int axis = 0; axis < 3; ++axis) {
      const double ratio = axis_bits[axis] >= 12 ? -1 : std::max(sides[axis], 1.0) / std::ldexp(1.0, axis_bits[axis]);
      if (ratio > best_ratio) {
        best = axis;
        best_ratio = ratio;
      }
    }
    if (axis_bits[best] >= 12) break;
    ++axis_bits[best];
  }
  bits = static_cast<std::uint32_t>(axis_bits[0] + axis_bits[1] + axis_bits[2]);
  std::uint32_t masks[3] = {0, 0, 0};
  std::uint32_t bit = 0;
  if (row_order) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = 0; k < axis_bits[axis]; ++k) masks[axis] |= 1u << bit++;
    }
  } else {
    for (int level = 0; level < 12; ++level) {
      for (int axis = 0; axis < 3; ++axis) {
        if (level < axis_bits[axis]) masks[axis] |= 1u << bit++;
      }
    }
  }
  return {masks[0], masks[1], masks[2], 1u << bits};
}

float narrow(double value) { return static_cast<float>(value); }

// An address as shaders take it.
template <typename T>
gpu::uvec2 words_of(gpu::Ptr<T> pointer) {
  return {static_cast<std::uint32_t>(pointer.address), static_cast<std::uint32_t>(pointer.address >> 32)};
}
template <typename T>
gpu::Ptr<T> offset(gpu::Ptr<T> pointer, std::uint64_t elements) {
  return {pointer.address + elements * sizeof(T)};
}

gpu::Params make_params(const Scene& scene, const Units& units, const Sizes& sizes) {
  const double time = units.time, length = units.length;
  const double acceleration = time * time / length;  // SI to h / T0^2
  const double gravity = sluice::length(scene.gravity);
  gpu::Params p{};
  // In whole spacings, so that rounding does not decide on which side something is.
  const auto side = [&](double metres, double origin, double slack) {
    return narrow(
        std::clamp<double>(std::floor((metres - origin) / length + slack), -gpu::kDomainReach, gpu::kDomainReach));
  };
  const auto low = [&](Vec3 corner) {
    const Vec3 o = units.origin;
    return std::array{side(corner.x, o.x, 1e-3), side(corner.y, o.y, 1e-3), side(corner.z, o.z, 1e-3)};
  };
  const auto high = [&](Vec3 corner) {
    const Vec3 o = units.origin;
    return std::array{side(corner.x, o.x, 1 - 1e-3), side(corner.y, o.y, 1 - 1e-3), side(corner.z, o.z, 1 - 1e-3)};
  };
  std::tie(p.domain_low_x, p.domain_low_y, p.domain_low_z) = std::tuple_cat(low(scene.domain.low));
  std::tie(p.domain_high_x, p.domain_high_y, p.domain_high_z) = std::tuple_cat(high(scene.domain.high));
  std::tie(p.step_low_x, p.step_low_y, p.step_low_z) = std::tuple_cat(low(scene.step_domain.low));
  std::tie(p.step_high_x, p.step_high_y, p.step_high_z) = std::tuple_cat(high(scene.step_domain.high));
  p.gravity_x = narrow(scene.gravity.x * acceleration);
  p.gravity_y = narrow(scene.gravity.y * acceleration);
  p.gravity_z = narrow(scene.gravity.z * acceleration);
  p.gravity_length = narrow(gravity * acceleration);
  p.cfl = narrow(std::min(scene.time.cfl, 1e9));
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    const FluidMaterial& material = scene.materials[m];
    const double mass = material.density / units.density;
    const double nu = material.viscosity * time / (length * length);
    p.materials[m] = {narrow(mass), narrow(1 / mass), narrow(nu * mass), 0};
  }
  const double viscosity = largest_viscosity(scene.materials) * time / (length * length);
  p.viscous = viscosity > 0 ? 1 : 0;
  set_pairs(scene, p);
  p.viscous_limit = viscosity > 0 ? narrow(0.05 / viscosity) : 1e9f;
  p.frame_length = narrow(scene.time.frame_interval / time);
  p.tolerance_scale = narrow(scene.solver.tolerance * std::max(gravity, 1.0) * acceleration);
  const bool limited = scene.solver.mode == SolverMode::robust && scene.solver.overlap_speed > 0;
  p.overlap_speed = limited ? narrow(scene.solver.overlap_speed * time / length) : 0;
  p.relaxation = narrow(scene.solver.relaxation_fluid);
  p.relaxation_rigid = narrow(scene.solver.relaxation_rigid);
  p.gamma = narrow(scene.solver.gamma);
  p.mass_splitting = scene.solver.contact_scale == ContactScale::per_body ? 1 : 0;
  p.friction_target = scene.solver.friction_update == FrictionUpdate::target ? 1 : 0;
  p.staggered_friction = scene.solver.friction_method == FrictionMethod::staggered ? 1 : 0;
  p.contact_weights = scene.solver.contact_weights ? 1 : 0;
  p.midpoint_slip = scene.solver.slip == Slip::midpoint ? 1 : 0;
  p.sample_weights = scene.solver.sample_weights ? 1 : 0;
  const bool staggered = scene.solver.friction_method == FrictionMethod::staggered;
  p.load_sharing = staggered ? 0 : narrow(scene.solver.load_sharing);
  // Not by the gravity that edits set: contacts keep their stiffness.
  p.contact_time_squared = narrow(kContactFall / (std::max(gravity, 1.0) * acceleration));
  p.warm_start_fluid = narrow(scene.solver.warm_start_fluid);
  p.warm_start_rigid = narrow(scene.solver.warm_start_rigid);
  p.paper_mode = scene.solver.mode == SolverMode::paper ? 1 : 0;
  p.nncg = scene.solver.acceleration == Acceleration::nncg ? 1 : 0;
  p.min_iterations = static_cast<std::uint32_t>(scene.solver.min_iterations);
  p.min_iterations_contact = static_cast<std::uint32_t>(scene.solver.min_iterations_contact);
  p.max_iterations = static_cast<std::uint32_t>(scene.solver.max_iterations);
  p.last_frame =
      static_cast<std::uint32_t>(std::max(1.0, std::floor(scene.time.end / scene.time.frame_interval + 0.5)));
  p.bodies = static_cast<std::uint32_t>(sizes.bodies);
  p.rigid = static_cast<std::uint32_t>(sizes.rigid.bodies);
  p.carriers = static_cast<std::uint32_t>(sizes.rigid.carriers.size());
  p.fixed_rows = has_fixed_rows(scene.solver) ? 1 : 0;
  p.parts = static_cast<std::uint32_t>(sizes.rigid.parts);
  p.sample_row = static_cast<std::uint32_t>(sizes.sample_row);
  p.sample_sort_digits = sort_digits(sizes.rigid.key_bits);
  p.sample_grid = sizes.rigid.grid;
  p.round = rolls(scene.solver) && std::any_of(scene.rigid.begin(), scene.rigid.end(), [&](const RigidBody& body) {
              return scene.shapes[body.shape].round.kind != Roundness::none;
            });
  p.boundary_moves = sizes.boundary_moves() ? 1 : 0;
  double boundary_speed = 0;
  for (const BoundarySample& sample : scene.boundary) {
    const Body& body = scene.bodies[sample.body];
    if (!body.moving()) continue;
    const double reach = sluice::length(sample.position - body.position);
    boundary_speed =
        std::max(boundary_speed, sluice::length(body.velocity) + sluice::length(body.angular_velocity) * reach);
  }
  p.boundary_speed = narrow(boundary_speed * time / length);
  p.row_capacity = sizes.row_capacity;
  p.page_shift = sizes.page_shift;
  p.sort_digits = sort_digits(sizes.key_bits);
  p.boundary_sort_digits = sort_digits(sizes.boundary_key_bits);
  p.grid = sizes.grid;
  p.boundary_grid = sizes.boundary_grid;
  return p;
}

float initial_speed(const Scene& scene, const Units& units) {
  double speed = 0;
  for (const FluidParticle& particle : scene.fluid) speed = std::max(speed, length(particle.velocity));
  for (const RigidBody& body : scene.rigid) {
    double radius = 0.5 * scene.spacing;
    for (const RigidSample& sample : scene.shapes[body.shape].samples)
      radius = std::max(radius, length(sample.position));
    speed = std::max(speed, length(body.velocity) + length(body.angular_velocity) * radius);
  }
  return narrow(speed / units.velocity());
}

// The first step and what limits it: as choose_step of shaders/lib/clock.glsl does it, from the initial speeds.
void choose_first_step(gpu::Control& c, const gpu::Params& p) {
  const float by_speed = p.cfl / (std::max(c.max_speed, p.boundary_speed) + p.gravity_length + 1e-12f);
  const float limit = std::min({1.0f, by_speed, p.viscous_limit});
  c.tau = p.frame_length / std::max(std::floor(p.frame_length / limit + 0.9999f), 1.0f);
  c.tau_limit = limit;
  c.limit = limit == 1.0f ? gpu::kLimitMaxStep : limit == by_speed ? gpu::kLimitCfl : gpu::kLimitViscosity;
  if (c.tau < 0.999f * limit) c.limit = gpu::kLimitFrame;
}

}  // namespace

Sizes sizes_of(const Scene& scene, const SimulationOptions& options) {
  check_options(options);
  check_scene(scene);
  Sizes s;
  s.particles = scene.fluid.size();
  s.boundary = scene.boundary.size();
  s.bodies = scene.bodies.size();
  s.particle_groups = groups_of(s.particles, kGroup);
  s.any_body_may_move = options.moving_boundaries;
  s.rigid = rigid_sizes(scene, s.particles, s.any_body_may_move);
  for (const BoundarySample& sample : scene.boundary) s.some_body_moves |= scene.bodies[sample.body].moving();
  s.drawn = options.drawn;
  s.sort_items = std::max({s.particles, s.boundary, s.rigid.samples});
  s.sort_blocks = groups_of(s.sort_items, gpu::kSortBlock);
  Extent fluid, boundary;
  for (const FluidParticle& p : scene.fluid) {
    fluid.take(p.position);
    boundary.take(p.position);
  }
  for (const BoundarySample& b : scene.boundary) boundary.take(b.position);
  for (const RigidBody& b : scene.rigid) boundary.take(b.position);
  const double cell = 2 * scene.spacing;
  s.grid = make_grid(s.particles, boundary, cell, options.row_order, s.key_bits);
  s.boundary_grid = make_grid(s.boundary, boundary, cell, options.row_order, s.boundary_key_bits);
  s.rigid.grid = make_grid(s.rigid.samples, boundary, cell, options.row_order, s.rigid.key_bits);
  s.row_capacity = (options.row_capacity + gpu::kRowBlock - 1) / gpu::kRowBlock * gpu::kRowBlock;
  const std::uint64_t row_bytes = s.row_capacity * sizeof(gpu::uint);
  s.page_shift = static_cast<std::uint32_t>(std::bit_width(options.page_bytes / row_bytes) - 1);
  // Blocks of interleaved rows hold rows of one kind.
  s.sample_row = groups_of(s.particles, 64) * 64;
  s.rows = s.rigid.samples > 0 ? s.sample_row + s.rigid.samples : s.particles;
  // A page need not be larger than all rows.
  while (s.page_shift > 8 && (std::uint64_t{1} << (s.page_shift - 1)) >= s.rows) --s.page_shift;
  s.pages = std::max<std::uint64_t>(groups_of(s.rows, std::uint64_t{1} << s.page_shift), 1);
  s.page_words = (std::uint64_t{1} << s.page_shift) * s.row_capacity;
  s.texels = options.gather == Gather::texels && s.pages == 1;
  s.spill_blocks = options.spill_blocks > 0 ? options.spill_blocks : s.rows / 8 + 64;
  return s;
}

SimulationOptions resolved(const vulkan::Device& device, SimulationOptions options) {
  if (options.fast_arithmetic) options.gather = Gather::addresses;  // has no other shaders
  if (options.gather != Gather::automatic) return options;
  // The page, and as much again for its spill pool, in words.
  const bool fits = device.limits.maxTexelBufferElements >= options.page_bytes / 2 &&
                    device.limits.maxPerStageDescriptorSampledImages >= views_of(ShaderVariant::texels).texels;
  const bool faster = device.driver_id == VK_DRIVER_ID_MESA_LLVMPIPE;
  options.gather = fits && faster ? Gather::texels : Gather::addresses;
  return options;
}

std::vector<MemoryPart> memory_parts(const Sizes& s) {
  // Rows of the last page that no particle has are not stored.
  std::vector<MemoryPart> parts{{"neighbour rows", s.rows * s.row_capacity * sizeof(gpu::uint)}};
  const auto add = [&](std::string_view name, std::uint64_t bytes) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const MemoryPart& p) { return p.name == name; });
    if (found != parts.end())
      found->bytes += bytes;
    else
      parts.push_back({std::string(name), bytes});
  };
  if (s.texels) add("neighbour rows", s.spill_blocks * gpu::kSpillBlock * sizeof(gpu::uint));
#define BUFFER(name, Element, count, lifetime, part) add(part, (count) * sizeof(gpu::Element));
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED
  add("drawn state", drawn_bytes(s));
  return parts;
}

namespace {

// Throws MemoryError if the scene needs more memory than the device has.
Sizes affordable_sizes(const vulkan::Device& device, const Scene& scene, const SimulationOptions& options) {
  const Sizes sizes = sizes_of(scene, options);
  std::uint64_t total = 0;
  const std::vector<MemoryPart> parts = memory_parts(sizes);
  for (const MemoryPart& part : parts) total += part.bytes;
  if (total <= device.info.memory) return sizes;
  const auto largest =
      std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  const double fit = scene.spacing * std::cbrt(static_cast<double>(total) / static_cast<double>(device.info.memory));
  const auto mib = [](std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  throw MemoryError("the scene needs " + mib(total) + " (most of it for " + largest->name + ", " + mib(largest->bytes) +
                    "), but " + device.info.name + " has " + mib(device.info.memory) + "; a particleSpacing of about " +
                    std::to_string(fit) + " would fit");
}

}  // namespace

State::State(vulkan::Device& device_in, const Scene& scene, const SimulationOptions& options)
    : device(device_in), units(units_of(scene)), sizes(affordable_sizes(device_in, scene, options)) {
  params_host = make_params(scene, units, sizes);
  const std::uint64_t n = sizes.particles;
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

  std::vector<gpu::uvec4> x(n), x_low(n), v(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const FluidParticle& p = scene.fluid[i];
    const FixedPoint fixed = to_fixed(units, p.position);
    x[i] = {fixed.position[0], fixed.position[1], fixed.position[2], 0};
    x_low[i] = {0, 0, 0, pack_low_word(fixed.wraps, p.material)};
    const auto bits = [&](double speed) {
      return std::bit_cast<std::uint32_t>(narrow(speed / units.velocity()) + 0.0f);
    };
    v[i] = {bits(p.velocity.x), bits(p.velocity.y), bits(p.velocity.z), static_cast<std::uint32_t>(i)};
  }
  upload<gpu::uvec4>(device, stored_position, x);
  upload<gpu::uvec4>(device, stored_low, x_low);
  upload<gpu::uvec4>(device, stored_velocity, v);
  // Frames are read before a step has begun, and of a first step that could not begin: at rest, no neighbours found.
  upload<gpu::uvec4>(device, low, x_low);
  upload<gpu::uvec4>(device, velocity, v);
  vulkan::run_once(device, [&](VkCommandBuffer commands) {
    device.functions.vkCmdFillBuffer(commands, acceleration.raw.handle(), 0, VK_WHOLE_SIZE,
                                     std::bit_cast<std::uint32_t>(1.0f));
  });
  vulkan::clear(device,
                {&row_head.raw, &sample_solve.raw, &sample_row.raw, &rigid_step.raw, &body_sum.raw, &body_drag.raw});

  const RigidTables tables = rigid_tables(scene, units, sizes.rigid);
  upload<gpu::vec4>(device, shape_sample, tables.shapes);
  upload<gpu::RigidState>(device, rigid_state, tables.states);
  upload<gpu::RigidBody>(device, rigid_body, tables.bodies);
  upload<gpu::Chunk>(device, chunk, tables.chunks);
  upload<gpu::uvec2>(device, part, tables.parts);
  upload<gpu::uint>(device, sample_key, std::vector<gpu::uint>(sizes.rigid.samples, gpu::kNoKey));

  std::vector<gpu::BodyState> body_states;
  for (const Body& body : scene.bodies) {
    const FixedPoint fixed = to_fixed(units, body.position);
    const auto velocity_of = [&](double speed) { return narrow(speed / units.velocity()); };
    const auto spin_of = [&](double rate) { return narrow(rate * units.time); };
    body_states.push_back({{fixed.position[0], fixed.position[1], fixed.position[2], body.friction_class},
                           {0, 0, 0, pack_low_word(fixed.wraps, 0)},
                           {0, 0, 0, 1},
                           {velocity_of(body.velocity.x), velocity_of(body.velocity.y), velocity_of(body.velocity.z),
                            sizes.any_body_may_move || body.moving() ? 1.0f : 0.0f},
                           {spin_of(body.angular_velocity.x), spin_of(body.angular_velocity.y),
                            spin_of(body.angular_velocity.z), narrow(body.friction.value_or(-1))},
                           {0, 0, 0, 1},
                           packed(body.round.axis, rolls(scene.solver) ? roundness(body.round) : gpu::kRoundNone),
                           packed(1 / units.length * (body.round.center - body.position), body.restitution),
                           {1, 0, 0, 0},
                           {0, 0, 0, 1}});
  }
  upload<gpu::BodyState>(device, boundary_body, body_states);

  std::vector<gpu::uvec4> samples;
  samples.reserve(sizes.boundary);
  for (const BoundarySample& sample : scene.boundary) {
    const Body& body = scene.bodies[sample.body];
    const std::uint32_t word = pack_sample(sample.weight, sample.body);
    if (sizes.any_body_may_move || body.moving()) {
      const Vec3 local = sample.position - body.position;
      const auto bits = [&](double x_local) { return std::bit_cast<std::uint32_t>(narrow(x_local / units.length)); };
      samples.push_back({bits(local.x), bits(local.y), bits(local.z), word});
    } else {
      const FixedPoint fixed = to_fixed(units, sample.position);
      samples.push_back({fixed.position[0], fixed.position[1], fixed.position[2], word});
    }
  }
  upload<gpu::uvec4>(device, boundary_source, samples);

  gpu::Control c{};
  c.phase = gpu::kPhaseBegin;
  c.particles = static_cast<std::uint32_t>(n);
  c.samples = static_cast<std::uint32_t>(sizes.rigid.samples);
  c.boundary_particles = static_cast<std::uint32_t>(sizes.boundary);
  c.boundary_dirty = 1;
  c.spill_capacity = static_cast<std::uint32_t>(sizes.spill_blocks);
  c.max_speed = initial_speed(scene, units);
  choose_first_step(c, params_host);
  c.last_tau = c.tau;
  c.last_limit = 1;  // the first step has none before it to outgrow
  upload<gpu::Control>(device, control, {&c, 1});
  control_start = c;
}

State::Outgrown State::grow_spill_pool(std::uint64_t blocks) {
  const std::uint64_t words = blocks * gpu::kSpillBlock;
  Buffer<gpu::uint> grown(device, words + (sizes.texels ? sizes.last_page_words : 0));
  sizes.spill_blocks = blocks;
  if (!sizes.texels) return {std::exchange(spill_pool, std::move(grown)), {}};
  Buffer<gpu::Page> pages(device, 1, Where::host);
  *pages.mapped() = {words_of(grown.ptr())};
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

// What shaders/lib/buffers.glsl takes for granted.
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
