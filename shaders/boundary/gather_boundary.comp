#version 460
#extension GL_GOOGLE_include_directive : require
// Boundary samples in the order of their cells.
#include "lib/buffers.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.boundary_particles) return;
  uint from = sort_value_of(i);
  boundary_buffer.at[i] = PARAMS.boundary_moves != 0 ? boundary_placed_of(from) : boundary_source_of(from);
}
