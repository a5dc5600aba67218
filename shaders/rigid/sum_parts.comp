#version 460
#extension GL_GOOGLE_include_directive : require
// Sums of contact chunks into sums of parts, in order.
#include "lib/gather.glsl"
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { SumPartsArgs args; };

void main() {
  uint part = thread_index();
  if (part >= PARAMS(args.params).parts) return;
  uint first = args.part_chunks.at[part];
  uint end = args.part_chunks.at[part + 1];
  RigidSum sum = RigidSum(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
  for (uint c = first; c < end; ++c) {
    RigidSum chunk = args.partials.at[c];
    sum.contact_force += chunk.contact_force;
    sum.contact_torque += chunk.contact_torque;
    sum.fluid_force += chunk.fluid_force;
    sum.fluid_torque += chunk.fluid_torque;
  }
  args.sums.at[part] = sum;
}
