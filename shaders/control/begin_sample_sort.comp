#version 460
#extension GL_GOOGLE_include_directive : require
// Rigid samples are sorted only if one has another cell than when they were sorted last: of bodies at rest, none has.
#include "lib/gates.glsl"

layout(local_size_x = 1) in;
void main() {
  if (gl_WorkGroupID.x + gl_WorkGroupID.y > 0 || CONTROL.samples_moved == 0) return;
  CONTROL.samples_moved = 0;
  uint samples = CONTROL.samples;
  open_slot(kSlotSortSamples, groups_of(samples, kGroup));
  open_slot(kSlotBeginSampleBlocks, groups_of(samples, kSortBlock));
  open_slot(kSlotBeginSampleDigits, PARAMS.sample_sort_digits);
  open_slot(kSlotBeginSampleCells, groups_of(PARAMS.sample_grid.cells, kGroup));
}
