// One coefficient of friction a pair of bodies, whichever of them the sample is of that carries their contact: that of
// their classes in the scene's table, else the geometric mean of their own. Two equal ones are that number to the bit.
#ifndef SLUICE_PAIR_FRICTION_GLSL
#define SLUICE_PAIR_FRICTION_GLSL
#include "lib/contact.glsl"

struct Surface {
  float friction;  // < 0: of a boundary, or its carriers, that has none, so that the other body's counts
  uint kind;       // friction class
};

float pair_friction(Surface own, Surface other) {
  // Bounded, since llvmpipe loads for lanes, too, that have left the loop, by what is then in their registers.
  uint pair = min(own.kind * kFrictionClasses + other.kind, kFrictionClasses * kFrictionClasses - 1u);
  float of_classes = friction_of_pair(pair);
  if (of_classes >= 0.0) return of_classes;
  if (own.friction < 0.0) return other.friction;
  if (other.friction < 0.0 || other.friction == own.friction) return own.friction;
  return square_root(own.friction) * square_root(other.friction);
}

// Vectors are loaded whole: llvmpipe takes the last component alone for another number.
Surface surface_of_body(uint body) {
  vec4 inverse_mass = FIELD(rigid_step, body, inverse_mass);
  uvec4 center = FIELD(rigid_step, body, center);
  return Surface(inverse_mass.w, center.w);
}

Surface surface_of_boundary(uint body) {
  vec4 spin = FIELD(boundary_body, body, spin);
  uvec4 position = FIELD(boundary_body, body, position);
  return Surface(spin.w, position.w);
}

// The coefficient of a sample's row: the mean of its pairs by their neighbours' shares in its normal force, -grad W . n
// times their weights.
float row_friction(Row row, uvec3 x, vec4 face, uint body) {
  Surface own = surface_of_body(body);
  ShareMean mean = kNoShares;
  float friction = own.friction;
  uint last = kNoBody;  // whose pair `friction` is; boundaries are counted behind rigid bodies
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(row, x, k);
    if (!meets(face, c.d)) continue;
    uint other = c.rigid ? c.body : c.body + kBoundaryPartner;
    if (other != last) {
      if (c.rigid)
        friction = pair_friction(own, surface_of_body(c.body));
      else
        friction = pair_friction(own, surface_of_boundary(c.body));
      last = other;
    }
    add_share(mean, -(c.weight * kernel_slope(length_squared(c.d))) * dot3(c.d, face.xyz), friction);
  }
  return mean_or(mean, larger(own.friction, 0.0));
}

#endif
