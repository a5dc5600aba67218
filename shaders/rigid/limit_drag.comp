#version 460
#extension GL_GOOGLE_include_directive : require
// The share of a body's drag that an explicit step may apply: a light body would otherwise be thrown back faster than it
// came. Where the limit acts, half of its speed relative to the fluid goes within a step: it is carried along anyway.
// Counts contacts.
#include "lib/body_sums.glsl"
#include "lib/buffers.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint b = thread_index();
  if (b >= PARAMS.rigid + PARAMS.carriers) return;
  if (CONTROL.contact_chunks == 0) return;
  RigidSum sum = body_sum(rigid_body_buffer.at[b].first_part, rigid_body_buffer.at[b].parts);
  float rate = CONTROL.tau * sum.fluid_force.w;
  rigid_step_buffer.at[b].velocity.w = rate > 0.5 ? divide(0.5, rate) : 1.0;
  rigid_step_buffer.at[b].spin.w = sum.contact_force.w;
  // The boundaries' row carriers are no contacts of their own: where they touch, the body's samples do.
  if (b < PARAMS.rigid && sum.contact_force.w > 0.0)
    atomicAdd(control_buffer.at[0].contacts, uint(int(sum.contact_force.w)));
}
