#version 460
#extension GL_GOOGLE_include_directive : require
// Where each rigid body is and how it moves as the step begins; its inverse inertia in world axes.
#include "lib/bodies.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

// Carriers of a boundary that moves, or may, go with it; those of others stay where they are.
void follow(BodyState boundary, inout RigidState state) {
  if (boundary.velocity.w == 0.0) return;
  state.position.xyz = boundary.position.xyz;
  state.low = boundary.low;
  state.orientation = boundary.orientation;
  state.sample_orientation = boundary.sample_orientation;
  state.velocity.xyz = boundary.velocity.xyz;
  state.spin.xyz = boundary.spin.xyz;
}

void main() {
  uint b = thread_index();
  if (b >= PARAMS.rigid + PARAMS.carriers) return;
  RigidState state = rigid_state_buffer.at[b];
  RigidBody body = rigid_body_buffer.at[b];
  if (b >= PARAMS.rigid) {
    follow(boundary_body_buffer.at[body.boundary], state);
    rigid_state_buffer.at[b] = state;
  }

  // The columns of R I^-1 R^T.
  vec4 q = state.orientation;
  vec4 back = vec4(-q.xyz, q.w);
  vec3 x = rotate(q, times(body.inverse_diagonal, body.inverse_mixed, rotate(back, vec3(1.0, 0.0, 0.0))));
  vec3 y = rotate(q, times(body.inverse_diagonal, body.inverse_mixed, rotate(back, vec3(0.0, 1.0, 0.0))));
  vec3 z = rotate(q, times(body.inverse_diagonal, body.inverse_mixed, rotate(back, vec3(0.0, 0.0, 1.0))));
  float turning = body.inverse_mixed.w;
  if (turning == kTurnAxis) {
    // Held to an axis a: a a^T / (a . I a).
    vec3 a = body.axis.xyz;
    float moment = dot3(a, rotate(q, times(body.inertia_diagonal, body.inertia_mixed, rotate(back, a))));
    float inverse_moment = reciprocal(moment);
    x = (inverse_moment * a.x) * a;
    y = (inverse_moment * a.y) * a;
    z = (inverse_moment * a.z) * a;
  } else if (turning == kTurnNone) {
    x = vec3(0.0);
    y = vec3(0.0);
    z = vec3(0.0);
  }
  RigidStep step;
  step.center = uvec4(state.position.xyz, uint(int(body.torque.w)));
  bool held = state.velocity.w != 0.0;  // where it left the domain
  if (held) {
    x = vec3(0.0);
    y = vec3(0.0);
    z = vec3(0.0);
  }
  step.inverse_mass = vec4(held ? vec3(0.0) : body.inverse_mass.xyz, body.inverse_diagonal.w);
  step.inverse_diagonal = vec4(flush(vec3(x.x, y.y, z.z)), turning == kTurnNone || held ? 0.0 : body.axis.w);
  step.inverse_mixed = vec4(flush(vec3(0.5 * (x.y + y.x), 0.5 * (x.z + z.x), 0.5 * (y.z + z.y))), body.force.w);
  step.velocity = vec4(state.velocity.xyz, 1.0);
  step.spin = vec4(state.spin.xyz, 0.0);
  step.shift = vec4(0.0);
  step.turn = vec4(0.0);
  step.round_center = vec4(flush(rotate(q, body.round_center.xyz)), body.round_center.w);
  step.round_axis = vec4(flush(rotate(q, body.round_axis.xyz)), body.round_axis.w);
  rigid_step_buffer.at[b] = step;
}
