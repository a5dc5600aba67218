#version 460
#extension GL_GOOGLE_include_directive : require
// The conjugate step of a sample's unknowns, projected: p >= 0, lambda in the cone of that p [PT23 alg. 2 l. 16-19].
#include "lib/friction.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = contact_sample(thread_index());
  if (i == kNoBody) return;
  uvec4 own = rigid_sample_of(i);
  SampleRow record = sample_row_of(i);
  if (record.body.x == kNoBody) return;
  SampleSolve solve = sample_solve_of(i);
  vec4 value = solve.value;
  if (CONTROL.restore_best != 0) {
    value = solve.best;
  } else {
    if (CONTROL.save_best != 0) sample_solve_buffer.at[i].best = value;
    float beta = CONTROL.beta;
    vec4 next = solve.next;
    vec4 direction = vec4(0.0);
    if (beta >= 0.0) {
      vec4 momentum = beta * solve.direction;
      direction = flush4(momentum + (next - value));
      next += momentum;
      next.w = larger(next.w, 0.0);
      if (PARAMS.staggered_friction == 0) {
        next.xyz = project_to_cone(next.xyz, record.face.xyz, next.w * record.volume.y);
      }
    }
    sample_solve_buffer.at[i].direction = direction;
    value = flush4(next);
  }
  sample_solve_buffer.at[i].value = value;
  float v0 = record.volume.x;
  sample_load_buffer.at[i] =
      vec4(flush(record.arm.w * (value.xyz + tilt_force(record, value.w))), flush(marked_load(record, value.w)));
}
