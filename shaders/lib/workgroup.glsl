// The thread's index in a folded dispatch, and sums over a workgroup in one fixed tree.
#ifndef SLUICE_WORKGROUP_GLSL
#define SLUICE_WORKGROUP_GLSL
#include "lib/strict.glsl"

layout(local_size_x_id = kSpecGroupSize) in;

uint group_index() { return gl_WorkGroupID.y * kMaxGroupsX + gl_WorkGroupID.x; }
uint thread_index() { return group_index() * kGroup + gl_LocalInvocationIndex; }

// Sums over kGroup threads: 16 threads add 16 values each in order, then one adds their sums: the same tree on every
// device, whatever its subgroups. Results are valid in thread 0. A shader sums all that it has in one call; a second
// would need a barrier between. CPU drivers run what stands under an `if` in all threads, masked, but only one round of
// a loop that no thread takes: so loops say who works, but for single stores and loads.
#ifdef SLUICE_GROUP_SUMS  // how many; 4 KiB of shared memory each
shared vec4 g_sums[SLUICE_GROUP_SUMS][kGroup];
#ifdef SLUICE_GROUP_LARGEST
shared vec2 g_largest[kGroup];
#endif

// Of the values at t 16 stride + k stride, in threads below `count`; leaves them at t 16 stride.
void reduce_lanes(uint count, uint stride) {
  uint t = gl_LocalInvocationIndex;
  uint end = t < count ? 16u : 0u;
  uint first = t * 16 * stride;
  for (uint n = 0; n < SLUICE_GROUP_SUMS; ++n) {
    vec4 sum = vec4(0.0);
    for (uint k = 0; k < end; ++k) sum += g_sums[n][first + k * stride];
    if (t < count) g_sums[n][first] = sum;
  }
#ifdef SLUICE_GROUP_LARGEST
  for (uint k = 1; k < end; ++k) {
    vec2 best = g_largest[first], other = g_largest[first + k * stride];
    g_largest[first] = vec2(larger(best.x, other.x), larger(best.y, other.y));
  }
#endif
}

void group_sums(inout vec4 sums[SLUICE_GROUP_SUMS]) {
  uint t = gl_LocalInvocationIndex;
  for (uint n = 0; n < SLUICE_GROUP_SUMS; ++n) g_sums[n][t] = sums[n];
  barrier();
  reduce_lanes(16, 1);
  barrier();
  reduce_lanes(1, 16);
  if (t == 0) {
    for (uint n = 0; n < SLUICE_GROUP_SUMS; ++n) sums[n] = g_sums[n][0];
  }
}

#ifdef SLUICE_GROUP_LARGEST
// And the largest values.
void group_sums(inout vec4 sums[SLUICE_GROUP_SUMS], inout vec2 largest) {
  g_largest[gl_LocalInvocationIndex] = largest;
  group_sums(sums);
  if (gl_LocalInvocationIndex == 0) largest = g_largest[0];
}
#endif
#endif

#endif
