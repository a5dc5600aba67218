// The search: all particles of the 27 cells around a particle that lie within the support. Cells are
// visited z, y, x from the lowest on, particles in their sorted order, so a row's order is a
// function of the state alone.
#ifndef SLUICE_CELL_WALK_GLSL
#define SLUICE_CELL_WALK_GLSL
#include "lib/grid.glsl"
#include "lib/neighbors.glsl"

const uint kNobody = 0xffffffffu;

// Appends the neighbours of `x` from entry `first` on and returns the next entry; entries from
// `capacity` on are counted, not written.
uint append_neighbors(uvec2_ref cells, Grid grid, uvec4_ref positions, uvec3 x, uint self, Row row, uint first,
                      uint capacity) {
  uvec3 here = cell_bits(x, grid);
  uint k = first;
  uint z = cell_before(here.z, grid.mask_z);
  [[dont_unroll]] for (uint dz = 0; dz < 3; ++dz) {
    uint y = cell_before(here.y, grid.mask_y);
    [[dont_unroll]] for (uint dy = 0; dy < 3; ++dy) {
      uint cell_x = cell_before(here.x, grid.mask_x);
      [[dont_unroll]] for (uint dx = 0; dx < 3; ++dx) {
        uvec2 range = cells.at[cell_x | y | z];
        for (uint j = range.x; j < range.y; ++j) {
          vec3 d = difference(x, positions.at[j].xyz);
          if (length_squared(d) < kSupportSquared && j != self) {
            if (k < capacity) row.words.at[row.first + k * row.stride] = j;
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
