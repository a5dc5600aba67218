// The length of the next step:
//   dt = min(maxStep, cfl h / (v_max + |g| dt), viscous limit, 1.1 times the last limit), in equal slices up to the
//   frame.
// The limit grows, not the slice: from 10 slices a frame to 9 it is more than 1.1, and a step would never grow back.
#ifndef SLUICE_CLOCK_GLSL
#define SLUICE_CLOCK_GLSL
#include "lib/buffers.glsl"
#include "lib/strict.glsl"

void choose_step(float max_speed, float tau) {
  float limit = 1.0;
  uint cause = kLimitMaxStep;
  float cfl_limit = divide(params_buffer.at[0].cfl, max_speed + params_buffer.at[0].gravity_length * tau + 1e-12);
  if (cfl_limit < limit) {
    limit = cfl_limit;
    cause = kLimitCfl;
  }
  if (params_buffer.at[0].viscous_limit < limit) {
    limit = params_buffer.at[0].viscous_limit;
    cause = kLimitViscosity;
  }
  float grown = 1.1 * control_buffer.at[0].last_limit;
  if (grown < limit) {
    limit = grown;
    cause = kLimitGrowth;
  }
  float remaining =
      (params_buffer.at[0].frame_length - control_buffer.at[0].frame_time) - control_buffer.at[0].frame_time_low;
  // A ten-thousandth of a slice more than whole is whole: no sliver.
  float slices = larger(floor(divide(remaining, limit) + 0.9999), 1.0);
  float next = divide(remaining, slices);
  if (next < 0.999 * limit) cause = kLimitFrame;
  control_buffer.at[0].tau_limit = limit;
  control_buffer.at[0].limit = cause;
  control_buffer.at[0].tau = next;
}

#endif
