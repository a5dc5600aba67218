#include "host/render/meshes.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "engine/units.h"

namespace sluice::render {
namespace {

constexpr double kCrease = 40, kFlat = 1;  // degrees between faces of an edge that is sharp, that is none
// Of rigid bodies in turn, so that neighbours in a stack differ.
constexpr gpu::vec4 kBodies[] = {{0.80f, 0.47f, 0.33f, 1}, {0.45f, 0.58f, 0.40f, 1}, {0.87f, 0.71f, 0.40f, 1},
                                 {0.47f, 0.45f, 0.60f, 1}, {0.69f, 0.36f, 0.42f, 1}, {0.38f, 0.55f, 0.58f, 1},
                                 {0.73f, 0.60f, 0.48f, 1}};
constexpr gpu::vec4 kObstacle{0.78f, 0.72f, 0.64f, 1}, kContainer{0.84f, 0.86f, 0.89f, 0};

double cosine_of(double degrees) { return std::cos(0.017453292519943295 * degrees); }

std::uint32_t upload_vertices(vulkan::Device& device, vulkan::Buffer<gpu::vec4>& to, std::span<const gpu::vec4> from) {
  to = vulkan::Buffer<gpu::vec4>(device, from.size());
  upload<gpu::vec4>(device, to, from);
  return static_cast<std::uint32_t>(from.size() / 2);
}

}  // namespace

std::vector<gpu::vec4> with_normals(const io::TriangleMesh& mesh, Vec3 origin) {
  const std::vector<Vec3> face = io::face_normals(mesh);
  const double crease = cosine_of(kCrease);
  std::vector<std::vector<std::uint32_t>> around(mesh.vertices.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t]) around[v].push_back(t);
  std::vector<gpu::vec4> corners;
  corners.reserve(6 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t]) {
      Vec3 normal;
      for (const std::uint32_t other : around[v])
        if (dot(face[t], face[other]) >= crease * length(face[t]) * length(face[other])) normal = normal + face[other];
      const double size = length(normal);
      corners.push_back(packed(mesh.vertices[v] - origin));
      corners.push_back(packed(size > 0 ? (1 / size) * normal : Vec3{0, 1, 0}));
    }
  return corners;
}

std::vector<gpu::vec4> edges_of(const io::TriangleMesh& mesh, double degrees) {
  const std::vector<Vec3> face = io::face_normals(mesh);
  const double cosine = cosine_of(degrees);
  std::vector<gpu::vec4> lines;
  io::visit_edges(io::sides_of(mesh), [&](std::span<const io::MeshSide> edge) {
    if (edge.size() == 2) {
      const Vec3 a = face[edge[0].triangle], b = face[edge[1].triangle];
      if (dot(a, b) >= cosine * length(a) * length(b)) return;
    }
    for (const std::uint32_t v : {edge[0].a, edge[0].b}) {
      lines.push_back(packed(mesh.vertices[v]));
      lines.push_back({});
    }
  });
  return lines;
}

Pieces make_pieces(vulkan::Device& device, const Scene& scene, const io::SamplingReport& report,
                   io::BoundaryLook look) {
  Pieces out;
  const auto rigid = static_cast<std::uint32_t>(scene.rigid.size());
  std::vector<std::uint32_t> mesh_of(scene.shapes.size(), ~0u);
  for (std::uint32_t b = 0; b < rigid; ++b) {
    const RigidBody& body = scene.rigid[b];
    if (mesh_of[body.shape] == ~0u) {
      mesh_of[body.shape] = static_cast<std::uint32_t>(out.meshes.size());
      Mesh& mesh = out.meshes.emplace_back();
      mesh.corner_count =
          upload_vertices(device, mesh.corners, with_normals(report.shape_meshes[body.shape], body.center_of_mass));
    }
    out.pieces.push_back({mesh_of[body.shape], 3 * b, kBodies[b % std::size(kBodies)], true});
  }
  if (look == io::BoundaryLook::hidden) return out;
  for (std::uint32_t b = 0; b < report.boundary_meshes.size(); ++b) {
    const io::BoundaryMesh& boundary = report.boundary_meshes[b];
    const io::MeshFacts facts = io::inspect_mesh(boundary.mesh);
    const bool inwards = facts.open_edges == 0 && facts.volume < 0;
    out.pieces.push_back({static_cast<std::uint32_t>(out.meshes.size()), 3 * (rigid + b),
                          boundary.container ? kContainer : kObstacle, false, boundary.container,
                          look == io::BoundaryLook::cut});
    io::TriangleMesh mesh = boundary.mesh;
    if (inwards)
      for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    Mesh& uploaded = out.meshes.emplace_back();
    if (look == io::BoundaryLook::cut)
      uploaded.corner_count = upload_vertices(device, uploaded.corners, with_normals(mesh));
    if (look == io::BoundaryLook::wires || boundary.container)
      uploaded.edge_count =
          upload_vertices(device, uploaded.edges, edges_of(mesh, look == io::BoundaryLook::wires ? kFlat : kCrease));
  }
  return out;
}

}  // namespace sluice::render
