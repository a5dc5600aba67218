#version 460
#extension GL_GOOGLE_include_directive : require
// Which chunks of rigid samples may have foreign neighbours: a cell in or next to the box of their cells holds fluid,
// a boundary or another body. The samples of all others need no search.
#include "lib/cell_walk.glsl"
#include "lib/workgroup.glsl"

layout(push_constant, scalar) uniform Push { NearChunksArgs args; };

const int kWidestBox = 8;  // cells; chunks that lie scattered are searched without a look

void main() {
  uint c = thread_index();
  if (c * kChunk >= CONTROL(args.control).samples) return;
  Chunk chunk = args.chunks.at[c];
  // From the first sample's cell on, so that the end of the coordinates is no border.
  uvec4 first_sample = GATHER4(sample_texels, args.samples, c * kChunk);
  uvec3 first = first_sample.xyz >> kCellShift;
  ivec3 least = ivec3(0), most = ivec3(0);
  for (uint k = 1; k < chunk.count; ++k) {
    uvec3 cell = GATHER4(sample_texels, args.samples, c * kChunk + k).xyz >> kCellShift;
    ivec3 offset = ivec3((cell - first) << kCellShift) >> kCellShift;
    least = min(least, offset);
    most = max(most, offset);
  }
  ivec3 extent = most - least + 3;
  bool near = extent.x > kWidestBox || extent.y > kWidestBox || extent.z > kWidestBox;
  uvec3 low = first + uvec3(least - 1);
  if (!near && chunk.kind == kChunkMoves && CONTROL(args.control).boundary_particles > 0) {
    near = any_in_cells(WalkSet(args.boundary_cells, args.samples, false, 0, 0, 0)
                            TEXEL_VIEWS(boundary_cell_texels, sample_texels),
                        PARAMS(args.params).boundary_grid, low, uvec3(extent));
  }
  if (!near && chunk.kind != kChunkCarriers && CONTROL(args.control).particles > 0) {
    near = any_in_cells(WalkSet(args.cells, args.samples, false, 0, 0, 0) TEXEL_VIEWS(cell_texels, sample_texels),
                        PARAMS(args.params).grid, low, uvec3(extent));
  }
  if (!near) {
    near = any_in_cells(WalkSet(args.sample_cells, args.sorted_samples, true, chunk.body_first, chunk.body_count, 0)
                            TEXEL_VIEWS(sample_cell_texels, sorted_sample_texels),
                        PARAMS(args.params).sample_grid, low, uvec3(extent));
  }
  // Samples of a body that is held outside the domain are none.
  args.chunks.at[c].near = near && first_sample.w != kNoBody ? 1 : 0;
}
