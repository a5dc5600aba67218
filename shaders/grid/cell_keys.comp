#version 460
#extension GL_GOOGLE_include_directive : require
// The sort key of each moving particle: its cell. Its index goes along.
#include "lib/grid.glsl"
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { CellKeysArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.control.at[0].particles) return;
  args.keys.at[i] = cell_key(args.position.at[i].xyz, args.params.at[0].grid);
  args.values.at[i] = i;
}
