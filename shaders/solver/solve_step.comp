#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup decides: converged, at the cap, or on with beta of Fletcher and Reeves
// [PT23 alg. 2 l. 11-16]. Robust mode squares the ratio of norms (as Fletcher and Reeves do) and goes on
// with beta = 0.95 where the paper restarts with s = 0; see the README's list of deviations.
#define SLUICE_GROUP_SUMS
#include "lib/gates.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SolveStepArgs args; };

// beta < 0 stands for a restart: p^{k+1} is the Jacobi step alone and s = 0.
float next_beta(float norm, float last_norm, bool first) {
  if (args.params.at[0].nncg == 0) return -1.0;
  if (first || last_norm < 1e-28) return 0.0;
  float ratio = divide(norm, last_norm);
  if (args.params.at[0].paper_mode != 0) return ratio > 1.0 ? -1.0 : square_root(ratio);
  return ratio > 1.0 ? 0.95 : ratio;
}

void finish() {
  close_all(args.control);
  args.control.at[0].phase = kPhaseEnd;
  open_end(args.control, args.params.at[0].bodies);
}

void main() {
  uint t = gl_LocalInvocationIndex;
  uint groups = groups_of(args.control.at[0].particles, kGroup);
  vec4 sums = vec4(0.0);
  for (uint g = t; g < groups; g += kGroup) {
    SolvePartial partial = args.partials.at[g];
    sums += vec4(partial.residual, partial.norm, partial.active_rows, partial.bad);
  }
  sums = group_sum(sums);
  if (t != 0) return;

  uint iteration = args.control.at[0].iteration;
  float active_rows = sums.z;
  float residual = active_rows > 0.0 ? divide(sums.x, active_rows) : 0.0;
  args.control.at[0].residual = residual;
  args.control.at[0].active_rows = uint(int(active_rows));
  args.control.at[0].save_best = 0;
  if (sums.w > 0.0) {
    fail(args.control, kFailureNotFinite);
    return;
  }
  if (args.control.at[0].restore_best != 0) {
    finish();
    return;
  }
  if (iteration >= args.params.at[0].min_iterations && residual <= args.control.at[0].tolerance) {
    finish();
    return;
  }
  if (iteration >= args.params.at[0].max_iterations) {
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
  args.control.at[0].beta = next_beta(sums.y, args.control.at[0].norm, iteration == 0);
  args.control.at[0].norm = sums.y;
  args.control.at[0].iteration = iteration + 1;
}
