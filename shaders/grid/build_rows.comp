#version 460
#extension GL_GOOGLE_include_directive : require
// The row of each moving particle, built once a step. Rows that do not fit are counted here and
// written by `spill_rows`, at places that a scan gives: the same ones in every run.
#include "lib/cell_walk.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { BuildRowsArgs args; };

void main() {
  uint i = thread_index();
  uint spill_blocks = 0;
  uint counts = 0;
  if (i < args.control.at[0].particles) {
    Row row = page_row(args.neighbors.pages, args.params, i);
    uint capacity = args.params.at[0].row_capacity;
    uvec3 x = args.neighbors.position.at[i].xyz;
    uint fluid_end =
        append_neighbors(args.cells, args.params.at[0].grid, args.neighbors.position, x, i, row, 0, capacity);
    uint end = append_neighbors(args.boundary_cells, args.params.at[0].boundary_grid, args.neighbors.boundary, x,
                                kNobody, row, fluid_end, capacity);
    uint boundary = end - fluid_end;
    if (fluid_end >= (1u << kFluidCountBits) || boundary >= (1u << kBoundaryCountBits)) {
      atomicMax(args.control.at[0].failure, kFailureCrowded);
    }
    counts = pack_head(fluid_end, 0, boundary, 0).x;
    if (end > capacity) spill_blocks = (end + kSpillBlock - 1) / kSpillBlock;
  }
  uint group_blocks;
  uint before = group_exclusive_scan(spill_blocks, group_blocks);
  if (i < args.control.at[0].particles) args.neighbors.head.at[i] = uvec2(counts, before);
  if (gl_LocalInvocationIndex == 0) args.group_spills.at[group_index()] = group_blocks;
}
