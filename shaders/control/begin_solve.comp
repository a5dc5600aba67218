#version 460
#extension GL_GOOGLE_include_directive : require
// Between the set-up and the solve: p^0 is set, the iteration count starts [PT23 alg. 2 l. 2-9].
#include "lib/gates.glsl"
#include "lib/solver.glsl"

layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push { GateArgs args; };

void main() {
  if (args.control.at[0].phase != kPhaseBegin) return;
  close_all(args.control);
  args.control.at[0].boundary_dirty = 0;
  if (args.control.at[0].failure != kFailureNone) {
    fail(args.control, args.control.at[0].failure);
    return;
  }
  // The state still lies in the last step's arrays, so the step starts again after the pool has grown.
  if (args.control.at[0].spill_needed > args.control.at[0].spill_capacity) {
    args.control.at[0].phase = kPhaseCapacity;
    return;
  }
  float tau = args.control.at[0].tau;
  args.control.at[0].phase = kPhaseSolve;
  args.control.at[0].iteration = 0;
  args.control.at[0].tolerance = solver_tolerance(args.params, tau);
  args.control.at[0].norm = 0.0;
  args.control.at[0].beta = 0.0;
  args.control.at[0].best_residual = 1e30;
  args.control.at[0].best_iteration = 0;
  args.control.at[0].save_best = 0;
  args.control.at[0].restore_best = 0;
  open_solve(args.control, args.params);
}
