#version 460
#extension GL_GOOGLE_include_directive : require
// Fluid particles as a renderer reads them, by id, of the last completed step.
#define SLUICE_ARGS DrawFluidArgs
#include "lib/drawn.glsl"
#include "lib/workgroup.glsl"

// m; where renderers find particles that have left the domain.
FLOAT_CONSTANT kOutOfSight = 1e30f;

void write_header(uint particles) {
  args.header.at[0].points = uint[4](particles, 1u, 0u, 0u);
  args.header.at[0].quads = uint[4](4u, particles, 0u, 0u);
  uint frame = CONTROL.frame;
  float since = args.units.at[0].time * CONTROL.frame_time;
  args.header.at[0].step = CONTROL.step;
  args.header.at[0].frame = frame;
  args.header.at[0].frame_time = since;
  args.header.at[0].time = float(int(frame)) * args.units.at[0].frame_interval + since;
  args.header.at[0].particles = particles;
}

void main() {
  uint i = thread_index();
  uint particles = CONTROL.particles;
  if (i == 0) write_header(args.ids);
  if (i >= args.ids) return;
  uvec4 position = stored_position_buffer.at[i];
  uvec4 low = stored_low_buffer.at[i];
  uvec4 velocity = stored_velocity_buffer.at[i];
  uint id = velocity.w;
  if (i >= particles) {
    args.drawn_position.at[id] = vec4(kOutOfSight, kOutOfSight, kOutOfSight, 0.0);
    args.drawn_velocity.at[id] = vec4(0.0);
    args.drawn_density.at[id] = 0.0;
    return;
  }
  float inverse_tau = reciprocal(CONTROL.last_tau);
  float pressure = uintBitsToFloat(position.w) * (args.units.at[0].pressure * inverse_tau * inverse_tau);
  vec3 v = args.units.at[0].velocity * uintBitsToFloat(velocity.xyz);
  args.drawn_position.at[id] = vec4(from_origin(args.units, position.xyz, low.w), pressure);
  args.drawn_velocity.at[id] = vec4(v, square_root(length_squared(v)));

  // Before the first step, and where one waits for memory, there are none: those that were drawn last stay.
  if (CONTROL.step == 0 || CONTROL.phase == kPhaseCapacity) {
    args.drawn_density.at[id] = args.earlier_density.at[id];
  } else {
    uint material = unpack_material(low_buffer.at[i].w);
    args.drawn_density.at[velocity_buffer.at[i].w] =
        acceleration_buffer.at[i].w * (PARAMS.materials[material].mass * args.units.at[0].density);
  }
}
