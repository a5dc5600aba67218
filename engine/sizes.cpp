#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "engine/check_scene.h"
#include "engine/drawn.h"
#include "engine/state.h"

namespace sluice {
namespace {

using gpu::kGroup;

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

}  // namespace sluice
