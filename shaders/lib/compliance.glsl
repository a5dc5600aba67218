// Compliance of contacts. Where more contacts carry a load than balance of forces and torques can tell apart, rigid
// rows leave it to chance how they share it, and one corner may hold a gripped block. A row that gives way in
// proportion to its load has one answer, an even one, and converges sooner. A row's compliance is a share of its own
// diagonal D, the sum of its bodies' parts:
//   V_err + s_p(p) p            s_p -> Params::load_sharing D
//   v_tang dt + s_f (lambda - lambda_last)
// D is that of a step, dt^2 / m: s_p is that of a longer one, in which gravity moves a body by 0.005 h, so that
// contacts are as stiff in steps of any length. Friction is a law of velocities: a compliance of all of lambda would
// slide for ever.
#ifndef SLUICE_COMPLIANCE_GLSL
#define SLUICE_COMPLIANCE_GLSL
#include "lib/buffers.glsl"
#include "lib/solver.glsl"
#include "lib/strict.glsl"

// Friction well within its cone, as a share of the square of the radius: the contact sticks.
FLOAT_CONSTANT kSticking = 0.998;
// Each solve leaves some slip, up to its tolerance, and always in the direction of the load: bodies would creep. So
// what a sample has slipped since it sticks is kept, and this share of it is added to what a solve has to stop. All of
// it is a spring that nothing damps: eight cubes in line twist at 100 Hz, for ever. Adding a share of the last solve's
// slip alone makes bodies creep by the rest of it.
FLOAT_CONSTANT kSlipUndone = 0.15;
// The limit of that slip, h; a sample beyond it sticks anew where it lies. At steps of 4 ms samples under load need
// more than 0.003 h.
FLOAT_CONSTANT kMostSlip = 0.02;

float sum_of_parts(vec4 parts) { return (parts.x + parts.y) + (parts.z + parts.w); }

// The secant s_p of c 4 ((1 + x)^(1/4) - 1), with x = s p / c, `s` the compliance without load and c = kElasticError.
float pressure_compliance(float s, float p) {
  float q = square_root(square_root(1.0 + (1.0 / kElasticError) * (s * p)));
  return divide(4.0 * s, (q + 1.0) * (q * q + 1.0));
}

// The share of D that s_p is.
float pressure_sharing(float tau) {
  return PARAMS.load_sharing * larger(1.0, divide(PARAMS.contact_time_squared, tau * tau));
}

// The part of its overlap 1 - V0/V that a row has to mend: without what its load explains, and no more than bodies may
// part in a step. The load is that of the iterate, so what approaches meets the whole spring and what parts no more
// than the limit: no impact is thrown back. With the last step's load instead, loading is softer than unloading, and
// 1:10:100 bounces for ever.
struct Overlap {
  float error;
  float compliance;  // the secant of `error` in p
};
Overlap overlap_to_mend(SampleRow record, float p) {
  float s = pressure_compliance(record.volume.w, p), tau = CONTROL.tau;
  float left = record.turning.w + s * p;
  float part = capped_overlap(left, kRigidOverlapShare * PARAMS.overlap_speed, solver_tolerance(tau), tau);
  return Overlap(part, part > left ? 0.0 : s);
}

float friction_compliance(SampleRow record) { return PARAMS.load_sharing * sum_of_parts(record.friction); }

#endif
