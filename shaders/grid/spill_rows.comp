#version 460
#extension GL_GOOGLE_include_directive : require
// Rows that did not fit their place: the walk again, into the spill pool.
#include "lib/fluid_row.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { BuildRowsArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.control.at[0].particles) return;
  args.neighbors.head.at[i].y += args.group_spills.at[group_index()];
  Row row = LOAD_ROW(args.neighbors, args.params, i);
  if (row.boundary_end > args.params.at[0].row_capacity) WRITE_FLUID_ROW(args, i, row, row.boundary_end);
}
