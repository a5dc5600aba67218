#version 460
#extension GL_GOOGLE_include_directive : require
#include "render/light.glsl"

layout(push_constant, scalar) uniform Push { BallArgs args; };
layout(location = 0) out vec2 corner;

void main() {
  corner = 2.0 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 1.0;
  vec4 at = to_light(args.view, args.positions.at[gl_InstanceIndex].xyz);
  vec4 right = args.view.at[0].light[0];
  at.xy += args.view.at[0].radius * length(right.xyz) * corner;
  gl_Position = at;
}
