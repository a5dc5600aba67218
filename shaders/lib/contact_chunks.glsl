// Which chunks of a workgroup hold a sample with a foreign neighbour: the solver visits no others.
#ifndef SLUICE_CONTACT_CHUNKS_GLSL
#define SLUICE_CONTACT_CHUNKS_GLSL
#include "lib/scan.glsl"

shared uint g_contact[kGroup / kChunk];

// The number of such chunks before chunk t of the workgroup, for threads t < kGroup / kChunk; `contact` tells
// whether that chunk is one.
uint rank_contact_chunks(bool has_neighbors, out bool contact, out uint total) {
  uint t = gl_LocalInvocationIndex;
  if (t < kGroup / kChunk) g_contact[t] = 0;
  barrier();
  if (has_neighbors) atomicOr(g_contact[t / kChunk], 1u);
  barrier();
  contact = t < kGroup / kChunk && g_contact[t] != 0;
  return group_exclusive_scan(contact ? 1 : 0, total);
}

#endif
