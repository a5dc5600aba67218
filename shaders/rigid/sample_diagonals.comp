#version 460
#extension GL_GOOGLE_include_directive : require
// What pressure and friction do not change of a sample's rows, and their diagonals by body [PT23 eq. 3.10, 3.21,
// app. A, alg. 6 and 8]:
//   overlap = 1 - V0/V
//   source  = -V0 dt sum (v*_r - v_j) . grad W    over samples of other bodies and of boundaries
//   slide   = dt sum w_j (v*_r - v_j) W           w_j: slip_weight
// v_j of a boundary is its displacement over the step, over dt.
#include "lib/bodies.glsl"
#include "lib/body_parts.glsl"
#include "lib/compliance.glsl"
#include "lib/friction.glsl"
#include "lib/pair_friction.glsl"
#include "lib/restitution.glsl"
#include "lib/round_parts.glsl"
#include "lib/sample_row.glsl"
#include "lib/solver.glsl"
#include "lib/workgroup.glsl"

// The comparison method [GPB19 sec. 3.4]: an impulse from the normal part of the sliding before the solve, shared by
// the body's contacts; mu times it against the tangential part, but no more than would stop that.
vec3 staggered_friction(RigidStep step, float friction, uvec3 x, SampleRow record, vec3 n) {
  if (!(record.contact.w > 1e-9)) return vec3(0.0);
  vec3 slide = reciprocal(record.contact.w) * record.slide.xyz;
  vec3 t = flush(tangential(slide, n));
  float along_squared = length_squared(t);
  float approach = -dot3(slide, n);
  if (!(approach > 0.0) || along_squared < 1e-20) return vec3(0.0);
  vec3 arm = difference(x, step.center.xyz);
  float along = square_root(along_squared);
  t = reciprocal(along) * t;
  float normal_compliance = compliance(step, n, cross3(arm, n));
  float tangential_compliance = compliance(step, t, cross3(arm, t));
  if (normal_compliance < 1e-12 || tangential_compliance < 1e-12) return vec3(0.0);
  float share = reciprocal(larger(step.spin.w, 1.0));
  float force = smaller(friction * divide(approach, normal_compliance), divide(along, tangential_compliance));
  return (-share * force) * t;
}

// The compliance of the row, and what it makes of the last step's friction.
void share_load(uint i, inout SampleRow record) {
  if (PARAMS.load_sharing == 0.0) return;
  SampleSolve solve = sample_solve_buffer.at[i];
  vec4 last = warm_start(1.0) * solve.value;
  float tau = CONTROL.tau;
  record.volume.w = flush(pressure_sharing(tau) * sum_of_parts(record.pressure));

  float radius = last.w * record.volume.y, unfinished = 10.0 * solver_tolerance(tau);
  bool sticks = length_squared(last.xyz) < kSticking * (radius * radius) &&
                length_squared(solve.error.xyz) < unfinished * unfinished;
  // The last solve's error counts the share it had to undo.
  vec3 slip = sticks ? flush(solve.error.xyz + (1.0 - kSlipUndone) * solve.slip.xyz) : vec3(0.0);
  if (!(length_squared(slip) < kMostSlip * kMostSlip)) slip = vec3(0.0);
  sample_solve_buffer.at[i].slip = vec4(slip, 0.0);
  record.slide.xyz = flush(record.slide.xyz + (kSlipUndone * slip - friction_compliance(record) * last.xyz));
}

// An impact is to part by `separation` in the step, h V0 |G|, unless its overlap parts it faster. It does not give way:
// that would take from the rebound.
void ask_for_rebound(float separation, inout SampleRow record) {
  record.volume.w = 0.0;
  if (overlap_to_mend(record, 0.0).error < -separation) return;
  record.slide.w -= separation;
  record.turning.w = 0.0;
}

