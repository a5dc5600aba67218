#version 460
#extension GL_GOOGLE_include_directive : require
// The fluid's viscous force on each sample: that of fluid/forces.comp, with its operands, the other way.
#define SLUICE_CHUNK_SUMS 2
#include "lib/sample_row.glsl"
#include "lib/samples.glsl"
#include "lib/viscosity.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SampleDragArgs args; };

void main() {
  uint i = contact_sample(args.control, args.contact_samples, thread_index());
  vec3 force = vec3(0.0);
  vec3 torque = vec3(0.0);
  if (i != kNoBody && PARAMS(args.params).viscous != 0) {
    uvec4 own = GATHER4(sample_texels, args.neighbors.samples, i);
    Row row = LOAD_SAMPLE_ROW(args.neighbors, args.params, i);
    RigidStep step = args.steps.at[body_of(own.w)];
    vec3 v = GATHER_FLOATS(sample_velocity_texels, args.velocity, i).xyz;
    float weight = weight_of(own.w);
    for (uint k = 0; k < row.fluid_end; ++k) {
      uint j = row_entry(row, k);
      uint material = unpack_material(args.low.at[j].w);
      float scale = step.velocity.w * (PARAMS(args.params).materials[material].viscosity * weight);
      vec3 d = difference(GATHER4(position_texels, args.neighbors.position, j).xyz, own.xyz);
      force -= scale * laplacian_term(uintBitsToFloat(GATHER4(velocity_texels, args.fluid_velocity, j).xyz) - v, d);
    }
    force = flush(force);
    torque = flush(cross3(difference(own.xyz, step.center.xyz), force));
  }
  vec4 sums[2] = vec4[2](vec4(force, 0.0), vec4(torque, 0.0));
  chunk_sums(sums);
  uint chunk = group_index() * (kGroup / kChunk) + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < kGroup / kChunk && chunk < CONTROL(args.control).contact_chunks) {
    args.partials.at[chunk].fluid_force = sums[0];
    args.partials.at[chunk].fluid_torque = sums[1];
  }
}
