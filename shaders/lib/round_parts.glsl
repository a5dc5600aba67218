// Sums over the pairs of a row where bodies of revolution take part. See lib/round.glsl.
#ifndef SLUICE_ROUND_PARTS_GLSL
#define SLUICE_ROUND_PARTS_GLSL
#include "lib/body_parts.glsl"
#include "lib/round.glsl"

struct RoundRow {
  vec3 force;    // what is left of grad W
  vec3 turning;  // its moments about the own body's centre of mass
  vec3 rub;      // places of friction, from the sample, times their weights
};

// Adds a pair with the gradient f to a row whose sample is at `arm` from its body's centre; what is left of f.
vec3 add_lever(inout RoundRow sums, Lever lever, vec3 arm, vec3 f, float slip) {
  vec3 g = left_of(lever, f);
  sums.force += g;
  sums.turning += cross3(arm + lever.at, g);
  sums.rub += slip * lever.rub;
  return g;
}

// Does what foreign_part does, for a row of the round body `own`.
vec2 round_part(Row row, uvec3 x, SampleRow sample_row, vec3 n, vec3 tilt, Round own, uint body, RigidStep step) {
  RoundRow sums = RoundRow(vec3(0.0), vec3(0.0), vec3(0.0));
  Round other = round_of(step, x);
  vec3 arm = difference(x, step.center.xyz);
  float w_sum = 0.0;
  for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
    uvec4 s = rigid_sample_of(row_entry(row, k));
    if (body_of(s.w) != body) continue;
    vec3 d = difference(x, s.xyz);
    if (!meets(sample_row.face, d)) continue;
    float rr = length_squared(d);
    Lever lever = lever_of(own, other, sample_row.toward.xyz, d);
    float w = kernel(rr);
    w_sum += w;
    add_lever(sums, lever, arm, (contact_weight(weight_of(s.w)) * kernel_slope(rr)) * d, w);
  }
  float v0 = sample_row.volume.x;
  float scale = sample_row.volume.z;
  float inverse_sum = sample_row.arm.w;
  vec3 rub = w_sum * arm + sums.rub;
  float pressure = (v0 * v0 * v0) * compliance(step, scale * sums.force - (inverse_sum * w_sum) * tilt,
                                               scale * sums.turning - cross3(inverse_sum * rub, tilt));
  return vec2(flush(pressure), tangential_part(step, inverse_sum * inverse_sum * (w_sum * w_sum), inverse_sum * rub,
                                               inverse_sum * rub, n));
}

#endif
