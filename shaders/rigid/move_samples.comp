#version 460
#extension GL_GOOGLE_include_directive : require
// v_r = v_R + omega_R x (x_r - x_R) [PT23 eq. 3.11a] of the samples with foreign neighbours: by v* and omega*, or by
// what the solver's forces add to them.
#define SLUICE_ARGS MoveSamplesArgs
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = contact_sample(thread_index());
  if (i == kNoBody) return;
  uvec4 own = rigid_sample_of(i);
  if (args.predicted != 0 && !is_seen_sample(own.w)) return;  // carriers move by the chord of their boundary
  RigidStep step = rigid_step_of(body_of(own.w));
  vec3 arm = difference(own.xyz, step.center.xyz);
  vec3 linear = args.predicted != 0 ? step.velocity.xyz : step.shift.xyz;
  vec3 angular = args.predicted != 0 ? step.spin.xyz : step.turn.xyz;
  sample_velocity_buffer.at[i].xyz = flush(linear + cross3(angular, arm));
}
