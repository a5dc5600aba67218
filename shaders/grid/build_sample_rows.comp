#version 460
#extension GL_GOOGLE_include_directive : require
// The row of each rigid sample. A sample without foreign neighbours has neither pressure nor friction.
#include "lib/sample_row.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { BuildSampleRowsArgs args; };

const uint kGroupChunks = kGroup / kChunk;
shared uint g_contact[kGroupChunks];

void main() {
  uint i = thread_index();
  uint spill_blocks = 0;
  uint counts = 0;
  uint contacts = 0;
  Chunk chunk = args.chunks.at[i < CONTROL(args.control).samples ? i / kChunk : 0];
  if (i < CONTROL(args.control).samples && i % kChunk < chunk.count) {
    Row row = page_row(args.neighbors.pages, args.params, PARAMS(args.params).sample_row + i);
    uint capacity = PARAMS(args.params).row_capacity;
    row.fluid_end = row.rigid_end = row.boundary_end = 0;
    if (chunk.near != 0) row = WRITE_SAMPLE_ROW(args, i, chunk, row, capacity);
    uint rigid = row.rigid_end - row.fluid_end;
    uint boundary = row.boundary_end - row.rigid_end;
    if (too_crowded(row.fluid_end, rigid, boundary)) {  // as in build_rows
      atomicMax(args.control.at[0].failure, kFailureCrowded);
      row.fluid_end = row.boundary_end = rigid = boundary = 0;
    }
    counts = pack_head(row.fluid_end, rigid, boundary, 0).x;
    if (row.boundary_end > capacity) spill_blocks = (row.boundary_end + kSpillBlock - 1) / kSpillBlock;
    if (row.boundary_end == 0 && chunk.contact != 0) args.solve.at[i].value = vec4(0.0);
  }
  if (gl_LocalInvocationIndex < kGroupChunks) g_contact[gl_LocalInvocationIndex] = 0;
  uint group_blocks;
  uint before = group_exclusive_scan_if_any(spill_blocks, group_blocks);  // its barriers stand around the bits, too
  if (counts != 0) atomicOr(g_contact[gl_LocalInvocationIndex / kChunk], 1u << (i % kChunk));
  barrier();
  uint c = group_index() * kGroupChunks + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < kGroupChunks && c * kChunk < CONTROL(args.control).samples) {
    args.chunks.at[c].contact = g_contact[gl_LocalInvocationIndex];
  }
  if (i < CONTROL(args.control).samples) {
    args.neighbors.head.at[PARAMS(args.params).sample_row + i] = uvec2(counts, before);
  }
  if (gl_LocalInvocationIndex == 0) {
    uint fluid_groups = (CONTROL(args.control).particles + kGroup - 1) / kGroup;
    args.group_spills.at[fluid_groups + group_index()] = group_blocks;
  }
}
