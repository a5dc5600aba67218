#version 460
#extension GL_GOOGLE_include_directive : require
// The volume error at the next step and the projected relaxed Jacobi step [PT23 eq. 3.14, 4.1a, 4.4b;
// alg. 4 l. 12, alg. 3]; its Fischer-Burmeister residual and the norm of its change, summed by workgroup. Particles
// next to bodies only leave their error here and count themselves: rigid/solve_coupled.comp goes on with them.
#define SLUICE_GROUP_SUMS 1
#include "lib/body_parts.glsl"
#include "lib/round.glsl"
#include "lib/solver.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  vec4 sums = vec4(0.0);  // residual, norm, active rows, rows that are not finite
  if (i < CONTROL.particles) {
    Row row = load_row(i);
    uvec4 own = position_of(i);
    vec3 a = acceleration_of(i).xyz;
    vec4 solve = solve_of(i);
    float error = solve.x - dot3(a, wall_of(i).xyz);
    float divergence = 0.0;
    // Four at a time, as in solve_forces.
    for (uint k = 0; k < row.fluid_end; k += kRowBlock) {
      uvec4 j = row_block(row, k, row.fluid_end, i);
      vec3 to_a = difference(own.xyz, position_of(j.x).xyz);
      vec3 to_b = difference(own.xyz, position_of(j.y).xyz);
      vec3 to_c = difference(own.xyz, position_of(j.z).xyz);
      vec3 to_d = difference(own.xyz, position_of(j.w).xyz);
      float part_a = dot3(a - acceleration_of(j.x).xyz, to_a);
      float part_b = dot3(a - acceleration_of(j.y).xyz, to_b);
      float part_c = dot3(a - acceleration_of(j.z).xyz, to_c);
      float part_d = dot3(a - acceleration_of(j.w).xyz, to_d);
      vec4 slope = kernel_slopes(to_a, to_b, to_c, to_d);
      divergence += slope.x * part_a;
      divergence += slope.y * part_b;
      divergence += slope.z * part_c;
      divergence += slope.w * part_d;
    }
    for (uint k = row.fluid_end; kHasBodies != 0 && k < row.rigid_end; ++k) {
      uint j = row_entry(row, k);
      uvec4 s = rigid_sample_of(j);
      vec3 d = difference(own.xyz, s.xyz);
      float slope = weight_of(s.w) * kernel_slope(length_squared(d));
      vec3 u = sample_velocity_of(j).xyz;
      if (PARAMS.round != 0) {
        vec3 turn = FIELD(rigid_step, body_of(s.w), turn).xyz;
        vec3 grad = left_at_particle(gather_round(body_of(s.w), own.xyz), slope * d);
        divergence -= dot3(u + cross3(turn, d), grad);
      } else {
        divergence -= slope * dot3(u, d);
      }
    }
    error -= divergence;

    float p = uintBitsToFloat(own.w);
    if (kHasBodies != 0 && row.rigid_end > row.fluid_end) {
      solve_buffer.at[i].w = error;
      if (PARAMS.mass_splitting != 0 && (p > 0.0 || error < 0.0)) {
        count_row(row, own.xyz, kNoFace, coupled_row_buffer.at[coupled_index_buffer.at[i]].body, 0);
      }
    } else {
      solve_buffer.at[i].w = jacobi_step(p, error, solve.y, kSmallDiagonal, PARAMS.relaxation, sums);
    }
    if (!finite(error) || !finite(a) || length_squared(a) > kMaxMove * kMaxMove) sums = vec4(0.0, 0.0, 0.0, 1.0);
  }
  vec4 sum[1] = vec4[1](sums);
  group_sums(sum);
  if (gl_LocalInvocationIndex == 0) {
    solve_partial_buffer.at[group_index()] = SolvePartial(flush(sum[0].x), flush(sum[0].y), sum[0].z, sum[0].w);
  }
}
