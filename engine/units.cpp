#include "engine/units.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

constexpr double kUnitsPerSpacing = 524288;  // 2^19; kUnitsPerH in double
constexpr double kCellUnits = 1048576;       // 2^20, a cell of 2h
constexpr double kTwoTo32 = 4294967296.0;

}  // namespace

Units units_of(const Scene& scene) {
  Units units;
  units.length = scene.spacing;
  units.time = scene.time.max_step;
  units.density = scene.materials.empty() ? 1000 : scene.materials[0].density;
  Vec3 lowest{1e300, 1e300, 1e300};
  const auto take = [&](Vec3 p) {
    lowest = {std::min(lowest.x, p.x), std::min(lowest.y, p.y), std::min(lowest.z, p.z)};
  };
  for (const FluidParticle& p : scene.fluid) take(p.position);
  for (const BoundarySample& s : scene.boundary) take(s.position);
  for (const RigidBody& b : scene.rigid) take(b.position);
  if (scene.fluid.empty() && scene.boundary.empty() && scene.rigid.empty()) lowest = {};
  // A thousandth of a cell of slack: a corner on a cell's border is not left to rounding.
  const double cell = 2 * scene.spacing;
  const auto down = [&](double x) { return (std::floor(x / cell + 1e-3) - 1) * cell; };
  units.origin = {down(lowest.x), down(lowest.y), down(lowest.z)};
  return units;
}

FixedPoint to_fixed(const Units& units, Vec3 metres) {
  FixedPoint fixed;
  const double relative[3] = {(metres.x - units.origin.x) / units.length, (metres.y - units.origin.y) / units.length,
                              (metres.z - units.origin.z) / units.length};
  for (int axis = 0; axis < 3; ++axis) {
    const double value = std::floor(relative[axis] * kUnitsPerSpacing + 0.5);
    const double wrap = std::floor(value / kTwoTo32);
    fixed.wraps[axis] = static_cast<std::int32_t>(wrap);
    fixed.position[axis] = static_cast<std::uint32_t>(value - wrap * kTwoTo32);
  }
  return fixed;
}

std::array<std::int32_t, 3> unpack_wraps(std::uint32_t word) {
  std::array<std::int32_t, 3> wraps;
  for (int axis = 0; axis < 3; ++axis) {
    const auto shift = 32 - gpu::kWrapBits;
    wraps[axis] = static_cast<std::int32_t>(word << (shift - gpu::kWrapBits * axis)) >> shift;
  }
  return wraps;
}

std::uint32_t unpack_material(std::uint32_t word) { return word >> (3 * gpu::kWrapBits); }

std::uint32_t pack_low_word(const std::array<std::int32_t, 3>& wraps, std::uint32_t material) {
  const std::uint32_t mask = (1u << gpu::kWrapBits) - 1;
  std::uint32_t word = material << (3 * gpu::kWrapBits);
  for (int axis = 0; axis < 3; ++axis)
    word |= (static_cast<std::uint32_t>(wraps[axis]) & mask) << (gpu::kWrapBits * axis);
  return word;
}

std::uint32_t pack_sample(double weight, std::uint32_t body) {
  const double scaled = std::floor(weight * gpu::kSampleWeightOne + 0.5);
  return static_cast<std::uint32_t>(std::clamp(scaled, 0.0, 65535.0)) | body << 16;
}

Vec3 to_metres(const Units& units, const gpu::uvec4& position, const gpu::uvec4& low) {
  const std::array<std::int32_t, 3> wraps = unpack_wraps(low.w);
  const auto axis = [&](std::uint32_t high, std::uint32_t part, std::int32_t wrap, double origin) {
    const double whole = wrap * kTwoTo32 + high + part / kTwoTo32;
    return origin + whole / kUnitsPerSpacing * units.length;
  };
  return {axis(position.x, low.x, wraps[0], units.origin.x), axis(position.y, low.y, wraps[1], units.origin.y),
          axis(position.z, low.z, wraps[2], units.origin.z)};
}

static_assert(kCellUnits == 1u << gpu::kCellShift);

}  // namespace sluice
