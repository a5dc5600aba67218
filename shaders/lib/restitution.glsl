// Restitution. A row of two bodies that will meet within the step, faster than resting ones do, asks for a rebound in
// place of contact: that they part, as the step ends, at a share e of the speed at which they approach as it begins
// [Newton]. All impacts of a step are solved together, like contacts. The bodies turn round where they are, up to their
// way of a step before they touch: to let them touch first would take their speed from them. What gravity adds to the
// approach in the step is left out: with it, a body of e = 0.95 would hop at 19 g dt for ever.
// A pair has the coefficient of its classes in the scene's table, else the larger of both bodies' own.
#ifndef SLUICE_RESTITUTION_GLSL
#define SLUICE_RESTITUTION_GLSL
#include "lib/contact.glsl"

// Approaches slower than so many times |g| dt, what gravity makes of a body at rest in a step, are contacts: else what
// rests would hop. Without gravity, so many tolerances of the solve.
FLOAT_CONSTANT kSlowApproach = 4.0;
FLOAT_CONSTANT kUnsureApproach = 20.0;

struct Bounce {
  float restitution;
  uint kind;  // friction class
};

float pair_restitution(Bounce own, Bounce other) {
  // Bounded as in lib/pair_friction.glsl.
  uint pair = min(own.kind * kFrictionClasses + other.kind, kFrictionClasses * kFrictionClasses - 1u);
  float of_classes = restitution_of_pair(pair);
  return of_classes >= 0.0 ? of_classes : larger(own.restitution, other.restitution);
}

Bounce bounce_of_body(uint body) {
  vec4 mixed = FIELD(rigid_step, body, inverse_mixed);
  uvec4 center = FIELD(rigid_step, body, center);
  return Bounce(mixed.w, center.w);
}

Bounce bounce_of_boundary(uint body) {
  vec4 center = FIELD(boundary_body, body, round_center);
  uvec4 position = FIELD(boundary_body, body, position);
  return Bounce(center.w, position.w);
}

// By how much gravity changes a body's velocity, over dt; as if its scale were 1, by which the approach is off by less
// than a step of gravity.
vec3 fall_of_body(uint body) {
  vec4 inverse_mass = FIELD(rigid_step, body, inverse_mass);
  return vec3(inverse_mass.x > 0.0 ? PARAMS.gravity_x : 0.0, inverse_mass.y > 0.0 ? PARAMS.gravity_y : 0.0,
              inverse_mass.z > 0.0 ? PARAMS.gravity_z : 0.0);
}

// x: of a sample's row, the mean of its pairs by their neighbours' shares in its normal force, as of friction; y: how
// fast gravity would bring them closer, along the sum of grad W.
vec2 row_restitution(Row row, uvec3 x, vec4 face, uint body) {
  Bounce own = bounce_of_body(body);
  ShareMean mean = kNoShares;
  float pull = 0.0;
  vec3 fall = fall_of_body(body);
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(row, x, k);
    if (!meets(face, c.d)) continue;
    Bounce other;
    if (c.rigid)
      other = bounce_of_body(c.body);
    else
      other = bounce_of_boundary(c.body);
    float slope = c.weight * kernel_slope(length_squared(c.d));
    pull += slope * dot3(c.rigid ? fall - fall_of_body(c.body) : fall, c.d);
    add_share(mean, -slope * dot3(c.d, face.xyz), pair_restitution(own, other));
  }
  return vec2(mean_or(mean, 0.0), pull);
}

// Whether a row is an impact: `gap` is V_err now, `closing` what v* takes from it in the step, `unit` what a motion of
// 1 h along the normal would. A row that carried a load in the last step is a contact that lasts.
bool is_impact(float gap, float closing, float unit, float last_pressure, float tau, float tolerance) {
  float slow = larger(kSlowApproach * (PARAMS.gravity_length * (tau * tau)) * unit, kUnsureApproach * tolerance);
  return last_pressure <= 0.0 && closing > slow && gap < closing;
}

#endif
