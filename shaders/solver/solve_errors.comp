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

layout(push_constant, scalar) uniform Push { SolveErrorsArgs args; };

void main() {
  uint i = thread_index();
  vec4 sums = vec4(0.0);  // residual, norm, active rows, rows that are not finite
  if (i < CONTROL(args.control).particles) {
    Row row = LOAD_ROW(args.neighbors, args.params, i);
    uvec4 own = GATHER4(position_texels, args.neighbors.position, i);
    vec3 a = GATHER_FLOATS(acceleration_texels, args.acceleration, i).xyz;
    vec4 solve = GATHER_FLOATS(solve_texels, args.solve, i);
    float error = solve.x - dot3(a, GATHER_FLOATS(wall_texels, args.wall, i).xyz);
    float divergence = 0.0;
    // Four at a time, as in solve_forces.
    for (uint k = 0; k < row.fluid_end; k += kRowBlock) {
      uvec4 j = row_block(row, k, row.fluid_end, i);
      vec3 to_a = difference(own.xyz, GATHER4(position_texels, args.neighbors.position, j.x).xyz);
      vec3 to_b = difference(own.xyz, GATHER4(position_texels, args.neighbors.position, j.y).xyz);
      vec3 to_c = difference(own.xyz, GATHER4(position_texels, args.neighbors.position, j.z).xyz);
      vec3 to_d = difference(own.xyz, GATHER4(position_texels, args.neighbors.position, j.w).xyz);
      float part_a = dot3(a - GATHER_FLOATS(acceleration_texels, args.acceleration, j.x).xyz, to_a);
      float part_b = dot3(a - GATHER_FLOATS(acceleration_texels, args.acceleration, j.y).xyz, to_b);
      float part_c = dot3(a - GATHER_FLOATS(acceleration_texels, args.acceleration, j.z).xyz, to_c);
      float part_d = dot3(a - GATHER_FLOATS(acceleration_texels, args.acceleration, j.w).xyz, to_d);
      vec4 slope = kernel_slopes(to_a, to_b, to_c, to_d);
      divergence += slope.x * part_a;
      divergence += slope.y * part_b;
      divergence += slope.z * part_c;
      divergence += slope.w * part_d;
    }
    for (uint k = row.fluid_end; kHasBodies != 0 && k < row.rigid_end; ++k) {
      uint j = row_entry(row, k);
      uvec4 s = GATHER4(sample_texels, args.neighbors.samples, j);
      vec3 d = difference(own.xyz, s.xyz);
      float slope = weight_of(s.w) * kernel_slope(length_squared(d));
      vec3 u = GATHER_FLOATS(sample_velocity_texels, args.sample_velocity, j).xyz;
      if (PARAMS(args.params).round != 0) {
        vec3 turn = GATHER_MEMBER(step_texels, args.steps, body_of(s.w), kStepTexels, kStepTurn, turn).xyz;
        vec3 grad = left_at_particle(gather_round(args.steps, body_of(s.w), own.xyz), slope * d);
        divergence -= dot3(u + cross3(turn, d), grad);
      } else {
        divergence -= slope * dot3(u, d);
      }
    }
    error -= divergence;

    float p = uintBitsToFloat(own.w);
    if (kHasBodies != 0 && row.rigid_end > row.fluid_end) {
      args.solve.at[i].w = error;
      if (PARAMS(args.params).mass_splitting != 0 && (p > 0.0 || error < 0.0)) {
        count_row(args.touching, row, args.neighbors.samples, own.xyz, kNoFace,
                  args.coupled.at[args.coupled_index.at[i]].body, 0);
      }
    } else {
      args.solve.at[i].w =
          jacobi_step(args.params, p, error, solve.y, kSmallDiagonal, PARAMS(args.params).relaxation, sums);
    }
    if (!finite(error) || !finite(a) || length_squared(a) > kMaxMove * kMaxMove) sums = vec4(0.0, 0.0, 0.0, 1.0);
  }
  vec4 sum[1] = vec4[1](sums);
  group_sums(sum);
  if (gl_LocalInvocationIndex == 0) {
    args.partials.at[group_index()] = SolvePartial(flush(sum[0].x), flush(sum[0].y), sum[0].z, sum[0].w);
  }
}
