#version 460
#extension GL_GOOGLE_include_directive : require
// The fluid particles that have rigid neighbours, in order.
#include "lib/neighbors.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

void main() {
  uint i = thread_index();
  bool coupled = false;
  if (i < CONTROL.particles) {
    uint counts = row_head_buffer.at[i].x;
    coupled = bitfieldExtract(counts, int(kFluidCountBits), int(kRigidCountBits)) > 0;
  }
  uint total;
  uint before = group_exclusive_scan(coupled ? 1 : 0, total);
  if (!coupled) return;
  uint index = group_coupled_buffer.at[group_index()] + before;
  coupled_particle_buffer.at[index] = i;
  coupled_index_buffer.at[i] = index;
}
