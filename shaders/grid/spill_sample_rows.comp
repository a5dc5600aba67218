#version 460
#extension GL_GOOGLE_include_directive : require
// Samples' rows that did not fit their place: the walk again, into the spill pool.
#include "lib/sample_row.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { BuildSampleRowsArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.control.at[0].samples) return;
  uint fluid_groups = (args.control.at[0].particles + kGroup - 1) / kGroup;
  args.neighbors.head.at[args.params.at[0].sample_row + i].y += args.group_spills.at[fluid_groups + group_index()];
  Row row = LOAD_SAMPLE_ROW(args.neighbors, args.params, i);
  if (row.boundary_end <= args.params.at[0].row_capacity) return;
  Chunk chunk = args.chunks.at[i / kChunk];
  WRITE_SAMPLE_ROW(args, i, chunk, row, row.boundary_end);
}
