#version 460
#extension GL_GOOGLE_include_directive : require
// Radix sort, pass 2 of 3: one small workgroup a digit turns its row of block counts into offsets. Each
// thread scans a run of consecutive blocks; a full workgroup would mostly wait at barriers.
#include "shared/args.h"

layout(local_size_x = 32) in;
layout(push_constant, scalar) uniform Push { SortSpineArgs args; };

shared uint g_runs[33];

void main() {
  uint t = gl_LocalInvocationIndex;
  uint digit = gl_WorkGroupID.x;
  uint blocks = (args.count.at[0] + kSortBlock - 1) / kSortBlock;
  uint run = (blocks + 31) / 32;
  uint begin = min(t * run, blocks), end = min(begin + run, blocks);
  uint sum = 0;
  for (uint block = begin; block < end; ++block) sum += args.counts.at[digit * blocks + block];
  g_runs[t + 1] = sum;
  barrier();
  if (t == 0) {
    g_runs[0] = 0;
    for (uint k = 1; k <= 32; ++k) g_runs[k] += g_runs[k - 1];
  }
  barrier();
  uint before = g_runs[t];
  for (uint block = begin; block < end; ++block) {
    uint count = args.counts.at[digit * blocks + block];
    args.counts.at[digit * blocks + block] = before;
    before += count;
  }
  if (t == 0) args.totals.at[digit] = g_runs[32];
}
