// One coefficient of friction a pair of bodies, whichever of them the sample is of that carries their contact: that of
// their classes in the scene's table, else the geometric mean of their own. Two equal ones are that number to the bit.
#ifndef SLUICE_PAIR_FRICTION_GLSL
#define SLUICE_PAIR_FRICTION_GLSL
#include "lib/kernel.glsl"
#include "lib/samples.glsl"

struct Surface {
  float friction;  // < 0: of a boundary, or its carriers, that has none, so that the other body's counts
  uint kind;       // friction class
};

float pair_friction(Params_ref params, Surface own, Surface other) {
  // Bounded, since llvmpipe loads for lanes, too, that have left the loop, by what is then in their registers.
  uint pair = min(own.kind * kFrictionClasses + other.kind, kFrictionClasses * kFrictionClasses - 1u);
  float of_classes = PAIR_FRICTION(params, pair);
  if (of_classes >= 0.0) return of_classes;
  if (own.friction < 0.0) return other.friction;
  if (other.friction < 0.0 || other.friction == own.friction) return own.friction;
  return square_root(own.friction) * square_root(other.friction);
}

// Vectors are loaded whole: llvmpipe takes the last component alone for another number.
Surface surface_of_body(RigidStep_ref steps, uint body) {
  vec4 inverse_mass = GATHER_MEMBER(step_texels, steps, body, kStepTexels, kStepInverseMass, inverse_mass);
  uvec4 center = GATHER_WORDS(step_texels, steps, body, kStepTexels, kStepCenter, center);
  return Surface(inverse_mass.w, center.w);
}

Surface surface_of_boundary(BodyState_ref bodies, uint body) {
  vec4 spin = GATHER_MEMBER(body_texels, bodies, body, kBodyTexels, kBodySpin, spin);
  uvec4 position = GATHER_WORDS(body_texels, bodies, body, kBodyTexels, kBodyPosition, position);
  return Surface(spin.w, position.w);
}

// The coefficient of a sample's row: the mean of its pairs by their neighbours' shares in its normal force, -grad W . n
// times their weights. Between the smallest and the largest, so that with one partner it is that pair's to the bit.
float row_friction(Params_ref params, Row row, uvec4_ref samples, uvec4_ref boundary, RigidStep_ref steps,
                   BodyState_ref bodies, uvec3 x, vec3 n, uint body) {
  Surface own = surface_of_body(steps, body);
  float least = 0.0, most = 0.0, force = 0.0, sum = 0.0;
  float friction = own.friction;
  uint last = kNoBody;  // whose pair `friction` is; boundaries are counted behind rigid bodies
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    uint j = row_entry(row, k);
    bool rigid = k < row.rigid_end;
    uvec4 y = rigid ? GATHER4(sample_texels, samples, j) : GATHER4(boundary_texels, boundary, j);
    uint other = rigid ? body_of(y.w) : sample_body(y.w) + (1u << kBodyBits);
    if (other != last) {
      if (rigid)
        friction = pair_friction(params, own, surface_of_body(steps, other));
      else
        friction = pair_friction(params, own, surface_of_boundary(bodies, sample_body(y.w)));
      last = other;
    }
    vec3 d = difference(x, y.xyz);
    float weight = contact_weight(params, rigid ? weight_of(y.w) : sample_weight(y.w));
    float share = -(weight * kernel_slope(length_squared(d))) * dot3(d, n);
    if (!(share > 0.0)) continue;
    least = force > 0.0 ? smaller(least, friction) : friction;
    most = force > 0.0 ? larger(most, friction) : friction;
    force += share;
    sum += share * friction;
  }
  return force > 1e-12 ? clamped(divide(sum, force), least, most) : larger(own.friction, 0.0);
}

#endif
