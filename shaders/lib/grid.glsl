// Toroidal cell keys: each axis' cell index is deposited into the bits of its mask (interleaved bits
// make a Morton key, consecutive bits a row key). Neighbour cells follow by masked arithmetic.
#ifndef SLUICE_GRID_GLSL
#define SLUICE_GRID_GLSL
#include "shared/state.h"

uint deposit(uint value, uint mask) {
  uint result = 0;
  while (mask != 0) {
    uint lowest = mask & (0u - mask);
    if ((value & 1u) != 0) result |= lowest;
    value >>= 1;
    mask ^= lowest;
  }
  return result;
}

uvec3 cell_bits(uvec3 position, Grid grid) {
  uvec3 cell = position >> kCellShift;
  return uvec3(deposit(cell.x, grid.mask_x), deposit(cell.y, grid.mask_y), deposit(cell.z, grid.mask_z));
}

uint cell_key(uvec3 position, Grid grid) {
  uvec3 bits = cell_bits(position, grid);
  return bits.x | bits.y | bits.z;
}

// One cell back and one cell on, within the bits of a mask.
uint cell_before(uint bits, uint mask) { return (bits - (mask & (0u - mask))) & mask; }
uint cell_after(uint bits, uint mask) { return ((bits | ~mask) + 1u) & mask; }

#endif
