#version 460
#extension GL_GOOGLE_include_directive : require
// What the solver's forces do to each body within the step [PT23 eq. 3.11b, c].
#include "lib/body_sums.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SolveBodiesArgs args; };

void main() {
  uint b = thread_index();
  if (b >= PARAMS(args.params).rigid + PARAMS(args.params).carriers) return;
  RigidSum sum = body_sum(args.parts, args.bodies.at[b].first_part, args.bodies.at[b].parts);
  RigidStep step = args.steps.at[b];
  vec3 force = sum.contact_force.xyz + sum.fluid_force.xyz;
  vec3 torque = sum.contact_torque.xyz + sum.fluid_torque.xyz;
  args.steps.at[b].shift = vec4(flush(step.inverse_mass.xyz * force), 0.0);
  args.steps.at[b].turn = vec4(flush(times(step.inverse_diagonal, step.inverse_mixed, torque)), 0.0);
  args.sums.at[b] = sum;
  args.touching.at[b] = 0;
}
