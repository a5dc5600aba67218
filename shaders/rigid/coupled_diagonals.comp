#version 460
#extension GL_GOOGLE_include_directive : require
// The bodies' parts of dV_err / dp of fluid particles next to them [PT23 eq. A.6, alg. 7].
#include "lib/body_parts.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { CoupledDiagonalsArgs args; };

void main() {
  uint c = thread_index();
  if (c >= CONTROL(args.control).coupled) return;
  uint i = args.coupled_particles.at[c];
  Row row = LOAD_ROW(args.neighbors, args.params, i);
  uvec3 x = GATHER4(position_texels, args.neighbors.position, i).xyz;
  CoupledRow record = CoupledRow(uvec4(kNoBody), vec4(0.0));
  uint body = next_body(row, args.neighbors.samples, x, kNoFace, kNoBody);
  for (uint slot = 0; slot < kRowBodies && body != kNoBody; ++slot) {
    record.body[slot] = body;
    record.pressure[slot] = coupled_part(args.params, row, args.neighbors.samples, x, body, args.steps.at[body]);
    body = next_body(row, args.neighbors.samples, x, kNoFace, body);
  }
  if (body != kNoBody) record.body.w = kManyBodies;
  args.coupled.at[c] = record;
}
