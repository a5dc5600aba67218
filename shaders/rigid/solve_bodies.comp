#version 460
#extension GL_GOOGLE_include_directive : require
// What the solver's forces do to each body within the step [PT23 eq. 3.11b, c].
#include "lib/body_sums.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint b = thread_index();
  if (b >= PARAMS.rigid + PARAMS.carriers) return;
  RigidSum sum = body_sum(rigid_body_buffer.at[b].first_part, rigid_body_buffer.at[b].parts);
  RigidStep step = rigid_step_buffer.at[b];
  vec3 force = sum.contact_force.xyz + sum.fluid_force.xyz;
  vec3 torque = sum.contact_torque.xyz + sum.fluid_torque.xyz;
  rigid_step_buffer.at[b].shift = vec4(flush(step.inverse_mass.xyz * force), 0.0);
  rigid_step_buffer.at[b].turn = vec4(flush(times(step.inverse_diagonal, step.inverse_mixed, torque)), 0.0);
  body_sum_buffer.at[b] = sum;
  touching_rows_buffer.at[b] = 0;
}
