#version 460
#extension GL_GOOGLE_include_directive : require
// The chunks that hold a sample with a foreign neighbour, in order, and how many precede each chunk: so the sums of a
// body's contact chunks lie side by side.
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { ListContactsArgs args; };

void main() {
  uint c = thread_index();
  uint samples = args.control.at[0].samples;
  if (c * kChunk >= samples) return;
  Chunk chunk = args.chunks.at[c];
  uint rank = args.group_contacts.at[c * kChunk / kGroup] + chunk.contacts_before;
  args.chunk_rank.at[c] = rank;
  if (chunk.contact != 0) args.contact_chunks.at[rank] = c;
  if ((c + 1) * kChunk >= samples) args.chunk_rank.at[c + 1] = rank + chunk.contact;
}
