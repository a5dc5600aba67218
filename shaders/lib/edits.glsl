// What the host changes between steps. One thread applies it: edits are few, and their order counts.
#ifndef SLUICE_EDITS_GLSL
#define SLUICE_EDITS_GLSL
#include "lib/clock.glsl"
#include "lib/spin.glsl"

void apply_motion(Params_ref params, BodyState_ref bodies, Edit edit) {
  bodies.at[edit.body].velocity = vec4(edit.a.xyz, bodies.at[edit.body].velocity.w);
  bodies.at[edit.body].spin = vec4(edit.b.xyz, bodies.at[edit.body].spin.w);
  params.at[0].boundary_speed = edit.number;
}

void apply_force(RigidBody_ref rigid, Edit edit) {
  rigid.at[edit.body].force = vec4(edit.a.xyz, rigid.at[edit.body].force.w);
  rigid.at[edit.body].torque = vec4(edit.b.xyz, rigid.at[edit.body].torque.w);
}

// Of the state as a whole: some drivers load a record's parts wrongly.
void apply_to_state(Control_ref control, RigidBody_ref rigid, RigidState_ref states, Edit edit) {
  RigidBody body = rigid.at[edit.body];
  RigidState state = states.at[edit.body];
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
  states.at[edit.body] = state;
  // Of the step's points, as integrate_bodies.comp takes it.
  float speed = square_root(length_squared(state.velocity.xyz)) +
                square_root(length_squared(state.spin.xyz)) * larger(body.inertia_mixed.w, 0.5);
  control.at[0].max_speed = larger(control.at[0].max_speed, speed);
}

void apply_gravity(Params_ref params, Edit edit) {
  params.at[0].gravity_x = edit.a.x;
  params.at[0].gravity_y = edit.a.y;
  params.at[0].gravity_z = edit.a.z;
  params.at[0].gravity_length = edit.a.w;
  params.at[0].tolerance_scale = edit.number;
}

#endif
