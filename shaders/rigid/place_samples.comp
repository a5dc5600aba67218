#version 460
#extension GL_GOOGLE_include_directive : require
// Samples follow their bodies [PT23 eq. B.3]; each gets its velocity and its cell.
#include "lib/bodies.glsl"
#include "lib/grid.glsl"
#include "lib/round.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { PlaceSamplesArgs args; };

void main() {
  uint i = thread_index();
  if (i >= CONTROL(args.control).samples) return;
  Chunk chunk = args.chunks.at[i / kChunk];
  uint lane = i % kChunk;
  RigidState state = args.states.at[chunk.body];
  uvec3 position = state.position.xyz;
  uint word = kNoBody;
  vec3 velocity = vec3(0.0);
  // A body that is held outside the domain is in nobody's way.
  if (lane < chunk.count && state.velocity.w == 0.0) {
    vec4 shape = args.shapes.at[chunk.first + lane];
    vec3 arm = sample_arm(args.bodies.at[chunk.body], state, shape.xyz);
    position += uvec3(ivec3(floor(arm * kUnitsPerH + 0.5)));
    vec4 chord = vec4(1.0, 0.0, 0.0, 0.0);
    if (chunk.kind == kChunkCarriers) chord = chord_of(state.spin.xyz, CONTROL(args.control).tau, false);
    velocity = state.velocity.xyz + swing(state.spin.xyz, chord, arm);
    float weight = PARAMS(args.params).sample_weights != 0 ? smaller(shape.w, kMaxWeight) : 1.0;
    // Others see a carrier's row, not the carrier: the boundary's own sample lies there.
    word = pack_sample(chunk.kind == kChunkCarriers ? 0.0 : larger(weight, kWeightUnit), chunk.body);
  }
  args.samples.at[i] = uvec4(position, word);
  args.velocity.at[i].xyz = velocity;
  uint key = cell_key(position, PARAMS(args.params).sample_grid);
  if (key != args.last_keys.at[i]) {
    args.last_keys.at[i] = key;
    atomicOr(args.control.at[0].samples_moved, 1u);
  }
  args.keys.at[i] = key;
  args.values.at[i] = i;
}
