// The buffers of engine/buffers.def, as every pass sees them: `wall_of(i)` reads an element, `wall_buffer.at[i]` is one
// to be written; PARAMS and CONTROL are the only records of theirs, to be read. A pass that has numbers of its own
// names their struct before it includes this:
//   #define SLUICE_ARGS MoveSamplesArgs
// With SLUICE_TEXELS, rows of GATHERED are read by fetches from texel buffers over the same memory. Mesa's llvmpipe
// makes those eight at a time and loads by address one by one: solver passes took a fifth of the time (Mesa 22.3.6,
// AVX2). Drivers of GPUs and SwiftShader load by address as fast or faster. The bits are the same.
#ifndef SLUICE_BUFFERS_GLSL
#define SLUICE_BUFFERS_GLSL
#include "shared/args.h"
#include "shared/buffers.h"

layout(push_constant, scalar) uniform Push {
  BufferTable_ref buffers;
#ifdef SLUICE_ARGS
  SLUICE_ARGS args;
#endif
};

#ifdef SLUICE_TEXELS
// Records that all threads read alike: llvmpipe loads them once for eight.
layout(set = 0, binding = kUniformBuffers, scalar) uniform BuffersView { BufferTable buffers_view; };
layout(set = 0, binding = kUniformParams, scalar) uniform ParamsView { Params params_view; };
layout(set = 0, binding = kUniformControl, scalar) uniform ControlView { Control control_view; };
#define BUFFERS buffers_view
// Not in passes that write what they read.
#define PARAMS params_view
#define CONTROL control_view
#else
#define BUFFERS buffers.at[0]
#define PARAMS params_buffer.at[0]
#define CONTROL control_buffer.at[0]
#endif

#define BUFFER(name, Element, count, lifetime, part) Element##_ref name##_buffer = Element##_ref(BUFFERS.name);
#define GATHERED(name, Element, count, lifetime, part, binding) BUFFER(name, Element, count, lifetime, part)
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED

#ifdef SLUICE_TEXELS
layout(set = 0, binding = kTexelRows) uniform utextureBuffer row_texels;
layout(set = 0, binding = kTexelParams) uniform utextureBuffer param_texels;

vec4 vec4_at(utextureBuffer texels, uint i) { return uintBitsToFloat(texelFetch(texels, int(i))); }
uvec4 uvec4_at(utextureBuffer texels, uint i) { return texelFetch(texels, int(i)); }
uvec2 uvec2_at(utextureBuffer texels, uint i) { return texelFetch(texels, int(i)).xy; }
// Records, word by word: what is not used is not fetched.
SampleRow SampleRow_at(utextureBuffer texels, uint i) {
  uint k = kSampleRowTexels * i;
  return SampleRow(vec4_at(texels, k), vec4_at(texels, k + 1), vec4_at(texels, k + 2), uvec4_at(texels, k + 3),
                   vec4_at(texels, k + 4), vec4_at(texels, k + 5), vec4_at(texels, k + 6), vec4_at(texels, k + 7),
                   vec4_at(texels, k + 8), vec4_at(texels, k + 9));
}
SampleSolve SampleSolve_at(utextureBuffer texels, uint i) {
  uint k = kSampleSolveTexels * i;
  return SampleSolve(vec4_at(texels, k), vec4_at(texels, k + 1), vec4_at(texels, k + 2), vec4_at(texels, k + 3),
                     vec4_at(texels, k + 4), vec4_at(texels, k + 5));
}
RigidStep RigidStep_at(utextureBuffer texels, uint i) {
  uint k = kRigidStepTexels * i;
  return RigidStep(uvec4_at(texels, k), vec4_at(texels, k + 1), vec4_at(texels, k + 2), vec4_at(texels, k + 3),
                   vec4_at(texels, k + 4), vec4_at(texels, k + 5), vec4_at(texels, k + 6), vec4_at(texels, k + 7),
                   vec4_at(texels, k + 8), vec4_at(texels, k + 9));
}
BodyState BodyState_at(utextureBuffer texels, uint i) {
  uint k = kBodyStateTexels * i;
  return BodyState(uvec4_at(texels, k), uvec4_at(texels, k + 1), vec4_at(texels, k + 2), vec4_at(texels, k + 3),
                   vec4_at(texels, k + 4), vec4_at(texels, k + 5), vec4_at(texels, k + 6), vec4_at(texels, k + 7),
                   vec4_at(texels, k + 8), vec4_at(texels, k + 9));
}
#define GATHERED(name, Element, count, lifetime, part, texel_binding)            \
  layout(set = 0, binding = texel_binding) uniform utextureBuffer name##_texels; \
  Element name##_of(uint i) { return Element##_at(name##_texels, i); }
// A member of a record that is loaded for its sake alone.
#define FIELD(buffer, i, member) buffer##_of(i).member
// Words of Params, by index.
float material_inverse_mass(uint m) {
  return uintBitsToFloat(texelFetch(param_texels, int(kMaterialWord + 4 * m + 1)).x);
}
float material_viscosity(uint m) { return uintBitsToFloat(texelFetch(param_texels, int(kMaterialWord + 4 * m + 2)).x); }
float friction_of_pair(uint pair) { return uintBitsToFloat(texelFetch(param_texels, int(kPairWord + pair)).x); }
float restitution_of_pair(uint pair) {
  return uintBitsToFloat(texelFetch(param_texels, int(kPairRestitutionWord + pair)).x);
}
// Texel views as arguments of a function.
#define TEXEL_VIEWS(a, b) , a, b
#else
#define GATHERED(name, Element, count, lifetime, part, texel_binding) BUFFER(name, Element, count, lifetime, part)
#define FIELD(buffer, i, member) buffer##_buffer.at[i].member
float material_inverse_mass(uint m) { return PARAMS.materials[m].inverse_mass; }
float material_viscosity(uint m) { return PARAMS.materials[m].viscosity; }
// A constant component at a time: llvmpipe crashes where the component of a vector in memory is chosen at run time.
float component_of(vec4 v, uint c) { return c == 0 ? v.x : c == 1 ? v.y : c == 2 ? v.z : v.w; }
float friction_of_pair(uint pair) { return component_of(PARAMS.pair_friction[pair / 4], pair % 4); }
float restitution_of_pair(uint pair) { return component_of(PARAMS.pair_restitution[pair / 4], pair % 4); }
#define TEXEL_VIEWS(a, b)
#endif

#define BUFFER(name, Element, count, lifetime, part) \
  Element name##_of(uint i) { return name##_buffer.at[i]; }
#include "engine/buffers.def"
#undef BUFFER
#undef GATHERED

#endif
