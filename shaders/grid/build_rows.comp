#version 460
#extension GL_GOOGLE_include_directive : require
// The row of each fluid particle, built once a step. Rows that do not fit are counted here and
// written by `spill_rows`, at places that a scan gives: the same ones in every run.
#include "lib/fluid_row.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  uint spill_blocks = 0;
  bool coupled = false;
  uint counts = 0;
  if (i < CONTROL.particles) {
    uint capacity = PARAMS.row_capacity;
    Row row = write_fluid_row(i, page_row(i), capacity);
    uint rigid = row.rigid_end - row.fluid_end;
    uint boundary = row.boundary_end - row.rigid_end;
    // Counts that do not fit a head would name others: the row stays empty, and the step fails.
    if (too_crowded(row.fluid_end, rigid, boundary)) {
      atomicMax(control_buffer.at[0].failure, kFailureCrowded);
      row.fluid_end = row.boundary_end = rigid = boundary = 0;
    }
    counts = pack_head(row.fluid_end, rigid, boundary, 0).x;
    coupled = rigid > 0;
    if (row.boundary_end > capacity) spill_blocks = (row.boundary_end + kSpillBlock - 1) / kSpillBlock;
  }
  uint group_blocks, group_coupled;
  uint before = group_exclusive_scan_if_any(spill_blocks, group_blocks);
  group_exclusive_scan_if_any(coupled ? 1 : 0, group_coupled);
  if (i < CONTROL.particles) row_head_buffer.at[i] = uvec2(counts, before);
  if (gl_LocalInvocationIndex == 0) {
    group_spill_buffer.at[group_index()] = group_blocks;
    group_coupled_buffer.at[group_index()] = group_coupled;
  }
}
