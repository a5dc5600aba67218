#version 460
#extension GL_GOOGLE_include_directive : require
// Sums of contact chunks into sums of parts, in order. A thread for each of a RigidSum's vectors: four adjacent
// threads read adjacent memory.
#include "lib/buffers.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint part = thread_index() / kSumVectors, vector = thread_index() % kSumVectors;
  if (part >= PARAMS.parts) return;
  vec4_ref partials = vec4_ref(uvec2(chunk_sum_buffer));
  uint end = part_chunk_buffer.at[part + 1];
  vec4 sum = vec4(0.0);
  for (uint c = part_chunk_buffer.at[part]; c < end; ++c) sum += partials.at[kSumVectors * c + vector];
  vec4_ref(uvec2(part_sum_buffer)).at[kSumVectors * part + vector] = sum;
}
