#version 460
#extension GL_GOOGLE_include_directive : require
// Rigid samples are sorted only if one has another cell than when they were sorted last: of bodies at rest, none has.
#include "lib/gates.glsl"

layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push { GateArgs args; };

void main() {
  if (gl_WorkGroupID.x + gl_WorkGroupID.y > 0 || args.control.at[0].samples_moved == 0) return;
  args.control.at[0].samples_moved = 0;
  uint samples = args.control.at[0].samples;
  open_slot(args.control, kSlotSortSamples, groups_of(samples, kGroup));
  open_slot(args.control, kSlotBeginSampleBlocks, groups_of(samples, kSortBlock));
  open_slot(args.control, kSlotBeginSampleDigits, args.params.at[0].sample_sort_digits);
  open_slot(args.control, kSlotBeginSampleCells, groups_of(args.params.at[0].sample_grid.cells, kGroup));
}
