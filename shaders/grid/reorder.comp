#version 460
#extension GL_GOOGLE_include_directive : require
// The state of the moving particles in the order of their cells. The last step's state stays where it
// is until `integrate`, so that a step can start again or fail without loss.
#include "lib/buffers.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.particles) return;
  uint from = sort_value_buffer.at[i];
  position_buffer.at[i] = stored_position_buffer.at[from];
  low_buffer.at[i] = stored_low_buffer.at[from];
  velocity_buffer.at[i] = stored_velocity_buffer.at[from];
}
