#version 460
#extension GL_GOOGLE_include_directive : require
// Repeats the search for lists that did not fit their place, and writes them into the spill pool.
#include "lib/fluid_row.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.particles) return;
  row_head_buffer.at[i].y += group_spill_buffer.at[group_index()];
  Row row = load_row(i);
  if (row.boundary_end > PARAMS.row_capacity) write_fluid_row(i, row, row.boundary_end);
}
