// What the rows of fluid particles and of rigid samples have in common.
#ifndef SLUICE_SOLVER_GLSL
#define SLUICE_SOLVER_GLSL
#include "lib/buffers.glsl"
#include "lib/strict.glsl"

// Of fluid rows. Those of samples are told by their contact gradient, since D is as small as a body is heavy.
FLOAT_CONSTANT kSmallDiagonal = 1e-9;
FLOAT_CONSTANT kNoDiagonal = 1e-25;

float solver_tolerance(float tau) { return larger(PARAMS.tolerance_scale * (tau * tau), 2e-6); }

// The part of a volume error 1 - V0/V that this step takes back: an overlap is separated no faster than
// `overlap_speed`, but well above the tolerance, below which a body would sink in unnoticed.
float capped_overlap(float error, float overlap_speed, float tolerance, float tau) {
  return overlap_speed > 0.0 ? larger(error, -larger(10.0 * tolerance, overlap_speed * tau)) : error;
}

// What the last step's unknowns, which scale with dt^2, are multiplied by so that a solve starts from `share` of them.
float warm_start(float share) {
  float ratio = divide(CONTROL.tau, CONTROL.last_tau);
  return share * (ratio * ratio);
}

// The share of their last unknowns that samples' rows start from. More of it saves iterations where loads are heavy,
// and lets light stacks sway, since forces lag behind; so it grows with the iterations of the last solve, from 16 on.
FLOAT_CONSTANT kIterationsToSpare = 8.0;
float rigid_start() {
  float share = PARAMS.warm_start_rigid, iterations = float(int(CONTROL.iteration));
  if (!(share > 0.0) || !(iterations > kIterationsToSpare)) return share;
  return larger(share, 1.0 - divide(kIterationsToSpare, iterations));
}

// Zero exactly where p >= 0, V_err >= 0 and one of them is 0 [Fischer 1992]; p in units of the error.
float fischer_burmeister(float p, float error) { return p + error - square_root(p * p + error * error); }

// PJ(p) of a pressure row [PT23 eq. 4.1a]. `sums` becomes its residual, its part of the norm, and 1, if it is active
// (p > 0 or V_err < 0). A particle without a gradient cannot be moved by its pressure, its diagonal is not above
// `smallest`: it has no row.
float jacobi_step(float p, float error, float diagonal, float smallest, float relaxation, inout vec4 sums) {
  if (!(diagonal > smallest)) return 0.0;
  float next = flush(larger(p - relaxation * divide(error, diagonal), 0.0));
  if (p > 0.0 || error < 0.0) {
    float change = next - p;
    float weight = PARAMS.paper_mode != 0 ? 1.0 : diagonal;
    sums = vec4(abs(fischer_burmeister(p * diagonal, error)), weight * (change * change), 1.0, 0.0);
  }
  return next;
}

#endif
