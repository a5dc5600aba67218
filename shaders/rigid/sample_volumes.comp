#version 460
#extension GL_GOOGLE_include_directive : require
// Of the samples with foreign neighbours, over samples k of other bodies and of boundaries: V = 1 / (gamma / V0 + sum w_k W)
// [PT23 eq. 3.1, 3.2; w_k: contact_weight], G = sum w_k grad W, 1 / S with S = sum W [eq. 3.23], the arm of the
// friction multiplier [eq. 3.22b]. Sums by chunk: contacts, and the drag of the fluid per unit of speed.
// Not as printed, sums are of whole faces: see lib/coverage.glsl.
#define SLUICE_CHUNK_SUMS 1
#include "lib/coverage.glsl"
#include "lib/round.glsl"
#include "lib/sample_row.glsl"
#include "lib/samples.glsl"
#include "lib/viscosity.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SampleVolumesArgs args; };

struct SolidSums {
  float kernel;
  float filled;  // weighted
  vec3 gradient;
  vec3 arm;
};
SolidSums solid_sums(Row row, uvec3 x, vec4 face) {
  SolidSums sums = SolidSums(0.0, 0.0, vec3(0.0), vec3(0.0));
  for (uint k = row.fluid_end; k < row.boundary_end; ++k) {
    Contact c = contact_at(args.params, row, args.neighbors.samples, args.neighbors.boundary, x, k);
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
  if (PARAMS(args.params).round == 0) return false;
  bool found = gather_round(args.steps, body, x).kind != kRoundNone;
  for (uint k = row.fluid_end; k < row.rigid_end; ++k) {
    uint other = body_of(GATHER4(sample_texels, args.neighbors.samples, row_entry(row, k)).w);
    found = found || gather_round(args.steps, other, x).kind != kRoundNone;
  }
  return found;
}

void main() {
  uint i = contact_sample(args.control, args.contact_samples, thread_index());
  float drag = 0.0;
  float contact = 0.0;
  if (i != kNoBody) {
    uvec4 own = GATHER4(sample_texels, args.neighbors.samples, i);
    Row row = LOAD_SAMPLE_ROW(args.neighbors, args.params, i);
    uvec3 x = own.xyz;
    Chunk chunk = args.chunks.at[i / kChunk];
    float rest_volume = args.shapes.at[chunk.first + i % kChunk].w;
    SolidSums sums = solid_sums(row, x, vec4(0.0));
    float scale = 1.0;
    vec4 face = vec4(contact_normal(sums.gradient), 0.0);
    if (PARAMS(args.params).contact_weights != 0) {
      Coverage met =
          face_coverage(args.params, row, args.neighbors.samples, args.neighbors.boundary, x, sums.gradient,
                        rolls(row, x, body_of(own.w)));
      face = met.face;
      scale = kContactWeight * reciprocal(rest_volume * met.share);
      if (face.w > 0.0) sums = solid_sums(row, x, face);
    }
    float inverse_sum = sums.kernel > 1e-12 ? reciprocal(sums.kernel) : 0.0;
    args.rows.at[i].contact = vec4(flush(scale * sums.gradient), 0.0);
    args.rows.at[i].face = face;
    args.rows.at[i].arm = vec4(flush(inverse_sum * sums.arm), inverse_sum);
    args.rows.at[i].volume = vec4(rest_volume, 0.0, scale, 0.0);
    args.velocity.at[i].w = reciprocal(divide(PARAMS(args.params).gamma, rest_volume) + flush(scale * sums.filled));
    contact = row.boundary_end > row.fluid_end ? 1.0 : 0.0;

    if (PARAMS(args.params).viscous != 0) {
      for (uint k = 0; k < row.fluid_end; ++k) {
        uint j = row_entry(row, k);
        uint material = unpack_material(GATHER4(low_texels, args.low, j).w);
        vec3 d = difference(x, GATHER4(position_texels, args.neighbors.position, j).xyz);
        drag += MATERIAL_VISCOSITY(args.params, material) * laplacian_bound(d);
      }
      RigidStep step = args.steps.at[body_of(own.w)];
      vec3 from_center = difference(x, step.center.xyz);
      float inverse_mass = larger(larger(step.inverse_mass.x, step.inverse_mass.y), step.inverse_mass.z);
      drag = flush(weight_of(own.w) * drag) * (inverse_mass + length_squared(from_center) * step.inverse_diagonal.w);
    }
  }
  vec4 sums[1] = vec4[1](vec4(contact, flush(drag), 0.0, 0.0));
  chunk_sums(sums);
  uint chunk = group_index() * (kGroup / kChunk) + gl_LocalInvocationIndex;
  if (gl_LocalInvocationIndex < kGroup / kChunk && chunk < CONTROL(args.control).contact_chunks) {
    args.partials.at[chunk].contact_force = vec4(0.0, 0.0, 0.0, sums[0].x);
    args.partials.at[chunk].contact_torque = vec4(0.0);
    args.partials.at[chunk].fluid_force = vec4(0.0, 0.0, 0.0, sums[0].y);
    args.partials.at[chunk].fluid_torque = vec4(0.0);
  }
}
