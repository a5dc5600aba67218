#version 460
#extension GL_GOOGLE_include_directive : require
// The samples with foreign neighbours, part by part: the solver visits no others, whatever their order in the body.
// Each part's fill whole chunks, so that no chunk's sum has two bodies in it.
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { ListContactsArgs args; };

void main() {
  uint c = thread_index();
  uint samples = args.control.at[0].samples;
  if (c * kChunk >= samples) return;
  Chunk chunk = args.chunks.at[c];
  uint place = args.part_chunks.at[chunk.part] * kChunk + chunk.contacts_before;
  for (uint bits = chunk.contact; bits != 0; bits &= bits - 1) {
    args.contact_samples.at[place++] = c * kChunk + findLSB(bits);
  }
  bool last = (c + 1) * kChunk >= samples || args.chunks.at[c + 1].part != chunk.part;
  uint end = last ? args.part_chunks.at[chunk.part + 1] * kChunk : 0;
  while (place < end) args.contact_samples.at[place++] = kNoBody;
}
