// The search: all particles of the 27 cells around a particle that lie within the support. Cells are
// visited z, y, x from the lowest on, particles in their sorted order, so a row's order is a
// function of the state alone.
#ifndef SLUICE_CELL_WALK_GLSL
#define SLUICE_CELL_WALK_GLSL
#include "lib/grid.glsl"
#include "lib/neighbors.glsl"

// Of which set a table's particles are, and which of them are no neighbours: [skipped, skipped + skip_count).
struct WalkSet {
  uvec2_ref cells;
  uvec4_ref positions;
  bool named;  // w is the particle's index; else the place in `positions` is
  uint skipped, skip_count;
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
        uvec2 range = GATHER2(cells, others.cells, x | y | z);
        if (range.x < range.y) {
          found = !others.named;
          if (others.named) {
            uint begin = GATHER4(positions, others.positions, range.x).w & ~kPadding;
            uint end = GATHER4(positions, others.positions, range.y - 1).w & ~kPadding;
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

// Appends the neighbours of `x` from entry `first` on and returns the next entry; entries from
// `capacity` on are counted, not written.
uint append_neighbors(WalkSet others TEXEL_VIEWS(utextureBuffer cells, utextureBuffer positions), Grid grid, uvec3 x,
                      Row row, uint first, uint capacity) {
  uvec3 here = cell_bits(x, grid);
  uint k = first;
  uint z = cell_before(here.z, grid.mask_z);
  [[dont_unroll]] for (uint dz = 0; dz < 3; ++dz) {
    uint y = cell_before(here.y, grid.mask_y);
    [[dont_unroll]] for (uint dy = 0; dy < 3; ++dy) {
      uint cell_x = cell_before(here.x, grid.mask_x);
      [[dont_unroll]] for (uint dx = 0; dx < 3; ++dx) {
        uvec2 range = GATHER2(cells, others.cells, cell_x | y | z);
        for (uint j = range.x; j < range.y; ++j) {
          uvec4 record = GATHER4(positions, others.positions, j);
          uint entry = others.named ? record.w : j;
          if (length_squared(difference(x, record.xyz)) < kSupportSquared &&
              entry - others.skipped >= others.skip_count && (entry & kPadding) == 0) {
            if (k < capacity) row.words.at[place_of(row, k)] = entry;
            ++k;
          }
        }
        cell_x = cell_after(cell_x, grid.mask_x);
      }
      y = cell_after(y, grid.mask_y);
    }
    z = cell_after(z, grid.mask_z);
  }
  return k;
}

#endif
