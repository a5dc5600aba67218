// Arithmetic with the same bits on every driver, and on the CPU: only + - *, ordered compares, selects
// and bit casts (the build step rejects the rest). Results of products that may get tiny pass `flush`,
// since drivers differ on denormals and on the sign of a zero.
#ifndef SLUICE_ARITHMETIC_H
#define SLUICE_ARITHMETIC_H
#include "shared/constants.h"

BEGIN_SHARED
#ifdef SLUICE_FAST
// The same functions with the driver's own operations, to measure what strict arithmetic costs.
FUNCTION float rsqrt(float x) { return inversesqrt(max(x, 1e-30)); }  // finite at 0, as the strict one
FUNCTION float reciprocal(float x) { return 1.0f / x; }
FUNCTION float divide(float a, float b) { return a / b; }
FUNCTION float square_root(float x) { return sqrt(x); }
FUNCTION float flush(float x) { return abs(x) < 1e-30f ? 0.0f : x; }
#else

// 1 / sqrt(x) for x in [1e-30, 1e30]; relative error below 2e-7. For x = 0 a large finite number, so
// that x * rsqrt(x) is 0. The seed is within 3.5 %, each Newton step squares the error.
FUNCTION float rsqrt(float x) {
  float y = uintBitsToFloat(0x5f375a86u - (floatBitsToUint(x) >> 1));
  float half_x = 0.5f * x;
  y = y * (1.5f - (half_x * y) * y);
  y = y * (1.5f - (half_x * y) * y);
  y = y * (1.5f - (half_x * y) * y);
  return y;
}

// 1 / x for |x| in [1e-30, 1e30]; relative error below 2e-7.
FUNCTION float reciprocal(float x) {
  uint bits = floatBitsToUint(x);
  float magnitude = uintBitsToFloat(bits & 0x7fffffffu);
  float r = uintBitsToFloat(0x7ef311c7u - (bits & 0x7fffffffu));
  r = r * (2.0f - magnitude * r);
  r = r * (2.0f - magnitude * r);
  r = r * (2.0f - magnitude * r);
  r = r * (2.0f - magnitude * r);
  return uintBitsToFloat(floatBitsToUint(r) | (bits & 0x80000000u));
}

// a / b for |b| in [1e-30, 1e30]; one correction by the remainder: relative error below 1.2e-7. The remainder
// is rounded, so a quotient that is a whole number can still miss by one in the last place. Tiny
// numerators, quotients and remainders count as zero.
FUNCTION float flush(float x) { return abs(x) < 1e-30f ? 0.0f : x; }
FUNCTION float divide(float a, float b) {
  float r = reciprocal(b);
  float numerator = flush(a);
  float q = flush(numerator * r);
  return q + r * flush(numerator - b * q);
}

FUNCTION float square_root(float x) {
  float q = x * rsqrt(x);
  return x > 1e-30f ? q : 0.0f;
}

#endif

// -0 becomes +0; a NaN as first argument gives the second.
FUNCTION float positive_zero(float x) { return x == 0.0f ? 0.0f : x; }
FUNCTION float larger(float a, float b) { return positive_zero(a > b ? a : b); }
FUNCTION float smaller(float a, float b) { return positive_zero(a < b ? a : b); }
FUNCTION float clamped(float x, float low, float high) { return smaller(larger(x, low), high); }

FUNCTION bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

// sin and cos of an angle in radians, |angle| < 1e4; absolute error below 3e-7. The quarter turn is
// subtracted in two parts (Cody and Waite); Taylor polynomials on [-pi/4, pi/4].
FUNCTION void sine_cosine(float angle, OUT(float) s, OUT(float) c) {
  float turns = floor(angle * 0.63661977236758134f + 0.5f);
  float x = (angle - turns * 1.5703125f) - turns * 4.83826794896619231e-4f;
  float xx = x * x;
  float sin_x = x + x * xx * (-0.16666667f + xx * (8.3333333e-3f + xx * (-1.9841270e-4f + xx * 2.7557319e-6f)));
  float cos_x = 1.0f + xx * (-0.5f + xx * (4.1666667e-2f + xx * (-1.3888889e-3f + xx * 2.4801587e-5f)));
  int quadrant = int(turns) & 3;
  float a = (quadrant & 1) != 0 ? cos_x : sin_x;
  float b = (quadrant & 1) != 0 ? sin_x : cos_x;
  s = (quadrant & 2) != 0 ? -a : a;
  c = (quadrant == 1 || quadrant == 2) ? -b : b;
}

END_SHARED
#endif
