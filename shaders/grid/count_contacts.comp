#version 460
#extension GL_GOOGLE_include_directive : require
// How many samples with foreign neighbours each part of a body has, before each of its chunks and in all.
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint part = thread_index();
  if (part >= PARAMS.parts) return;
  uvec2 chunks = part_buffer.at[part];
  uint sum = 0;
  for (uint c = chunks.x; c < chunks.x + chunks.y; ++c) {
    chunk_buffer.at[c].contacts_before = sum;
    sum += bitCount(chunk_buffer.at[c].contact);
  }
  part_chunk_buffer.at[part] = groups_of(sum, kChunk);
}
