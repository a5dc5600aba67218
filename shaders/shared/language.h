// The one place where GLSL and C++ differ: vector types and typed buffer addresses.
// REF(T) is T_ref in GLSL (a buffer reference; elements are `r.at[i]`) and Ptr<T> in C++,
// so that handing a pass the wrong buffer does not compile. Scalar layout on both sides.
#ifndef SLUICE_LANGUAGE_H
#define SLUICE_LANGUAGE_H

#ifdef __cplusplus
#include <bit>
#include <cmath>
#include <cstdint>

namespace sluice::gpu {
using uint = std::uint32_t;
struct vec4 {
  float x, y, z, w;
};
struct uvec2 {
  uint x, y;
};
struct uvec4 {
  uint x, y, z, w;
};
inline uint floatBitsToUint(float x) { return std::bit_cast<uint>(x); }
inline float uintBitsToFloat(uint x) { return std::bit_cast<float>(x); }
using std::abs;
using std::floor;
template <typename T>
struct Ptr {
  std::uint64_t address = 0;
};
}  // namespace sluice::gpu

#define REF(T) ::sluice::gpu::Ptr<T>
#define DECLARE_REF(T, alignment)
#define DECLARE_VECTOR_REF(T, alignment)
#define BEGIN_SHARED namespace sluice::gpu {
#define END_SHARED }
#define CONSTANT inline constexpr uint
#define FLOAT_CONSTANT inline constexpr float
#define FUNCTION inline
#define OUT(T) T&
#else
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#define REF(T) T##_ref
#define DECLARE_REF(T, alignment) \
  layout(buffer_reference, scalar, buffer_reference_align = alignment) buffer T##_ref { T at[]; };
// std430, so that a vector is loaded as one and not as its scalars.
#define DECLARE_VECTOR_REF(T, alignment) \
  layout(buffer_reference, std430, buffer_reference_align = alignment) buffer T##_ref { T at[]; };
#define BEGIN_SHARED
#define END_SHARED
#define CONSTANT const uint
#define FLOAT_CONSTANT const float
#define FUNCTION
#define OUT(T) out T
#endif

BEGIN_SHARED
DECLARE_REF(uint, 4)
DECLARE_REF(float, 4)
DECLARE_VECTOR_REF(vec4, 16)
DECLARE_VECTOR_REF(uvec2, 8)
DECLARE_VECTOR_REF(uvec4, 16)
END_SHARED

#endif
