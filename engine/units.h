// Between SI and solver units: length h, time T0 (the scene's largest step), mass rho_ref h^3; and
// between metres and the device's fixed-point coordinates.
#pragma once

#include <array>
#include <cstdint>

#include "shaders/shared/state.h"
#include "sluice/scene.h"

namespace sluice {

struct Units {
  double length = 1;   // h, m
  double time = 1;     // T0, s
  double density = 1;  // rho_ref, kg/m^3: material 0
  Vec3 origin;         // m; the device's coordinates start here, a whole number of cells from 0

  double mass() const { return density * length * length * length; }
  double velocity() const { return length / time; }
  double force() const { return mass() * length / (time * time); }
  double energy() const { return mass() * length * length / (time * time); }
};

// The origin is the cell that holds the lowest corner, so that a scene moved by whole cells has the
// same device coordinates, hence the same bits.
Units units_of(const Scene& scene);

// A coordinate of 64 bits: 2^-32 of a unit each; the upper word is what neighbours compare, its
// overflow is the wrap count.
struct FixedPoint {
  std::array<std::uint32_t, 3> position{};
  std::array<std::int32_t, 3> wraps{};
};
inline float narrow(double value) { return static_cast<float>(value); }
inline gpu::vec4 packed(Vec3 v, double w = 0) { return {narrow(v.x), narrow(v.y), narrow(v.z), narrow(w)}; }
FixedPoint to_fixed(const Units& units, Vec3 metres);
Vec3 to_metres(const Units& units, const gpu::uvec4& position, const gpu::uvec4& low);

std::uint32_t pack_low_word(const std::array<std::int32_t, 3>& wraps, std::uint32_t material);
std::array<std::int32_t, 3> unpack_wraps(std::uint32_t word);
std::uint32_t unpack_material(std::uint32_t word);
std::uint32_t pack_sample(double weight, std::uint32_t body);

}  // namespace sluice
