#version 460
#extension GL_GOOGLE_include_directive : require
// Which chunks of rigid samples may have foreign neighbours: a cell in or next to the box of their cells holds fluid,
// a boundary or another body. The samples of all others need no search.
#include "lib/cell_walk.glsl"
#include "lib/workgroup.glsl"

const int kWidestBox = 8;  // cells; chunks that lie scattered are searched without a look

void main() {
  uint c = thread_index();
  if (c * kChunk >= CONTROL.samples) return;
  Chunk chunk = chunk_buffer.at[c];
  // From the first sample's cell on, so that the end of the coordinates is no border.
  uvec4 first_sample = rigid_sample_of(c * kChunk);
  uvec3 first = first_sample.xyz >> kCellShift;
  ivec3 least = ivec3(0), most = ivec3(0);
  for (uint k = 1; k < chunk.count; ++k) {
    uvec3 cell = rigid_sample_of(c * kChunk + k).xyz >> kCellShift;
    ivec3 offset = ivec3((cell - first) << kCellShift) >> kCellShift;
    least = min(least, offset);
    most = max(most, offset);
  }
  ivec3 extent = most - least + 3;
  bool near = extent.x > kWidestBox || extent.y > kWidestBox || extent.z > kWidestBox;
  uvec3 low = first + uvec3(least - 1);
  if (!near && chunk.kind == kChunkMoves && CONTROL.boundary_particles > 0) {
    near = any_in_cells(WalkSet(boundary_cell_buffer, rigid_sample_buffer, false, 0, 0, 0)
                            TEXEL_VIEWS(boundary_cell_texels, rigid_sample_texels),
                        PARAMS.boundary_grid, low, uvec3(extent));
  }
  if (!near && chunk.kind != kChunkCarriers && CONTROL.particles > 0) {
    near = any_in_cells(WalkSet(cell_buffer, rigid_sample_buffer, false, 0, 0, 0)
                            TEXEL_VIEWS(cell_texels, rigid_sample_texels),
                        PARAMS.grid, low, uvec3(extent));
  }
  if (!near) {
    near = any_in_cells(WalkSet(sample_cell_buffer, sorted_sample_buffer, true, chunk.body_first, chunk.body_count, 0)
                            TEXEL_VIEWS(sample_cell_texels, sorted_sample_texels),
                        PARAMS.sample_grid, low, uvec3(extent));
  }
  // Samples of a body that is held outside the domain are none.
  chunk_buffer.at[c].near = near && first_sample.w != kNoBody ? 1 : 0;
}
