#version 460
#extension GL_GOOGLE_include_directive : require
// Empties the start table.
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { ClearCellsArgs args; };

void main() {
  uint i = thread_index();
  if (i < args.count) args.cells.at[i] = uvec2(0);
}
