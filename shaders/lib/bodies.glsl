// Rigid motion: rotation by a quaternion (x, y, z, w) and the velocity of a point of a body.
#ifndef SLUICE_BODIES_GLSL
#define SLUICE_BODIES_GLSL
#include "lib/neighbors.glsl"

vec3 rotate(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross3(q.xyz, v);
  return v + (q.w * t + cross3(q.xyz, t));
}

// x: sin(a / 2) / a, y: cos(a / 2) of an angle's square, which is not tiny.
vec2 half_turn(float angle_squared) {
  float inverse_angle = rsqrt(angle_squared);
  float s, c;
  sine_cosine(0.5 * (angle_squared * inverse_angle), s, c);
  return vec2(s * inverse_angle, c);
}
bool turns(float angle_squared) { return angle_squared > 1e-24; }

// The unit quaternion a b, from one that misses that length by rounding: a Newton step.
vec4 product(vec4 a, vec4 b) {
  vec4 p = vec4(a.w * b.xyz + (b.w * a.xyz + cross3(a.xyz, b.xyz)), a.w * b.w - dot3(a.xyz, b.xyz));
  float norm = dot3(p.xyz, p.xyz) + p.w * p.w;
  return (1.5 - 0.5 * norm) * p;
}

// The turn by the vector `angle` (rad, world axes): (axis sin(angle / 2), cos(angle / 2)).
vec4 turn_by(vec3 angle) {
  float angle_squared = length_squared(angle);
  if (!turns(angle_squared)) return vec4(0.0, 0.0, 0.0, 1.0);
  vec2 half_angle = half_turn(angle_squared);
  return vec4(half_angle.x * angle, half_angle.y);
}

// The orientation q after that turn.
vec4 turned(vec4 q, vec3 angle) { return turns(length_squared(angle)) ? product(turn_by(angle), q) : q; }

// BodyState::chord of a body that turns by tau spin: with s = sin(angle / 2) / angle, a point's arm p moves by
// tau (2 s c spin x p + 2 tau s^2 spin x (spin x p)). As printed, rows see the velocity as a step begins; at a radius r
// it leads out by omega^2 r dt / 2, and a turntable would throw off what lies on it.
vec4 chord_of(vec3 spin, float tau, bool as_printed) {
  float angle_squared = length_squared(tau * spin);
  vec4 chord = vec4(1.0, 0.0, 2.0 * reciprocal(tau), 0.0);
  if (as_printed || !turns(angle_squared)) return chord;
  vec2 half_angle = half_turn(angle_squared);
  chord.x = 2.0 * (half_angle.x * half_angle.y);
  chord.y = (2.0 * tau) * (half_angle.x * half_angle.x);
  return chord;
}

// The displacement of a point at `p` from the centre of a kinematic body over the step, by its turn alone, over dt.
vec3 swing(vec3 spin, vec4 chord, vec3 p) { return cross3(spin, chord.x * p + chord.y * cross3(spin, p)); }

// The same of the boundary sample at `position`, by all of the body's motion, h / T0: what rows see of it.
vec3 chord_velocity(uint body, uvec3 position) {
  vec4 velocity = FIELD(boundary_body, body, velocity);
  if (velocity.w == 0.0) return vec3(0.0);
  vec3 spin = FIELD(boundary_body, body, spin).xyz;
  vec4 chord = FIELD(boundary_body, body, chord);
  vec3 arm = difference(position, FIELD(boundary_body, body, position).xyz);
  return velocity.xyz + swing(spin, chord, arm);
}

// Velocity of the boundary sample at `position`, h / T0 [PT23 eq. 3.11a], as the step begins: enough for viscosity.
vec3 point_velocity(uint body, uvec3 position) {
  vec4 velocity = FIELD(boundary_body, body, velocity);
  if (velocity.w == 0.0) return vec3(0.0);
  vec3 arm = difference(position, FIELD(boundary_body, body, position).xyz);
  return velocity.xyz + cross3(FIELD(boundary_body, body, spin).xyz, arm);
}

#endif
