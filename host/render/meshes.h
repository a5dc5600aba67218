// Surfaces of bodies and boundaries as the renderer draws them.
#pragma once

#include <vector>

#include "host/sampling/sampling.h"
#include "host/vulkan/buffer.h"

namespace sluice::render {

// Vertices are a position and a normal each.
struct Mesh {
  vulkan::Buffer<gpu::vec4> corners;  // three vertices a triangle
  vulkan::Buffer<gpu::vec4> edges;    // two vertices a line; none of a mesh that is drawn without
  std::uint32_t corner_count = 0, edge_count = 0;
};

// Normals are means over the faces around a vertex that are less than 40 degrees from one another: curved parts look
// round, edges sharp.
std::vector<gpu::vec4> with_normals(const io::TriangleMesh& mesh, Vec3 origin = {});

// Where faces meet at more than `degrees`, or a face at none.
std::vector<gpu::vec4> edges_of(const io::TriangleMesh& mesh, double degrees);

// What is drawn: a mesh at the place of a body of the drawn state's transforms.
struct Piece {
  std::uint32_t mesh = 0;
  std::uint32_t transform = 0;  // first row
  gpu::vec4 color{};
  bool rigid = false;
  bool container = false;  // only what faces away is drawn, and casts no shadow
  bool filled = true;      // else its edges alone are drawn
};

struct Pieces {
  std::vector<Mesh> meshes;
  std::vector<Piece> pieces;
};
Pieces make_pieces(vulkan::Device& device, const Scene& scene, const io::SamplingReport& report, io::BoundaryLook look);

}  // namespace sluice::render
