#version 460
#extension GL_GOOGLE_include_directive : require
// The fluid particles that have rigid neighbours, in order.
#include "lib/neighbors.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { ListCoupledArgs args; };

void main() {
  uint i = thread_index();
  bool coupled = false;
  if (i < args.control.at[0].particles) {
    uint counts = args.head.at[i].x;
    coupled = bitfieldExtract(counts, int(kFluidCountBits), int(kRigidCountBits)) > 0;
  }
  uint total;
  uint before = group_exclusive_scan(coupled ? 1 : 0, total);
  if (!coupled) return;
  uint index = args.group_coupled.at[group_index()] + before;
  args.coupled_particles.at[index] = i;
  args.coupled_index.at[i] = index;
}
