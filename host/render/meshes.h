// Surfaces of bodies and boundaries as the renderer draws them.
#pragma once

#include <vector>

#include "host/io/sampling.h"
#include "host/vulkan/buffer.h"

namespace sluice::render {

struct Mesh {
  vulkan::Buffer<gpu::vec4> vertices;  // position and normal, three a triangle
  std::uint32_t count = 0;
};

// Normals are means over the faces around a vertex that are less than 40 degrees from one another: curved parts look
// round, edges sharp.
std::vector<gpu::vec4> with_normals(const io::TriangleMesh& mesh, Vec3 origin = {});

// What is drawn: a mesh at the place of a body of the drawn state's transforms.
struct Piece {
  std::uint32_t mesh = 0;
  std::uint32_t transform = 0;  // first row
  gpu::vec4 color{};
  bool rigid = false;
  bool container = false;  // only what faces away is drawn, and casts no shadow
};

struct Pieces {
  std::vector<Mesh> meshes;
  std::vector<Piece> pieces;
};
Pieces make_pieces(vulkan::Device& device, const Scene& scene, const io::SamplingReport& report);

}  // namespace sluice::render
