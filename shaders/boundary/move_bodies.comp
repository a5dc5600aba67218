#version 460
#extension GL_GOOGLE_include_directive : require
// Kinematic bodies go on by their constant velocity and spin.
#include "lib/bodies.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { MoveBodiesArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.params.at[0].bodies) return;
  BodyState body = args.bodies.at[i];
  if (body.velocity.w == 0.0) return;
  float tau = args.control.at[0].tau;
  ivec3 wraps = unpack_wraps(body.low.w);
  advance(body.position.x, body.low.x, wraps.x, tau * body.velocity.x);
  advance(body.position.y, body.low.y, wraps.y, tau * body.velocity.y);
  advance(body.position.z, body.low.z, wraps.z, tau * body.velocity.z);
  body.low.w = pack_low_word(wraps, 0);

  float spin_squared = length_squared(body.spin.xyz);
  if (spin_squared > 1e-24) {
    // q <- (axis sin(angle / 2), cos(angle / 2)) q, then one Newton step back to unit length.
    float inverse_spin = rsqrt(spin_squared);
    float s, c;
    sine_cosine(0.5 * tau * (spin_squared * inverse_spin), s, c);
    vec3 axis = (s * inverse_spin) * body.spin.xyz;
    vec4 q = body.orientation;
    vec4 turned = vec4(c * q.xyz + (q.w * axis + cross3(axis, q.xyz)), c * q.w - dot3(axis, q.xyz));
    float norm = dot3(turned.xyz, turned.xyz) + turned.w * turned.w;
    body.orientation = (1.5 - 0.5 * norm) * turned;
  }
  args.bodies.at[i] = body;
}
