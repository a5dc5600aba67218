#version 460
#extension GL_GOOGLE_include_directive : require
// v_r = v_R + omega_R x (x_r - x_R) [PT23 eq. 3.11a] of the samples with foreign neighbours: by v* and omega*, or by what the
// solver's forces add to them.
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { MoveSamplesArgs args; };

void main() {
  uint i = contact_sample(args.control, args.contact_samples, thread_index());
  if (i == kNoBody) return;
  uvec4 own = GATHER4(sample_texels, args.samples, i);
  if (args.predicted != 0 && !is_seen_sample(own.w)) return;  // carriers move by the chord of their boundary
  RigidStep step = gather_step(args.steps, body_of(own.w));
  vec3 arm = difference(own.xyz, step.center.xyz);
  vec3 linear = args.predicted != 0 ? step.velocity.xyz : step.shift.xyz;
  vec3 angular = args.predicted != 0 ? step.spin.xyz : step.turn.xyz;
  args.velocity.at[i].xyz = flush(linear + cross3(angular, arm));
}
