// What the host changes between steps. One thread applies it: edits are few, and their order counts.
#ifndef SLUICE_EDITS_GLSL
#define SLUICE_EDITS_GLSL
#include "lib/clock.glsl"
#include "lib/spin.glsl"

void apply_motion(Edit edit) {
  boundary_body_buffer.at[edit.body].velocity = vec4(edit.a.xyz, boundary_body_buffer.at[edit.body].velocity.w);
  boundary_body_buffer.at[edit.body].spin = vec4(edit.b.xyz, boundary_body_buffer.at[edit.body].spin.w);
  params_buffer.at[0].boundary_speed = edit.number;
}

void apply_force(Edit edit) {
  rigid_body_buffer.at[edit.body].force = vec4(edit.a.xyz, rigid_body_buffer.at[edit.body].force.w);
  rigid_body_buffer.at[edit.body].torque = vec4(edit.b.xyz, rigid_body_buffer.at[edit.body].torque.w);
}

// Of the state as a whole: some drivers load a record's parts wrongly.
void apply_to_state(Edit edit) {
  RigidBody body = rigid_body_buffer.at[edit.body];
  RigidState state = rigid_state_buffer.at[edit.body];
  if (edit.kind == kEditPose) {
    state.velocity.w = 0.0;  // also of one that is held outside the domain
    state.position = edit.position;
    state.low = edit.low;
    state.orientation = edit.a;
    state.sample_orientation = edit.a;
  } else if (state.velocity.w != 0.0) {
    return;
  } else {
    state.velocity.xyz = flush(state.velocity.xyz + body.inverse_mass.xyz * edit.a.xyz);
    state.angular_momentum.xyz = flush(free_part(body, state.angular_momentum.xyz + edit.b.xyz));
  }
  state.spin.xyz = spin_at(body, state.orientation, state.angular_momentum.xyz);
  rigid_state_buffer.at[edit.body] = state;
  // Of the step's points, as integrate_bodies.comp takes it.
  float speed = square_root(length_squared(state.velocity.xyz)) +
                square_root(length_squared(state.spin.xyz)) * larger(body.inertia_mixed.w, 0.5);
  control_buffer.at[0].max_speed = larger(control_buffer.at[0].max_speed, speed);
}

void apply_gravity(Edit edit) {
  params_buffer.at[0].gravity_x = edit.a.x;
  params_buffer.at[0].gravity_y = edit.a.y;
  params_buffer.at[0].gravity_z = edit.a.z;
  params_buffer.at[0].gravity_length = edit.a.w;
  params_buffer.at[0].tolerance_scale = edit.number;
}

#endif
