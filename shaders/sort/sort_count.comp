#version 460
#extension GL_GOOGLE_include_directive : require
// Radix sort, reduce-then-scan, pass 1 of 3: how often each digit occurs in each block of keys.
// [Satish, Harris, Garland 2009]; no subgroup operations and no forward progress are assumed.
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { SortCountArgs args; };

shared uint g_histogram[kSortDigits];

void main() {
  uint t = gl_LocalInvocationIndex;
  uint block = group_index();
  uint count = args.count.at[0];
  uint blocks = (count + kSortBlock - 1) / kSortBlock;
  if (block >= blocks) return;
  g_histogram[t] = 0;
  barrier();
  for (uint k = 0; k < kSortBlock / kGroup; ++k) {
    uint i = block * kSortBlock + k * kGroup + t;
    if (i < count) atomicAdd(g_histogram[(args.keys.at[i] >> args.shift) & (args.digits - 1)], 1);
  }
  barrier();
  if (t < args.digits) args.counts.at[t * blocks + block] = g_histogram[t];
}
