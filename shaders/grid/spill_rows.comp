#version 460
#extension GL_GOOGLE_include_directive : require
// Rows that did not fit their place: the walk again, into the spill pool.
#include "lib/cell_walk.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { BuildRowsArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.control.at[0].particles) return;
  args.neighbors.head.at[i].y += args.group_spills.at[group_index()];
  Row row = LOAD_ROW(args.neighbors, args.params, i);
  if (row.boundary_end <= args.params.at[0].row_capacity) return;
  uvec3 x = args.neighbors.position.at[i].xyz;
  uint end = row.boundary_end;
  uint fluid_end = append_neighbors(args.cells, args.params.at[0].grid, args.neighbors.position, x, i, row, 0, end);
  append_neighbors(args.boundary_cells, args.params.at[0].boundary_grid, args.neighbors.boundary, x, kNobody, row,
                   fluid_end, end);
}
