#version 460
#extension GL_GOOGLE_include_directive : require
// Samples of rigid bodies as a renderer reads them: where they are, their pressure and friction in the last step.
#define SLUICE_ARGS DrawSamplesArgs
#include "lib/drawn.glsl"
#include "lib/round.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.samples) return;
  uint place = args.place.at[i];
  if (place == kNoBody) return;
  Chunk chunk = chunk_buffer.at[i / kChunk];
  RigidState state = rigid_state_buffer.at[chunk.body];
  vec4 arm = shape_sample_buffer.at[chunk.first + i % kChunk];
  vec3 x = from_origin(args.units, state.position.xyz, state.low.w) +
           args.units.at[0].spacing * sample_arm(rigid_body_buffer.at[chunk.body], state, arm.xyz);

  float pressure = args.earlier_position.at[place].w;
  vec4 friction = args.earlier_friction.at[place];
  uint phase = CONTROL.phase;
  if (CONTROL.step > 0 && phase != kPhaseSolve && phase != kPhaseCapacity) {
    float inverse_tau = reciprocal(CONTROL.last_tau);
    float scale = inverse_tau * inverse_tau;
    vec4 value = sample_solve_buffer.at[i].value;
    vec4 volume = sample_row_buffer.at[i].volume;
    float limit = volume.y * value.w;
    float used = square_root(length_squared(value.xyz));
    pressure = (args.units.at[0].pressure * scale) * value.w;
    friction =
        vec4((args.units.at[0].force * scale) * value.xyz, limit > 0.0 ? smaller(divide(used, limit), 1.0) : 0.0);
  }
  args.drawn_position.at[place] = vec4(x, pressure);
  args.drawn_friction.at[place] = friction;
}
