// Loads by an index that differs from thread to thread: GATHER4(position_texels, args.neighbors.position, j).
// With SLUICE_TEXELS they are fetches from texel buffers over the same memory. Mesa's llvmpipe makes those eight at a
// time and loads by address one by one: solver passes took a fifth of the time (Mesa 22.3.6, AVX2). Drivers of GPUs
// and SwiftShader load by address as fast or faster. The bits are the same.
#ifndef SLUICE_GATHER_GLSL
#define SLUICE_GATHER_GLSL
#include "shared/args.h"

#ifdef SLUICE_TEXELS
layout(set = 0, binding = kTexelPosition) uniform utextureBuffer position_texels;
layout(set = 0, binding = kTexelBoundary) uniform utextureBuffer boundary_texels;
layout(set = 0, binding = kTexelSamples) uniform utextureBuffer sample_texels;
layout(set = 0, binding = kTexelRows) uniform utextureBuffer row_texels;
layout(set = 0, binding = kTexelHeads) uniform utextureBuffer head_texels;
layout(set = 0, binding = kTexelAcceleration) uniform utextureBuffer acceleration_texels;
layout(set = 0, binding = kTexelVelocity) uniform utextureBuffer velocity_texels;
layout(set = 0, binding = kTexelLow) uniform utextureBuffer low_texels;
layout(set = 0, binding = kTexelWall) uniform utextureBuffer wall_texels;
layout(set = 0, binding = kTexelSolve) uniform utextureBuffer solve_texels;
layout(set = 0, binding = kTexelSampleVelocity) uniform utextureBuffer sample_velocity_texels;
layout(set = 0, binding = kTexelLoad) uniform utextureBuffer load_texels;
layout(set = 0, binding = kTexelSortedSamples) uniform utextureBuffer sorted_sample_texels;
layout(set = 0, binding = kTexelCells) uniform utextureBuffer cell_texels;
layout(set = 0, binding = kTexelSampleCells) uniform utextureBuffer sample_cell_texels;
layout(set = 0, binding = kTexelBoundaryCells) uniform utextureBuffer boundary_cell_texels;
layout(set = 0, binding = kTexelSteps) uniform utextureBuffer step_texels;
layout(set = 0, binding = kTexelSampleRows) uniform utextureBuffer sample_row_texels;
layout(set = 0, binding = kTexelSampleSolve) uniform utextureBuffer sample_solve_texels;
layout(set = 0, binding = kTexelBodies) uniform utextureBuffer body_texels;
layout(set = 0, binding = kTexelParams) uniform utextureBuffer param_texels;

// What all threads read alike: llvmpipe loads it once for eight.
layout(set = 0, binding = kUniformParams, scalar) uniform ParamsView { Params params_view; };
layout(set = 0, binding = kUniformControl, scalar) uniform ControlView { Control control_view; };
// Not in passes that write what they read.
#define PARAMS(params) params_view
#define CONTROL(control) control_view

#define GATHER2(texels, ref, i) texelFetch(texels, int(i)).xy
#define GATHER4(texels, ref, i) texelFetch(texels, int(i))
#define GATHER_FLOATS(texels, ref, i) uintBitsToFloat(texelFetch(texels, int(i)))
// A member, vec4 number `place`, of record `i`; records consist of `size` of them.
#define GATHER_WORDS(texels, ref, i, size, place, member) texelFetch(texels, int((i)*size + place))
#define GATHER_MEMBER(texels, ref, i, size, place, member) uintBitsToFloat(texelFetch(texels, int((i)*size + place)))
#define MATERIAL_INVERSE_MASS(params, m) uintBitsToFloat(texelFetch(param_texels, int(kMaterialWord + 4 * (m) + 1)).x)
#define MATERIAL_VISCOSITY(params, m) uintBitsToFloat(texelFetch(param_texels, int(kMaterialWord + 4 * (m) + 2)).x)
#define PAIR_FRICTION(params, pair) uintBitsToFloat(texelFetch(param_texels, int(kPairWord + (pair))).x)
#define PAIR_RESTITUTION(params, pair) uintBitsToFloat(texelFetch(param_texels, int(kPairRestitutionWord + (pair))).x)
// Texel views as arguments of a function.
#define TEXEL_VIEWS(a, b) , a, b

