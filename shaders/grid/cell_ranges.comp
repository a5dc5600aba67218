#version 460
#extension GL_GOOGLE_include_directive : require
// First and end index of each cell's particles, from the sorted keys.
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { CellRangesArgs args; };

void main() {
  uint i = thread_index();
  uint count = args.count.at[0];
  if (i >= count) return;
  uint key = args.keys.at[i];
  if (i == 0 || args.keys.at[i - 1] != key) args.cells.at[key].x = i;
  if (i + 1 == count || args.keys.at[i + 1] != key) args.cells.at[key].y = i + 1;
}
