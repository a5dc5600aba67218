#version 460
#extension GL_GOOGLE_include_directive : require
// Euler-Cromer: v = v* + dt F / m, x += dt v; free flight as velocity Verlet. The only pass that changes the state of
// moving particles. Sums what the step's record reports.
#define SLUICE_GROUP_SUMS 3
#define SLUICE_GROUP_LARGEST
#include "lib/buffers.glsl"
#include "lib/domain.glsl"
#include "lib/fixed_point.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  float tau = CONTROL.tau;
  float inverse_tau = reciprocal(tau);
  // Moment of mass, momentum, force on walls; w: kinetic energy, density error, strays.
  vec4 sums[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  vec2 largest = vec2(0.0);  // square of the speed, density error
  if (i < CONTROL.particles) {
    uvec4 x = position_of(i);
    uvec4 low = low_of(i);
    uvec4 velocity = velocity_of(i);
    vec4 a = acceleration_of(i);
    uint material = unpack_material(low.w);
    vec3 push = inverse_tau * a.xyz;
    vec3 v = flush(uintBitsToFloat(velocity.xyz) + push);

    vec3 way = mean_over_step(v, tau * gravity_of(), push);
    ivec3 wraps = unpack_wraps(low.w);
    advance(x.x, low.x, wraps.x, tau * way.x);
    advance(x.y, low.y, wraps.y, tau * way.y);
    advance(x.z, low.z, wraps.z, tau * way.z);
    low.w = pack_low_word(wraps, material);
    stored_position_buffer.at[i] = x;
    stored_low_buffer.at[i] = low;
    stored_velocity_buffer.at[i] = uvec4(floatBitsToUint(v), velocity.w);

    float mass = PARAMS.materials[material].mass;
    Flight flight = particle_flight(x, low, v);
    float square = length_squared(v);
    float share = is_outsider(flight) ? kOutsiderShare : 1.0;
    largest = vec2(share * share * square, larger(a.w - 1.0, 0.0));
    sums[0] = vec4(mass * flight.x, 0.5 * mass * square);
    sums[1] = vec4(mass * v, largest.y);
    // The wall takes what the particle does not get; p is in units of dt^2.
    sums[2] = vec4((uintBitsToFloat(x.w) * inverse_tau * inverse_tau) * wall_of(i).xyz,
                   left_for_good(domain_of(), flight) ? 1.0 : 0.0);
  }
  group_sums(sums, largest);
  if (gl_LocalInvocationIndex == 0) {
    vec4 moment = sums[0], momentum = sums[1], wall_force = sums[2] + wall_force_buffer.at[group_index()];
    step_partial_buffer.at[group_index()] = StepPartial(
        flush(moment.w), square_root(largest.x), flush(momentum.w), largest.y, moment.x, moment.y, moment.z, 0.0,
        momentum.x, momentum.y, momentum.z, 0.0, wall_force.x, wall_force.y, wall_force.z, wall_force.w);
  }
}
