#version 460
#extension GL_GOOGLE_include_directive : require
// v* = v + dt (g + viscosity) [PT23 eq. 3.16]. Viscosity is the Laplacian of Koschier et al. 2022,
// eq. 68, with rest volumes and the mean of both dynamic viscosities instead of m_j / rho_j and one nu:
// so the force between two particles is equal and opposite to the bit. Boundaries and rigid bodies take part; a
// body's drag is scaled down where an explicit step would reverse its motion (rigid/limit_drag.comp).
#define SLUICE_GROUP_SUMS 1
#include "lib/bodies.glsl"
#include "lib/samples.glsl"
#include "lib/viscosity.glsl"
#include "lib/workgroup.glsl"

// Of fluid neighbour j.
#define PAIR_FORCE(j)                                                 \
  (0.5 * (material.viscosity + material_viscosity(material_of(j)))) * \
      laplacian_term(v - uintBitsToFloat(velocity_of(j).xyz), difference(x, position_of(j).xyz))

void main() {
  uint i = thread_index();
  vec3 wall_force = vec3(0.0);
  if (i < CONTROL.particles) {
    vec3 v = uintBitsToFloat(velocity_of(i).xyz);
    vec3 force = vec3(0.0);
    Material material = PARAMS.materials[unpack_material(low_of(i).w)];
    if (PARAMS.viscous != 0) {
      Row row = load_row(i);
      uvec3 x = position_of(i).xyz;
      // Four at a time, as in solver/solve_forces.comp.
      for (uint k = 0; k < row.fluid_end; k += kRowBlock) {
        uvec4 j = row_block(row, k, row.fluid_end, i);
        force += PAIR_FORCE(j.x);
        force += PAIR_FORCE(j.y);
        force += PAIR_FORCE(j.z);
        force += PAIR_FORCE(j.w);
      }
      for (uint k = row.fluid_end; kHasBodies != 0 && k < row.rigid_end; ++k) {
        uint j = row_entry(row, k);
        uvec4 s = rigid_sample_of(j);
        float scale = FIELD(rigid_step, body_of(s.w), velocity).w * (material.viscosity * weight_of(s.w));
        force += scale * laplacian_term(v - sample_velocity_of(j).xyz, difference(x, s.xyz));
      }
      for (uint k = row.rigid_end; k < row.boundary_end; ++k) {
        uvec4 b = boundary_of(row_entry(row, k));
        vec3 relative = v - point_velocity(sample_body(b.w), b.xyz);
        wall_force += (material.viscosity * sample_weight(b.w)) * laplacian_term(relative, difference(x, b.xyz));
      }
      wall_force = flush(wall_force);
      force = flush(force) + wall_force;
    }
    vec3 gravity = vec3(PARAMS.gravity_x, PARAMS.gravity_y, PARAMS.gravity_z);
    vec3 predicted = v + CONTROL.tau * (gravity + material.inverse_mass * force);
    acceleration_buffer.at[i].xyz = flush(predicted);
    wall_force = -wall_force;
  }
  vec4 sum[1] = vec4[1](vec4(wall_force, 0.0));
  group_sums(sum);
  if (gl_LocalInvocationIndex == 0) wall_force_buffer.at[group_index()] = sum[0];
}
