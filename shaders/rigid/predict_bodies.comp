#version 460
#extension GL_GOOGLE_include_directive : require
// v* = v + dt (g + F / M), omega* = I^-1 (L + dt T) [PT23 eq. 3.12]; in paper mode the angular velocity is what goes
// on, and the gyroscopic term is explicit. F and T: the body's own force and torque, and drag.
#include "lib/bodies.glsl"
#include "lib/body_sums.glsl"
#include "lib/gravity.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint b = thread_index();
  if (b >= PARAMS.rigid) return;  // a boundary's carriers go on as it does
  RigidState state = rigid_state_buffer.at[b];
  RigidBody body = rigid_body_buffer.at[b];
  RigidStep step = rigid_step_buffer.at[b];
  RigidSum drag = RigidSum(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
  if (CONTROL.contact_chunks > 0) drag = body_sum(body.first_part, body.parts);
  body_drag_buffer.at[b] = drag;

  float tau = CONTROL.tau;
  vec3 force = constant_force(body) + drag.fluid_force.xyz;
  vec3 torque = body.torque.xyz + drag.fluid_torque.xyz;
  if (PARAMS.paper_mode != 0) {
    vec4 q = state.orientation;
    vec3 spin = rotate(vec4(-q.xyz, q.w), state.spin.xyz);
    vec3 angular_momentum = rotate(q, times(body.inertia_diagonal, body.inertia_mixed, spin));
    torque += cross3(angular_momentum, state.spin.xyz);
    step.spin.xyz += tau * times(step.inverse_diagonal, step.inverse_mixed, torque);
  } else {
    step.spin.xyz = times(step.inverse_diagonal, step.inverse_mixed, state.angular_momentum.xyz + tau * torque);
  }
  step.velocity.xyz = flush(step.velocity.xyz + tau * (step.inverse_mass.xyz * force));
  step.spin.xyz = flush(step.spin.xyz);
  rigid_step_buffer.at[b] = step;
  body_sum_buffer.at[b] = RigidSum(vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));

  vec3 v = step.velocity.xyz, spin = body.inertia_mixed.w * step.spin.xyz;
  bool whole = finite(v) && finite(spin);
  if (!whole || (length_squared(v) + length_squared(spin)) * (tau * tau) > kMaxMove * kMaxMove) {
    atomicMax(control_buffer.at[0].failure, whole ? kFailureTooFast : kFailureNotFinite);
  }
}
