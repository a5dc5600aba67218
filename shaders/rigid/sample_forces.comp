#version 460
#extension GL_GOOGLE_include_directive : require
// Pressure and friction forces on each sample and their torques about its body's centre, times dt^2
// [PT23 eq. 3.13 with p_b = 0, eq. 3.22], summed by chunk:
//   F^P = -V0^2 p G - sum_k V_k0^2 p_k w_kr grad W - w sum_f p_f grad W    w_kr: what r counts for in row k
//   F^F = lambda - sum_k (lambda_k / S_k) W                                since sum (lambda / S) W = lambda
// lambda with tilt_force of lib/friction.glsl.
#define SLUICE_CHUNK_SUMS 4
#include "lib/friction.glsl"
#include "lib/kernel.glsl"
#include "lib/round.glsl"
#include "lib/sample_row.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = contact_sample(thread_index());
  vec3 contact_force = vec3(0.0), contact_torque = vec3(0.0), fluid_force = vec3(0.0), fluid_torque = vec3(0.0);
  if (i != kNoBody) {
    uvec4 own = rigid_sample_of(i);
    Row row = load_sample_row(i);
    uvec3 x = own.xyz;
    vec3 center_arm = difference(x, FIELD(rigid_step, body_of(own.w), center).xyz);
    Round own_round = gather_round(body_of(own.w), x);
    bool turns = own_round.kind == kRoundNone;  // by the fluid's pressure, about any axis
    for (uint k = 0; k < row.fluid_end; ++k) {
      uvec4 f = position_of(row_entry(row, k));
      vec3 d = difference(x, f.xyz);
      vec3 term = (uintBitsToFloat(f.w) * kernel_slope(length_squared(d))) * d;
      if (!turns) {
        term = left_at_particle(Round(own_round.kind, own_round.axis, own_round.center + d, 0.0), term);
        fluid_torque -= cross3(center_arm - d, term);
      }
      fluid_force -= term;
    }
    fluid_force = flush(weight_of(own.w) * fluid_force);
    fluid_torque = flush(turns ? cross3(center_arm, fluid_force) : weight_of(own.w) * fluid_torque);

    SampleRow record = sample_row_of(i);
    float v0 = record.volume.x;
    vec4 value = FIELD(sample_solve, i, value);
    vec3 pressure_force = (-flush((v0 * v0) * value.w)) * record.contact.xyz;
    vec3 lambda = value.xyz + tilt_force(record, value.w);
    float weight = contact_weight(weight_of(own.w));
    float mirror = seen(own.w, 1.0);
    contact_torque = cross3(center_arm + record.arm.xyz, lambda);
    contact_force = lambda;
    vec3 pressure_torque = vec3(0.0);
    bool round = PARAMS.round != 0;
    if (round) {
      // The rows of others, each at the places of its own pairs.
      pressure_torque = (-flush((v0 * v0) * value.w)) * record.turning.xyz;
      for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
        uint j = row_entry(row, k);
        uvec4 s = rigid_sample_of(j);
        vec3 to = difference(x, s.xyz);
        vec4 load = sample_load_of(j);
        if (load.w < 0.0 && !meets(FIELD(sample_row, j, face), -to)) continue;
        load.w = abs(load.w);
        float rr = length_squared(to);
        Lever lever = lever_of(gather_round(body_of(s.w), s.xyz), gather_round(body_of(own.w), s.xyz),
                               FIELD(sample_row, j, toward).xyz, -to);
        vec3 pressed = left_of(lever, (-weight * load.w * kernel_slope(rr)) * to);
        vec3 mirrored = (mirror * kernel(rr)) * load.xyz;
        pressure_force += pressed;
        pressure_torque += cross3(center_arm + (lever.at - to), pressed);
        contact_force -= mirrored;
        contact_torque -= cross3(center_arm + (lever.rub - to), mirrored);
      }
    }
    // Four at a time, as in solver/solve_forces.comp; a sample's pair with itself must not count.
    for (uint k = first_block(row.fluid_end, row.rigid_end); !round && k < row.rigid_end; k += kRowBlock) {
      uvec4 j = row_block(row, k, row.fluid_end, row.rigid_end, i);
      vec3 to[4];
      vec4 load[4];
      for (uint n = 0; n < 4; ++n) {
        to[n] = difference(x, rigid_sample_of(j[n]).xyz);
        load[n] = sample_load_of(j[n]);
        if (load[n].w < 0.0)
          load[n] = meets(FIELD(sample_row, j[n], face), -to[n]) ? vec4(load[n].xyz, -load[n].w) : vec4(0.0);
      }
      vec4 slope = kernel_slopes(to[0], to[1], to[2], to[3]);
      vec4 w = mix(vec4(0.0), kernels(to[0], to[1], to[2], to[3]), in_row(k, row.fluid_end, row.rigid_end));
      for (uint n = 0; n < 4; ++n) {
        pressure_force -= (weight * load[n].w * slope[n]) * to[n];
        vec3 mirrored = (mirror * w[n]) * load[n].xyz;
        contact_force -= mirrored;
        contact_torque -= cross3(center_arm - 0.5 * to[n], mirrored);
      }
    }
    contact_force = flush(contact_force + pressure_force);
    if (!round) pressure_torque = cross3(center_arm, pressure_force);
    contact_torque = flush(contact_torque + pressure_torque);
  }
  vec4 sums[4] =
      vec4[4](vec4(contact_force, 0.0), vec4(contact_torque, 0.0), vec4(fluid_force, 0.0), vec4(fluid_torque, 0.0));
  chunk_sums(sums);
  uint chunk = group_index() * (kGroup / kChunk) + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < kGroup / kChunk && chunk < CONTROL.contact_chunks) {
    chunk_sum_buffer.at[chunk] = RigidSum(sums[0], sums[1], sums[2], sums[3]);
  }
}
