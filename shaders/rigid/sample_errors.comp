#version 460
#extension GL_GOOGLE_include_directive : require
// The volume error and the sliding of each sample at the next step [PT23 eq. 3.10, 3.21; alg. 4 l. 13-15]. Rows that
// are active are counted by the bodies that they move.
#include "lib/body_parts.glsl"
#include "lib/compliance.glsl"
#include "lib/friction.glsl"
#include "lib/round.glsl"
#include "lib/sample_row.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = contact_sample(thread_index());
  if (i == kNoBody) return;
  uvec4 own = rigid_sample_of(i);
  SampleRow record = sample_row_of(i);
  if (record.body.x == kNoBody) return;
  Row row = load_sample_row(i);
  vec3 a = sample_velocity_of(i).xyz;
  float divergence = dot3(a, record.contact.xyz);
  float reach = slip_reach();
  vec3 turn = FIELD(rigid_step, record.body.x, turn).xyz;
  vec3 slide = record.contact.w * (a + reach * cross3(turn, record.arm.xyz));
  bool round = PARAMS.round != 0;
  if (round) {
    RigidStep step = rigid_step_of(record.body.x);
    divergence = dot3(step.shift.xyz, record.contact.xyz) + dot3(step.turn.xyz, record.turning.xyz);
    Round own_round = round_of(step, own.xyz);
    for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
      uint j = row_entry(row, k);
      uvec4 s = rigid_sample_of(j);
      vec3 d = difference(own.xyz, s.xyz);
      if (!meets(record.face, d)) continue;
      vec4 other = sample_velocity_of(j);
      vec3 other_turn = FIELD(rigid_step, body_of(s.w), turn).xyz;
      Lever lever = lever_of(own_round, gather_round(body_of(s.w), own.xyz), record.toward.xyz, d);
      float rr = length_squared(d);
      vec3 g = left_of(lever, (record.volume.z * contact_weight(weight_of(s.w)) * kernel_slope(rr)) * d);
      divergence -= dot3(other.xyz + cross3(other_turn, lever.at + d), g);
      slide -= (record.arm.w * seen(s.w, kernel(rr))) * (other.xyz + cross3(other_turn, lever.rub + d));
    }
  }
  // Four at a time, as in rigid/sample_forces.comp.
  for (uint k = first_block(row.fluid_end, row.rigid_end); !round && k < row.rigid_end; k += kRowBlock) {
    uvec4 j = row_block(row, k, row.fluid_end, row.rigid_end, i);
    vec3 to[4], turns[4];
    vec4 other[4];
    float weight[4];
    bvec4 is_seen;
    for (uint n = 0; n < 4; ++n) {
      uvec4 s = rigid_sample_of(j[n]);
      to[n] = difference(own.xyz, s.xyz);
      bool met = meets(record.face, to[n]);
      weight[n] = met ? contact_weight(weight_of(s.w)) : 0.0;
      is_seen[n] = met && is_seen_sample(s.w);
      other[n] = sample_velocity_of(j[n]);
      turns[n] = FIELD(rigid_step, body_of(s.w), turn).xyz;
    }
    vec4 slope = kernel_slopes(to[0], to[1], to[2], to[3]);
    vec4 w = mix(vec4(0.0), kernels(to[0], to[1], to[2], to[3]), in_row(k, row.fluid_end, row.rigid_end));
    w = mix(vec4(0.0), w, is_seen);
    for (uint n = 0; n < 4; ++n) {
      divergence -= record.volume.z * weight[n] * slope[n] * dot3(other[n].xyz, to[n]);
      slide -=
          (slip_weight(record.arm.w, other[n].w) * w[n]) * (other[n].xyz + (0.5 * reach) * cross3(turns[n], to[n]));
    }
  }
  divergence -= dot3(face_tilt(record), slide);
  vec4 value = FIELD(sample_solve, i, value);
  slide += record.slide.xyz + friction_compliance(record) * value.xyz;
  float error = record.slide.w - record.volume.x * divergence + overlap_to_mend(record, value.w).error;
  sample_solve_buffer.at[i].error = vec4(flush(tangential(slide, record.face.xyz)), error);

  if (value.w > 0.0 || error < 0.0) {
    atomicAdd(touching_rows_buffer.at[record.body.x], 1);
    if (PARAMS.mass_splitting != 0) count_row(row, own.xyz, record.face, record.body, 1);
  }
}
