#version 460
#extension GL_GOOGLE_include_directive : require
// Sums of contact chunks into sums of parts, in order. A thread for each of a RigidSum's vectors: four side by side
// load what lies side by side.
#include "lib/gather.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { SumPartsArgs args; };

void main() {
  uint part = thread_index() / kSumVectors, vector = thread_index() % kSumVectors;
  if (part >= PARAMS(args.params).parts) return;
  vec4_ref partials = vec4_ref(uvec2(args.partials));
  uint end = args.part_chunks.at[part + 1];
  vec4 sum = vec4(0.0);
  for (uint c = args.part_chunks.at[part]; c < end; ++c) sum += partials.at[kSumVectors * c + vector];
  vec4_ref(uvec2(args.sums)).at[kSumVectors * part + vector] = sum;
}
