#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup decides: converged, at the cap, or on with beta of Fletcher and Reeves
// [PT23 alg. 2 l. 11-16]. Robust mode squares the ratio of norms (as Fletcher and Reeves do) and goes on
// with beta = 0.95 where the paper restarts with s = 0; see the README's list of deviations.
#define SLUICE_GROUP_SUMS 3
#include "lib/gates.glsl"
#include "lib/gather.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SolveStepArgs args; };

// beta < 0 stands for a restart: p^{k+1} is the Jacobi step alone and s = 0.
float next_beta(float norm, float last_norm, bool first) {
  if (PARAMS(args.params).nncg == 0) return -1.0;
  if (first || last_norm < 1e-28) return 0.0;
  float ratio = divide(norm, last_norm);
  if (PARAMS(args.params).paper_mode != 0) return ratio > 1.0 ? -1.0 : square_root(ratio);
  return ratio > 1.0 ? 0.95 : ratio;
}

void finish() {
  close_all(args.control);
  args.control.at[0].phase = kPhaseEnd;
  open_end(args.control, args.params);
}

vec4 add_partials(SolvePartial_ref partials, uint groups, vec4 sums) {
  for (uint g = gl_LocalInvocationIndex; g < groups; g += kGroup) {
    SolvePartial partial = partials.at[g];
    sums += vec4(partial.residual, partial.norm, partial.active_rows, partial.bad);
  }
  return sums;
}

float mean(float sum, float count) { return count > 0.0 ? divide(sum, count) : 0.0; }

// Sums over all rows: residual, norm, active rows, rows that are not finite; of friction the first three.
void decide(vec4 sums, vec4 contact, vec4 friction) {
  // Means of their own: a few contacts would drown among many fluid particles.
  float pressure_residual = larger(mean(sums.x, sums.z), mean(contact.x, contact.z));
  float friction_residual = mean(friction.x, friction.z);
  float residual = larger(pressure_residual, friction_residual);
  float norm = sums.y + (contact.y + friction.y);
  uint iteration = args.control.at[0].iteration;
  uint least =
      args.control.at[0].contacts > 0 ? PARAMS(args.params).min_iterations_contact : PARAMS(args.params).min_iterations;
  args.control.at[0].residual = pressure_residual;
  args.control.at[0].residual_friction = friction_residual;
  args.control.at[0].active_rows = uint(int(sums.z + contact.z));
  args.control.at[0].save_best = 0;
  if (sums.w + contact.w > 0.0) {
    // An iterate that left all bounds, as where bodies overlap so deeply that no pressures part them: the best one
    // stands, unless there is none or that is what went wrong.
    if (args.control.at[0].restore_best == 0 && args.control.at[0].best_residual < 1e29) {
      args.control.at[0].restore_best = 1;
    } else {
      fail(args.control, kFailureNotFinite);
    }
    return;
  }
  if (args.control.at[0].restore_best != 0) {
    finish();
    return;
  }
  if (iteration >= least && residual <= args.control.at[0].tolerance) {
    finish();
    return;
  }
  if (iteration >= PARAMS(args.params).max_iterations) {
    if (args.control.at[0].best_residual < residual) {
      args.control.at[0].restore_best = 1;
    } else {
      finish();
    }
    return;
  }
  if (residual < args.control.at[0].best_residual) {
    args.control.at[0].best_residual = residual;
    args.control.at[0].best_iteration = iteration;
    args.control.at[0].save_best = 1;
  }
  args.control.at[0].beta = next_beta(norm, args.control.at[0].norm, iteration == 0);
  args.control.at[0].norm = norm;
  args.control.at[0].iteration = iteration + 1;
}

void main() {
  uint t = gl_LocalInvocationIndex;
  vec4 sums = add_partials(args.partials, groups_of(args.control.at[0].particles, kGroup), vec4(0.0));
  sums = add_partials(args.coupled_partials, groups_of(args.control.at[0].coupled, kGroup), sums);
  vec4 contact = vec4(0.0), friction = vec4(0.0);
  uint contact_groups = groups_of(args.control.at[0].contact_chunks * kChunk, kGroup);
  for (uint g = t; g < contact_groups; g += kGroup) {
    ContactPartial partial = args.contact_partials.at[g];
    contact += vec4(partial.residual, partial.norm, partial.active_rows, partial.bad);
    friction += vec4(partial.friction_residual, partial.friction_norm, partial.friction_rows, 0.0);
  }
  vec4 all[3] = vec4[3](sums, contact, friction);
  // Without fluid, or without contacts, their sums are zero.
  group_sums(all, uvec2(args.control.at[0].particles > 0 ? 0 : 1, contact_groups > 0 ? 3 : 1));
  if (t == 0) decide(all[0], all[1], all[2]);
}
