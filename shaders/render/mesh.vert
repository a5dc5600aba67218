#version 460
#extension GL_GOOGLE_include_directive : require
#include "render/light.glsl"

layout(push_constant, scalar) uniform Push { MeshArgs args; };
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;

void main() {
  vec4 p = vec4(args.vertices.at[2 * gl_VertexIndex].xyz, 1.0);
  vec3 n = args.vertices.at[2 * gl_VertexIndex + 1].xyz;
  vec4 x = args.transforms.at[args.first], y = args.transforms.at[args.first + 1], z = args.transforms.at[args.first + 2];
  world = vec3(dot(x, p), dot(y, p), dot(z, p));
  normal = vec3(dot(x.xyz, n), dot(y.xyz, n), dot(z.xyz, n));
  gl_Position = project(args.view, to_camera(args.view, world));
}
