// Compliance of contacts. Where more contacts carry a load than balance of forces and torques can tell apart, rigid
// rows leave it to chance how they share it, and one corner may hold a gripped block. A row that gives way in
// proportion to its load has one answer, an even one, and converges sooner. A row's compliance is a share of its own diagonal D, the
// sum of its bodies' parts:
//   V_err + s_p(p) p            s_p -> Params::load_sharing D
//   v_tang dt + s_f (lambda - lambda_last)
// Friction is a law of velocities: a compliance of all of lambda would slide for ever.
#ifndef SLUICE_COMPLIANCE_GLSL
#define SLUICE_COMPLIANCE_GLSL
#include "lib/gather.glsl"
#include "lib/strict.glsl"

// Friction well within its cone, as a share of the square of the radius: the contact sticks.
FLOAT_CONSTANT kSticking = 0.998;

float sum_of_parts(vec4 parts) { return (parts.x + parts.y) + (parts.z + parts.w); }

// The secant s_p of c 4 ((1 + x)^(1/4) - 1), with x = s p / c, `s` the compliance without load and c = kElasticError.
float pressure_compliance(float s, float p) {
  float q = square_root(square_root(1.0 + (1.0 / kElasticError) * (s * p)));
  return divide(4.0 * s, (q + 1.0) * (q * q + 1.0));
}

float friction_compliance(Params_ref params, SampleRow record) {
  return PARAMS(params).load_sharing * sum_of_parts(record.friction);
}

#endif
