#version 460
#extension GL_GOOGLE_include_directive : require
// Of the samples with foreign neighbours, over samples k of other bodies and of boundaries: V = 1 / (gamma / V0 + sum
// w_k W) [PT23 eq. 3.1, 3.2; w_k: contact_weight], G = sum w_k grad W, 1 / S with S = sum W [eq. 3.23], the arm of the
// friction multiplier [eq. 3.22b]. Sums by chunk: contacts, and the drag of the fluid per unit of speed.
// Not as printed, sums are of whole faces: see lib/coverage.glsl.
#define SLUICE_CHUNK_SUMS 1
#include "lib/coverage.glsl"
#include "lib/round.glsl"
#include "lib/sample_row.glsl"
#include "lib/samples.glsl"
#include "lib/viscosity.glsl"
#include "lib/workgroup.glsl"

struct SolidSums {
  float kernel;
  float filled;  // weighted
  vec3 gradient;
  vec3 arm;
};
SolidSums solid_sums(Row row, uvec3 x, vec4 face) {
  SolidSums sums = SolidSums(0.0, 0.0, vec3(0.0), vec3(0.0));
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(row, x, k);
    if (!meets(face, c.d)) continue;
    float w = seen_kernel(c);
    sums.kernel += w;
    sums.arm -= (0.5 * w) * c.d;
    sums.filled += c.weight * w;
    sums.gradient += (c.weight * kernel_slope(length_squared(c.d))) * c.d;
  }
  sums.kernel = flush(sums.kernel);
  return sums;
}

bool rolls(Row row, uvec3 x, uint body) {
  if (PARAMS.round == 0) return false;
  bool found = gather_round(body, x).kind != kRoundNone;
  for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
    uint other = body_of(rigid_sample_of(row_entry(row, k)).w);
    found = found || gather_round(other, x).kind != kRoundNone;
  }
  return found;
}

void main() {
  uint i = contact_sample(thread_index());
  float drag = 0.0;
  float contact = 0.0;
  if (i != kNoBody) {
    uvec4 own = rigid_sample_of(i);
    Row row = load_sample_row(i);
    uvec3 x = own.xyz;
    Chunk chunk = chunk_buffer.at[i / kChunk];
    float rest_volume = shape_sample_buffer.at[chunk.first + i % kChunk].w;
    SolidSums sums = solid_sums(row, x, vec4(0.0));
    float scale = 1.0;
    vec4 face = vec4(contact_normal(sums.gradient), 0.0);
    if (PARAMS.contact_weights != 0) {
      Coverage met = face_coverage(row, x, sums.gradient, rolls(row, x, body_of(own.w)));
      face = met.face;
      scale = kContactWeight * reciprocal(rest_volume * met.share);
      if (face.w > 0.0) sums = solid_sums(row, x, face);
    }
    float inverse_sum = sums.kernel > 1e-12 ? reciprocal(sums.kernel) : 0.0;
    sample_row_buffer.at[i].contact = vec4(flush(scale * sums.gradient), 0.0);
    sample_row_buffer.at[i].face = face;
    sample_row_buffer.at[i].arm = vec4(flush(inverse_sum * sums.arm), inverse_sum);
    sample_row_buffer.at[i].volume = vec4(rest_volume, 0.0, scale, 0.0);
    sample_velocity_buffer.at[i].w = reciprocal(divide(PARAMS.gamma, rest_volume) + flush(scale * sums.filled));
    contact = row.boundary_end > row.fluid_end ? 1.0 : 0.0;

    if (PARAMS.viscous != 0) {
      for (uint k = 0; k < row.fluid_end; ++k) {
        uint j = row_entry(row, k);
        uint material = unpack_material(low_of(j).w);
        vec3 d = difference(x, position_of(j).xyz);
        drag += material_viscosity(material) * laplacian_bound(d);
      }
      RigidStep step = rigid_step_buffer.at[body_of(own.w)];
      vec3 from_center = difference(x, step.center.xyz);
      float inverse_mass = larger(larger(step.inverse_mass.x, step.inverse_mass.y), step.inverse_mass.z);
      drag = flush(weight_of(own.w) * drag) * (inverse_mass + length_squared(from_center) * step.inverse_diagonal.w);
    }
  }
  vec4 sums[1] = vec4[1](vec4(contact, flush(drag), 0.0, 0.0));
  chunk_sums(sums);
  uint chunk = group_index() * (kGroup / kChunk) + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < kGroup / kChunk && chunk < CONTROL.contact_chunks) {
    chunk_sum_buffer.at[chunk].contact_force = vec4(0.0, 0.0, 0.0, sums[0].x);
    chunk_sum_buffer.at[chunk].contact_torque = vec4(0.0);
    chunk_sum_buffer.at[chunk].fluid_force = vec4(0.0, 0.0, 0.0, sums[0].y);
    chunk_sum_buffer.at[chunk].fluid_torque = vec4(0.0);
  }
}
