#version 460
#extension GL_GOOGLE_include_directive : require
// The parts of the volume error that pressure does not change, and its derivative by the particle's own
// pressure [PT23 eq. 3.14, app. A with p_b = 0]:
//   source = 1 - V0/V - dt sum (v*_i - v*_j) . grad W - dt sum w_b (v*_i - v_b) . grad W
//   D      = 1/m_i |sum grad W + sum w_b grad W|^2 + sum 1/m_j |grad W|^2
// v_b is a boundary's displacement over the step, over dt. Samples of rigid bodies count as those of boundaries; what
// bodies add to D is found in rigid/coupled_diagonals.comp.
// An overlap is separated no faster than overlap_speed: else an error of 1 % leaves at h / 100 a step.
#include "lib/bodies.glsl"
#include "lib/kernel.glsl"
#include "lib/round.glsl"
#include "lib/samples.glsl"
#include "lib/solver.glsl"
#include "lib/workgroup.glsl"

// The most, h, that a row may ask a particle to move. Between the layers of a wall, or between two others, it is pushed
// both ways, and its gradients cancel: its error would be mended hundreds of spacings away.
const float kFarthestPush = 1.0;

// Fluid neighbour j, with grad W.
#define ADD_PAIR(j, grad)                                                \
  {                                                                      \
    vec3 g = grad;                                                       \
    divergence += dot3(v - acceleration_of(j).xyz, g);                   \
    neighbor_part += material_inverse_mass(material_of(j)) * dot3(g, g); \
    gradient += g;                                                       \
  }

void main() {
  uint i = thread_index();
  if (i >= CONTROL.particles) return;
  Row row = load_row(i);
  // One load of the whole record: Mesa 22.3's lavapipe gives 0 for w when xyz was loaded before.
  uvec4 own = position_of(i);
  uvec3 x = own.xyz;
  vec4 predicted = acceleration_of(i);
  vec3 v = predicted.xyz;

  float divergence = 0.0;
  float neighbor_part = 0.0;
  vec3 gradient = vec3(0.0);
  // Four at a time, as in solver/solve_forces.comp.
  for (uint k = 0; k < row.fluid_end; k += kRowBlock) {
    uvec4 j = row_block(row, k, row.fluid_end, i);
    vec3 a = difference(x, position_of(j.x).xyz);
    vec3 b = difference(x, position_of(j.y).xyz);
    vec3 c = difference(x, position_of(j.z).xyz);
    vec3 d = difference(x, position_of(j.w).xyz);
    vec4 slope = kernel_slopes(a, b, c, d);
    ADD_PAIR(j.x, slope.x * a);
    ADD_PAIR(j.y, slope.y * b);
    ADD_PAIR(j.z, slope.z * c);
    ADD_PAIR(j.w, slope.w * d);
  }
  for (uint k = row.fluid_end; kHasBodies != 0 && k < row.rigid_end; ++k) {
    uint j = row_entry(row, k);
    uvec4 s = rigid_sample_of(j);
    vec3 d = difference(x, s.xyz);
    float slope = weight_of(s.w) * kernel_slope(length_squared(d));
    vec3 apart = v - sample_velocity_of(j).xyz;
    if (PARAMS.round != 0) {
      vec3 spin = FIELD(rigid_step, body_of(s.w), spin).xyz;
      vec3 grad = left_at_particle(gather_round(body_of(s.w), x), slope * d);
      divergence += dot3(apart - cross3(spin, d), grad);
    } else {
      divergence += slope * dot3(apart, d);
    }
  }
  for (uint k = row.rigid_end; k < row.boundary_end; ++k) {
    uvec4 b = boundary_of(row_entry(row, k));
    vec3 d = difference(x, b.xyz);
    vec3 grad = (sample_weight(b.w) * kernel_slope(length_squared(d))) * d;
    divergence += dot3(v - approach_velocity(sample_body(b.w), b.xyz), grad);
  }
  gradient += wall_of(i).xyz;

  float tau = CONTROL.tau;
  float error = capped_overlap(1.0 - predicted.w, PARAMS.overlap_speed, solver_tolerance(tau), tau);
  float inverse_mass = PARAMS.materials[unpack_material(low_of(i).w)].inverse_mass;
  float diagonal = inverse_mass * dot3(gradient, gradient) + neighbor_part;

  float pressure = 0.0;
  if (PARAMS.warm_start_fluid > 0.0) {
    pressure = warm_start(PARAMS.warm_start_fluid) * uintBitsToFloat(own.w);
  }
  position_buffer.at[i].w = floatBitsToUint(flush(pressure));
  float source = error - tau * divergence;
  if (PARAMS.paper_mode == 0) source = larger(source, -kFarthestPush * square_root(diagonal));
  solve_buffer.at[i] = vec4(source, diagonal, 0.0, 0.0);
  velocity_buffer.at[i].xyz = floatBitsToUint(v);

  if (!finite(v) || length_squared(v) * (tau * tau) > kMaxMove * kMaxMove) {
    atomicMax(control_buffer.at[0].failure, finite(v) ? kFailureTooFast : kFailureNotFinite);
  }
}
