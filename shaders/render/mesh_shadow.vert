#version 460
#extension GL_GOOGLE_include_directive : require
#include "render/light.glsl"

layout(push_constant, scalar) uniform Push { MeshArgs args; };

void main() {
  vec4 p = vec4(args.vertices.at[2 * gl_VertexIndex].xyz, 1.0);
  vec4 x = args.transforms.at[args.first], y = args.transforms.at[args.first + 1], z = args.transforms.at[args.first + 2];
  gl_Position = to_light(args.view, vec3(dot(x, p), dot(y, p), dot(z, p)));
}
