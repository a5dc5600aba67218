// What the arithmetic probe computes, on both sides.
#ifndef SLUICE_PROBE_H
#define SLUICE_PROBE_H
#include "shared/arithmetic.h"

BEGIN_SHARED

CONSTANT kProbeWords = 16;

FUNCTION uint probe_word(uint k, float a, float b, float c, uint n) {
  float s, t;
  float positive = larger(abs(a), 1e-20f);
  sine_cosine(clamped(a, -1000.0f, 1000.0f), s, t);
  switch (k) {
    case 0: return floatBitsToUint(flush(a + b));
    case 1: return floatBitsToUint(flush(a - b));
    case 2: return floatBitsToUint(flush(a * b));
    case 3: return floatBitsToUint(flush(flush(a * b) + c));
    case 4: return floatBitsToUint(larger(a, b));
    case 5: return floatBitsToUint(smaller(a, b));
    case 6: return floatBitsToUint(clamped(a, b, c));
    case 7: return floatBitsToUint(floor(a) + 0.25f);
    case 8: return floatBitsToUint(rsqrt(positive));
    case 9: return floatBitsToUint(reciprocal(positive));
    case 10: return floatBitsToUint(divide(clamped(b, -1e6f, 1e6f), clamped(positive, 1e-6f, 1e6f)));
    case 11: return floatBitsToUint(square_root(positive));
    case 12: return floatBitsToUint(float(int(n)));
    case 13: return uint(int(clamped(a, -2e9f, 2e9f)));
    case 14: return floatBitsToUint(flush(s));
    default: return floatBitsToUint(flush(t));
  }
}

END_SHARED
#endif
