// How much of a face a sample meets. Where the face ends, neighbours are missing, and on a thin plate each counts for
// less: without a correction boxes lie 0.05 h deep in each other along their edges, and a stack of narrow ones stands
// on the middles of its faces and buckles. With F(z) = sum_k w_k W(z) over the contacts, were they moved along the
// face's normal so far that it lay z away, a row's sum is that of a whole face where it is divided by
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
// Contacts that lie farther off one plane, in the mean square, are of several.
FLOAT_CONSTANT kFlat = 0.02;

float seen_kernel(Contact c) { return c.is_seen ? kernel(length_squared(c.d)) : 0.0; }

// The plane through the contacts: its normal is the direction of least spread. Contacts are weighed by the square of
// what they add to the sum, so that a plate's far side counts for little. One step of inverse iteration from the
// gradient finds it, with the adjugate of the covariance, which has the eigenvectors of the inverse, and no poles.
struct Face {
  vec3 normal;   // unit, towards the sample; zero where contacts lie on a line
  float height;  // of the sample above it, h
  float spread;  // mean square distance of the contacts from it, h^2
};
Face face_of(Row row, uvec3 x, vec3 gradient, vec4 of_face) {
  float sum = 0.0;
  vec3 mean = vec3(0.0), squares = vec3(0.0), products = vec3(0.0);
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(row, x, k);
    if (!meets(of_face, c.d)) continue;
    float share = c.weight * seen_kernel(c);
    share *= share;
    sum += share;
    mean += share * c.d;
    squares += share * (c.d * c.d);
    products += share * (c.d.yzx * c.d.zxy);
  }
  if (!(sum > 1e-9)) return Face(vec3(0.0), 0.0, 0.0);
  float inverse = reciprocal(sum);
  mean = inverse * mean;
  squares = inverse * squares - mean * mean;
  products = inverse * products - mean.yzx * mean.zxy;
  vec3 n = (squares.yzx * squares.zxy - products * products) * gradient;
  vec3 mixed = products.yzx * products.zxy - squares * products;  // yz, zx, xy of the adjugate
  n += mixed.zxy * gradient.yzx + mixed.yzx * gradient.zxy;
  float size = square_root(length_squared(n));
  if (!(size > 1e-4 * square_root(length_squared(gradient)))) return Face(vec3(0.0), 0.0, 0.0);
  n = -reciprocal(size) * n;
  return Face(n, dot3(mean, n), dot3(squares, n * n) + 2.0 * dot3(products, n.yzx * n.zxy));
}

vec3 gradient_of(Row row, uvec3 x, vec4 of_face) {
  vec3 gradient = vec3(0.0);
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(row, x, k);
    if (meets(of_face, c.d)) gradient += (c.weight * kernel_slope(length_squared(c.d))) * c.d;
  }
  return gradient;
}

// The face of the nearest neighbour, where there are several; w: 1. Zero where that has no direction.
vec4 nearest_face(Row row, uvec3 x) {
  float most = 0.0;
  vec3 d = vec3(0.0);
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(row, x, k);
    float share = c.weight * seen_kernel(c);
    d = share > most ? c.d : d;
    most = larger(most, share);
  }
  vec3 up = contact_normal(-d);
  for (uint n = 0; n < 2; ++n) up = contact_normal(gradient_of(row, x, vec4(up, 1.0)));
  if (!(dot3(up, up) > 0.0)) return vec4(0.0);
  vec4 of_face = vec4(up, 1.0);
  Face face = face_of(row, x, -up, of_face);
  return dot3(face.normal, up) > kAcross ? vec4(flush(face.normal), 1.0) : of_face;
}

// The normal of the face, and in w whether others are left out; the coverage. Rows that roll, of bodies of revolution
// or next to one, leave none out: their pairs act along lines through axes (lib/round.glsl).
struct Coverage {
  vec4 face;
  float share;
};
Coverage face_coverage(Row row, uvec3 x, vec3 gradient, bool rolls) {
  vec4 of_face = vec4(0.0);
  vec3 up = contact_normal(gradient);
  Face face = face_of(row, x, gradient, of_face);
  bool flat_one = dot3(face.normal, up) >= kAlong && face.spread < kFlat;
  if (!flat_one && !rolls && PARAMS.midpoint_slip != 0 && dot3(up, up) > 0.0) {
    of_face = nearest_face(row, x);
    if (of_face.w > 0.0) {
      gradient = gradient_of(row, x, of_face);
      up = contact_normal(gradient);
      face = face_of(row, x, gradient, of_face);
    }
  }
  float part = clamped((dot3(face.normal, up) - kAcross) * (1.0 / (kAlong - kAcross)), 0.0, 1.0);
  vec3 n = up + part * (face.normal - up);
  n = dot3(n, n) > 0.0 ? flush(rsqrt(length_squared(n)) * n) : vec3(0.0);
  vec4 found = of_face.w > 0.0 ? of_face : vec4(n, 0.0);
  if (part == 0.0) return Coverage(found, 1.0);
  vec3 lift = (1.0 - face.height) * face.normal;
  float met = 0.0;
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(row, x, k);
    if (c.is_seen && meets(of_face, c.d))
      met += c.weight * kernel(smaller(length_squared(c.d + lift), kSupportSquared));
  }
  float whole = divide(1.0 - PARAMS.gamma, kContactWeight);
  float coverage = clamped(divide(met, whole), kLeastCoverage, kMostCoverage);
  return Coverage(found, flush(1.0 + part * (coverage - 1.0)));
}

#endif
