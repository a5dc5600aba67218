// The friction cone of a sample [PT23 eq. 3.17, 3.20].
#ifndef SLUICE_FRICTION_GLSL
#define SLUICE_FRICTION_GLSL
#include "lib/buffers.glsl"
#include "lib/strict.glsl"

// Direction of the normal force, -G / |G|; 0 if the sample has no contact with a direction. |F_N| = p V0^2 |G|.
vec3 contact_normal(vec3 gradient) {
  float rr = length_squared(gradient);
  return rr > kSmallGradient * kSmallGradient ? (-rsqrt(rr)) * gradient : vec3(0.0);
}

vec3 tangential(vec3 v, vec3 n) { return v - dot3(v, n) * n; }

// The part of a row's gradient that lies along the face, since at edges neighbours are missing to one side. It is no
// part of the row, in which pressure acts across the face. V0 times it is taken from the sliding's share in V_err, and
// V0^2 p times it is added to the friction, where and to whom friction acts.
vec3 face_tilt(SampleRow row) {
  if (PARAMS.contact_weights == 0 || PARAMS.midpoint_slip == 0) return vec3(0.0);
  return flush(tangential(row.contact.xyz, row.face.xyz));
}
vec3 tilt_force(SampleRow row, float p) { return flush((row.volume.x * row.volume.x) * p) * face_tilt(row); }

// The pressure of a row as its neighbours need it; < 0 where the row is of one face of several, so that they ask
// meets().
float marked_load(SampleRow row, float p) {
  float load = (row.volume.x * row.volume.x * row.volume.z) * p;
  return row.face.w > 0.0 ? -load : load;
}

// The nearest multiplier that is tangential and no longer than `radius`.
vec3 project_to_cone(vec3 lambda, vec3 n, float radius) {
  vec3 t = flush(tangential(lambda, n));
  float rr = length_squared(t);
  return rr > radius * radius ? (radius * rsqrt(larger(rr, 1e-30))) * t : t;
}

#endif
