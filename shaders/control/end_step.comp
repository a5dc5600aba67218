#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup ends the step: sums its record, advances the clock, chooses the next step.
#define SLUICE_GROUP_SUMS 3
#define SLUICE_GROUP_LARGEST
#include "lib/clock.glsl"
#include "lib/gates.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { EndStepArgs args; };

void main() {
  if (args.control.at[0].phase != kPhaseEnd) return;
  uint t = gl_LocalInvocationIndex;
  uint particles = args.control.at[0].particles;
  uint groups = groups_of(particles, kGroup) + groups_of(args.params.at[0].rigid, kGroup);
  // Moment of mass, momentum, force on walls; w: kinetic energy, density error, strays.
  vec4 sums[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
  vec2 largest = vec2(0.0);  // speed, density error
  for (uint g = t; g < groups; g += kGroup) {
    StepPartial p = args.partials.at[g];
    sums[0] += vec4(p.mass_moment_x, p.mass_moment_y, p.mass_moment_z, p.kinetic_energy);
    sums[1] += vec4(p.momentum_x, p.momentum_y, p.momentum_z, p.density_error);
    sums[2] += vec4(p.wall_force_x, p.wall_force_y, p.wall_force_z, p.strays);
    largest = vec2(larger(largest.x, p.max_speed), larger(largest.y, p.density_error_max));
  }
  group_sums(sums, largest);
  if (t != 0) return;
  vec4 moment = sums[0], momentum = sums[1], wall_force = sums[2];
  float max_speed = largest.x;

  close_all(args.control);
  float tau = args.control.at[0].tau;
  uint limit = args.control.at[0].limit;
  float tau_limit = args.control.at[0].tau_limit;
  uint step = args.control.at[0].step + 1;
  args.control.at[0].step = step;
  args.control.at[0].last_tau = tau;
  args.control.at[0].last_limit = tau_limit;
  args.control.at[0].boundary_dirty = args.params.at[0].boundary_moves;
  args.control.at[0].max_speed = max_speed;
  args.control.at[0].strays = uint(int(wall_force.w));

  float time = args.control.at[0].frame_time;
  float part = tau + args.control.at[0].frame_time_low;
  float sum = time + part;
  args.control.at[0].frame_time_low = part - (sum - time);
  args.control.at[0].frame_time = sum;
  float remaining = (args.params.at[0].frame_length - sum) - args.control.at[0].frame_time_low;
  uint phase = kPhaseBegin;
  if (remaining < 0.001 * tau) {
    args.control.at[0].frame += 1;
    args.control.at[0].frame_time = 0.0;
    args.control.at[0].frame_time_low = 0.0;
    phase = kPhaseFrame;
  }
  args.control.at[0].phase = phase;
  choose_step(args.params, args.control, larger(max_speed, args.params.at[0].boundary_speed), tau);

  float mean_error = particles > 0 ? divide(momentum.w, float(int(particles))) : 0.0;
  args.ring.at[(step - 1) % kStatusRing] =
      Status(step, args.control.at[0].frame, phase, kFailureNone, args.control.at[0].frame_time, tau, tau_limit, limit,
             args.control.at[0].iteration, args.control.at[0].active_rows, args.control.at[0].contacts,
             args.control.at[0].residual, args.control.at[0].residual_friction, args.control.at[0].tolerance, mean_error,
             largest.y, moment.w, max_speed, moment.x, moment.y, moment.z, momentum.x, momentum.y, momentum.z,
             wall_force.x, wall_force.y, wall_force.z, args.control.at[0].lost_particles,
             args.control.at[0].lost_bodies, args.control.at[0].lost_mass, args.control.at[0].lost_weight,
             args.control.at[0].lost_momentum_x, args.control.at[0].lost_momentum_y,
             args.control.at[0].lost_momentum_z);
}