SampleRow gather_sample_row(SampleRow_ref rows, uint i) {
  int first = 10 * int(i);
  return SampleRow(uintBitsToFloat(texelFetch(sample_row_texels, first)),
                   uintBitsToFloat(texelFetch(sample_row_texels, first + 1)),
                   uintBitsToFloat(texelFetch(sample_row_texels, first + 2)), texelFetch(sample_row_texels, first + 3),
                   uintBitsToFloat(texelFetch(sample_row_texels, first + 4)),
                   uintBitsToFloat(texelFetch(sample_row_texels, first + 5)),
                   uintBitsToFloat(texelFetch(sample_row_texels, first + 6)),
                   uintBitsToFloat(texelFetch(sample_row_texels, first + 7)),
                   uintBitsToFloat(texelFetch(sample_row_texels, first + 8)),
                   uintBitsToFloat(texelFetch(sample_row_texels, first + 9)));
}
SampleSolve gather_sample_solve(SampleSolve_ref solve, uint i) {
  int first = 6 * int(i);
  return SampleSolve(uintBitsToFloat(texelFetch(sample_solve_texels, first)),
                     uintBitsToFloat(texelFetch(sample_solve_texels, first + 1)),
                     uintBitsToFloat(texelFetch(sample_solve_texels, first + 2)),
                     uintBitsToFloat(texelFetch(sample_solve_texels, first + 3)),
                     uintBitsToFloat(texelFetch(sample_solve_texels, first + 4)),
                     uintBitsToFloat(texelFetch(sample_solve_texels, first + 5)));
}
RigidStep gather_step(RigidStep_ref steps, uint body) {
  int first = int(kStepTexels * body);
  return RigidStep(
      texelFetch(step_texels, first), uintBitsToFloat(texelFetch(step_texels, first + 1)),
      uintBitsToFloat(texelFetch(step_texels, first + 2)), uintBitsToFloat(texelFetch(step_texels, first + 3)),
      uintBitsToFloat(texelFetch(step_texels, first + 4)), uintBitsToFloat(texelFetch(step_texels, first + 5)),
      uintBitsToFloat(texelFetch(step_texels, first + 6)), uintBitsToFloat(texelFetch(step_texels, first + 7)),
      uintBitsToFloat(texelFetch(step_texels, first + 8)), uintBitsToFloat(texelFetch(step_texels, first + 9)));
}
#else
#define PARAMS(params) (params).at[0]
#define CONTROL(control) (control).at[0]
#define GATHER2(texels, ref, i) (ref).at[i]
#define GATHER4(texels, ref, i) (ref).at[i]
#define GATHER_FLOATS(texels, ref, i) (ref).at[i]
#define GATHER_WORDS(texels, ref, i, size, place, member) (ref).at[i].member
#define GATHER_MEMBER(texels, ref, i, size, place, member) (ref).at[i].member
#define MATERIAL_INVERSE_MASS(params, m) (params).at[0].materials[m].inverse_mass
#define MATERIAL_VISCOSITY(params, m) (params).at[0].materials[m].viscosity
// A constant component at a time: llvmpipe crashes where the component of a vector in memory is chosen at run time.
float component_of(vec4 v, uint c) { return c == 0 ? v.x : c == 1 ? v.y : c == 2 ? v.z : v.w; }
#define PAIR_FRICTION(params, pair) component_of((params).at[0].pair_friction[(pair) / 4], (pair) % 4)
#define PAIR_RESTITUTION(params, pair) component_of((params).at[0].pair_restitution[(pair) / 4], (pair) % 4)
#define TEXEL_VIEWS(a, b)

SampleRow gather_sample_row(SampleRow_ref rows, uint i) { return rows.at[i]; }
SampleSolve gather_sample_solve(SampleSolve_ref solve, uint i) { return solve.at[i]; }
RigidStep gather_step(RigidStep_ref steps, uint body) { return steps.at[body]; }
#endif

#endif
