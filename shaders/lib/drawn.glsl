// From fixed point to what is drawn: floats, in metres from an origin of the caller's.
#ifndef SLUICE_DRAWN_GLSL
#define SLUICE_DRAWN_GLSL
#include "lib/bodies.glsl"

// Whole words are subtracted first, so that floats hold only the distance from the origin.
vec3 from_origin(DrawUnits_ref units, uvec3 position, uint packed) {
  uvec4 origin = units.at[0].origin;
  uvec4 origin_wraps = units.at[0].origin_wraps;
  ivec3 wraps = unpack_wraps(packed) - ivec3(origin_wraps.xyz);
  uvec3 words = position - origin.xyz;
  vec3 h;
  for (int axis = 0; axis < 3; ++axis) {
    // The words are signed here, so a wrap is what the difference of the unsigned ones borrows, or their sign takes.
    int turns = wraps[axis] - (position[axis] < origin[axis] ? 1 : 0) + (int(words[axis]) < 0 ? 1 : 0);
    h[axis] = float(turns) * 8192.0 + float(int(words[axis])) * kUnit;
  }
  return units.at[0].spacing * h;
}

#endif
