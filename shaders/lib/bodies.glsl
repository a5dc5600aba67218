// Rigid motion: rotation by a quaternion (x, y, z, w) and the velocity of a point of a body.
#ifndef SLUICE_BODIES_GLSL
#define SLUICE_BODIES_GLSL
#include "lib/neighbors.glsl"

vec3 rotate(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross3(q.xyz, v);
  return v + (q.w * t + cross3(q.xyz, t));
}

// The orientation q after a turn by the vector `angle` (rad, world axes), brought back to unit length by a Newton step.
vec4 turned(vec4 q, vec3 angle) {
  float angle_squared = length_squared(angle);
  if (!(angle_squared > 1e-24)) return q;
  // (axis sin(angle / 2), cos(angle / 2)) q
  float inverse_angle = rsqrt(angle_squared);
  float s, c;
  sine_cosine(0.5 * (angle_squared * inverse_angle), s, c);
  vec3 axis = (s * inverse_angle) * angle;
  vec4 p = vec4(c * q.xyz + (q.w * axis + cross3(axis, q.xyz)), c * q.w - dot3(axis, q.xyz));
  float norm = dot3(p.xyz, p.xyz) + p.w * p.w;
  return (1.5 - 0.5 * norm) * p;
}

// Of the boundary sample at `position`, h / T0 [PT23 eq. 3.11a].
vec3 point_velocity(BodyState_ref bodies, uint body, uvec3 position) {
  vec4 velocity = GATHER_MEMBER(body_texels, bodies, body, kBodyTexels, kBodyVelocity, velocity);
  if (velocity.w == 0.0) return vec3(0.0);
  vec3 arm = difference(position, GATHER_WORDS(body_texels, bodies, body, kBodyTexels, kBodyPosition, position).xyz);
  return velocity.xyz + cross3(GATHER_MEMBER(body_texels, bodies, body, kBodyTexels, kBodySpin, spin).xyz, arm);
}

#endif
