#version 460
#extension GL_GOOGLE_include_directive : require
// The samples with foreign neighbours, part by part: the solver visits no others, whatever their order in the body.
// Each part's list is padded to whole chunks, so that no chunk's sum has two bodies in it.
#include "lib/buffers.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint c = thread_index();
  uint samples = CONTROL.samples;
  if (c * kChunk >= samples) return;
  Chunk chunk = chunk_buffer.at[c];
  uint place = part_chunk_buffer.at[chunk.part] * kChunk + chunk.contacts_before;
  for (uint bits = chunk.contact; bits != 0; bits &= bits - 1) {
    contact_sample_buffer.at[place++] = c * kChunk + findLSB(bits);
  }
  bool last = (c + 1) * kChunk >= samples || chunk_buffer.at[c + 1].part != chunk.part;
  uint end = last ? part_chunk_buffer.at[chunk.part + 1] * kChunk : 0;
  while (place < end) contact_sample_buffer.at[place++] = kNoBody;
}
