// Exclusive prefix sum over the kGroup threads of a workgroup: 16 segments of 16, two levels.
#ifndef SLUICE_SCAN_GLSL
#define SLUICE_SCAN_GLSL
#include "shared/constants.h"

shared uint g_scan[kGroup];
shared uint g_segments[17];

uint group_exclusive_scan(uint value, out uint total) {
  uint t = gl_LocalInvocationIndex;
  g_scan[t] = value;
  barrier();
  if (t < 16) {
    uint sum = 0;
    for (uint k = 0; k < 16; ++k) {
      uint v = g_scan[t * 16 + k];
      g_scan[t * 16 + k] = sum;
      sum += v;
    }
    g_segments[t + 1] = sum;
  }
  barrier();
  if (t == 0) {
    g_segments[0] = 0;
    for (uint k = 1; k <= 16; ++k) g_segments[k] += g_segments[k - 1];
  }
  barrier();
  uint result = g_scan[t] + g_segments[t / 16];
  total = g_segments[16];
  barrier();
  return result;
}

shared uint g_any;
// The same of values that mostly are zero in all threads.
uint group_exclusive_scan_if_any(uint value, out uint total) {
  if (gl_LocalInvocationIndex == 0) g_any = 0;
  barrier();
  if (value != 0) atomicOr(g_any, 1u);
  barrier();
  total = 0;
  if (g_any == 0) return 0;
  return group_exclusive_scan(value, total);
}

#endif