void main() {
  uint i = contact_sample(thread_index());
  if (i == kNoBody) return;
  uvec4 own = rigid_sample_of(i);
  Row row = load_sample_row(i);
  uvec3 x = own.xyz;
  vec4 velocity = sample_velocity_of(i);
  vec3 v = velocity.xyz;
  SampleRow record = sample_row_of(i);

  float half_reach = 0.5 * slip_reach();
  vec3 spin = FIELD(rigid_step, body_of(own.w), spin).xyz;
  float divergence = 0.0;
  float slip_sum = 0.0;
  vec3 slide = vec3(0.0);
  bool round = PARAMS.round != 0;
  record.toward = vec4(contact_normal(record.contact.xyz), 0.0);
  Round own_round = round_of(rigid_step_buffer.at[body_of(own.w)], x);
  bool rolls = own_round.kind != kRoundNone;  // or a body next to it does
  RoundRow sums = RoundRow(vec3(0.0), vec3(0.0), vec3(0.0));
  vec3 arm = difference(x, rigid_step_buffer.at[body_of(own.w)].center.xyz);
  for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
    uint j = row_entry(row, k);
    uvec4 s = rigid_sample_of(j);
    vec3 d = difference(x, s.xyz);
    if (!meets(record.face, d)) continue;
    vec4 other = sample_velocity_of(j);
    float rr = length_squared(d);
    float sw = slip_weight(record.arm.w, other.w) * seen(s.w, kernel(rr));
    float slope = contact_weight(weight_of(s.w)) * kernel_slope(rr);
    slip_sum += sw;
    vec3 other_spin = FIELD(rigid_step, body_of(s.w), spin).xyz;
    if (round) {
      Round other_round = gather_round(body_of(s.w), x);
      rolls = rolls || other_round.kind != kRoundNone;
      Lever lever = lever_of(own_round, other_round, record.toward.xyz, d);
      vec3 g = add_lever(sums, lever, arm, slope * d, sw);
      vec3 apart = v - other.xyz;
      divergence += dot3(apart + (cross3(spin, lever.at) - cross3(other_spin, lever.at + d)), g);
      slide += sw * (apart + (cross3(spin, lever.rub) - cross3(other_spin, lever.rub + d)));
    } else {
      divergence += slope * dot3(v - other.xyz, d);
      slide += sw * (v - other.xyz - half_reach * cross3(spin + other_spin, d));
    }
  }
  float inverse_gamma = reciprocal(PARAMS.gamma);
  for (uint k = row.rigid_end; k < row.boundary_end; ++k) {
    uvec4 b = boundary_of(row_entry(row, k));
    vec3 d = difference(x, b.xyz);
    if (!meets(record.face, d)) continue;
    vec3 relative = v - chord_velocity(sample_body(b.w), b.xyz);
    float rr = length_squared(d);
    float sw = slip_weight(record.arm.w, inverse_gamma * sample_weight(b.w)) * kernel(rr);
    float slope = contact_weight(sample_weight(b.w)) * kernel_slope(rr);
    vec3 apart = v - approach_velocity(sample_body(b.w), b.xyz);
    slip_sum += sw;
    vec3 other_spin = FIELD(boundary_body, sample_body(b.w), spin).xyz;
    vec4 chord = FIELD(boundary_body, sample_body(b.w), chord);
    if (round) {
      Lever lever = lever_of(own_round, kNotRound, record.toward.xyz, d);
      vec3 g = add_lever(sums, lever, arm, slope * d, sw);
      divergence += dot3(apart + cross3(spin, lever.at), g);
      slide += sw * (relative + (cross3(spin, lever.rub) - swing(other_spin, chord, lever.rub + d)));
    } else {
      divergence += slope * dot3(apart, d);
      slide += sw * (relative - half_reach * (cross3(spin, d) + swing(other_spin, chord, d)));
    }
  }
  float tau = CONTROL.tau;
  float v0 = record.volume.x;
  record.slide = vec4(flush(tau * slide), -flush(tau * (v0 * record.volume.z * divergence)));
  record.contact.w = flush(slip_sum);
  if (round) {
    record.contact.xyz = flush(record.volume.z * sums.force);
    record.turning = vec4(flush(record.volume.z * sums.turning), 0.0);
    record.arm.xyz = flush((slip_sum > 1e-12 ? reciprocal(slip_sum) : 0.0) * sums.rub);
  } else {
    record.turning = vec4(cross3(arm, record.contact.xyz), 0.0);
  }
  record.turning.w = 1.0 - divide(v0, velocity.w);

  vec3 gradient = record.contact.xyz;
  if (rolls && record.face.w == 0.0) record.face.xyz = contact_normal(gradient);
  vec3 n = record.face.xyz;
  uint body = body_of(own.w);
  RigidStep step = rigid_step_of(body);
  bool has_row = dot3(n, n) > 0.0 && (is_movable(step) || PARAMS.fixed_rows != 0);
  float friction = step.inverse_mass.w;
  if (has_row && PARAMS.own_friction == 0) friction = row_friction(row, x, record.face, body);
  record.volume.y = has_row ? friction * (v0 * v0) * larger(-dot3(gradient, n), 0.0) : 0.0;
  vec3 tilt = face_tilt(record);
  record.slide.w = flush(record.slide.w + v0 * dot3(tilt, record.slide.xyz));
  record.body = uvec4(kNoBody);
  record.pressure = vec4(0.0);
  record.friction = vec4(0.0);
  if (has_row) {
    vec2 part = own_part(step, record, x, n, tilt);
    record.body[0] = body;
    record.pressure[0] = part.x;
    record.friction[0] = part.y;
    body = next_body(row, x, record.face, kNoBody);
    for (uint slot = 1; slot < kRowBodies && body != kNoBody; ++slot) {
      part = round ? round_part(row, x, record, n, tilt, own_round, body, rigid_step_buffer.at[body])
                   : foreign_part(row, x, record, n, tilt, body, rigid_step_buffer.at[body]);
      record.body[slot] = body;
      record.pressure[slot] = part.x;
      record.friction[slot] = part.y;
      body = next_body(row, x, record.face, body);
    }
    if (body != kNoBody) {
      record.body.w = kManyBodies;
      crowded_sample_buffer.at[atomicAdd(control_buffer.at[0].crowded, 1)] = i;
    }
  }
  share_load(i, record);
  if (has_row && PARAMS.restitution != 0) {
    float closing = -record.slide.w;
    if (is_impact(record.turning.w, closing, v0 * square_root(length_squared(gradient)),
                  sample_solve_buffer.at[i].value.w, tau, solver_tolerance(tau))) {
      vec2 rebound = row_restitution(row, x, record.face, body_of(own.w));
      float approach = larger(closing - (tau * tau) * (v0 * record.volume.z * rebound.y), 0.0);
      if (rebound.x > 0.0) ask_for_rebound(flush(rebound.x * approach), record);
    }
  }
  sample_row_buffer.at[i] = record;

  vec4 value = vec4(0.0);
  if (PARAMS.staggered_friction != 0) {
    if (has_row) value.xyz = staggered_friction(step, friction, x, record, n);
  } else if (has_row && PARAMS.warm_start_rigid > 0.0) {
    value = warm_start(rigid_start()) * sample_solve_buffer.at[i].value;
    value.xyz = project_to_cone(value.xyz, n, value.w * record.volume.y);
  }
  sample_solve_buffer.at[i].value = value;
  sample_solve_buffer.at[i].direction = vec4(0.0);
  sample_load_buffer.at[i] =
      vec4(flush(record.arm.w * (value.xyz + tilt_force(record, value.w))), flush(marked_load(record, value.w)));
}
