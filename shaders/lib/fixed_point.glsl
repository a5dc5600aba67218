// Positions in fixed point (kUnit): differences of neighbours are exact and know nothing of wrapping.
#ifndef SLUICE_FIXED_POINT_GLSL
#define SLUICE_FIXED_POINT_GLSL
#include "lib/strict.glsl"

// x_i - x_j in h. Exact below 2^24 units (32 h); farther apart only its size matters.
vec3 difference(uvec3 a, uvec3 b) { return vec3(ivec3(a - b)) * kUnit; }

// Adds `move` (h) to a coordinate with its low word (2^-32 units); counts how often it wraps.
void advance(inout uint coordinate, inout uint low, inout int wraps, float move) {
  float units = clamped(move * kUnitsPerH, -1e9, 1e9);
  float whole = floor(units);
  // The fraction of a small negative number rounds to 1: the carry below takes it.
  uint fraction = uint(int((units - whole) * 16777216.0));
  int steps = int(whole) + int(fraction >> 24);
  uint low_part = fraction << 8;
  low += low_part;
  steps += low < low_part ? 1 : 0;
  uint moved = coordinate + uint(steps);
  wraps += steps >= 0 ? (moved < coordinate ? 1 : 0) : (moved > coordinate ? -1 : 0);
  coordinate = moved;
}

ivec3 unpack_wraps(uint word) {
  int shift = 32 - int(kWrapBits);
  return ivec3(int(word << shift) >> shift, int(word << (shift - 9)) >> shift, int(word << (shift - 18)) >> shift);
}
uint unpack_material(uint word) { return word >> (3 * kWrapBits); }
uint pack_low_word(ivec3 wraps, uint material) {
  uint mask = (1u << kWrapBits) - 1u;
  uvec3 w = uvec3(wraps) & mask;
  return w.x | (w.y << kWrapBits) | (w.z << (2 * kWrapBits)) | (material << (3 * kWrapBits));
}

// Coordinates in h from the device's origin; for sums and pictures only.
vec3 position_in_h(uvec3 position, uint packed) {
  // The words are signed here, half a turn aside: conversions from unsigned round differently.
  return vec3(unpack_wraps(packed)) * 8192.0 + (vec3(ivec3(position ^ 0x80000000u)) * kUnit + 4096.0);
}

#endif
