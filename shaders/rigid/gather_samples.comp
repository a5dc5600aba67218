#version 460
#extension GL_GOOGLE_include_directive : require
// The samples in the order of their cells, for the search; all else stays in the order of the bodies.
#include "lib/gather.glsl"
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { GatherSamplesArgs args; };

void main() {
  uint i = thread_index();
  if (i >= CONTROL(args.control).samples) return;
  uint from = args.order.at[i];
  uvec4 record = args.samples.at[from];
  uint kind = args.chunks.at[from / kChunk].kind;
  uint flags = record.w == kNoBody ? kPadding : kind == kChunkMoves ? 0 : kFixedSample;
  if (kind == kChunkCarriers) flags |= kCarrierSample;
  args.sorted_samples.at[i] = uvec4(record.xyz, from | flags);
}
