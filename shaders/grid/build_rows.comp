#version 460
#extension GL_GOOGLE_include_directive : require
// The row of each fluid particle, built once a step. Rows that do not fit are counted here and
// written by `spill_rows`, at places that a scan gives: the same ones in every run.
#include "lib/fluid_row.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { BuildRowsArgs args; };

void main() {
  uint i = thread_index();
  uint spill_blocks = 0;
  bool coupled = false;
  uint counts = 0;
  if (i < CONTROL(args.control).particles) {
    uint capacity = PARAMS(args.params).row_capacity;
    Row row = WRITE_FLUID_ROW(args, i, page_row(args.neighbors.pages, args.params, i), capacity);
    uint rigid = row.rigid_end - row.fluid_end;
    uint boundary = row.boundary_end - row.rigid_end;
    // Counts that do not fit a head would name others: the row stays empty, and the step fails.
    if (too_crowded(row.fluid_end, rigid, boundary)) {
      atomicMax(args.control.at[0].failure, kFailureCrowded);
      row.fluid_end = row.boundary_end = rigid = boundary = 0;
    }
    counts = pack_head(row.fluid_end, rigid, boundary, 0).x;
    coupled = rigid > 0;
    if (row.boundary_end > capacity) spill_blocks = (row.boundary_end + kSpillBlock - 1) / kSpillBlock;
  }
  uint group_blocks, group_coupled;
  uint before = group_exclusive_scan_if_any(spill_blocks, group_blocks);
  group_exclusive_scan_if_any(coupled ? 1 : 0, group_coupled);
  if (i < CONTROL(args.control).particles) args.neighbors.head.at[i] = uvec2(counts, before);
  if (gl_LocalInvocationIndex == 0) {
    args.group_spills.at[group_index()] = group_blocks;
    args.group_coupled.at[group_index()] = group_coupled;
  }
}
