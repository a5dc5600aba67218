// A rigid sample's row: fluid particles, samples of other bodies, samples of boundaries. Those of its own body never
// are in it: their kernel sum is a constant of the body, gamma / V0 [PT23 eq. 3.2]. A sample that cannot move sees only
// what can: two walls that touch, or overlap, would be an error that nothing mends, or that a third body mends at any
// speed.
#ifndef SLUICE_SAMPLE_ROW_GLSL
#define SLUICE_SAMPLE_ROW_GLSL
#include "lib/fluid_row.glsl"

Row write_sample_row(Params_ref params, uvec4_ref position, uvec4_ref boundary, uvec4_ref samples,
                     uvec4_ref sorted_samples, uvec2_ref cells, uvec2_ref sample_cells, uvec2_ref boundary_cells,
                     uint i, uint body_first, uint body_count, uint kind, Row row, uint capacity) {
  uvec3 x = GATHER4(sample_texels, samples, i).xyz;
  row.fluid_end = 0;
  if (kind != kChunkCarriers) {
    row.fluid_end =
        append_neighbors(WalkSet(cells, position, false, 0, 0, 0) TEXEL_VIEWS(cell_texels, position_texels),
                         PARAMS(params).grid, x, row, 0, capacity);
  }
  uint hidden = kind == kChunkMoves ? kPadding : kPadding | kFixedSample;
  row.rigid_end = append_neighbors(WalkSet(sample_cells, sorted_samples, true, body_first, body_count, hidden)
                                       TEXEL_VIEWS(sample_cell_texels, sorted_sample_texels),
                                   PARAMS(params).sample_grid, x, row, row.fluid_end, capacity);
  row.boundary_end = row.rigid_end;
  if (kind == kChunkMoves) {
    row.boundary_end = append_neighbors(WalkSet(boundary_cells, boundary, false, 0, 0, 0)
                                            TEXEL_VIEWS(boundary_cell_texels, boundary_texels),
                                        PARAMS(params).boundary_grid, x, row, row.rigid_end, capacity);
  }
  return row;
}
#define WRITE_SAMPLE_ROW(args, i, chunk, row, capacity)                                                          \
  write_sample_row(args.params, args.neighbors.position, args.neighbors.boundary, args.neighbors.samples,        \
                   args.sorted_samples, args.cells, args.sample_cells, args.boundary_cells, i, chunk.body_first, \
                   chunk.body_count, chunk.kind, row, capacity)

// Samples have the rows after those of fluid particles.
#define LOAD_SAMPLE_ROW(neighbors, params, i) LOAD_ROW(neighbors, params, PARAMS(params).sample_row + (i))

#endif
