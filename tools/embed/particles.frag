#version 460
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 center;
layout(location = 2) in float share;

layout(push_constant) uniform Camera {
  mat4 view;
  vec4 projection;
  vec4 slow;
  vec4 fast;
} camera;

layout(location = 0) out vec4 color;

void main() {
  float square = dot(corner, corner);
  if (square > 1.0) discard;
  vec3 normal = vec3(corner, sqrt(1.0 - square));
  float z = center.z + camera.slow.w * normal.z;
  gl_FragDepth = (camera.projection.z + camera.projection.w * z) / -z;
  float light = 0.35 + 0.65 * max(dot(normal, normalize(vec3(0.4, 0.8, 0.5))), 0.0);
  color = vec4(light * mix(camera.slow.rgb, camera.fast.rgb, share), 1.0);
}
