#version 460
#extension GL_GOOGLE_include_directive : require
// The fluid's viscous force on each sample: that of fluid/forces.comp, with its operands, the other way.
#define SLUICE_CHUNK_SUMS 2
#include "lib/sample_row.glsl"
#include "lib/samples.glsl"
#include "lib/viscosity.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = contact_sample(thread_index());
  vec3 force = vec3(0.0);
  vec3 torque = vec3(0.0);
  if (i != kNoBody && PARAMS.viscous != 0) {
    uvec4 own = rigid_sample_of(i);
    Row row = load_sample_row(i);
    RigidStep step = rigid_step_buffer.at[body_of(own.w)];
    vec3 v = sample_velocity_of(i).xyz;
    float weight = weight_of(own.w);
    for (uint k = 0; k < row.fluid_end; ++k) {
      uint j = row_entry(row, k);
      uint material = unpack_material(low_buffer.at[j].w);
      float scale = step.velocity.w * (PARAMS.materials[material].viscosity * weight);
      vec3 d = difference(position_of(j).xyz, own.xyz);
      force -= scale * laplacian_term(uintBitsToFloat(velocity_of(j).xyz) - v, d);
    }
    force = flush(force);
    torque = flush(cross3(difference(own.xyz, step.center.xyz), force));
  }
  vec4 sums[2] = vec4[2](vec4(force, 0.0), vec4(torque, 0.0));
  chunk_sums(sums);
  uint chunk = group_index() * (kGroup / kChunk) + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < kGroup / kChunk && chunk < CONTROL.contact_chunks) {
    chunk_sum_buffer.at[chunk].fluid_force = sums[0];
    chunk_sum_buffer.at[chunk].fluid_torque = sums[1];
  }
}
