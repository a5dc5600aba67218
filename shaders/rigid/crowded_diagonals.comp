#version 460
#extension GL_GOOGLE_include_directive : require
// The diagonals of rows that touch more bodies than their records hold, multiplied as in
// rigid/solve_contacts.comp. A pass of its own: CPU drivers would run it, masked, for every sample.
#include "lib/body_parts.glsl"
#include "lib/friction.glsl"
#include "lib/round_parts.glsl"
#include "lib/sample_row.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint c = thread_index();
  if (c >= CONTROL.crowded) return;
  uint i = crowded_sample_buffer.at[c];
  uvec3 x = rigid_sample_of(i).xyz;
  Row row = load_sample_row(i);
  SampleRow record = sample_row_of(i);
  vec3 n = record.face.xyz;
  vec3 tilt = face_tilt(record);
  bool splitting = PARAMS.mass_splitting != 0;
  float own_rows = rows_of(record.body.x);
  vec2 diagonal = own_rows * vec2(record.pressure.x, record.friction.x);
  for (uint body = next_body(row, x, record.face, kNoBody); body != kNoBody;
       body = next_body(row, x, record.face, body)) {
    RigidStep step = rigid_step_of(body);
    vec2 part = PARAMS.round != 0 ? round_part(row, x, record, n, tilt, gather_round(record.body.x, x), body, step)
                                  : foreign_part(row, x, record, n, tilt, body, step);
    diagonal += (splitting ? rows_of(body) : own_rows) * part;
  }
  sample_solve_buffer.at[i].next.xy = diagonal;
}
