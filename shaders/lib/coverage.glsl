// How much of a face a sample meets. Where the face ends, neighbours are missing, and on a thin plate each counts for
// less: without a correction boxes lie 0.05 h deep in each other along their edges, and a stack of narrow ones stands on
// the middles of its faces and buckles. With F(z) = sum_k w_k W(z) over the contacts, were they moved along the face's
// normal so far that it lay z away, a row's sum is that of a whole face where it is divided by
//   F(h) / F_whole(h),   F_whole(h) = (1 - gamma) / kContactWeight
// since a face's V at h is V0.
#ifndef SLUICE_COVERAGE_GLSL
#define SLUICE_COVERAGE_GLSL
#include "lib/contact.glsl"
#include "lib/friction.glsl"

// Below the first, past an edge, faces end: at corners of boxes samples find 0.84, with spacings below h 0.75. In the
// middle of a face such spacings make 1.14; hollows have more.
FLOAT_CONSTANT kLeastCoverage = 0.75;
FLOAT_CONSTANT kMostCoverage = 1.15;
// Cosines between the normal and the gradient of the sum: none of the correction, and all of it. Next to the edge of a
// face the gradient leans by 10 degrees, at a corner by 15; in a hollow it is that of no face.
FLOAT_CONSTANT kAcross = 0.85;
FLOAT_CONSTANT kAlong = 0.95;

float seen_kernel(Contact c) { return c.is_seen ? kernel(length_squared(c.d)) : 0.0; }

// The normal of the plane of the contacts, by the squares of what they add, so that a plate's far side counts for little:
// that of the least spread, by a step of inverse iteration from the gradient. adj(C) has the eigenvectors of C^-1, and no
// poles.
struct Face {
  vec3 normal;   // unit, towards the sample; zero where contacts lie on a line
  float height;  // of the sample above it, h
};
Face face_of(Params_ref params, Row row, uvec4_ref samples, uvec4_ref boundary, uvec3 x, vec3 gradient) {
  float sum = 0.0;
  vec3 mean = vec3(0.0), squares = vec3(0.0), products = vec3(0.0);
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(params, row, samples, boundary, x, k);
    float share = c.weight * seen_kernel(c);
    share *= share;
    sum += share;
    mean += share * c.d;
    squares += share * (c.d * c.d);
    products += share * (c.d.yzx * c.d.zxy);
  }
  if (!(sum > 1e-9)) return Face(vec3(0.0), 0.0);
  float inverse = reciprocal(sum);
  mean = inverse * mean;
  squares = inverse * squares - mean * mean;
  products = inverse * products - mean.yzx * mean.zxy;
  vec3 n = (squares.yzx * squares.zxy - products * products) * gradient;
  vec3 mixed = products.yzx * products.zxy - squares * products;  // yz, zx, xy of the adjugate
  n += mixed.zxy * gradient.yzx + mixed.yzx * gradient.zxy;
  float size = square_root(length_squared(n));
  if (!(size > 1e-4 * square_root(length_squared(gradient)))) return Face(vec3(0.0), 0.0);
  n = -reciprocal(size) * n;
  return Face(n, dot3(mean, n));
}

// The normal of the face, and the coverage.
vec4 face_coverage(Params_ref params, Row row, uvec4_ref samples, uvec4_ref boundary, uvec3 x, vec3 gradient) {
  Face face = face_of(params, row, samples, boundary, x, gradient);
  vec3 up = contact_normal(gradient);
  float part = clamped((dot3(face.normal, up) - kAcross) * (1.0 / (kAlong - kAcross)), 0.0, 1.0);
  if (part == 0.0) return vec4(up, 1.0);
  vec3 lift = (1.0 - face.height) * face.normal;
  float met = 0.0;
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(params, row, samples, boundary, x, k);
    if (c.is_seen) met += c.weight * kernel(smaller(length_squared(c.d + lift), kSupportSquared));
  }
  float whole = divide(1.0 - PARAMS(params).gamma, kContactWeight);
  float coverage = clamped(divide(met, whole), kLeastCoverage, kMostCoverage);
  vec3 n = up + part * (face.normal - up);
  return vec4(flush(rsqrt(length_squared(n)) * n), flush(1.0 + part * (coverage - 1.0)));
}

#endif
