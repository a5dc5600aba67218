// A fluid particle's row: all others of its kind, then samples of rigid bodies, then those of boundaries.
#ifndef SLUICE_FLUID_ROW_GLSL
#define SLUICE_FLUID_ROW_GLSL
#include "lib/cell_walk.glsl"

bool too_crowded(uint fluid, uint rigid, uint boundary) {
  return fluid >= (1u << kFluidCountBits) || rigid >= (1u << kRigidCountBits) || boundary >= (1u << kBoundaryCountBits);
}

Row write_fluid_row(Params_ref params, uvec4_ref position, uvec4_ref boundary, uvec4_ref sorted_samples,
                    uvec2_ref cells, uvec2_ref sample_cells, uvec2_ref boundary_cells, uint i, Row row, uint capacity) {
  uvec3 x = GATHER4(position_texels, position, i).xyz;
  row.fluid_end = append_neighbors(WalkSet(cells, position, false, i, 1, 0) TEXEL_VIEWS(cell_texels, position_texels),
                                   PARAMS(params).grid, x, row, 0, capacity);
  row.rigid_end = row.fluid_end;
  if (PARAMS(params).rigid > 0) {
    row.rigid_end = append_neighbors(WalkSet(sample_cells, sorted_samples, true, 0, 0, kPadding | kCarrierSample)
                                         TEXEL_VIEWS(sample_cell_texels, sorted_sample_texels),
                                     PARAMS(params).sample_grid, x, row, row.fluid_end, capacity);
  }
  row.boundary_end = append_neighbors(WalkSet(boundary_cells, boundary, false, 0, 0, 0)
                                          TEXEL_VIEWS(boundary_cell_texels, boundary_texels),
                                      PARAMS(params).boundary_grid, x, row, row.rigid_end, capacity);
  return row;
}
// As LOAD_ROW: the members of a struct of references, one by one.
#define WRITE_FLUID_ROW(args, i, row, capacity)                                                                   \
  write_fluid_row(args.params, args.neighbors.position, args.neighbors.boundary, args.sorted_samples, args.cells, \
                  args.sample_cells, args.boundary_cells, i, row, capacity)

#endif
