#version 460
#extension GL_GOOGLE_include_directive : require
// The state of the moving particles in the order of their cells. The last step's state stays where it
// is until `integrate`, so that a step can start again or fail without loss.
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { ReorderArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.control.at[0].particles) return;
  uint from = args.order.at[i];
  args.sorted_position.at[i] = args.position.at[from];
  args.sorted_low.at[i] = args.low.at[from];
  args.sorted_velocity.at[i] = args.velocity.at[from];
}
