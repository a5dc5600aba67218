#version 460
#extension GL_GOOGLE_include_directive : require
#define SLUICE_SHADOW
#include "render/light.glsl"

layout(push_constant, scalar) uniform Push { BallArgs args; };
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 center;
layout(location = 2) flat in float share;
layout(location = 0) out vec4 color;

void main() {
  float square = dot(corner, corner);
  // The edge's share of a pixel becomes samples of it.
  float edge = fwidth(square);
  float cover = clamp((1.0 - square) / max(edge, 1e-6) + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  vec3 n = vec3(corner, sqrt(max(1.0 - square, 0.0)));
  vec3 p = center + args.view.at[0].radius * n;
  vec4 projection = args.view.at[0].projection;
  gl_FragDepth = (projection.z + projection.w * p.z) / -p.z;
  float place = share * float(kMapColors - 1);
  uint below = min(uint(place), kMapColors - 2);
  vec3 base = mix(args.view.at[0].map[below].rgb, args.view.at[0].map[below + 1].rgb, place - float(below));
  vec3 world = from_camera(args.view, p);
  vec3 to_eye = from_camera_direction(args.view, normalize(-p));
  color = vec4(shade(args.view, base, world, from_camera_direction(args.view, n), to_eye), cover);
}
