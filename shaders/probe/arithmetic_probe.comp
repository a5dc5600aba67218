#version 460
#extension GL_GOOGLE_include_directive : require
// The operations that all passes are made of, on operands that the host chose to be hard: ties, signed
// zeros, tiny values. The host computes the same in C++ from the same header.
#include "lib/workgroup.glsl"
#include "shared/args.h"
#include "shared/probe.h"

layout(push_constant, scalar) uniform Push { ProbeArgs args; };

void main() {
  uint i = thread_index();
  if (i >= args.count) return;
  uvec4 x = args.operands.at[i];
  for (uint k = 0; k < kProbeWords; ++k) {
    args.result.at[i * kProbeWords + k] = probe_word(k, uintBitsToFloat(x.x), uintBitsToFloat(x.y), uintBitsToFloat(x.z), x.w);
  }
}
