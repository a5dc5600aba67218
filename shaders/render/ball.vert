#version 460
#extension GL_GOOGLE_include_directive : require
// A square that faces the camera, an instance a ball.
#include "render/light.glsl"

layout(push_constant, scalar) uniform Push { BallArgs args; };
layout(location = 0) out vec2 corner;
layout(location = 1) out vec3 center;         // in the camera's frame
layout(location = 2) flat out float share;    // of the colour map

void main() {
  uint i = gl_InstanceIndex;
  corner = 2.0 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 1.0;
  center = to_camera(args.view, args.positions.at[i].xyz);
  float value = args.values.at[i * args.stride + args.offset];
  uint kind = args.view.at[0].value_kind;
  if (kind == kValueDensity) value = max(value / args.view.at[0].rest_density[args.materials.at[i]] - 1.0, 0.0);
  if (kind == kValueMaterial) value = float(args.materials.at[i]);
  share = clamp((value - args.view.at[0].value_min) * args.view.at[0].value_scale, 0.0, 1.0);
  // Somewhat larger than the ball and before it: perspective shows a little more than half.
  float radius = args.view.at[0].radius;
  vec3 p = center + vec3(1.1 * radius * corner, radius);
  corner *= 1.1;
  gl_Position = project(args.view, p);
}
