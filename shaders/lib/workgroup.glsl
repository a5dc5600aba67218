// The thread's index in a folded dispatch, and sums over a workgroup in one fixed tree.
#ifndef SLUICE_WORKGROUP_GLSL
#define SLUICE_WORKGROUP_GLSL
#include "lib/strict.glsl"

layout(local_size_x_id = kSpecGroupSize) in;

uint group_index() { return gl_WorkGroupID.y * kMaxGroupsX + gl_WorkGroupID.x; }
uint thread_index() { return group_index() * kGroup + gl_LocalInvocationIndex; }

// Sums over kGroup threads: 16 threads add 16 values each in order, then one adds their sums. The same
// tree on every device, whatever its subgroups, and few barriers (CPU drivers pay dearly for them).
// Results are valid in thread 0.
#ifdef SLUICE_GROUP_SUMS
shared vec4 g_sum[kGroup];

vec4 group_sum(vec4 value) {
  uint t = gl_LocalInvocationIndex;
  g_sum[t] = value;
  barrier();
  vec4 sum = g_sum[t * 16 & (kGroup - 1)];
  if (t < 16) {
    for (uint k = 1; k < 16; ++k) sum += g_sum[t * 16 + k];
    g_sum[t * 16] = sum;
  }
  barrier();
  if (t == 0) {
    for (uint k = 1; k < 16; ++k) sum += g_sum[k * 16];
  }
  barrier();
  return sum;
}

float group_max(float value) {
  uint t = gl_LocalInvocationIndex;
  g_sum[t].x = value;
  barrier();
  float best = value;
  if (t < 16) {
    for (uint k = 0; k < 16; ++k) best = larger(best, g_sum[t * 16 + k].x);
    g_sum[t * 16].x = best;
  }
  barrier();
  if (t == 0) {
    for (uint k = 1; k < 16; ++k) best = larger(best, g_sum[k * 16].x);
  }
  barrier();
  return best;
}
#endif

#endif
