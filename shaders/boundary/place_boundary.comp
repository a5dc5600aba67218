#version 460
#extension GL_GOOGLE_include_directive : require
// Puts the samples of moving bodies where their body is, and gives every sample its cell key. Says how bodies turn in the
// step that begins.
#include "lib/bodies.glsl"
#include "lib/grid.glsl"
#include "lib/round.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { PlaceBoundaryArgs args; };

void main() {
  uint i = thread_index();
  if (i < args.params.at[0].bodies) {
    BodyState body = args.bodies.at[i];
    float tau = args.control.at[0].tau;
    vec3 angle = tau * body.spin.xyz;
    args.bodies.at[i].chord = chord_of(body.spin.xyz, tau, args.params.at[0].paper_mode != 0);
    if (body.round_axis.w == kRoundAxis) {
      args.bodies.at[i].sample_turn = sample_turn(body.round_axis, body.orientation, turned(body.orientation, angle),
                                                  body.sample_orientation, angle);
    }
  }
  if (i >= args.control.at[0].boundary_particles) return;
  uvec4 sample_record = args.source.at[i];
  BodyState body = args.bodies.at[sample_body(sample_record.w)];
  if (body.velocity.w != 0.0) {
    vec3 offset = round_arm(body.round_axis.w, body.round_center.xyz, body.orientation, body.sample_orientation,
                            uintBitsToFloat(sample_record.xyz));
    vec3 units = floor(offset * kUnitsPerH + 0.5);
    sample_record.xyz = body.position.xyz + uvec3(ivec3(units));
  }
  args.placed.at[i] = sample_record;
  args.keys.at[i] = cell_key(sample_record.xyz, args.params.at[0].boundary_grid);
  args.values.at[i] = i;
}
