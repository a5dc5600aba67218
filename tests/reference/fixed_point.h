// Fixed-point coordinates of the engine and how they relate to lengths in h.
// A coordinate is a 32-bit integer that wraps around: 12 bits of cell, 20 bits of offset in a cell of 2h.
#pragma once

#include <cmath>
#include <cstdint>

namespace sluice::reference {

// One unit in h.
inline constexpr double kFixedPointUnit = 2.0 / (1 << 20);

// a - b in units, right as long as the true difference is under half the range (4096 h) whatever wrapped between.
// Computed unsigned because signed overflow is undefined.
inline std::int32_t wrapped_difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}

// A coordinate in h, measured from `origin`, exact. Taking one particle of the scene as the origin of all of them
// undoes the wrapping for any scene under 4096 h wide.
inline double from_fixed_point(std::int32_t coordinate, std::int32_t origin = 0) {
  return wrapped_difference(coordinate, origin) * kFixedPointUnit;
}

// The nearest coordinate to a length in h, halves upwards; |length| under 2^40 h.
inline std::int32_t to_fixed_point(double length) {
  const auto units = static_cast<std::int64_t>(std::floor(length / kFixedPointUnit + 0.5));
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(units));
}

}  // namespace sluice::reference
