// Samples of rigid bodies: which ones a thread has, sums over a chunk, tensors of bodies.
#ifndef SLUICE_SAMPLES_GLSL
#define SLUICE_SAMPLES_GLSL
#include "lib/neighbors.glsl"

uint body_of(uint word) { return word & ((1u << kBodyBits) - 1u); }
float weight_of(uint word) { return float(int(word >> kBodyBits)) * kWeightUnit; }
uint pack_sample(float weight, uint body) {
  return (uint(int(clamped(weight, 0.0, 1.99) * 2048.0 + 0.5)) << kBodyBits) | body;
}

// A boundary's carriers have no weight in the rows of others, and no kernel.
bool is_seen_sample(uint word) { return (word >> kBodyBits) != 0; }
float seen(uint word, float w) { return is_seen_sample(word) ? w : 0.0; }

// What a neighbour counts for in a sample's volume error, times the sample's record.volume.z. By its V0, samples of any
// spacing meet at one distance; as one, as printed, wide lattices and corners meet farther apart than others.
float contact_weight(float weight) { return PARAMS.contact_weights != 0 ? weight : 1.0; }

// Whether a row counts a neighbour, `d` from it to the sample. Rows near more than one face (w of `face` is 1) are of
// one of them: the sum of both would hold a body off both. What lies h below a sample on a plane is within 60 degrees
// of the normal; at 66 a neighbour within the support, 2h, is no part of a plane 0.8 h away.
const vec4 kNoFace = vec4(0.0);
bool meets(vec4 face, vec3 d) {
  float along = dot3(face.xyz, d);
  return face.w == 0.0 || (along > 0.0 && along * along > 0.16 * length_squared(d));
}

// A sample's sliding is the mean, by W, of the motion relative to its contacts at the middles between the samples,
// where friction acts: so forces and sliding have one work, and wheels roll on their drawn radius. As printed, it is
// that at the samples themselves, by V_k W [PT23 eq. 3.21]; wheels then roll on a radius h/2 smaller.
float slip_weight(float inverse_sum, float volume) { return PARAMS.midpoint_slip != 0 ? inverse_sum : volume; }
// How far along from a sample to the middle.
float slip_reach() { return PARAMS.midpoint_slip != 0 ? 1.0 : 0.0; }

// In a dispatch over the contact chunks: the sample of thread `t`, or kNoBody beyond the end of its part's.
uint contact_sample(uint t) { return t / kChunk < CONTROL.contact_chunks ? contact_sample_buffer.at[t] : kNoBody; }

// A symmetric tensor times a vector.
vec3 times(vec4 diagonal, vec4 mixed, vec3 v) {
  return vec3(diagonal.x * v.x + mixed.x * v.y + mixed.y * v.z, mixed.x * v.x + diagonal.y * v.y + mixed.z * v.z,
              mixed.y * v.x + mixed.z * v.y + diagonal.z * v.z);
}

// F . M^-1 F + T . I^-1 T: what a body adds to the diagonal of a row that acts on it with F and T.
float compliance(RigidStep step, vec3 force, vec3 torque) {
  return dot3(force, step.inverse_mass.xyz * force) +
         dot3(torque, times(step.inverse_diagonal, step.inverse_mixed, torque));
}

// Not as printed, an immovable body's samples have rows, too: they carry what lies over its edges.
bool is_movable(RigidStep step) {
  vec3 turning = step.inverse_diagonal.xyz;
  return step.inverse_mass.x + step.inverse_mass.y + step.inverse_mass.z + turning.x + turning.y + turning.z > 0.0;
}

#ifdef SLUICE_CHUNK_SUMS  // how many; 4 KiB of shared memory each
// Sums over the chunks of a workgroup, in the order of the samples. Valid in threads 0 to kGroup / kChunk - 1, whose
// number is the chunk's. All in one call, and by a loop, as group_sums.
shared vec4 g_chunk[SLUICE_CHUNK_SUMS][kGroup];
void chunk_sums(inout vec4 sums[SLUICE_CHUNK_SUMS]) {
  uint t = gl_LocalInvocationIndex;
  for (uint n = 0; n < SLUICE_CHUNK_SUMS; ++n) g_chunk[n][t] = sums[n];
  barrier();
  uint end = t < kGroup / kChunk ? (t + 1) * kChunk : 0u;
  for (uint n = 0; n < SLUICE_CHUNK_SUMS; ++n) sums[n] = vec4(0.0);
  for (uint k = t * kChunk; k < end; ++k) {
    for (uint n = 0; n < SLUICE_CHUNK_SUMS; ++n) sums[n] += g_chunk[n][k];
  }
}
#endif

#endif
