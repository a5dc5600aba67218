#version 460
#extension GL_GOOGLE_include_directive : require
// Euler-Cromer: v = v* + dt F / m, x += dt v; free flight as velocity Verlet. The only pass that changes the state of
// moving particles. Sums what the step's record reports.
#define SLUICE_GROUP_SUMS 3
#define SLUICE_GROUP_LARGEST
#include "lib/domain.glsl"
#include "lib/fixed_point.glsl"
#include "lib/gather.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { IntegrateArgs args; };

void main() {
  uint i = thread_index();
  float tau = CONTROL(args.control).tau;
  float inverse_tau = reciprocal(tau);
  // Moment of mass, momentum, force on walls; w: kinetic energy, density error, strays.
  vec4 sums[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  vec2 largest = vec2(0.0);  // square of the speed, density error
  if (i < CONTROL(args.control).particles) {
    uvec4 x = GATHER4(position_texels, args.sorted_position, i);
    uvec4 low = GATHER4(low_texels, args.sorted_low, i);
    uvec4 velocity = GATHER4(velocity_texels, args.sorted_velocity, i);
    vec4 a = GATHER_FLOATS(acceleration_texels, args.acceleration, i);
    uint material = unpack_material(low.w);
    vec3 push = inverse_tau * a.xyz;
    vec3 v = flush(uintBitsToFloat(velocity.xyz) + push);

    vec3 way = mean_over_step(args.params, v, tau * gravity_of(args.params), push);
    ivec3 wraps = unpack_wraps(low.w);
    advance(x.x, low.x, wraps.x, tau * way.x);
    advance(x.y, low.y, wraps.y, tau * way.y);
    advance(x.z, low.z, wraps.z, tau * way.z);
    low.w = pack_low_word(wraps, material);
    args.position.at[i] = x;
    args.low.at[i] = low;
    args.velocity.at[i] = uvec4(floatBitsToUint(v), velocity.w);

    float mass = PARAMS(args.params).materials[material].mass;
    Flight flight = particle_flight(args.params, x, low, v);
    float square = length_squared(v);
    float share = is_outsider(args.params, flight) ? kOutsiderShare : 1.0;
    largest = vec2(share * share * square, larger(a.w - 1.0, 0.0));
    sums[0] = vec4(mass * flight.x, 0.5 * mass * square);
    sums[1] = vec4(mass * v, largest.y);
    // The wall takes what the particle does not get; p is in units of dt^2.
    sums[2] = vec4((uintBitsToFloat(x.w) * inverse_tau * inverse_tau) * GATHER_FLOATS(wall_texels, args.wall, i).xyz,
                   left_for_good(domain_of(args.params), flight) ? 1.0 : 0.0);
  }
  group_sums(sums, largest);
  if (gl_LocalInvocationIndex == 0) {
    vec4 moment = sums[0], momentum = sums[1], wall_force = sums[2] + args.wall_forces.at[group_index()];
    args.partials.at[group_index()] = StepPartial(flush(moment.w), square_root(largest.x), flush(momentum.w), largest.y,
                                                  moment.x, moment.y, moment.z, 0.0, momentum.x, momentum.y, momentum.z,
                                                  0.0, wall_force.x, wall_force.y, wall_force.z, wall_force.w);
  }
}
