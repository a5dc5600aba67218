#version 460
#extension GL_GOOGLE_include_directive : require
// Lists the particles that have left the domain for good and those that are to fill their places, holds the bodies that
// have left, and counts both with their mass and momentum. One workgroup; resizes the step's dispatches to
// those that stay.
#define SLUICE_GROUP_SUMS 2
#include "lib/bodies.glsl"
#include "lib/domain.glsl"
#include "lib/gates.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

shared uint g_found[kGroup];  // strays of a group of particles in the last step

bool particle_left(uint i) {
  uvec4 position = stored_position_buffer.at[i], low = stored_low_buffer.at[i], velocity = stored_velocity_buffer.at[i];
  return left_for_good(domain_of(), particle_flight(position, low, uintBitsToFloat(velocity.xyz)));
}

void main() {
  uint t = gl_LocalInvocationIndex;
  uint particles = CONTROL.particles;
  uint groups = groups_of(particles, kGroup);
  // Momentum, mass; mass as gravity sees it, bodies.
  vec4 sums[2] = vec4[2](vec4(0.0), vec4(0.0));

  uint strays = 0;
  for (uint first = 0; first < groups; first += kGroup) {
    g_found[t] = 0;
    if (first + t < groups) {
      StepPartial partial = step_partial_buffer.at[first + t];
      if (partial.strays > 0.0) g_found[t] = 1;
    }
    barrier();
    for (uint k = 0; k < kGroup; ++k) {
      if (g_found[k] == 0) continue;
      uint i = (first + k) * kGroup + t;
      bool left = false;
      if (i < particles) left = particle_left(i);
      uint total;
      uint before = group_exclusive_scan(left ? 1 : 0, total);
      if (left) {
        sort_key_buffer.at[strays + before] = i;
        uvec4 low = stored_low_buffer.at[i], velocity = stored_velocity_buffer.at[i];
        float mass = PARAMS.materials[unpack_material(low.w)].mass;
        sums[0] += mass * vec4(uintBitsToFloat(velocity.xyz), 1.0);
        sums[1].x += mass;
      }
      strays += total;
    }
    barrier();
  }

  uint stay = particles - strays;
  uint gaps = 0;
  for (uint first = stay; first < particles; first += kGroup) {
    uint i = first + t;
    bool fills = false;
    if (i < particles) fills = !particle_left(i);
    uint total;
    uint before = group_exclusive_scan(fills ? 1 : 0, total);
    if (fills) sort_value_buffer.at[gaps + before] = i;
    gaps += total;
  }

  uint bodies = PARAMS.rigid;
  for (uint b = t; b < bodies; b += kGroup) {
    RigidState state = rigid_state_buffer.at[b];
    RigidBody body = rigid_body_buffer.at[b];
    if (!body_left(state, body)) continue;
    sums[0] += body.inverse_mass.w * vec4(state.velocity.xyz, 1.0);
    sums[1].x += body.inverse_mass.w * body.inertia_diagonal.w;
    sums[1].y += 1.0;
    state.velocity = vec4(0.0, 0.0, 0.0, 1.0);
    state.spin = vec4(0.0);
    state.angular_momentum = vec4(0.0);
    rigid_state_buffer.at[b] = state;
  }
  group_sums(sums);
  if (t != 0) return;
  CONTROL.strays = 0;
  CONTROL.particles = stay;
  CONTROL.lost_particles += strays;
  CONTROL.lost_bodies += uint(int(sums[1].y));
  CONTROL.lost_mass += sums[0].w;
  CONTROL.lost_weight += sums[1].x;
  CONTROL.lost_momentum_x += sums[0].x;
  CONTROL.lost_momentum_y += sums[0].y;
  CONTROL.lost_momentum_z += sums[0].z;
  open_begin(CONTROL.boundary_dirty != 0);
  close_slot(kSlotBeginStrays);
  open_slot(kSlotBeginGaps, groups_of(gaps, kGroup));
  CONTROL.gaps = gaps;
}
