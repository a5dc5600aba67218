#version 460
#extension GL_GOOGLE_include_directive : require
// Displacement by pressure forces, dt^2 F / m [PT23 eq. 3.15 with p_b = 0, alg. 4 l. 3]:
//   a_i = -1/m_i ( sum (p_i + p_j) grad W_ij + p_i sum w_b grad W_ib )
#include "lib/kernel.glsl"
#include "lib/neighbors.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SolveForcesArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.control.at[0].particles) return;
  Row row = LOAD_ROW(args.neighbors, args.params, i);
  uvec4 own = GATHER4(position_texels, args.neighbors.position, i);
  float p = uintBitsToFloat(own.w);
  vec3 sum = p * GATHER_FLOATS(wall_texels, args.wall, i).xyz;
  for (uint k = 0; k < row.fluid_end; ++k) {
    uvec4 other = GATHER4(position_texels, args.neighbors.position, row_entry(row, k));
    vec3 d = difference(own.xyz, other.xyz);
    sum += ((p + uintBitsToFloat(other.w)) * kernel_slope(length_squared(d))) * d;
  }
  float inverse_mass = args.params.at[0].materials[unpack_material(GATHER4(low_texels, args.low, i).w)].inverse_mass;
  args.acceleration.at[i].xyz = flush(-inverse_mass * sum);
}
