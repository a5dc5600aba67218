#version 460
#extension GL_GOOGLE_include_directive : require
// The diagonals of rows that touch more bodies than their records hold, by what rigid/solve_contacts.comp divides its
// step. A pass of its own: CPU drivers would run it, masked, for every sample.
#include "lib/body_parts.glsl"
#include "lib/friction.glsl"
#include "lib/round_parts.glsl"
#include "lib/sample_row.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { CrowdedDiagonalsArgs args; };

void main() {
  uint c = thread_index();
  if (c >= CONTROL(args.control).crowded) return;
  uint i = args.crowded.at[c];
  uvec3 x = GATHER4(sample_texels, args.neighbors.samples, i).xyz;
  Row row = LOAD_SAMPLE_ROW(args.neighbors, args.params, i);
  SampleRow record = gather_sample_row(args.rows, i);
  vec3 n = record.face.xyz;
  vec3 tilt = face_tilt(args.params, record);
  bool splitting = PARAMS(args.params).mass_splitting != 0;
  float own_rows = rows_of(args.touching, record.body.x);
  vec2 diagonal = own_rows * vec2(record.pressure.x, record.friction.x);
  for (uint body = next_body(row, args.neighbors.samples, x, record.face, kNoBody); body != kNoBody;
       body = next_body(row, args.neighbors.samples, x, record.face, body)) {
    RigidStep step = gather_step(args.steps, body);
    vec2 part = PARAMS(args.params).round != 0
                    ? round_part(args.params, row, args.neighbors.samples, x, record, n, tilt,
                                 gather_round(args.steps, record.body.x, x), body, step)
                    : foreign_part(args.params, row, args.neighbors.samples, args.velocity, x, record, n, tilt, body,
                                   step);
    diagonal += (splitting ? rows_of(args.touching, body) : own_rows) * part;
  }
  args.solve.at[i].next.xy = diagonal;
}
