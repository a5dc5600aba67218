#version 460
#extension GL_GOOGLE_include_directive : require
// Samples follow their bodies [PT23 eq. B.3]; each gets its velocity and its cell.
#define SLUICE_ARGS KeysArgs
#include "lib/bodies.glsl"
#include "lib/grid.glsl"
#include "lib/round.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i >= CONTROL.samples) return;
  Chunk chunk = chunk_buffer.at[i / kChunk];
  uint lane = i % kChunk;
  RigidState state = rigid_state_buffer.at[chunk.body];
  uvec3 position = state.position.xyz;
  uint word = kNoBody;
  vec3 velocity = vec3(0.0);
  // A body that is held outside the domain is in nobody's way.
  if (lane < chunk.count && state.velocity.w == 0.0) {
    vec4 shape = shape_sample_buffer.at[chunk.first + lane];
    vec3 arm = sample_arm(rigid_body_buffer.at[chunk.body], state, shape.xyz);
    position += uvec3(ivec3(floor(arm * kUnitsPerH + 0.5)));
    vec4 chord = vec4(1.0, 0.0, 0.0, 0.0);
    if (chunk.kind == kChunkCarriers) chord = chord_of(state.spin.xyz, CONTROL.tau, false);
    velocity = state.velocity.xyz + swing(state.spin.xyz, chord, arm);
    float weight = PARAMS.sample_weights != 0 ? smaller(shape.w, kMaxWeight) : 1.0;
    // Others see a carrier's row, not the carrier: the boundary's own sample lies there.
    word = pack_sample(chunk.kind == kChunkCarriers ? 0.0 : larger(weight, kWeightUnit), chunk.body);
  }
  rigid_sample_buffer.at[i] = uvec4(position, word);
  sample_velocity_buffer.at[i].xyz = velocity;
  uint key = cell_key(position, PARAMS.sample_grid);
  if (key != sample_key_buffer.at[i]) {
    sample_key_buffer.at[i] = key;
    atomicOr(control_buffer.at[0].samples_moved, 1u);
  }
  sort_key_buffer.at[args.first + i] = key;
  sort_value_buffer.at[args.first + i] = i;
}
