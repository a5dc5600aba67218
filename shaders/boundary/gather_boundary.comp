#version 460
#extension GL_GOOGLE_include_directive : require
// Boundary samples in the order of their cells.
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { GatherBoundaryArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.control.at[0].boundary_particles) return;
  args.boundary.at[i] = args.placed.at[args.order.at[i]];
}
