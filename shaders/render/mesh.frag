#version 460
#extension GL_GOOGLE_include_directive : require
#define SLUICE_SHADOW
#include "render/light.glsl"

layout(push_constant, scalar) uniform Push { MeshArgs args; };
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;

void main() {
  vec3 p = to_camera(args.view, world);
  vec3 to_eye = from_camera_direction(args.view, normalize(-p));
  vec3 n = normalize(normal);
  if (dot(n, to_eye) < 0.0) n = -n;  // walls are seen from their back
  // Of walls only floors show shadows: on all, they would hide what stands before them.
  float shadow = n.y > 0.5 ? 0.35 * (1.0 - sunlight(args.view, world + args.view.at[0].radius * n)) : 0.0;
  vec3 walls = args.color.rgb * ((0.86 + 0.14 * dot(n, to_eye)) * (1.0 - shadow));
  color = vec4(args.color.a > 0.0 ? shade(args.view, args.color.rgb, world, n, to_eye) : walls, 1.0);
}
