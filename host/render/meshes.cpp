#include "host/render/meshes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/units.h"

namespace sluice::render {
namespace {

constexpr double kCrease = 0.766;  // cosine of 40 degrees
// Of rigid bodies in turn, so that neighbours in a stack differ.
constexpr gpu::vec4 kBodies[] = {{0.80f, 0.47f, 0.33f, 1}, {0.45f, 0.58f, 0.40f, 1}, {0.87f, 0.71f, 0.40f, 1},
                                 {0.47f, 0.45f, 0.60f, 1}, {0.69f, 0.36f, 0.42f, 1}, {0.38f, 0.55f, 0.58f, 1},
                                 {0.73f, 0.60f, 0.48f, 1}};
constexpr gpu::vec4 kObstacle{0.78f, 0.72f, 0.64f, 1}, kContainer{0.84f, 0.86f, 0.89f, 0};

Mesh upload_mesh(vulkan::Device& device, const io::TriangleMesh& mesh, Vec3 origin) {
  const std::vector<gpu::vec4> corners = with_normals(mesh, origin);
  Mesh out{vulkan::Buffer<gpu::vec4>(device, corners.size()), static_cast<std::uint32_t>(corners.size() / 2)};
  upload<gpu::vec4>(device, out.vertices, corners);
  return out;
}

}  // namespace

std::vector<gpu::vec4> with_normals(const io::TriangleMesh& mesh, Vec3 origin) {
  std::vector<Vec3> face;  // twice the area long
  std::vector<std::vector<std::uint32_t>> around(mesh.vertices.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    face.push_back(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
    for (const std::uint32_t v : {a, b, c}) around[v].push_back(t);
  }
  std::vector<gpu::vec4> corners;
  corners.reserve(6 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t]) {
      Vec3 normal;
      for (const std::uint32_t other : around[v])
        if (dot(face[t], face[other]) >= kCrease * length(face[t]) * length(face[other])) normal = normal + face[other];
      const double size = length(normal);
      corners.push_back(packed(mesh.vertices[v] - origin));
      corners.push_back(packed(size > 0 ? (1 / size) * normal : Vec3{0, 1, 0}));
    }
  return corners;
}

Pieces make_pieces(vulkan::Device& device, const Scene& scene, const io::SamplingReport& report) {
  Pieces out;
  const auto rigid = static_cast<std::uint32_t>(scene.rigid.size());
  std::vector<std::uint32_t> mesh_of(scene.shapes.size(), ~0u);
  for (std::uint32_t b = 0; b < rigid; ++b) {
    const RigidBody& body = scene.rigid[b];
    if (mesh_of[body.shape] == ~0u) {
      mesh_of[body.shape] = static_cast<std::uint32_t>(out.meshes.size());
      out.meshes.push_back(upload_mesh(device, report.shape_meshes[body.shape], body.center_of_mass));
    }
    out.pieces.push_back({mesh_of[body.shape], 3 * b, kBodies[b % std::size(kBodies)], true, false});
  }
  for (std::uint32_t b = 0; b < report.boundary_meshes.size(); ++b) {
    const io::BoundaryMesh& boundary = report.boundary_meshes[b];
    const bool inwards = io::inspect_mesh(boundary.mesh).volume < 0;
    out.pieces.push_back({static_cast<std::uint32_t>(out.meshes.size()), 3 * (rigid + b),
                          boundary.container ? kContainer : kObstacle, false, boundary.container});
    io::TriangleMesh mesh = boundary.mesh;
    if (inwards)
      for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    out.meshes.push_back(upload_mesh(device, mesh, {}));
  }
  return out;
}

}  // namespace sluice::render
