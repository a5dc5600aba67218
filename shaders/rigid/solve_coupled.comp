#version 460
#extension GL_GOOGLE_include_directive : require
// The projected Jacobi step of fluid particles next to bodies [PT23 eq. 4.1a, 4.4b]: as in solver/solve_errors.comp,
// but after all rows have been counted, since each body's part of the diagonal is multiplied by the number of active
// rows that touch the body (mass splitting; without it the factor is 1).
#define SLUICE_GROUP_SUMS 1
#include "lib/body_parts.glsl"
#include "lib/solver.glsl"
#include "lib/workgroup.glsl"

float sharing_rows(uint body) { return PARAMS.mass_splitting != 0 ? rows_of(body) : 1.0; }

void main() {
  uint c = thread_index();
  vec4 sums = vec4(0.0);
  if (c < CONTROL.coupled) {
    uint i = coupled_particle_buffer.at[c];
    vec4 solve = solve_of(i);
    float diagonal = solve.y;
    CoupledRow record = coupled_row_buffer.at[c];
    if (has_many_bodies(record.body)) {
      Row row = load_row(i);
      uvec3 x = position_of(i).xyz;
      for (uint body = next_body(row, x, kNoFace, kNoBody); body != kNoBody; body = next_body(row, x, kNoFace, body)) {
        diagonal += sharing_rows(body) * coupled_part(row, x, body, rigid_step_buffer.at[body]);
      }
    } else {
      for (uint slot = 0; slot < kRowBodies && record.body[slot] != kNoBody; ++slot) {
        diagonal += sharing_rows(record.body[slot]) * record.pressure[slot];
      }
    }
    float error = solve.w;
    float p = uintBitsToFloat(position_of(i).w);
    solve_buffer.at[i].w = jacobi_step(p, error, diagonal, kSmallDiagonal, PARAMS.relaxation, sums);
    if (!finite(error)) sums = vec4(0.0, 0.0, 0.0, 1.0);
  }
  vec4 sum[1] = vec4[1](sums);
  group_sums(sum);
  if (gl_LocalInvocationIndex == 0) {
    coupled_partial_buffer.at[group_index()] = SolvePartial(flush(sum[0].x), flush(sum[0].y), sum[0].z, sum[0].w);
  }
}
