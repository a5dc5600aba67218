#version 460
#extension GL_GOOGLE_include_directive : require
// Displacement by pressure forces, dt^2 F / m [PT23 eq. 3.15 with p_b = 0, alg. 4 l. 3]:
//   a_i = -1/m_i ( sum (p_i + p_j) grad W_ij + p_i sum w_b grad W_ib )
#include "lib/kernel.glsl"
#include "lib/neighbors.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.particles) return;
  Row row = load_row(i);
  uvec4 own = position_of(i);
  float p = uintBitsToFloat(own.w);
  vec3 sum = p * wall_of(i).xyz;
  // Four at a time: loads, and the long chains of arithmetic, overlap.
  for (uint k = 0; k < row.fluid_end; k += kRowBlock) {
    uvec4 j = row_block(row, k, row.fluid_end, i);
    uvec4 a = position_of(j.x);
    uvec4 b = position_of(j.y);
    uvec4 c = position_of(j.z);
    uvec4 d = position_of(j.w);
    vec3 to_a = difference(own.xyz, a.xyz), to_b = difference(own.xyz, b.xyz);
    vec3 to_c = difference(own.xyz, c.xyz), to_d = difference(own.xyz, d.xyz);
    vec4 scale = (p + uintBitsToFloat(uvec4(a.w, b.w, c.w, d.w))) * kernel_slopes(to_a, to_b, to_c, to_d);
    sum += scale.x * to_a;
    sum += scale.y * to_b;
    sum += scale.z * to_c;
    sum += scale.w * to_d;
  }
  float inverse_mass = PARAMS.materials[unpack_material(low_of(i).w)].inverse_mass;
  acceleration_buffer.at[i].xyz = flush(-inverse_mass * sum);
}
