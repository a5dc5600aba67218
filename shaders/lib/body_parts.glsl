// What each body next to a row adds to the row's diagonal [PT23 app. A]. Rows are told apart by body, since mass
// splitting weighs the parts one by one.
#ifndef SLUICE_BODY_PARTS_GLSL
#define SLUICE_BODY_PARTS_GLSL
#include "lib/kernel.glsl"
#include "lib/round.glsl"
#include "lib/samples.glsl"

// The smallest body above `after` among the rigid neighbours that a row at x counts; start with kNoBody. Fluid's rows
// are of no face.
uint next_body(Row row, uvec3 x, vec4 face, uint after) {
  uint best = kNoBody;
  for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
    uvec4 s = rigid_sample_of(row_entry(row, k));
    if (!is_seen_sample(s.w) || !meets(face, difference(x, s.xyz))) continue;
    uint body = body_of(s.w);
    if ((after == kNoBody || body > after) && body < best) best = body;
  }
  return best;
}

// A row's record holds up to kRowBodies bodies; with more, its last word is kManyBodies, and its parts are found anew.
bool has_many_bodies(uvec4 bodies) { return bodies.w == kManyBodies; }

// Active rows that touch a body.
float rows_of(uint body) { return larger(float(int(touching_rows_buffer.at[body])), 1.0); }

// Counts an active row with each body among its rigid neighbours; `bodies` has them from slot `first` on. One atomic,
// in a loop: CPU drivers run each that no thread takes, too, lane by lane.
void count_row(Row row, uvec3 x, vec4 face, uvec4 bodies, uint first) {
  uint body = kNoBody;
  [[dont_unroll]] for (uint slot = first;; ++slot) {
    if (has_many_bodies(bodies)) {
      body = next_body(row, x, face, body);
    } else {
      body = slot < kRowBodies ? bodies[slot] : kNoBody;
    }
    if (body == kNoBody) break;
    atomicAdd(touching_rows_buffer.at[body], 1);
  }
}

// A body's part of dV_err / dp of a fluid particle at x [eq. A.6, A.9].
float coupled_part(Row row, uvec3 x, uint body, RigidStep step) {
  Round round = round_of(step, x);
  vec3 force = vec3(0.0);
  vec3 torque = vec3(0.0);
  for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
    uvec4 s = rigid_sample_of(row_entry(row, k));
    if (body_of(s.w) != body) continue;
    vec3 d = difference(x, s.xyz);
    vec3 term = (weight_of(s.w) * kernel_slope(length_squared(d))) * d;
    if (PARAMS.round != 0) {
      term = left_at_particle(round, term);
      torque += cross3(difference(x, step.center.xyz), term);
    } else {
      torque += cross3(difference(s.xyz, step.center.xyz), term);
    }
    force += term;
  }
  return flush(compliance(step, force, torque));
}

// 1/3 of the trace of (1 - n n^T) A for the response e -> a M^-1 e + (I^-1 (t x e)) x b, a body's part of
// dv_rel / dlambda [eq. A.10, A.12 to A.14].
float response_along(RigidStep step, float a, vec3 t, vec3 b, vec3 e) {
  vec3 turn = times(step.inverse_diagonal, step.inverse_mixed, cross3(t, e));
  return a * dot3(e, step.inverse_mass.xyz * e) + dot3(turn, cross3(b, e));
}
float tangential_part(RigidStep step, float a, vec3 t, vec3 b, vec3 n) {
  float trace = response_along(step, a, t, b, vec3(1.0, 0.0, 0.0)) +
                response_along(step, a, t, b, vec3(0.0, 1.0, 0.0)) + response_along(step, a, t, b, vec3(0.0, 0.0, 1.0));
  return flush(larger(0.333333333 * (trace - response_along(step, a, t, b, n)), 0.0));
}

// Parts of dV_err / dp (x) and of 1/3 tr dv_tang / dlambda (y) of sample i's rows; tilt: face_tilt.
// Of its own body:
vec2 own_part(RigidStep step, SampleRow sample_row, uvec3 x, vec3 n, vec3 tilt) {
  vec3 arm = difference(x, step.center.xyz);
  vec3 gradient = sample_row.contact.xyz - tilt;
  vec3 turning = sample_row.turning.xyz - cross3(arm + sample_row.arm.xyz, tilt);
  float v0 = sample_row.volume.x;
  float pressure = (v0 * v0 * v0) * compliance(step, gradient, turning);
  float c = sample_row.contact.w;
  vec3 slip_arm = arm + slip_reach() * sample_row.arm.xyz;
  return vec2(flush(pressure), tangential_part(step, c, arm + sample_row.arm.xyz, c * slip_arm, n));
}
// Of another:
vec2 foreign_part(Row row, uvec3 x, SampleRow sample_row, vec3 n, vec3 tilt, uint body, RigidStep step) {
  vec3 force = vec3(0.0), torque = vec3(0.0);
  float half_reach = 0.5 * slip_reach();
  float w_sum = 0.0, slip_sum = 0.0;
  vec3 w_middle = vec3(0.0), slip_arm = vec3(0.0);
  for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
    uint j = row_entry(row, k);
    uvec4 s = rigid_sample_of(j);
    if (body_of(s.w) != body) continue;
    vec3 d = difference(x, s.xyz);
    if (!meets(sample_row.face, d)) continue;
    vec3 arm = difference(s.xyz, step.center.xyz);
    float rr = length_squared(d);
    vec3 term = (contact_weight(weight_of(s.w)) * kernel_slope(rr)) * d;
    force += term;
    torque += cross3(arm, term);
    float w = kernel(rr);
    float sw = slip_weight(sample_row.arm.w, sample_velocity_of(j).w) * w;
    w_sum += w;
    slip_sum += sw;
    w_middle += w * (arm + 0.5 * d);
    slip_arm += sw * (arm + half_reach * d);
  }
  float v0 = sample_row.volume.x;
  float scale = sample_row.volume.z;
  float inverse_sum = sample_row.arm.w;
  float pressure = (v0 * v0 * v0) * compliance(step, scale * force - (inverse_sum * w_sum) * tilt,
                                               scale * torque - cross3(inverse_sum * w_middle, tilt));
  return vec2(flush(pressure),
              tangential_part(step, inverse_sum * (w_sum * slip_sum), inverse_sum * w_middle, slip_arm, n));
}

#endif
