#version 460
#extension GL_GOOGLE_include_directive : require
// The row of each rigid sample. A sample without foreign neighbours has neither pressure nor friction.
#include "lib/sample_row.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

const uint kGroupChunks = kGroup / kChunk;
shared uint g_contact[kGroupChunks];

void main() {
  uint i = thread_index();
  uint spill_blocks = 0;
  uint counts = 0;
  uint contacts = 0;
  Chunk chunk = chunk_buffer.at[i < CONTROL.samples ? i / kChunk : 0];
  if (i < CONTROL.samples && i % kChunk < chunk.count) {
    Row row = page_row(PARAMS.sample_row + i);
    uint capacity = PARAMS.row_capacity;
    row.fluid_end = row.rigid_end = row.boundary_end = 0;
    if (chunk.near != 0) row = write_sample_row(i, chunk, row, capacity);
    uint rigid = row.rigid_end - row.fluid_end;
    uint boundary = row.boundary_end - row.rigid_end;
    if (too_crowded(row.fluid_end, rigid, boundary)) {  // as in build_rows
      atomicMax(control_buffer.at[0].failure, kFailureCrowded);
      row.fluid_end = row.boundary_end = rigid = boundary = 0;
    }
    counts = pack_head(row.fluid_end, rigid, boundary, 0).x;
    if (row.boundary_end > capacity) spill_blocks = (row.boundary_end + kSpillBlock - 1) / kSpillBlock;
    if (row.boundary_end == 0 && chunk.contact != 0) sample_solve_buffer.at[i].value = vec4(0.0);
  }
  if (gl_LocalInvocationIndex < kGroupChunks) g_contact[gl_LocalInvocationIndex] = 0;
  uint group_blocks;
  uint before = group_exclusive_scan_if_any(spill_blocks, group_blocks);  // its barriers stand around the bits, too
  if (counts != 0) atomicOr(g_contact[gl_LocalInvocationIndex / kChunk], 1u << (i % kChunk));
  barrier();
  uint c = group_index() * kGroupChunks + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < kGroupChunks && c * kChunk < CONTROL.samples) {
    chunk_buffer.at[c].contact = g_contact[gl_LocalInvocationIndex];
  }
  if (i < CONTROL.samples) {
    row_head_buffer.at[PARAMS.sample_row + i] = uvec2(counts, before);
  }
  if (gl_LocalInvocationIndex == 0) {
    uint fluid_groups = (CONTROL.particles + kGroup - 1) / kGroup;
    group_spill_buffer.at[fluid_groups + group_index()] = group_blocks;
  }
}
