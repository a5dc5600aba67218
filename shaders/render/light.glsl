// Places in the picture, and how much light reaches them.
#ifndef SLUICE_LIGHT_GLSL
#define SLUICE_LIGHT_GLSL
#include "render/view.h"

vec3 to_camera(View_ref view, vec3 p) {
  vec4 h = vec4(p, 1.0);
  return vec3(dot(view.at[0].camera[0], h), dot(view.at[0].camera[1], h), dot(view.at[0].camera[2], h));
}
// Rows are loaded whole: lavapipe loses the w of one whose xyz it has loaded before.
vec3 from_camera_direction(View_ref view, vec3 d) {
  vec4 right = view.at[0].camera[0], up = view.at[0].camera[1], back = view.at[0].camera[2];
  return d.x * right.xyz + d.y * up.xyz + d.z * back.xyz;
}
vec3 from_camera(View_ref view, vec3 p) {
  vec4 right = view.at[0].camera[0], up = view.at[0].camera[1], back = view.at[0].camera[2];
  return (p.x - right.w) * right.xyz + (p.y - up.w) * up.xyz + (p.z - back.w) * back.xyz;
}
vec4 project(View_ref view, vec3 p) {
  vec4 q = view.at[0].projection;
  return vec4(q.xy * p.xy, q.z + q.w * p.z, -p.z);
}
vec4 to_light(View_ref view, vec3 p) {
  vec4 h = vec4(p, 1.0);
  return vec4(dot(view.at[0].light[0], h), dot(view.at[0].light[1], h), dot(view.at[0].light[2], h), 1.0);
}

#ifdef SLUICE_SHADOW
layout(set = 0, binding = 0) uniform sampler2DShadow shadow_map;

// 1 in the sun, 0 in the shade; the mean of 2 x 2 places, for a soft edge.
float sunlight(View_ref view, vec3 p) {
  vec3 at = to_light(view, p).xyz;
  vec2 uv = 0.5 + 0.5 * at.xy;
  if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) return 1.0;
  float z = min(at.z, 1.0);  // floating-point maps do not clamp it
  vec2 texel = 1.3 / vec2(textureSize(shadow_map, 0));
  float sum = 0.0;
  for (int k = 0; k < 4; ++k) sum += texture(shadow_map, vec3(uv + (vec2(k & 1, k >> 1) - 0.5) * texel, z));
  return 0.25 * sum;
}

// A surface seen from `to_eye`: sun, sky, and a soft highlight.
vec3 shade(View_ref view, vec3 color, vec3 p, vec3 normal, vec3 to_eye) {
  vec4 whole = view.at[0].sun;
  vec3 sun = whole.xyz;
  float facing = max(dot(normal, sun), 0.0);
  float light = facing > 0.0 ? facing * sunlight(view, p + 0.5 * view.at[0].radius * normal) : 0.0;
  float sky = whole.w * (0.75 + 0.25 * normal.y);
  float shine = pow(max(dot(normal, normalize(sun + to_eye)), 0.0), 24.0);
  return color * (sky + 0.56 * light) + 0.10 * shine * light;
}
#endif

#endif
