// Which chunks of a workgroup hold a sample with a foreign neighbour: the solver visits no others.
#ifndef SLUICE_CONTACT_CHUNKS_GLSL
#define SLUICE_CONTACT_CHUNKS_GLSL
#include "shared/constants.h"

const uint kGroupChunks = kGroup / kChunk;
shared uint g_contact[kGroupChunks];

// The number of such chunks before chunk t of the workgroup, for threads t < kGroupChunks, and in all; `contact` tells
// whether that chunk is one.
uint rank_contact_chunks(bool has_neighbors, out bool contact, out uint total) {
  uint t = gl_LocalInvocationIndex;
  if (t < kGroupChunks) g_contact[t] = 0;
  barrier();
  if (has_neighbors) atomicOr(g_contact[t / kChunk], 1u);
  barrier();
  contact = t < kGroupChunks && g_contact[t] != 0;
  uint before = 0;
  total = 0;
  if (t < kGroupChunks) {
    for (uint k = 0; k < kGroupChunks; ++k) {
      if (k < t) before += g_contact[k];
      total += g_contact[k];
    }
  }
  return before;
}

#endif
