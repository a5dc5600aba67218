#version 460
#extension GL_GOOGLE_include_directive : require
// Kinematic bodies go on by their constant velocity and spin.
#include "lib/round.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= PARAMS.bodies) return;
  BodyState body = boundary_body_buffer.at[i];
  if (body.velocity.w == 0.0) return;
  float tau = CONTROL.tau;
  ivec3 wraps = unpack_wraps(body.low.w);
  advance(body.position.x, body.low.x, wraps.x, tau * body.velocity.x);
  advance(body.position.y, body.low.y, wraps.y, tau * body.velocity.y);
  advance(body.position.z, body.low.z, wraps.z, tau * body.velocity.z);
  body.low.w = pack_low_word(wraps, 0);

  vec4 q = turned(body.orientation, tau * body.spin.xyz);
  body.sample_orientation =
      turned_with(body.round_axis, body.orientation, q, body.sample_orientation, tau * body.spin.xyz);
  body.orientation = q;
  boundary_body_buffer.at[i] = body;
}
