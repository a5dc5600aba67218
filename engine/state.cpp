#include "engine/state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
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

gpu::Page page_of(const Buffer<gpu::uint>& words) {
  const std::uint64_t address = words.ptr().address;
  return {{static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32)}};
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
                    device.limits.maxPerStageDescriptorSampledImages >= gpu::kTexelViews;
  const bool faster = device.driver_id == VK_DRIVER_ID_MESA_LLVMPIPE;
  options.gather = fits && faster ? Gather::texels : Gather::addresses;
  return options;
}

std::vector<MemoryPart> memory_parts(const Sizes& s) {
  const std::uint64_t n = s.particles;
  // Rows of the last page that no particle has are not stored.
  const std::uint64_t rows = s.rows * (s.row_capacity * 4 + sizeof(gpu::uvec2)) + s.spill_blocks * gpu::kSpillBlock * 4;
  return {
      {"neighbour rows", rows},
      {"particles", n * 6 * sizeof(gpu::uvec4)},
      {"solver", n * 3 * sizeof(gpu::vec4) + s.particle_groups * (sizeof(gpu::SolvePartial) + sizeof(gpu::StepPartial) +
                                                                  sizeof(gpu::vec4) + 4)},
      {"sort", s.sort_items * 4 * sizeof(gpu::uint) + s.sort_blocks * gpu::kSortDigits * 4},
      {"cells", s.grid.cells * sizeof(gpu::uvec2)},
      {"boundary", s.boundary * 2 * sizeof(gpu::uvec4) + s.boundary_grid.cells * sizeof(gpu::uvec2)},
      {"rigid bodies", rigid_bytes(s.rigid)},
      {"drawn state", drawn_bytes(s)},
  };
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
    : device(device_in),
      units(units_of(scene)),
      sizes(affordable_sizes(device_in, scene, options)),
      rigid(device_in, scene, units, sizes.rigid) {
  params_host = make_params(scene, units, sizes);

  const std::uint64_t n = sizes.particles, groups = sizes.particle_groups;
  params = Buffer<gpu::Params>(device, 1);
  control = Buffer<gpu::Control>(device, 1);
  status = Buffer<gpu::Status>(device, gpu::kStatusRing, Where::host);
  edits = Buffer<gpu::Edit>(device, gpu::kEditRing, Where::host);
  edit_steps = Buffer<gpu::uint>(device, gpu::kEditRing, Where::host);
  for (Buffer<gpu::uvec4>* b : {&position, &low, &velocity, &sorted_position, &sorted_low, &sorted_velocity}) {
    *b = Buffer<gpu::uvec4>(device, n);
  }
  for (Buffer<gpu::vec4>* b : {&acceleration, &wall, &solve}) *b = Buffer<gpu::vec4>(device, n);
  wall_forces = Buffer<gpu::vec4>(device, groups);
  solve_partials = Buffer<gpu::SolvePartial>(device, groups);
  step_partials = Buffer<gpu::StepPartial>(device, groups + sizes.rigid.body_groups);
  boundary_source = Buffer<gpu::uvec4>(device, sizes.boundary);
  boundary = Buffer<gpu::uvec4>(device, sizes.boundary);
  if (params_host.boundary_moves) boundary_moved = Buffer<gpu::uvec4>(device, sizes.boundary);
  bodies = Buffer<gpu::BodyState>(device, sizes.bodies);
  for (int side = 0; side < 2; ++side) {
    sort.keys[side] = Buffer<gpu::uint>(device, sizes.sort_items);
    sort.values[side] = Buffer<gpu::uint>(device, sizes.sort_items);
  }
  sort.counts = Buffer<gpu::uint>(device, sizes.sort_blocks * gpu::kSortDigits);
  sort.totals = Buffer<gpu::uint>(device, gpu::kSortDigits);
  cells = Buffer<gpu::uvec2>(device, sizes.grid.cells);
  boundary_cells = Buffer<gpu::uvec2>(device, sizes.boundary_grid.cells);
  row_heads = Buffer<gpu::uvec2>(device, sizes.rows);
  group_spills = Buffer<gpu::uint>(device, groups + sizes.rigid.sample_groups);
  std::vector<gpu::Page> table;
  for (std::uint64_t page = 0; page < sizes.pages; ++page) {
    const std::uint64_t rows = std::min(std::max<std::uint64_t>(sizes.rows, kGroup) - (page << sizes.page_shift),
                                        std::uint64_t{1} << sizes.page_shift);
    // Rows interleave in blocks of up to 64; the last block is stored whole.
    sizes.last_page_words = (rows + 63) / 64 * 64 * sizes.row_capacity;
    const std::uint64_t pool = sizes.texels ? sizes.spill_blocks * gpu::kSpillBlock : 0;
    row_pages.emplace_back(device, sizes.last_page_words + pool);
    table.push_back(page_of(row_pages.back()));
  }
  // On the host where the pool may take the page along as it grows: recorded commands must not have to wait for that.
  page_table = Buffer<gpu::Page>(device, sizes.pages, sizes.texels ? Where::host : Where::device);
  if (!sizes.texels) spill_pool = Buffer<gpu::uint>(device, sizes.spill_blocks * gpu::kSpillBlock);

  upload<gpu::Params>(device, params, {&params_host, 1});
  upload<gpu::Page>(device, page_table, table);

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
  upload<gpu::uvec4>(device, position, x);
  upload<gpu::uvec4>(device, low, x_low);
  upload<gpu::uvec4>(device, velocity, v);
  // Frames are read before a step has begun, and of a first step that could not begin: at rest, no neighbours found.
  upload<gpu::uvec4>(device, sorted_low, x_low);
  upload<gpu::uvec4>(device, sorted_velocity, v);
  vulkan::run_once(device, [&](VkCommandBuffer commands) {
    device.functions.vkCmdFillBuffer(commands, acceleration.raw.handle(), 0, VK_WHOLE_SIZE,
                                     std::bit_cast<std::uint32_t>(1.0f));
  });
  vulkan::clear(device, {&row_heads.raw});

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
  upload<gpu::BodyState>(device, bodies, body_states);

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
  Buffer<gpu::uint> page(device, words + (sizes.texels ? sizes.last_page_words : 0));
  if (!sizes.texels) {
    sizes.spill_blocks = blocks;
    return {std::exchange(spill_pool, std::move(page)), {}};
  }
  Buffer<gpu::Page> table(device, 1, Where::host);
  *table.mapped() = page_of(page);
  sizes.spill_blocks = blocks;
  return {std::exchange(row_pages[0], std::move(page)), std::exchange(page_table, std::move(table))};
}

gpu::Neighbors State::neighbors() const {
  const gpu::Ptr<gpu::uint> pool =
      sizes.texels ? gpu::Ptr<gpu::uint>{row_pages[0].ptr().address + 4 * sizes.last_page_words} : spill_pool.ptr();
  return {sorted_position.ptr(), boundary.ptr(), rigid.samples.ptr(), row_heads.ptr(), page_table.ptr(), pool};
}

vulkan::TexelViews State::texel_views() const {
  std::vector<vulkan::TexelView> views(gpu::kTexelViews);
  const auto set = [&](std::uint32_t binding, const vulkan::RawBuffer& buffer, int words) {
    views[binding] = {&buffer, words == 1   ? VK_FORMAT_R32_UINT
                               : words == 2 ? VK_FORMAT_R32G32_UINT
                                            : VK_FORMAT_R32G32B32A32_UINT};
  };
  set(gpu::kTexelPosition, sorted_position.raw, 4);
  set(gpu::kTexelBoundary, boundary.raw, 4);
  set(gpu::kTexelSamples, rigid.samples.raw, 4);
  set(gpu::kTexelRows, row_pages[0].raw, 4);
  set(gpu::kTexelHeads, row_heads.raw, 2);
  set(gpu::kTexelAcceleration, acceleration.raw, 4);
  set(gpu::kTexelVelocity, sorted_velocity.raw, 4);
  set(gpu::kTexelLow, sorted_low.raw, 4);
  set(gpu::kTexelWall, wall.raw, 4);
  set(gpu::kTexelSolve, solve.raw, 4);
  set(gpu::kTexelSampleVelocity, rigid.velocity.raw, 4);
  set(gpu::kTexelLoad, rigid.load.raw, 4);
  set(gpu::kTexelSortedSamples, rigid.sorted_samples.raw, 4);
  set(gpu::kTexelCells, cells.raw, 2);
  set(gpu::kTexelSampleCells, rigid.cells.raw, 2);
  set(gpu::kTexelBoundaryCells, boundary_cells.raw, 2);
  set(gpu::kTexelSteps, rigid.steps.raw, 4);
  set(gpu::kTexelSampleRows, rigid.rows.raw, 4);
  set(gpu::kTexelSampleSolve, rigid.solve.raw, 4);
  set(gpu::kTexelBodies, bodies.raw, 4);
  set(gpu::kTexelParams, params.raw, 1);
  const vulkan::RawBuffer* uniforms[gpu::kUniformViews] = {&params.raw, &control.raw};
  return {device, views, uniforms};
}

static_assert(sizeof(gpu::RigidStep) == gpu::kStepTexels * sizeof(gpu::vec4) &&
              offsetof(gpu::RigidStep, center) == gpu::kStepCenter * sizeof(gpu::vec4) &&
              offsetof(gpu::RigidStep, inverse_mass) == gpu::kStepInverseMass * sizeof(gpu::vec4) &&
              offsetof(gpu::RigidStep, inverse_mixed) == gpu::kStepInverseMixed * sizeof(gpu::vec4) &&
              offsetof(gpu::RigidStep, velocity) == gpu::kStepVelocity * sizeof(gpu::vec4) &&
              offsetof(gpu::RigidStep, spin) == gpu::kStepSpin * sizeof(gpu::vec4) &&
              offsetof(gpu::RigidStep, turn) == gpu::kStepTurn * sizeof(gpu::vec4) &&
              offsetof(gpu::RigidStep, round_center) == gpu::kStepRoundCenter * sizeof(gpu::vec4) &&
              offsetof(gpu::RigidStep, round_axis) == gpu::kStepRoundAxis * sizeof(gpu::vec4));
static_assert(sizeof(gpu::SampleRow) == 10 * sizeof(gpu::vec4) && sizeof(gpu::SampleSolve) == 6 * sizeof(gpu::vec4));
static_assert(sizeof(gpu::BodyState) == gpu::kBodyTexels * sizeof(gpu::vec4) &&
              offsetof(gpu::BodyState, position) == gpu::kBodyPosition * sizeof(gpu::vec4) &&
              offsetof(gpu::BodyState, velocity) == gpu::kBodyVelocity * sizeof(gpu::vec4) &&
              offsetof(gpu::BodyState, orientation) == gpu::kBodyOrientation * sizeof(gpu::vec4) &&
              offsetof(gpu::BodyState, spin) == gpu::kBodySpin * sizeof(gpu::vec4) &&
              offsetof(gpu::BodyState, round_axis) == gpu::kBodyRoundAxis * sizeof(gpu::vec4) &&
              offsetof(gpu::BodyState, round_center) == gpu::kBodyRoundCenter * sizeof(gpu::vec4) &&
              offsetof(gpu::BodyState, chord) == gpu::kBodyChord * sizeof(gpu::vec4) &&
              offsetof(gpu::BodyState, sample_turn) == gpu::kBodySampleTurn * sizeof(gpu::vec4));
static_assert(offsetof(gpu::Params, materials) == 4 * gpu::kMaterialWord &&
              offsetof(gpu::Material, inverse_mass) == 4 && offsetof(gpu::Material, viscosity) == 8 &&
              sizeof(gpu::Material) == 16 && offsetof(gpu::Params, pair_friction) == 4 * gpu::kPairWord &&
              offsetof(gpu::Params, pair_restitution) == 4 * gpu::kPairRestitutionWord);

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
  const std::vector<gpu::uvec2> heads = vulkan::download(state.device, state.row_heads, sizes.rows);
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
