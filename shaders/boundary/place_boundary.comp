#version 460
#extension GL_GOOGLE_include_directive : require
// Puts the samples of moving bodies where their body is, and gives every sample its cell key. Says how bodies turn in
// the step that begins.
#define SLUICE_ARGS KeysArgs
#include "lib/bodies.glsl"
#include "lib/grid.glsl"
#include "lib/round.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  if (i < PARAMS.bodies) {
    BodyState body = boundary_body_buffer.at[i];
    float tau = CONTROL.tau;
    vec3 angle = tau * body.spin.xyz;
    boundary_body_buffer.at[i].chord = chord_of(body.spin.xyz, tau, PARAMS.paper_mode != 0);
    if (body.round_axis.w == kRoundAxis) {
      boundary_body_buffer.at[i].sample_turn = sample_turn(
          body.round_axis, body.orientation, turned(body.orientation, angle), body.sample_orientation, angle);
    }
  }
  if (i >= CONTROL.boundary_particles) return;
  uvec4 sample_record = boundary_source_buffer.at[i];
  BodyState body = boundary_body_buffer.at[sample_body(sample_record.w)];
  if (body.velocity.w != 0.0) {
    vec3 offset = round_arm(body.round_axis.w, body.round_center.xyz, body.orientation, body.sample_orientation,
                            uintBitsToFloat(sample_record.xyz));
    vec3 units = floor(offset * kUnitsPerH + 0.5);
    sample_record.xyz = body.position.xyz + uvec3(ivec3(units));
  }
  if (PARAMS.boundary_moves != 0) boundary_placed_buffer.at[i] = sample_record;
  sort_key_buffer.at[args.first + i] = cell_key(sample_record.xyz, PARAMS.boundary_grid);
  sort_value_buffer.at[args.first + i] = i;
}
