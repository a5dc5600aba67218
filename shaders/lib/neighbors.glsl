// Neighbour rows: entries [0, fluid) are fluid particles, then rigid ones, then boundary samples. The
// first row_capacity entries lie in the row's page, the rest in consecutive blocks of the spill pool.
//   Row row = load_row(n, params, i);
//   for (uint k = 0; k < row.fluid_end; ++k) { uint j = row_entry(row, k); ... }
#ifndef SLUICE_NEIGHBORS_GLSL
#define SLUICE_NEIGHBORS_GLSL
#include "lib/fixed_point.glsl"
#include "shared/args.h"

// Rows whose entries alternate: 1 keeps a row together (CPU drivers), a subgroup's width lets its
// lanes read neighbouring words (GPUs). Never changes a result.
layout(constant_id = kSpecRowInterleave) const uint kRowInterleave = 1;

struct Row {
  uint_ref near, far;
  uint near_first, far_first;
  uint capacity;
  uint fluid_end, rigid_end, boundary_end;
};

uint row_first(uint i, Params_ref params) {
  uint in_page = i & ((1u << params.at[0].page_shift) - 1u);
  return (in_page / kRowInterleave) * (kRowInterleave * params.at[0].row_capacity) + in_page % kRowInterleave;
}

uvec2 pack_head(uint fluid, uint rigid, uint boundary, uint spill) {
  return uvec2(fluid | (rigid << kFluidCountBits) | (boundary << (kFluidCountBits + kRigidCountBits)), spill);
}

Row load_row(Neighbors n, Params_ref params, uint i) {
  Row row;
  uvec2 head = n.head.at[i];
  row.near = n.pages.at[i >> params.at[0].page_shift].words;
  row.near_first = row_first(i, params);
  row.capacity = params.at[0].row_capacity;
  row.far = n.spill;
  row.far_first = head.y * kSpillBlock - row.capacity;
  row.fluid_end = bitfieldExtract(head.x, 0, int(kFluidCountBits));
  row.rigid_end = row.fluid_end + bitfieldExtract(head.x, int(kFluidCountBits), int(kRigidCountBits));
  row.boundary_end = row.rigid_end + (head.x >> (kFluidCountBits + kRigidCountBits));
  return row;
}

uint row_entry(Row row, uint k) {
  uint_ref words = row.near;
  uint index = row.near_first + k * kRowInterleave;
  if (k >= row.capacity) {
    words = row.far;
    index = row.far_first + k;
  }
  return words.at[index];
}

float sample_weight(uint packed) { return float(packed & 0xffffu) * (1.0 / float(kSampleWeightOne)); }
uint sample_body(uint packed) { return packed >> 16; }

#endif
