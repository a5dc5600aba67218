#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup decides: converged, at the cap, or on with beta of Fletcher and Reeves
// [PT23 alg. 2 l. 11, 14, 15, 20]. Robust mode squares the ratio of norms (as Fletcher and Reeves do) and goes on
// with beta = 0.95 where the paper restarts with s = 0; see "Where this differs from the paper" in
// engine/ARCHITECTURE.md.
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "lib/strict.glsl"

// A CPU driver runs all that one thread does in all of them, masked, so there the workgroup is one vector wide.
layout(local_size_x = 256, local_size_x_id = kSpecOneGroupSize) in;
// beta < 0 stands for a restart: p^{k+1} is the Jacobi step alone and s = 0.
float next_beta(float norm, float last_norm, bool first) {
  if (PARAMS.nncg == 0) return -1.0;
  if (first || last_norm < 1e-28) return 0.0;
  float ratio = divide(norm, last_norm);
  if (PARAMS.paper_mode != 0) return ratio > 1.0 ? -1.0 : square_root(ratio);
  return ratio > 1.0 ? 0.95 : ratio;
}

void finish() {
  close_all();
  control_buffer.at[0].phase = kPhaseEnd;
  open_end();
}

float mean(float sum, float count) { return count > 0.0 ? divide(sum, count) : 0.0; }

// Sums over all rows.
void decide(vec4 sums, vec4 contact, vec4 friction) {
  // Means of their own: a few contacts would drown among many fluid particles.
  float pressure_residual = larger(mean(sums.x, sums.z), mean(contact.x, contact.z));
  float friction_residual = mean(friction.x, friction.z);
  float residual = larger(pressure_residual, friction_residual);
  float norm = sums.y + (contact.y + friction.y);
  uint iteration = control_buffer.at[0].iteration;
  uint least = control_buffer.at[0].contacts > 0 ? PARAMS.min_iterations_contact : PARAMS.min_iterations;
  control_buffer.at[0].residual = pressure_residual;
  control_buffer.at[0].residual_friction = friction_residual;
  control_buffer.at[0].active_rows = uint(int(sums.z + contact.z));
  control_buffer.at[0].save_best = 0;
  if (sums.w + contact.w > 0.0) {
    // An iterate that left all bounds, as where bodies overlap so deeply that no pressures part them: the best one
    // stands, unless there is none or that is what went wrong.
    if (control_buffer.at[0].restore_best == 0 && control_buffer.at[0].best_residual < 1e29) {
      control_buffer.at[0].restore_best = 1;
    } else {
      fail(kFailureNotFinite);
    }
    return;
  }
  if (control_buffer.at[0].restore_best != 0) {
    finish();
    return;
  }
  if (iteration >= least && residual <= control_buffer.at[0].tolerance) {
    finish();
    return;
  }
  if (iteration >= PARAMS.max_iterations) {
    if (control_buffer.at[0].best_residual < residual) {
      control_buffer.at[0].restore_best = 1;
    } else {
      finish();
    }
    return;
  }
  if (residual < control_buffer.at[0].best_residual) {
    control_buffer.at[0].best_residual = residual;
    control_buffer.at[0].best_iteration = iteration;
    control_buffer.at[0].save_best = 1;
  }
  control_buffer.at[0].beta = next_beta(norm, control_buffer.at[0].norm, iteration == 0);
  control_buffer.at[0].norm = norm;
  control_buffer.at[0].iteration = iteration + 1;
}

// Partials are added by kGroup lanes, whatever the workgroup's size: lane k has every kGroup-th from k on, then lanes
// are added as by group_sums. Of rows: residual, norm, active rows, rows that are not finite; of friction the first
// three.
shared vec4 g_fluid[kGroup], g_contact[kGroup], g_friction[kGroup];

vec4 add_partials(SolvePartial_ref partials, uint first, uint groups, vec4 sums) {
  for (uint g = first; g < groups; g += kGroup) {
    SolvePartial partial = partials.at[g];
    sums += vec4(partial.residual, partial.norm, partial.active_rows, partial.bad);
  }
  return sums;
}

void main() {
  uint t = gl_LocalInvocationIndex, width = gl_WorkGroupSize.x;
  uint groups = groups_of(control_buffer.at[0].particles, kGroup);
  uint coupled_groups = groups_of(control_buffer.at[0].coupled, kGroup);
  uint contact_groups = groups_of(control_buffer.at[0].contact_chunks * kChunk, kGroup);
  uint fluid_lanes = min(max(groups, coupled_groups), kGroup), contact_lanes = min(contact_groups, kGroup);

  for (uint lane = t; lane < fluid_lanes; lane += width) {
    vec4 sums = add_partials(solve_partial_buffer, lane, groups, vec4(0.0));
    g_fluid[lane] = add_partials(coupled_partial_buffer, lane, coupled_groups, sums);
  }
  for (uint lane = t; lane < contact_lanes; lane += width) {
    vec4 contact = vec4(0.0), friction = vec4(0.0);
    for (uint g = lane; g < contact_groups; g += kGroup) {
      ContactPartial partial = contact_partial_buffer.at[g];
      contact += vec4(partial.residual, partial.norm, partial.active_rows, partial.bad);
      friction += vec4(partial.friction_residual, partial.friction_norm, partial.friction_rows, 0.0);
    }
    g_contact[lane] = contact;
    g_friction[lane] = friction;
  }
  barrier();
  for (uint first = t * 16; first < fluid_lanes; first += width * 16) {
    vec4 sums = vec4(0.0);
    for (uint lane = first; lane < min(first + 16, fluid_lanes); ++lane) sums += g_fluid[lane];
    g_fluid[first] = sums;
  }
  for (uint first = t * 16; first < contact_lanes; first += width * 16) {
    vec4 contact = vec4(0.0), friction = vec4(0.0);
    for (uint lane = first; lane < min(first + 16, contact_lanes); ++lane) {
      contact += g_contact[lane];
      friction += g_friction[lane];
    }
    g_contact[first] = contact;
    g_friction[first] = friction;
  }
  barrier();
  if (t != 0) return;
  vec4 sums = vec4(0.0), contact = vec4(0.0), friction = vec4(0.0);
  for (uint first = 0; first < fluid_lanes; first += 16) sums += g_fluid[first];
  for (uint first = 0; first < contact_lanes; first += 16) {
    contact += g_contact[first];
    friction += g_friction[first];
  }
  decide(sums, contact, friction);
}
