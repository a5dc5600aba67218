#version 460
// A quad that faces the camera for each particle; the fragment shader makes a ball of it.
layout(location = 0) in vec4 position;  // m; w: pressure, Pa
layout(location = 1) in vec4 value;     // w: what is coloured

layout(push_constant) uniform Camera {
  mat4 view;
  vec4 projection;  // scale of x, scale of y, and z / w = (projection.z + projection.w * z) / -z
  vec4 slow;        // colour; w: radius of a ball, m
  vec4 fast;        // colour; w: the value that gets it
} camera;

layout(location = 0) out vec2 corner;
layout(location = 1) out vec3 center;  // in view space
layout(location = 2) out float share;  // of the two colours, 0 to 1

void main() {
  corner = 2.0 * vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) - 1.0;
  center = (camera.view * vec4(position.xyz, 1.0)).xyz;
  share = clamp(value.w / camera.fast.w, 0.0, 1.0);
  vec3 p = center + vec3(camera.slow.w * corner, camera.slow.w);  // in front of the ball
  gl_Position = vec4(camera.projection.xy * p.xy, camera.projection.z + camera.projection.w * p.z, -p.z);
}
