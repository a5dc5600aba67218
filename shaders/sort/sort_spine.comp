#version 460
#extension GL_GOOGLE_include_directive : require
// Radix sort, pass 2 of 3: one workgroup a digit turns its row of block counts into offsets.
#include "lib/workgroup.glsl"
#include "lib/scan.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { SortSpineArgs args; };

void main() {
  uint t = gl_LocalInvocationIndex;
  uint digit = group_index();
  uint blocks = (args.count.at[0] + kSortBlock - 1) / kSortBlock;
  uint base = 0;
  for (uint first = 0; first < blocks; first += kGroup) {
    uint block = first + t;
    uint value = block < blocks ? args.counts.at[digit * blocks + block] : 0;
    uint total;
    uint before = group_exclusive_scan(value, total);
    if (block < blocks) args.counts.at[digit * blocks + block] = base + before;
    base += total;
  }
  if (t == 0) args.totals.at[digit] = base;
}
