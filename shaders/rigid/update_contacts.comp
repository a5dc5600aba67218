#version 460
#extension GL_GOOGLE_include_directive : require
// The conjugate step of a sample's unknowns, projected: p >= 0, lambda in the cone of that p [PT23 alg. 2 l. 16-19].
#include "lib/friction.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { UpdateContactsArgs args; };

void main() {
  uint i = contact_sample(args.control, args.contact_samples, thread_index());
  if (i == kNoBody) return;
  uvec4 own = GATHER4(sample_texels, args.samples, i);
  SampleRow record = gather_sample_row(args.rows, i);
  if (record.body.x == kNoBody) return;
  SampleSolve solve = gather_sample_solve(args.solve, i);
  vec4 value = solve.value;
  if (CONTROL(args.control).restore_best != 0) {
    value = solve.best;
  } else {
    if (CONTROL(args.control).save_best != 0) args.solve.at[i].best = value;
    float beta = CONTROL(args.control).beta;
    vec4 next = solve.next;
    vec4 direction = vec4(0.0);
    if (beta >= 0.0) {
      vec4 momentum = beta * solve.direction;
      direction = flush4(momentum + (next - value));
      next += momentum;
      next.w = larger(next.w, 0.0);
      if (PARAMS(args.params).staggered_friction == 0) {
        next.xyz = project_to_cone(next.xyz, record.face.xyz, next.w * record.volume.y);
      }
    }
    args.solve.at[i].direction = direction;
    value = flush4(next);
  }
  args.solve.at[i].value = value;
  float v0 = record.volume.x;
  args.load.at[i] = vec4(flush(record.arm.w * (value.xyz + tilt_force(args.params, record, value.w))),
                            flush(marked_load(record, value.w)));
}
