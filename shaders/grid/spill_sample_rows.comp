#version 460
#extension GL_GOOGLE_include_directive : require
// Samples' rows that did not fit their place: the walk again, into the spill pool.
#include "lib/sample_row.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.samples) return;
  uint fluid_groups = (CONTROL.particles + kGroup - 1) / kGroup;
  row_head_buffer.at[PARAMS.sample_row + i].y += group_spill_buffer.at[fluid_groups + group_index()];
  Row row = load_sample_row(i);
  if (row.boundary_end <= PARAMS.row_capacity) return;
  Chunk chunk = chunk_buffer.at[i / kChunk];
  write_sample_row(i, chunk, row, row.boundary_end);
}
