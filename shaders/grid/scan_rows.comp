#version 460
#extension GL_GOOGLE_include_directive : require
// From counts to places: of workgroups' spilled rows in the pool, of their coupled particles and of the contact chunks
// of parts in their lists. One workgroup; opens the passes over them.
#include "lib/gates.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { ScanRowsArgs args; };

// Makes `counts` exclusive sums; returns the total.
uint scan_in_place(uint_ref counts, uint count) {
  uint t = gl_LocalInvocationIndex;
  uint base = 0;
  for (uint first = 0; first < count; first += kGroup) {
    uint value = first + t < count ? counts.at[first + t] : 0;
    uint total;
    uint before = group_exclusive_scan(value, total);
    if (first + t < count) counts.at[first + t] = base + before;
    base += total;
  }
  return base;
}

void main() {
  uint groups = groups_of(args.control.at[0].particles, kGroup);
  uint sample_groups = groups_of(args.control.at[0].samples, kGroup);
  uint blocks = scan_in_place(args.group_spills, groups + sample_groups);
  uint coupled = 0, chunks = 0;
  if (sample_groups > 0) {
    coupled = scan_in_place(args.group_coupled, groups);
    chunks = scan_in_place(args.part_chunks, args.params.at[0].parts);
  }
  if (gl_LocalInvocationIndex != 0) return;
  if (coupled > args.coupled_capacity) {
    atomicMax(args.control.at[0].failure, kFailureCrowded);
    coupled = 0;
  }
  if (sample_groups > 0) args.part_chunks.at[args.params.at[0].parts] = chunks;
  args.control.at[0].spill_needed = blocks;
  args.control.at[0].coupled = coupled;
  args.control.at[0].contact_chunks = chunks;
  args.control.at[0].contacts = 0;
  args.control.at[0].crowded = 0;
  if (blocks > args.control.at[0].spill_capacity) {
    close_all(args.control);  // no pass may follow rows that have no place
    return;
  }
  if (blocks > 0) {
    open_slot(args.control, kSlotSpillParticles, groups);
    open_slot(args.control, kSlotSpillSamples, sample_groups);
  }
  if (chunks > 0) {
    open_slot(args.control, kSlotBeginContacts, groups_of(chunks * kChunk, kGroup));
    open_slot(args.control, kSlotBeginParts, groups_of(args.params.at[0].parts * kSumVectors, kGroup));
  }
  if (coupled > 0) {
    open_slot(args.control, kSlotListCoupled, groups);
    open_slot(args.control, kSlotBeginCoupled, groups_of(coupled, kGroup));
  }
}
