#version 460
#extension GL_GOOGLE_include_directive : require
// Strays change places with the last particles that stay, so that all that stay lie in front. Strays keep their state
// behind them, which nothing changes any more.
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { RemoveStraysArgs args; };

void swap_records(uvec4_ref records, uint a, uint b) {
  uvec4 record = records.at[a];
  records.at[a] = records.at[b];
  records.at[b] = record;
}

void main() {
  uint k = thread_index();
  if (k >= args.control.at[0].gaps) return;
  uint gap = args.gaps.at[k], filler = args.fillers.at[k];
  swap_records(args.position, gap, filler);
  swap_records(args.low, gap, filler);
  swap_records(args.velocity, gap, filler);
}
