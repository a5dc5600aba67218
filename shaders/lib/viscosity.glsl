// The viscous force between two particles, without the viscosity.
#ifndef SLUICE_VISCOSITY_GLSL
#define SLUICE_VISCOSITY_GLSL
#include "lib/kernel.glsl"

// 2 (d + 2) (v_ij . x_ij) / (x_ij^2 + 0.01 h^2) grad W_ij, d = 3 [KBST22 eq. 68].
vec3 laplacian_term(vec3 v, vec3 d) {
  float rr = length_squared(d);
  return (10.0 * dot3(v, d) * reciprocal(rr + 0.01) * kernel_slope(rr)) * d;
}

// The largest force that a relative velocity of 1 can cause.
float laplacian_bound(vec3 d) {
  float rr = length_squared(d);
  return -10.0 * rr * reciprocal(rr + 0.01) * kernel_slope(rr);
}

#endif
