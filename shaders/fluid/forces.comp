#version 460
#extension GL_GOOGLE_include_directive : require
// v* = v + dt (g + viscosity) [PT23 eq. 3.16]. Viscosity is the Laplacian of Koschier et al. 2022,
// eq. 68, with rest volumes and the mean of both dynamic viscosities instead of m_j / rho_j and one nu:
// so the force between two particles is equal and opposite to the bit. Boundaries take part.
#define SLUICE_GROUP_SUMS
#include "lib/bodies.glsl"
#include "lib/kernel.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { ForcesArgs args; };

// 2 (d + 2) (v_ij . x_ij) / (x_ij^2 + 0.01 h^2) grad W_ij, d = 3.
vec3 laplacian_term(vec3 v, vec3 d) {
  float rr = length_squared(d);
  return (10.0 * dot3(v, d) * reciprocal(rr + 0.01) * kernel_slope(rr)) * d;
}

void main() {
  uint i = thread_index();
  vec3 wall_force = vec3(0.0);
  if (i < args.control.at[0].particles) {
    vec3 v = uintBitsToFloat(args.velocity.at[i].xyz);
    vec3 force = vec3(0.0);
    Material material = args.params.at[0].materials[unpack_material(args.low.at[i].w)];
    if (args.params.at[0].viscous != 0) {
      Row row = LOAD_ROW(args.neighbors, args.params, i);
      uvec3 x = args.neighbors.position.at[i].xyz;
      for (uint k = 0; k < row.fluid_end; ++k) {
        uint j = row_entry(row, k);
        vec3 d = difference(x, args.neighbors.position.at[j].xyz);
        float other = args.params.at[0].materials[unpack_material(args.low.at[j].w)].viscosity;
        float viscosity = 0.5 * (material.viscosity + other);
        force += viscosity * laplacian_term(v - uintBitsToFloat(args.velocity.at[j].xyz), d);
      }
      for (uint k = row.rigid_end; k < row.boundary_end; ++k) {
        uvec4 b = args.neighbors.boundary.at[row_entry(row, k)];
        vec3 relative = v - point_velocity(args.bodies, sample_body(b.w), b.xyz);
        wall_force += (material.viscosity * sample_weight(b.w)) * laplacian_term(relative, difference(x, b.xyz));
      }
      wall_force = flush(wall_force);
      force = flush(force) + wall_force;
    }
    vec3 gravity = vec3(args.params.at[0].gravity_x, args.params.at[0].gravity_y, args.params.at[0].gravity_z);
    vec3 predicted = v + args.control.at[0].tau * (gravity + material.inverse_mass * force);
    args.acceleration.at[i].xyz = flush(predicted);
    wall_force = -wall_force;
  }
  vec4 sum = group_sum(vec4(wall_force, 0.0));
  if (gl_LocalInvocationIndex == 0) args.wall_forces.at[group_index()] = sum;
}
