#version 460
#extension GL_GOOGLE_include_directive : require
// Forces of contacts, only where a host asks for them: what each sample's row puts on its own body in the last solve,
// as rigid/sample_forces.comp has it, partner by partner. A partner gets the opposite, so the rows of both bodies make
// up the force between them. The host adds in one order, whatever that of the records.
#define SLUICE_ARGS ReportContactsArgs
#include "lib/friction.glsl"
#include "lib/kernel.glsl"
#include "lib/round.glsl"
#include "lib/sample_row.glsl"
#include "lib/samples.glsl"
#include "lib/workgroup.glsl"

uvec4 neighbor_of(Row row, uint k) {
  uint j = row_entry(row, k);
  return k < row.rigid_end ? rigid_sample_of(j) : boundary_of(j);
}

uint partner_of(Row row, uint k, uvec4 y) {
  return k < row.rigid_end ? body_of(y.w) : kBoundaryPartner + sample_body(y.w);
}

// The smallest above `after`; start with kNoBody.
uint next_partner(Row row, uvec3 x, vec4 face, uint after) {
  uint best = kNoBody;
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    uvec4 y = neighbor_of(row, k);
    if ((k < row.rigid_end && !is_seen_sample(y.w)) || !meets(face, difference(x, y.xyz))) continue;
    uint partner = partner_of(row, k, y);
    if ((after == kNoBody || partner > after) && partner < best) best = partner;
  }
  return best;
}

// A neighbour's part of a row.
struct Part {
  vec3 gradient;  // what its pressure acts along, as in SampleRow::contact
  float kernel;   // its share of the friction, times S
  vec3 place;     // where they touch, from the sample: half-way, or on a round body's drawn surface
};
Part part_of(SampleRow record, Round own, uvec3 x, bool rigid, uvec4 y) {
  vec3 d = difference(x, y.xyz);
  if (!meets(record.face, d)) return Part(vec3(0.0), 0.0, -0.5 * d);
  float rr = length_squared(d);
  float weight = contact_weight(rigid ? weight_of(y.w) : sample_weight(y.w));
  Part part = Part((record.volume.z * weight * kernel_slope(rr)) * d, kernel(rr), -0.5 * d);
  if (PARAMS.round != 0) {
    Round other = kNotRound;
    if (rigid) other = gather_round(body_of(y.w), x);
    Lever lever = lever_of(own, other, record.toward.xyz, d);
    part.gradient = left_of(lever, part.gradient);
    part.place = lever.rub;
  }
  return part;
}

void main() {
  uint i = contact_sample(thread_index());
  if (i == kNoBody) return;
  SampleRow record = sample_row_of(i);
  vec4 value = FIELD(sample_solve, i, value);
  if (record.body.x == kNoBody || !(value.w > 0.0 || length_squared(value.xyz) > 0.0)) return;
  uvec4 own = rigid_sample_of(i);
  Row row = load_sample_row(i);
  RigidStep step = rigid_step_of(body_of(own.w));
  Round own_round = round_of(step, own.xyz);
  vec3 arm = difference(own.xyz, step.center.xyz);
  vec3 tilt = face_tilt(record);
  float pressed = flush((record.volume.x * record.volume.x) * value.w);

  for (uint partner = next_partner(row, own.xyz, record.face, kNoBody); partner != kNoBody;
       partner = next_partner(row, own.xyz, record.face, partner)) {
    vec3 gradient = vec3(0.0);
    float shared_kernel = 0.0;
    for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
      uvec4 y = neighbor_of(row, k);
      if (partner_of(row, k, y) != partner) continue;
      Part part = part_of(record, own_round, own.xyz, k < row.rigid_end, y);
      gradient += part.gradient;
      shared_kernel += part.kernel;
    }
    // The mean place, by the parts along their sum; by W where that has no direction.
    vec3 n = contact_normal(gradient);
    bool pushes = dot3(n, n) > 0.0;
    vec3 place = vec3(0.0);
    float sum = 0.0;
    for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
      uvec4 y = neighbor_of(row, k);
      if (partner_of(row, k, y) != partner) continue;
      Part part = part_of(record, own_round, own.xyz, k < row.rigid_end, y);
      float weight = pushes ? larger(-dot3(part.gradient, n), 0.0) : part.kernel;
      place += weight * part.place;
      sum += weight;
    }
    float share = shared_kernel * record.arm.w;
    uint slot = atomicAdd(args.count.at[0], 1);
    if (slot >= args.capacity) continue;
    place = (sum > 1e-12 ? reciprocal(sum) : 0.0) * place;
    args.shares.at[slot] =
        ContactShare(i, body_of(own.w), partner, 0, vec4(flush(arm + place), 0.0),
                     vec4(flush(pressed * (share * tilt - gradient)), 0.0), vec4(flush(share * value.xyz), 0.0));
  }
}
