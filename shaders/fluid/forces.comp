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

layout(push_constant, scalar) uniform Push { ForcesArgs args; };

// Of fluid neighbour j.
#define PAIR_FORCE(j)                                                                        \
  (0.5 * (material.viscosity + MATERIAL_VISCOSITY(args.params, MATERIAL_OF(args.low, j)))) * \
      laplacian_term(v - uintBitsToFloat(GATHER4(velocity_texels, args.velocity, j).xyz),    \
                     difference(x, GATHER4(position_texels, args.neighbors.position, j).xyz))

void main() {
  uint i = thread_index();
  vec3 wall_force = vec3(0.0);
  if (i < CONTROL(args.control).particles) {
    vec3 v = uintBitsToFloat(GATHER4(velocity_texels, args.velocity, i).xyz);
    vec3 force = vec3(0.0);
    Material material = PARAMS(args.params).materials[unpack_material(GATHER4(low_texels, args.low, i).w)];
    if (PARAMS(args.params).viscous != 0) {
      Row row = LOAD_ROW(args.neighbors, args.params, i);
      uvec3 x = GATHER4(position_texels, args.neighbors.position, i).xyz;
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
        uvec4 s = GATHER4(sample_texels, args.neighbors.samples, j);
        float scale = GATHER_MEMBER(step_texels, args.steps, body_of(s.w), kStepTexels, kStepVelocity, velocity).w *
                      (material.viscosity * weight_of(s.w));
        force += scale * laplacian_term(v - GATHER_FLOATS(sample_velocity_texels, args.sample_velocity, j).xyz,
                                        difference(x, s.xyz));
      }
      for (uint k = row.rigid_end; k < row.boundary_end; ++k) {
        uvec4 b = GATHER4(boundary_texels, args.neighbors.boundary, row_entry(row, k));
        vec3 relative = v - point_velocity(args.bodies, sample_body(b.w), b.xyz);
        wall_force += (material.viscosity * sample_weight(b.w)) * laplacian_term(relative, difference(x, b.xyz));
      }
      wall_force = flush(wall_force);
      force = flush(force) + wall_force;
    }
    vec3 gravity = vec3(PARAMS(args.params).gravity_x, PARAMS(args.params).gravity_y, PARAMS(args.params).gravity_z);
    vec3 predicted = v + CONTROL(args.control).tau * (gravity + material.inverse_mass * force);
    args.acceleration.at[i].xyz = flush(predicted);
    wall_force = -wall_force;
  }
  vec4 sum[1] = vec4[1](vec4(wall_force, 0.0));
  group_sums(sum);
  if (gl_LocalInvocationIndex == 0) args.wall_forces.at[group_index()] = sum[0];
}
