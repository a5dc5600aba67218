// Neighbour rows: entries [0, fluid) are fluid particles, then rigid ones, then boundary samples. A row
// of up to row_capacity entries lies in its page; a longer one lies whole in consecutive blocks of the
// spill pool, so that reading an entry has no branch (a branch cost 27 % of the force pass on lavapipe).
//   Row row = load_row(i);
//   for (uint k = 0; k < row.fluid_end; ++k) { uint j = row_entry(row, k); ... }
#ifndef SLUICE_NEIGHBORS_GLSL
#define SLUICE_NEIGHBORS_GLSL
#include "lib/buffers.glsl"
#include "lib/fixed_point.glsl"

// Rows whose blocks of kRowBlock entries alternate, a vector's width: its lanes read neighbouring blocks, 16 bytes each
// (100,000 particles on llvmpipe: solve_forces 12.3 ms with rows kept together, 7.1 so). Never changes a result.
layout(constant_id = kSpecRowInterleave) const uint kRowInterleave = 1;

// Without bodies, fluid passes have no loops over their samples: CPU drivers run one masked round of each.
layout(constant_id = kSpecBodies) const uint kHasBodies = 1;

// With one fluid material, passes need not load those of neighbours.
layout(constant_id = kSpecMaterials) const uint kManyMaterials = 1;
uint material_of(uint j) { return kManyMaterials != 0 ? unpack_material(low_of(j).w) : 0u; }

struct Row {
  uint_ref words;
  uint first, stride;
  uint fluid_end, rigid_end, boundary_end;
};

uvec2 pack_head(uint fluid, uint rigid, uint boundary, uint spill) {
  return uvec2(fluid | (rigid << kFluidCountBits) | (boundary << (kFluidCountBits + kRigidCountBits)), spill);
}

// The row's place in its page.
Row page_row(uint i) {
  Row row;
  uint in_page = i & ((1u << PARAMS.page_shift) - 1u);
  row.words = uint_ref(page_buffer.at[i >> PARAMS.page_shift].address);
  uint lane = in_page % kRowInterleave;
  row.first = (in_page - lane) * PARAMS.row_capacity + lane * kRowBlock;
  row.stride = kRowInterleave * kRowBlock;
  return row;
}

Row load_row(uint i) {
  Row row = page_row(i);
  uvec2 head = row_head_of(i);
  row.fluid_end = bitfieldExtract(head.x, 0, int(kFluidCountBits));
  row.rigid_end = row.fluid_end + bitfieldExtract(head.x, int(kFluidCountBits), int(kRigidCountBits));
  row.boundary_end = row.rigid_end + (head.x >> (kFluidCountBits + kRigidCountBits));
  if (row.boundary_end > PARAMS.row_capacity) {
#ifdef SLUICE_TEXELS
    // One view shows both: the pool lies behind the rows of the only page.
    row.first = ((uvec2(spill_pool_buffer).x - page_buffer.at[0].address.x) >> 2) + head.y * kSpillBlock;
#else
    row.words = spill_pool_buffer;
    row.first = head.y * kSpillBlock;
#endif
    row.stride = kRowBlock;
  }
  return row;
}

uint place_of(Row row, uint k) { return row.first + (k / kRowBlock) * row.stride + k % kRowBlock; }

#ifdef SLUICE_TEXELS
// Of four words, since llvmpipe fetches single words by gather instructions, which are slow (Zen 3: three times).
uint row_entry(Row row, uint k) {
  uint place = place_of(row, k);
  return texelFetch(row_texels, int(place / kRowBlock))[place % kRowBlock];
}
#else
uint row_entry(Row row, uint k) { return row.words.at[place_of(row, k)]; }
#endif

bvec4 in_row(uint k, uint end) { return lessThan(k + uvec4(0, 1, 2, 3), uvec4(end)); }
// Also for k of 3 before `first`: blocks do not begin where the entries of a kind do.
bvec4 in_row(uint k, uint first, uint end) { return lessThan(k + uvec4(0, 1, 2, 3) - first, uvec4(end - first)); }

// Where a loop over the blocks of entries [first, end) begins.
uint first_block(uint first, uint end) { return first < end ? first - first % kRowBlock : end; }

uvec4 row_block(Row row, uint k) {
  uint place = (row.first + (k / kRowBlock) * row.stride) / kRowBlock;
#ifdef SLUICE_TEXELS
  return texelFetch(row_texels, int(place));
#else
  return uvec4_ref(uvec2(row.words)).at[place];
#endif
}

// Entries k to k + 3, k a multiple of 4; `self` for those beyond. A pair of a particle with itself adds nothing to a
// sum over grad W.
uvec4 row_block(Row row, uint k, uint end, uint self) { return mix(uvec4(self), row_block(row, k), in_row(k, end)); }
uvec4 row_block(Row row, uint k, uint first, uint end, uint self) {
  return mix(uvec4(self), row_block(row, k), in_row(k, first, end));
}

float sample_weight(uint packed) { return float(int(packed & 0xffffu)) * kSampleWeightUnit; }
uint sample_body(uint packed) { return packed >> 16; }

#endif
