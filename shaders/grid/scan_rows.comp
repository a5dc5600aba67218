#version 460
#extension GL_GOOGLE_include_directive : require
// From counts to places: of workgroups' spilled rows in the pool, of their coupled particles and of the contact chunks
// of parts in their lists. One workgroup; opens the passes over them.
#define SLUICE_ARGS ScanRowsArgs
#include "lib/gates.glsl"
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"

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
  uint groups = groups_of(CONTROL.particles, kGroup);
  uint sample_groups = groups_of(CONTROL.samples, kGroup);
  uint blocks = scan_in_place(group_spill_buffer, groups + sample_groups);
  uint coupled = 0, chunks = 0;
  if (sample_groups > 0) {
    coupled = scan_in_place(group_coupled_buffer, groups);
    chunks = scan_in_place(part_chunk_buffer, PARAMS.parts);
  }
  if (gl_LocalInvocationIndex != 0) return;
  if (coupled > args.coupled_capacity) {
    atomicMax(CONTROL.failure, kFailureCrowded);
    coupled = 0;
  }
  if (sample_groups > 0) part_chunk_buffer.at[PARAMS.parts] = chunks;
  CONTROL.spill_needed = blocks;
  CONTROL.coupled = coupled;
  CONTROL.contact_chunks = chunks;
  CONTROL.contacts = 0;
  CONTROL.crowded = 0;
  if (blocks > CONTROL.spill_capacity) {
    close_all();  // no pass may follow rows that have no place
    return;
  }
  if (blocks > 0) {
    open_slot(kSlotSpillParticles, groups);
    open_slot(kSlotSpillSamples, sample_groups);
  }
  if (chunks > 0) {
    open_slot(kSlotBeginContacts, groups_of(chunks * kChunk, kGroup));
    open_slot(kSlotBeginParts, groups_of(PARAMS.parts * kSumVectors, kGroup));
  }
  if (coupled > 0) {
    open_slot(kSlotListCoupled, groups);
    open_slot(kSlotBeginCoupled, groups_of(coupled, kGroup));
  }
}
