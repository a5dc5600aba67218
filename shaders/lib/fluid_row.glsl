// A fluid particle's row: all others of its kind, then samples of rigid bodies, then those of boundaries.
#ifndef SLUICE_FLUID_ROW_GLSL
#define SLUICE_FLUID_ROW_GLSL
#include "lib/cell_walk.glsl"

bool too_crowded(uint fluid, uint rigid, uint boundary) {
  return fluid >= (1u << kFluidCountBits) || rigid >= (1u << kRigidCountBits) || boundary >= (1u << kBoundaryCountBits);
}

Row write_fluid_row(uint i, Row row, uint capacity) {
  uvec3 x = position_of(i).xyz;
  row.fluid_end =
      append_neighbors(WalkSet(cell_buffer, position_buffer, false, i, 1, 0) TEXEL_VIEWS(cell_texels, position_texels),
                       PARAMS.grid, x, row, 0, capacity);
  row.rigid_end = row.fluid_end;
  if (PARAMS.rigid > 0) {
    row.rigid_end =
        append_neighbors(WalkSet(sample_cell_buffer, sorted_sample_buffer, true, 0, 0, kPadding | kCarrierSample)
                             TEXEL_VIEWS(sample_cell_texels, sorted_sample_texels),
                         PARAMS.sample_grid, x, row, row.fluid_end, capacity);
  }
  row.boundary_end = append_neighbors(WalkSet(boundary_cell_buffer, boundary_buffer, false, 0, 0, 0)
                                          TEXEL_VIEWS(boundary_cell_texels, boundary_texels),
                                      PARAMS.boundary_grid, x, row, row.rigid_end, capacity);
  return row;
}
#endif
