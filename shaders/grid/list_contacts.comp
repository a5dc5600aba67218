#version 460
#extension GL_GOOGLE_include_directive : require
// The chunks that hold a sample with a foreign neighbour, in order, and how many precede each chunk: so the sums of a
// body's contact chunks lie side by side.
#include "lib/contact_chunks.glsl"
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { ListContactsArgs args; };

void main() {
  uint i = thread_index();
  uint samples = args.control.at[0].samples;
  uint counts = i < samples ? args.head.at[args.params.at[0].sample_row + i].x : 0;
  bool contact;
  uint total;
  uint before = rank_contact_chunks(counts != 0, contact, total);
  uint base = args.group_contacts.at[group_index()];
  uint chunk = group_index() * (kGroup / kChunk) + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < kGroup / kChunk && chunk * kChunk < samples) {
    args.chunk_rank.at[chunk] = base + before;
    if (contact) args.contact_chunks.at[base + before] = chunk;
    if ((chunk + 1) * kChunk >= samples) args.chunk_rank.at[chunk + 1] = base + total;
  }
}
