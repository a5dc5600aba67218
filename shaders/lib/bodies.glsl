// Rigid motion: rotation by a quaternion (x, y, z, w) and the velocity of a point of a body.
#ifndef SLUICE_BODIES_GLSL
#define SLUICE_BODIES_GLSL
#include "lib/neighbors.glsl"

vec3 rotate(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross3(q.xyz, v);
  return v + (q.w * t + cross3(q.xyz, t));
}

// Of the boundary sample at `position`, h / T0 [PT23 eq. 3.11a].
vec3 point_velocity(BodyState_ref bodies, uint body, uvec3 position) {
  if (bodies.at[body].velocity.w == 0.0) return vec3(0.0);
  vec3 arm = difference(position, bodies.at[body].position.xyz);
  return bodies.at[body].velocity.xyz + cross3(bodies.at[body].spin.xyz, arm);
}

#endif
