#version 460
#extension GL_GOOGLE_include_directive : require
#define SLUICE_SHADOW
#include "render/light.glsl"

layout(push_constant, scalar) uniform Push { MeshArgs args; };
layout(location = 0) in vec3 world;
layout(location = 0) out vec4 color;

// A floor that fades into the background; what it shows is the shadow.
void main() {
  vec4 ground = args.view.at[0].ground;
  float away = length(world.xz - ground.zw) / ground.y;
  float shade = 1.0 - sunlight(args.view, world);
  float fade = 1.0 - smoothstep(0.3, 0.95, away);
  color = vec4(mix(args.color.rgb, vec3(0.20, 0.24, 0.30), 0.55 * shade), fade * max(args.color.a, shade));
}
