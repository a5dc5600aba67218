// Cubic spline with smoothing length h = 1, support 2 [Monaghan 1992].
//   W(q) = 1/pi { 1 - 3/2 q^2 + 3/4 q^3   q <= 1
//               { 1/4 (2 - q)^3           q <= 2
// Callers pass squared distances below kSupportSquared: rows hold no others.
#ifndef SLUICE_KERNEL_GLSL
#define SLUICE_KERNEL_GLSL
#include "lib/strict.glsl"

FLOAT_CONSTANT kInversePi = 0.318309886;

float kernel(float rr) {
  float q = rr * rsqrt(rr);
  float t = 2.0 - q;
  float near = 1.0 + rr * (0.75 * q - 1.5);
  float far = 0.25 * t * t * t;
  return kInversePi * (q < 1.0 ? near : far);
}

// grad W = kernel_slope(r^2) * (x_i - x_j): W'(r) / r, finite at r = 0.
float kernel_slope(float rr) {
  float inverse_r = rsqrt(rr);
  float q = rr * inverse_r;
  float t = 2.0 - q;
  float near = 2.25 * q - 3.0;
  float far = -0.75 * (t * t) * inverse_r;
  return kInversePi * (q < 1.0 ? near : far);
}
vec4 kernels(vec3 a, vec3 b, vec3 c, vec3 d) {
  return vec4(kernel(length_squared(a)), kernel(length_squared(b)), kernel(length_squared(c)),
              kernel(length_squared(d)));
}
vec4 kernel_slopes(vec3 a, vec3 b, vec3 c, vec3 d) {
  return vec4(kernel_slope(length_squared(a)), kernel_slope(length_squared(b)), kernel_slope(length_squared(c)),
              kernel_slope(length_squared(d)));
}

#endif
