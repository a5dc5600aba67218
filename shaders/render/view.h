// What all shaders of a picture share. Lengths in metres from the drawing's origin, colours as they are stored.
#ifndef SLUICE_VIEW_H
#define SLUICE_VIEW_H
#include "shared/constants.h"

BEGIN_SHARED

CONSTANT kMapColors = 32;
// What a ball's value is.
CONSTANT kValueItself = 0;
CONSTANT kValueDensity = 1;   // shown as its excess over that at rest
CONSTANT kValueMaterial = 2;  // of no float but of the material's index

struct View {
  vec4 camera[3];        // rows: right, up, back; w: minus the eye along each
  vec4 projection;       // scale of x, of y; a, b: depth is (a + b z) / -z
  vec4 light[3];         // rows: to the shadow map, x and y from -1 to 1, z from 0 to 1
  vec4 sun;              // towards it; w: light in the shade
  vec4 ground;           // height; half its size; middle x, z
  float radius;          // of a ball
  float value_min, value_scale;  // share of the colour map: (value - min) * scale
  uint value_kind;       // kValue...
  float rest_density[kMaxMaterials];
  vec4 map[kMapColors];  // even steps
};
DECLARE_REF(View, 16)

struct BallArgs {
  REF(View) view;
  REF(vec4) positions;
  REF(float) values;
  REF(uint) materials;
  uint stride, offset;   // of values, in floats
};

struct MeshArgs {
  REF(View) view;
  REF(vec4) vertices;    // position, normal
  REF(vec4) transforms;  // three rows a body
  uint first;            // row of the body
  uint padding;
  vec4 color;            // w 0: lit by the sky alone, as walls that one looks past
};

END_SHARED
#endif
