#version 460
#extension GL_GOOGLE_include_directive : require
// The entries of long rows that did not fit: the walk again, for their particles only.
#include "lib/cell_walk.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { BuildRowsArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.control.at[0].particles) return;
  args.neighbors.head.at[i].y += args.group_spills.at[group_index()];
  Row row = load_row(args.neighbors, args.params, i);
  if (row.boundary_end <= row.capacity) return;
  uvec3 x = args.neighbors.position.at[i].xyz;
  uint fluid_end = append_neighbors(args.cells, args.params.at[0].grid, args.neighbors.position, x, i, row, 0, true);
  append_neighbors(args.boundary_cells, args.params.at[0].boundary_grid, args.neighbors.boundary, x, kNobody, row,
                   fluid_end, true);
}
