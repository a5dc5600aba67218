#version 460
#extension GL_GOOGLE_include_directive : require
// How many samples with foreign neighbours each part of a body has, before each of its chunks and in all.
#include "lib/gates.glsl"
#include "lib/gather.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { CountContactsArgs args; };

void main() {
  uint part = thread_index();
  if (part >= PARAMS(args.params).parts) return;
  uvec2 chunks = args.parts.at[part];
  uint sum = 0;
  for (uint c = chunks.x; c < chunks.x + chunks.y; ++c) {
    args.chunks.at[c].contacts_before = sum;
    sum += bitCount(args.chunks.at[c].contact);
  }
  args.part_chunks.at[part] = groups_of(sum, kChunk);
}
