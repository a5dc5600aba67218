// A body's sum from those of its parts.
#ifndef SLUICE_BODY_SUMS_GLSL
#define SLUICE_BODY_SUMS_GLSL
#include "lib/buffers.glsl"

RigidSum body_sum(uint first, uint count) {
  RigidSum sum = RigidSum(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
  for (uint p = first; p < first + count; ++p) {
    RigidSum part = part_sum_buffer.at[p];
    sum.contact_force += part.contact_force;
    sum.contact_torque += part.contact_torque;
    sum.fluid_force += part.fluid_force;
    sum.fluid_torque += part.fluid_torque;
  }
  return sum;
}

#endif
