// A rigid sample's row: fluid particles, samples of other bodies, samples of boundaries. Those of its own body never
// are in it: their kernel sum is a constant of the body, gamma / V0 [PT23 eq. 3.2]. A sample that cannot move sees only
// what can: two walls that touch, or overlap, would be an error that nothing mends, or that a third body mends at any
// speed.
#ifndef SLUICE_SAMPLE_ROW_GLSL
#define SLUICE_SAMPLE_ROW_GLSL
#include "lib/fluid_row.glsl"

Row write_sample_row(uint i, Chunk chunk, Row row, uint capacity) {
  uvec3 x = rigid_sample_of(i).xyz;
  row.fluid_end = 0;
  if (chunk.kind != kChunkCarriers) {
    row.fluid_end = append_neighbors(WalkSet(cell_buffer, position_buffer, false, 0, 0, 0)
                                         TEXEL_VIEWS(cell_texels, position_texels),
                                     PARAMS.grid, x, row, 0, capacity);
  }
  uint hidden = chunk.kind == kChunkMoves ? kPadding : kPadding | kFixedSample;
  row.rigid_end = append_neighbors(
      WalkSet(sample_cell_buffer, sorted_sample_buffer, true, chunk.body_first, chunk.body_count, hidden)
          TEXEL_VIEWS(sample_cell_texels, sorted_sample_texels),
      PARAMS.sample_grid, x, row, row.fluid_end, capacity);
  row.boundary_end = row.rigid_end;
  if (chunk.kind == kChunkMoves) {
    row.boundary_end = append_neighbors(WalkSet(boundary_cell_buffer, boundary_buffer, false, 0, 0, 0)
                                            TEXEL_VIEWS(boundary_cell_texels, boundary_texels),
                                        PARAMS.boundary_grid, x, row, row.rigid_end, capacity);
  }
  return row;
}
// Samples have the rows after those of fluid particles.
Row load_sample_row(uint i) { return load_row(PARAMS.sample_row + i); }

#endif
