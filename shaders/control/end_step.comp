#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup ends the step: sums its record, advances the clock, chooses the next step.
#define SLUICE_GROUP_SUMS 3
#define SLUICE_GROUP_LARGEST
#include "lib/clock.glsl"
#include "lib/gates.glsl"
#include "lib/workgroup.glsl"

void main() {
  if (CONTROL.phase != kPhaseEnd) return;
  uint t = gl_LocalInvocationIndex;
  uint particles = CONTROL.particles;
  uint groups = groups_of(particles, kGroup) + groups_of(PARAMS.rigid, kGroup);
  // Moment of mass, momentum, force on walls; w: kinetic energy, density error, strays.
  vec4 sums[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  vec2 largest = vec2(0.0);  // speed, density error
  for (uint g = t; g < groups; g += kGroup) {
    StepPartial p = step_partial_buffer.at[g];
    sums[0] += vec4(p.mass_moment_x, p.mass_moment_y, p.mass_moment_z, p.kinetic_energy);
    sums[1] += vec4(p.momentum_x, p.momentum_y, p.momentum_z, p.density_error);
    sums[2] += vec4(p.wall_force_x, p.wall_force_y, p.wall_force_z, p.strays);
    largest = vec2(larger(largest.x, p.max_speed), larger(largest.y, p.density_error_max));
  }
  group_sums(sums, largest);
  if (t != 0) return;
  vec4 moment = sums[0], momentum = sums[1], wall_force = sums[2];
  float max_speed = largest.x;

  close_all();
  float tau = CONTROL.tau;
  uint limit = CONTROL.limit;
  float tau_limit = CONTROL.tau_limit;
  uint step = CONTROL.step + 1;
  CONTROL.step = step;
  CONTROL.last_tau = tau;
  CONTROL.last_limit = tau_limit;
  CONTROL.boundary_dirty = PARAMS.boundary_moves;
  CONTROL.max_speed = max_speed;
  CONTROL.strays = uint(int(wall_force.w));

  float time = CONTROL.frame_time;
  float part = tau + CONTROL.frame_time_low;
  float sum = time + part;
  CONTROL.frame_time_low = part - (sum - time);
  CONTROL.frame_time = sum;
  float remaining = (PARAMS.frame_length - sum) - CONTROL.frame_time_low;
  uint phase = kPhaseBegin;
  if (remaining < 0.001 * tau) {
    CONTROL.frame += 1;
    CONTROL.frame_time = 0.0;
    CONTROL.frame_time_low = 0.0;
    phase = kPhaseFrame;
  }
  CONTROL.phase = phase;
  choose_step(larger(max_speed, PARAMS.boundary_speed), tau);

  float mean_error = particles > 0 ? divide(momentum.w, float(int(particles))) : 0.0;
  status_buffer.at[(step - 1) % kStatusRing] = Status(
      step, CONTROL.frame, phase, kFailureNone, CONTROL.frame_time, tau, tau_limit, limit,
      CONTROL.iteration, CONTROL.active_rows, CONTROL.contacts,
      CONTROL.residual, CONTROL.residual_friction, CONTROL.tolerance, mean_error,
      largest.y, moment.w, max_speed, moment.x, moment.y, moment.z, momentum.x, momentum.y, momentum.z, wall_force.x,
      wall_force.y, wall_force.z, CONTROL.lost_particles, CONTROL.lost_bodies,
      CONTROL.lost_mass, CONTROL.lost_weight, CONTROL.lost_momentum_x,
      CONTROL.lost_momentum_y, CONTROL.lost_momentum_z);
}
