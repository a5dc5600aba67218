#version 460
#extension GL_GOOGLE_include_directive : require
// Where each workgroup's spilled rows begin in the pool; one workgroup.
#include "lib/gates.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SpillScanArgs args; };

void main() {
  uint t = gl_LocalInvocationIndex;
  uint groups = groups_of(args.control.at[0].particles, kGroup);
  uint base = 0;
  for (uint first = 0; first < groups; first += kGroup) {
    uint value = first + t < groups ? args.group_spills.at[first + t] : 0;
    uint total;
    uint before = group_exclusive_scan(value, total);
    if (first + t < groups) args.group_spills.at[first + t] = base + before;
    base += total;
  }
  if (t == 0) {
    args.control.at[0].spill_needed = base;
    if (base > args.control.at[0].spill_capacity) {
      close_slot(args.control, kSlotBeginParticles);  // no pass may follow rows that have no place
    } else if (base > 0) {
      open_slot(args.control, kSlotSpillParticles, groups);
    }
  }
}
