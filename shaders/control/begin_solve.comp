#version 460
#extension GL_GOOGLE_include_directive : require
// Between the set-up and the solve: the iteration count starts [PT23 alg. 2 l. 9].
#include "lib/gates.glsl"
#include "lib/solver.glsl"

layout(local_size_x = 1) in;
void main() {
  if (CONTROL.phase != kPhaseBegin) return;
  close_all();
  CONTROL.boundary_dirty = 0;
  if (CONTROL.failure != kFailureNone) {
    fail(CONTROL.failure);
    return;
  }
  // The state still lies in the last step's arrays, so the step starts again after the pool has grown.
  if (CONTROL.spill_needed > CONTROL.spill_capacity) {
    CONTROL.phase = kPhaseCapacity;
    return;
  }
  float tau = CONTROL.tau;
  CONTROL.phase = kPhaseSolve;
  CONTROL.iteration = 0;
  CONTROL.tolerance = solver_tolerance(tau);
  CONTROL.norm = 0.0;
  CONTROL.beta = 0.0;
  CONTROL.best_residual = 1e30;
  CONTROL.best_iteration = 0;
  CONTROL.save_best = 0;
  CONTROL.restore_best = 0;
  open_solve();
}
