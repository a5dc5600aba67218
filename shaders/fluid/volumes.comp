#version 460
#extension GL_GOOGLE_include_directive : require
// V0 / V_f = V0 (sum_ff W + sum_fk w_k W + sum_fb w_b W) [PT23 eq. 3.6], and the sum of w grad W over the samples of
// rigid bodies and boundaries, which is all that the force on the particle needs of them: neither has a pressure of
// its own in it [eq. 3.15 with V_f0^2 p_f for rigid neighbours, p_b = 0].
// w = V0_sample / V0_f is 1 on a regular face, less where a surface is sampled more densely.
#include "lib/kernel.glsl"
#include "lib/round.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.particles) return;
  Row row = load_row(i);
  uvec3 x = position_of(i).xyz;
  float density = kInversePi;  // W(0)
  // Four at a time, as in solver/solve_forces.comp; a particle's pairs with itself must not count again.
  for (uint k = 0; k < row.fluid_end; k += kRowBlock) {
    uvec4 j = row_block(row, k, row.fluid_end, i);
    vec4 w = kernels(difference(x, position_of(j.x).xyz), difference(x, position_of(j.y).xyz),
                     difference(x, position_of(j.z).xyz), difference(x, position_of(j.w).xyz));
    w = mix(vec4(0.0), w, in_row(k, row.fluid_end));
    density += w.x;
    density += w.y;
    density += w.z;
    density += w.w;
  }
  vec3 wall = vec3(0.0);
  for (uint k = row.fluid_end; kHasBodies != 0 && k < row.rigid_end; ++k) {
    uvec4 s = rigid_sample_of(row_entry(row, k));
    vec3 d = difference(x, s.xyz);
    float rr = length_squared(d);
    float weight = weight_of(s.w);
    density += weight * kernel(rr);
    vec3 grad = (weight * kernel_slope(rr)) * d;
    if (PARAMS.round != 0) grad = left_at_particle(gather_round(body_of(s.w), x), grad);
    wall += grad;
  }
  for (uint k = row.rigid_end; k < row.boundary_end; ++k) {
    uvec4 b = boundary_of(row_entry(row, k));
    vec3 d = difference(x, b.xyz);
    float rr = length_squared(d);
    float weight = sample_weight(b.w);
    density += weight * kernel(rr);
    wall += (weight * kernel_slope(rr)) * d;
  }
  acceleration_buffer.at[i].w = density;
  wall_buffer.at[i].xyz = flush(wall);
}
