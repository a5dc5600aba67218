#version 460
#extension GL_GOOGLE_include_directive : require
// v = v* + dt F / M, x += dt v, L += dt T; free flight as velocity Verlet. The orientation goes on by the spin at the
// middle of the step, so that tumbling keeps its energy; in paper mode by the spin at its end [PT23 eq. B.2]. Sums what
// the step's record reports.
#define SLUICE_GROUP_SUMS 3
#define SLUICE_GROUP_LARGEST
#include "lib/domain.glsl"
#include "lib/round.glsl"
#include "lib/spin.glsl"
#include "lib/workgroup.glsl"

vec3 angular_momentum_at(RigidBody body, vec4 q, vec3 spin) {
  return flush(rotate(q, times(body.inertia_diagonal, body.inertia_mixed, rotate(vec4(-q.xyz, q.w), spin))));
}

void main() {
  uint b = thread_index();
  float tau = CONTROL.tau;
  float inverse_tau = reciprocal(tau);
  // Moment of mass, momentum, force on walls; w: kinetic energy, -, strays.
  vec4 sums[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  vec2 largest = vec2(0.0);  // speed
  RigidState state;
  bool moves = b < PARAMS.rigid;
  if (moves) {
    state = rigid_state_buffer.at[b];
    moves = state.velocity.w == 0.0;  // else it is held outside the domain
  }
  if (moves) {
    RigidBody body = rigid_body_buffer.at[b];
    RigidStep step = rigid_step_buffer.at[b];
    RigidSum sum = body_sum_buffer.at[b];
    vec3 push = inverse_tau * step.shift.xyz;
    vec3 v = flush(step.velocity.xyz + push);
    vec3 spin = step.spin.xyz + inverse_tau * step.turn.xyz;
    vec4 q = state.orientation;
    vec3 spin_of_samples = spin;  // that by which the body turns in this step
    if (PARAMS.paper_mode != 0) {
      q = turned(q, tau * spin);
      state.angular_momentum.xyz = angular_momentum_at(body, q, spin);
    } else {
      vec3 pressed = inverse_tau * (sum.contact_torque.xyz + sum.fluid_torque.xyz);
      vec3 torque = tau * (body.torque.xyz + body_drag_buffer.at[b].fluid_torque.xyz) + pressed;
      vec3 angular_momentum = free_part(body, state.angular_momentum.xyz + flush(torque));
      vec3 mean_momentum =
          mean_over_step(angular_momentum, free_part(body, tau * body.torque.xyz), free_part(body, pressed));
      vec3 middle = spin_at(body, turned(q, (0.5 * tau) * spin), mean_momentum);
      q = turned(q, tau * middle);
      spin_of_samples = middle;
      spin = spin_at(body, q, angular_momentum);
      state.angular_momentum.xyz = flush(angular_momentum);
    }
    vec3 kick = tau * (body.inverse_mass.xyz * constant_force(body));
    vec3 way = mean_over_step(v, kick, push);
    ivec3 wraps = unpack_wraps(state.low.w);
    advance(state.position.x, state.low.x, wraps.x, tau * way.x);
    advance(state.position.y, state.low.y, wraps.y, tau * way.y);
    advance(state.position.z, state.low.z, wraps.z, tau * way.z);
    state.low.w = pack_low_word(wraps, 0);
    state.sample_orientation = turned_samples(body, state, q, tau * spin_of_samples);
    state.orientation = q;
    state.velocity.xyz = v;
    state.spin.xyz = flush(spin);
    rigid_state_buffer.at[b] = state;

    float mass = body.inverse_mass.w;
    sums[0].w = 0.5 * (mass * length_squared(v) + dot3(spin, state.angular_momentum.xyz));
    sums[0].xyz = (mass * body.inertia_diagonal.w) * position_in_h(state.position.xyz, state.low.w);
    sums[1].xyz = mass * v;
    // What bodies receive, others lose: the fluid's force on them is in the walls' sum of integrate.comp, and the
    // forces between bodies cancel, so what is left of the contacts' is the boundaries'.
    sums[2].xyz = (-inverse_tau * inverse_tau) * (sum.contact_force.xyz + sum.fluid_force.xyz);
    // A turn counts as the motion of a point at least h / 2 from the centre: its angle stays small.
    largest.x = square_root(length_squared(v)) + square_root(length_squared(spin)) * larger(body.inertia_mixed.w, 0.5);
    if (is_outsider(body_flight(state, body))) largest.x *= kOutsiderShare;
    sums[2].w = body_left(state, body) ? 1.0 : 0.0;
  }
  group_sums(sums, largest);
  if (gl_LocalInvocationIndex == 0) {
    uint fluid_groups = (CONTROL.particles + kGroup - 1) / kGroup;
    vec4 moment = sums[0], momentum = sums[1], wall_force = sums[2];
    step_partial_buffer.at[fluid_groups + group_index()] =
        StepPartial(flush(moment.w), largest.x, 0.0, 0.0, moment.x, moment.y, moment.z, 0.0, momentum.x, momentum.y,
                    momentum.z, 0.0, wall_force.x, wall_force.y, wall_force.z, wall_force.w);
  }
}
