#version 460
#extension GL_GOOGLE_include_directive : require
// The projected Jacobi step of a sample's pressure and friction multiplier [PT23 eq. 4.1, 4.4a, 4.6, 4.8; alg. 3].
// The diagonal is multiplied by the number of active samples of the sample's own body [eq. 4.4a, 4.5], as printed; or
// each body's part of it by the number of active rows that touch that body (mass splitting [Tonge et al. 2012]).
#define SLUICE_GROUP_SUMS 2
#include "lib/body_parts.glsl"
#include "lib/compliance.glsl"
#include "lib/friction.glsl"
#include "lib/solver.glsl"
#include "lib/workgroup.glsl"

// The multiplied diagonals of pressure and friction.
vec2 shared_diagonals(SampleRow record, vec2 of_crowded, float p) {
  vec2 compliances = vec2(overlap_to_mend(record, p).compliance, friction_compliance(record));
  if (has_many_bodies(record.body)) return of_crowded + compliances;
  bool splitting = PARAMS.mass_splitting != 0;
  float own_rows = rows_of(record.body.x);
  vec2 diagonal = own_rows * vec2(record.pressure.x, record.friction.x);
  for (uint slot = 1; slot < kRowBodies; ++slot) {
    if (record.body[slot] == kNoBody) continue;
    diagonal +=
        (splitting ? rows_of(record.body[slot]) : own_rows) * vec2(record.pressure[slot], record.friction[slot]);
  }
  return diagonal + compliances;
}

void main() {
  uint i = contact_sample(thread_index());
  vec4 sums = vec4(0.0);      // residual, norm, active rows, rows that are not finite
  vec4 friction = vec4(0.0);  // residual, norm, rows
  if (i != kNoBody) {
    SampleRow record = sample_row_of(i);
    if (record.body.x != kNoBody) {
      vec3 n = record.face.xyz;
      SampleSolve solve = sample_solve_of(i);
      vec2 diagonal = shared_diagonals(record, solve.next.xy, solve.value.w);
      float relaxation = PARAMS.relaxation_rigid;
      vec3 lambda = solve.value.xyz;
      vec4 next;
      next.w = jacobi_step(solve.value.w, solve.error.w, diagonal.x, kNoDiagonal, relaxation, sums);

      float radius = next.w * record.volume.y;
      if (PARAMS.staggered_friction != 0) {
        next.xyz = lambda;
      } else if (!(diagonal.y > kNoDiagonal)) {
        next.xyz = vec3(0.0);
      } else {
        vec3 step = (-reciprocal(diagonal.y)) * solve.error.xyz;
        if (PARAMS.friction_target != 0) {
          float rows = rows_of(record.body.x);
          vec3 target = project_to_cone(rows * step, n, radius);
          next.xyz = project_to_cone(lambda + divide(relaxation, rows) * target, n, radius);
        } else {
          next.xyz = project_to_cone(lambda + relaxation * step, n, radius);
        }
        if (sums.z > 0.0) {
          vec3 change = next.xyz - lambda;
          vec3 miss = lambda - project_to_cone(lambda + step, n, solve.value.w * record.volume.y);
          float weight = PARAMS.paper_mode != 0 ? 1.0 : diagonal.y;
          friction = vec4(diagonal.y * square_root(length_squared(miss)), weight * length_squared(change), 1.0, 0.0);
        }
      }
      sample_solve_buffer.at[i].next = flush4(next);
      vec3 a = sample_velocity_of(i).xyz;
      bool good = finite(solve.error.w) && finite(next.xyz) && finite(next.w) && finite(a) &&
                  length_squared(a) < kMaxMove * kMaxMove;
      if (!good) {
        sums = vec4(0.0, 0.0, 0.0, 1.0);
        friction = vec4(0.0);
      }
    } else {
      sample_solve_buffer.at[i].next = vec4(0.0);
    }
  }
  vec4 sum[2] = vec4[2](sums, friction);
  group_sums(sum);
  if (gl_LocalInvocationIndex == 0) {
    contact_partial_buffer.at[group_index()] = ContactPartial(flush(sum[0].x), flush(sum[0].y), sum[0].z, sum[0].w,
                                                              flush(sum[1].x), flush(sum[1].y), sum[1].z, 0.0);
  }
}
