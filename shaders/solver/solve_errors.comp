#version 460
#extension GL_GOOGLE_include_directive : require
// The volume error at the next step and the projected relaxed Jacobi step [PT23 eq. 3.14, 4.1a, 4.4b;
// alg. 4 l. 12, alg. 3]; its Fischer-Burmeister residual and the norm of its change, summed by workgroup.
#define SLUICE_GROUP_SUMS
#include "lib/kernel.glsl"
#include "lib/neighbors.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SolveErrorsArgs args; };

void main() {
  uint i = thread_index();
  vec4 sums = vec4(0.0);  // residual, norm, active rows, rows that are not finite
  if (i < args.control.at[0].particles) {
    Row row = LOAD_ROW(args.neighbors, args.params, i);
    uvec4 own = args.neighbors.position.at[i];
    vec3 a = args.acceleration.at[i].xyz;
    vec4 solve = args.solve.at[i];
    float error = solve.x - dot3(a, args.wall.at[i].xyz);
    float divergence = 0.0;
    for (uint k = 0; k < row.fluid_end; ++k) {
      uint j = row_entry(row, k);
      vec3 d = difference(own.xyz, args.neighbors.position.at[j].xyz);
      divergence += kernel_slope(length_squared(d)) * dot3(a - args.acceleration.at[j].xyz, d);
    }
    error -= divergence;

    float p = uintBitsToFloat(own.w);
    float diagonal = solve.y;
    // A particle without a gradient cannot be moved by its pressure: no row.
    bool has_row = diagonal > 1e-9;
    float next = has_row ? larger(p - args.params.at[0].relaxation * divide(error, diagonal), 0.0) : 0.0;
    args.solve.at[i].w = flush(next);

    if (has_row && (p > 0.0 || error < 0.0)) {
      float scaled = p * diagonal;
      float fischer_burmeister = scaled + error - square_root(scaled * scaled + error * error);
      float change = next - p;
      float weight = args.params.at[0].paper_mode != 0 ? 1.0 : diagonal;
      sums = vec4(abs(fischer_burmeister), weight * (change * change), 1.0, 0.0);
    }
    if (!finite(error) || !finite(a) || length_squared(a) > kMaxMove * kMaxMove) sums = vec4(0.0, 0.0, 0.0, 1.0);
  }
  vec4 sum = group_sum(sums);
  if (gl_LocalInvocationIndex == 0) {
    args.partials.at[group_index()] = SolvePartial(flush(sum.x), flush(sum.y), sum.z, sum.w);
  }
}
