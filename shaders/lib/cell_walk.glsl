// The search: all particles of the 27 cells around a particle that lie within the support. Cells are
// visited z, y, x from the lowest on, particles in their sorted order, so a row's order is a
// function of the state alone.
#ifndef SLUICE_CELL_WALK_GLSL
#define SLUICE_CELL_WALK_GLSL
#include "lib/grid.glsl"
#include "lib/neighbors.glsl"

// A record of one set or another: by its view, or by its address.
#ifdef SLUICE_TEXELS
#define RECORD(view, ref, i) texelFetch(view, int(i))
#else
#define RECORD(view, ref, i) (ref).at[i]
#endif

// The set that a table's particles are of, and those of them that are no neighbours: [skipped, skipped + skip_count),
// and those with one of the flags `hidden`.
struct WalkSet {
  uvec2_ref cells;
  uvec4_ref positions;
  bool named;  // w is the particle's index and its flags; else the place in `positions` is
  uint skipped, skip_count, hidden;
};

// Whether a cell of a box of cells holds particles that are not skipped. Within a cell, particles of one body lie side
// by side, so that the first and the last one tell. `low` is the box' lowest cell.
bool any_in_cells(WalkSet others TEXEL_VIEWS(utextureBuffer cells, utextureBuffer positions), Grid grid, uvec3 low,
                  uvec3 extent) {
  uvec3 first = cell_bits(low << kCellShift, grid);
  bool found = false;
  uint z = first.z;
  for (uint dz = 0; dz < extent.z && !found; ++dz) {
    uint y = first.y;
    for (uint dy = 0; dy < extent.y && !found; ++dy) {
      uint x = first.x;
      for (uint dx = 0; dx < extent.x && !found; ++dx) {
        uvec2 range = RECORD(cells, others.cells, x | y | z).xy;
        if (range.x < range.y) {
          found = !others.named;
          if (others.named) {
            uint begin = RECORD(positions, others.positions, range.x).w & kSampleIndex;
            uint end = RECORD(positions, others.positions, range.y - 1).w & kSampleIndex;
            found = begin - others.skipped >= others.skip_count || end - others.skipped >= others.skip_count;
          }
        }
        x = cell_after(x, grid.mask_x);
      }
      y = cell_after(y, grid.mask_y);
    }
    z = cell_after(z, grid.mask_z);
  }
  return found;
}

// The candidates of three cells that follow each other along x, one after the other.
struct Candidates {
  uint first, second, third;  // candidate k is record first + k, or ...
  uint first_end, second_end, count;
};

uint candidate(Candidates c, uint k) { return k + (k < c.first_end ? c.first : k < c.second_end ? c.second : c.third); }

// Appends the neighbours of `x` from entry `first` on and returns the next entry; entries from
// `capacity` on are counted, not written. Hits are marked, 32 candidates at a time, and then written: CPU drivers run a
// store under a branch once a candidate, lane by lane, whoever takes it.
uint append_neighbors(WalkSet others TEXEL_VIEWS(utextureBuffer cells, utextureBuffer positions), Grid grid, uvec3 x,
                      Row row, uint first, uint capacity) {
  uvec3 here = cell_bits(x, grid);
  uvec3 cell_x;
  cell_x.x = cell_before(here.x, grid.mask_x);
  cell_x.y = here.x;
  cell_x.z = cell_after(here.x, grid.mask_x);
  uint k = first;
  uint z = cell_before(here.z, grid.mask_z);
  [[dont_unroll]] for (uint dz = 0; dz < 3; ++dz) {
    uint y = cell_before(here.y, grid.mask_y);
    [[dont_unroll]] for (uint dy = 0; dy < 3; ++dy) {
      uvec2 a = RECORD(cells, others.cells, cell_x.x | y | z).xy;
      uvec2 b = RECORD(cells, others.cells, cell_x.y | y | z).xy;
      uvec2 c = RECORD(cells, others.cells, cell_x.z | y | z).xy;
      Candidates around;
      around.first_end = a.y - a.x;
      around.second_end = around.first_end + (b.y - b.x);
      around.count = around.second_end + (c.y - c.x);
      around.first = a.x;
      around.second = b.x - around.first_end;
      around.third = c.x - around.second_end;
      for (uint begin = 0; begin < around.count; begin += 32) {
        uint end = min(around.count - begin, 32);
        uint hits = 0;
        for (uint m = 0; m < end; ++m) {
          uint j = candidate(around, begin + m);
          uvec4 record = RECORD(positions, others.positions, j);
          uint entry = others.named ? record.w & kSampleIndex : j;
          bool hit = length_squared(difference(x, record.xyz)) < kSupportSquared &&
                     entry - others.skipped >= others.skip_count && (record.w & others.hidden) == 0;
          hits |= (hit ? 1u : 0u) << m;
        }
        for (; hits != 0; hits &= hits - 1) {
          uint entry = candidate(around, begin + findLSB(hits));
          if (others.named) entry = RECORD(positions, others.positions, entry).w & kSampleIndex;
          if (k < capacity) row.words.at[place_of(row, k)] = entry;
          ++k;
        }
      }
      y = cell_after(y, grid.mask_y);
    }
    z = cell_after(z, grid.mask_z);
  }
  return k;
}

#endif
