// Vectors over the strict scalar arithmetic.
#ifndef SLUICE_STRICT_GLSL
#define SLUICE_STRICT_GLSL
#include "shared/arithmetic.h"

#ifdef SLUICE_FAST
float dot3(vec3 a, vec3 b) { return dot(a, b); }
#else
float dot3(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
#endif
float length_squared(vec3 a) { return dot3(a, a); }
vec3 cross3(vec3 a, vec3 b) {
  return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
vec3 flush(vec3 a) { return vec3(flush(a.x), flush(a.y), flush(a.z)); }
vec4 flush4(vec4 a) { return vec4(flush(a.xyz), flush(a.w)); }
bool finite(vec3 a) { return finite(a.x) && finite(a.y) && finite(a.z); }

#endif
