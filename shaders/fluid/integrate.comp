#version 460
#extension GL_GOOGLE_include_directive : require
// Euler-Cromer: v = v* + dt F / m, x += dt v. The only pass that changes the state of moving particles.
// Sums what the step's record reports.
#define SLUICE_GROUP_SUMS
#include "lib/fixed_point.glsl"
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { IntegrateArgs args; };

void main() {
  uint i = thread_index();
  float tau = args.control.at[0].tau;
  float inverse_tau = reciprocal(tau);
  vec4 energy_and_error = vec4(0.0);  // kinetic energy, density error
  vec4 moment = vec4(0.0);
  vec4 momentum = vec4(0.0);
  vec4 wall_force = vec4(0.0);
  float speed_squared = 0.0;
  float density_error = 0.0;
  if (i < args.control.at[0].particles) {
    uvec4 x = args.sorted_position.at[i];
    uvec4 low = args.sorted_low.at[i];
    uvec4 velocity = args.sorted_velocity.at[i];
    vec4 a = args.acceleration.at[i];
    uint material = unpack_material(low.w);
    vec3 v = flush(uintBitsToFloat(velocity.xyz) + inverse_tau * a.xyz);

    ivec3 wraps = unpack_wraps(low.w);
    advance(x.x, low.x, wraps.x, tau * v.x);
    advance(x.y, low.y, wraps.y, tau * v.y);
    advance(x.z, low.z, wraps.z, tau * v.z);
    low.w = pack_low_word(wraps, material);
    args.position.at[i] = x;
    args.low.at[i] = low;
    args.velocity.at[i] = uvec4(floatBitsToUint(v), velocity.w);

    float mass = args.params.at[0].materials[material].mass;
    speed_squared = length_squared(v);
    density_error = larger(a.w - 1.0, 0.0);
    energy_and_error = vec4(0.5 * mass * speed_squared, density_error, 0.0, 0.0);
    moment = vec4(mass * position_in_h(x.xyz, low.w), 0.0);
    momentum = vec4(mass * v, 0.0);
    // The wall takes what the particle does not get; p is in units of dt^2.
    wall_force = vec4((uintBitsToFloat(x.w) * inverse_tau * inverse_tau) * args.wall.at[i].xyz, 0.0);
  }
  energy_and_error = group_sum(energy_and_error);
  moment = group_sum(moment);
  momentum = group_sum(momentum);
  wall_force = group_sum(wall_force);
  float max_speed_squared = group_max(speed_squared);
  float max_density_error = group_max(density_error);
  if (gl_LocalInvocationIndex == 0) {
    wall_force += args.wall_forces.at[group_index()];
    args.partials.at[group_index()] =
        StepPartial(flush(energy_and_error.x), square_root(max_speed_squared), flush(energy_and_error.y),
                    max_density_error, moment.x, moment.y, moment.z, 0.0, momentum.x, momentum.y, momentum.z, 0.0,
                    wall_force.x, wall_force.y, wall_force.z, 0.0);
  }
}
