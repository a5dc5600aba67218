#version 460
#extension GL_GOOGLE_include_directive : require
// The samples in the order of their cells, for the search; all else stays in the order of the bodies.
#include "lib/buffers.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.samples) return;
  uint from = sample_order_buffer.at[i];
  uvec4 record = rigid_sample_buffer.at[from];
  uint kind = chunk_buffer.at[from / kChunk].kind;
  uint flags = record.w == kNoBody ? kPadding : kind == kChunkMoves ? 0 : kFixedSample;
  if (kind == kChunkCarriers) flags |= kCarrierSample;
  sorted_sample_buffer.at[i] = uvec4(record.xyz, from | flags);
}
