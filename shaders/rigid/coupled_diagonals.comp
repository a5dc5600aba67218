#version 460
#extension GL_GOOGLE_include_directive : require
// The bodies' parts of dV_err / dp of fluid particles next to them [PT23 eq. A.6, A.9; alg. 7 l. 3-6].
#include "lib/body_parts.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint c = thread_index();
  if (c >= CONTROL.coupled) return;
  uint i = coupled_particle_buffer.at[c];
  Row row = load_row(i);
  uvec3 x = position_of(i).xyz;
  CoupledRow record = CoupledRow(uvec4(kNoBody), vec4(0.0));
  uint body = next_body(row, x, kNoFace, kNoBody);
  for (uint slot = 0; slot < kRowBodies && body != kNoBody; ++slot) {
    record.body[slot] = body;
    record.pressure[slot] = coupled_part(row, x, body, rigid_step_buffer.at[body]);
    body = next_body(row, x, kNoFace, body);
  }
  if (body != kNoBody) record.body.w = kManyBodies;
  coupled_row_buffer.at[c] = record;
}
