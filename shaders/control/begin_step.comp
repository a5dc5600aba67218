#version 460
#extension GL_GOOGLE_include_directive : require
// Opens the begin-of-step passes if a step is due; a closed gate makes the rest of a tick cost nothing.
#include "lib/gates.glsl"

layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push { GateArgs args; };

void main() {
  close_all(args.control);
  uint phase = args.control.at[0].phase;
  if (phase == kPhaseBegin) {
    args.control.at[0].spill_needed = 0;
    open_begin(args.control, args.params, args.control.at[0].boundary_dirty != 0);
  } else if (phase == kPhaseSolve) {
    open_solve(args.control, args.params);  // a solve goes on that did not converge in the last tick
  }
}
