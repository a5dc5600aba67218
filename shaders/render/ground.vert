#version 460
#extension GL_GOOGLE_include_directive : require
#include "render/light.glsl"

layout(push_constant, scalar) uniform Push { MeshArgs args; };
layout(location = 0) out vec3 world;

void main() {
  vec2 corner = 2.0 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 1.0;
  vec4 ground = args.view.at[0].ground;
  world = vec3(ground.z + ground.y * corner.x, ground.x, ground.w + ground.y * corner.y);
  gl_Position = project(args.view, to_camera(args.view, world));
}
