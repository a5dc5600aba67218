#include "host/sampling/mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "host/sampling/obj_reader.h"
#include "host/sampling/polygons.h"
#include "host/sampling/slivers.h"

namespace sluice::io {
namespace {

// Lengths of the mesh that it may lie from its origin: doubles still tell 1e-7 of its length there.
constexpr double kFarthest = 1e9;

bool before(Vec3 a, Vec3 b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); }
bool same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// A mesh in the making: which polygon of the file each triangle is part of; 0 of the file's own triangles.
struct CutMesh {
  TriangleMesh mesh;
  std::vector<std::uint32_t> polygons;
};

// Leaves out triangles with the corners of an earlier one in the same order.
void drop_repeated_faces(CutMesh& cut) {
  TriangleMesh& mesh = cut.mesh;
  std::vector<std::pair<std::array<std::uint32_t, 3>, std::size_t>> faces;  // from the lowest corner on; place
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<std::uint32_t, 3> face = mesh.triangles[t];
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    faces.emplace_back(face, t);
  }
  std::sort(faces.begin(), faces.end());
  std::vector<bool> repeats(faces.size(), false);
  for (std::size_t i = 1; i < faces.size(); ++i) repeats[faces[i].second] = faces[i].first == faces[i - 1].first;
  CutMesh once;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (repeats[t]) continue;
    once.mesh.triangles.push_back(mesh.triangles[t]);
    once.polygons.push_back(cut.polygons[t]);
  }
  once.mesh.repeated = mesh.triangles.size() - once.mesh.triangles.size();
  if (once.mesh.repeated == 0) return;
  once.mesh.vertices = mesh.vertices;
  once.mesh.crossed = mesh.crossed;
  // Two bodies that share a face list it twice, too, and need it.
  if (inspect_mesh(once.mesh).open_edges > inspect_mesh(mesh).open_edges) return;
  cut = std::move(once);
}

// Makes equal vertices one, as exporters split them along texture seams, and leaves out unused ones.
TriangleMesh weld(const ObjFaces& file) {
  const std::vector<Vec3>& vertices = file.vertices;
  std::vector<std::uint32_t> order(vertices.size()), first(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return before(vertices[a], vertices[b]) || (same(vertices[a], vertices[b]) && a < b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeats = i > 0 && same(vertices[order[i]], vertices[order[i - 1]]);
    first[order[i]] = repeats ? first[order[i - 1]] : order[i];
  }
  CutMesh cut;
  TriangleMesh& mesh = cut.mesh;
  constexpr std::uint32_t kUnused = ~0u;
  std::vector<std::uint32_t> index(vertices.size(), kUnused);
  std::vector<Vec3> corners;
  std::uint32_t polygon = 0;
  for (std::size_t face = 0, begin = 0; face < file.ends.size(); begin = file.ends[face++]) {
    corners.clear();
    for (std::size_t i = begin; i < file.ends[face]; ++i) corners.push_back(vertices[file.corners[i]]);
    const PolygonTriangles parts = triangulate(corners);
    mesh.crossed += parts.crosses_itself;
    if (corners.size() > 3) ++polygon;
    for (const auto& part : parts.triangles) {
      std::array<std::uint32_t, 3> triangle;
      for (int k = 0; k < 3; ++k) triangle[k] = first[file.corners[begin + part[k]]];
      if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
      for (std::uint32_t& corner : triangle) {
        if (index[corner] == kUnused) {
          index[corner] = static_cast<std::uint32_t>(mesh.vertices.size());
          mesh.vertices.push_back(vertices[corner]);
        }
        corner = index[corner];
      }
      mesh.triangles.push_back(triangle);
      cut.polygons.push_back(corners.size() > 3 ? polygon : 0);
    }
  }
  drop_repeated_faces(cut);
  if (!mesh.vertices.empty()) turn_slivers(mesh, cut.polygons);
  return std::move(cut.mesh);
}

double extent_of(Vec3 v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

// Where the digits of a coordinate end, the faces do, too.
void check_place(const TriangleMesh& mesh, const ObjFaces& file, const std::filesystem::path& path) {
  const auto [low, high] = bounds_of(mesh);
  const double size = extent_of(high - low), away = std::max(extent_of(low), extent_of(high));
  if (away <= kFarthest * size) return;
  std::size_t farthest = file.corners.front();
  for (const std::uint32_t corner : file.corners)
    if (extent_of(file.vertices[corner]) > extent_of(file.vertices[farthest])) farthest = corner;
  char text[160];
  std::snprintf(
      text, sizeof text,
      "the mesh lies %.3g m from its origin, where a size of %.3g m cannot be told exactly; move it nearer to "
      "its origin and export it again",
      away, size);
  fail_at(path, file.lines[farthest], text);
}

}  // namespace

TriangleMesh parse_obj(const std::string& text, const std::filesystem::path& path) {
  const ObjFaces file = read_obj_faces(text, path);
  TriangleMesh mesh = weld(file);
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += triangle_area(mesh, t);
  if (!(area > 0)) fail_at(path, 0, "no face has an area; repair the mesh and export it again");
  check_place(mesh, file, path);
  return mesh;
}

TriangleMesh read_obj(const std::filesystem::path& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) fail_at(path, 0, "is a folder; name a Wavefront OBJ file");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_at(path, 0, "cannot be opened; mesh paths are relative to the scene file's folder");
  std::string text;
  try {
    text.assign(std::istreambuf_iterator<char>(file), {});
  } catch (const std::ios_base::failure&) {  // the iterators pass on what the stream would keep as bad()
    file.setstate(std::ios_base::badbit);
  }
  if (file.bad()) fail_at(path, 0, "cannot be read to its end; check the disk");
  if (text.empty()) fail_at(path, 0, "is empty; export the mesh again");
  return parse_obj(text, path);
}

double triangle_area(const TriangleMesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  return 0.5 * length(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
}

double triangle_height(const TriangleMesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  const double longest =
      std::max({length(mesh.vertices[b] - mesh.vertices[a]), length(mesh.vertices[c] - mesh.vertices[b]),
                length(mesh.vertices[a] - mesh.vertices[c])});
  return longest > 0 ? 2 * triangle_area(mesh, triangle) / longest : 0;
}

namespace {

Vec3 closest_on_segment(Vec3 a, Vec3 b, Vec3 p) {
  const Vec3 ab = b - a;
  const double square = dot(ab, ab);
  return square > 0 ? a + std::clamp(dot(p - a, ab) / square, 0.0, 1.0) * ab : a;
}

}  // namespace

Vec3 closest_on_triangle(Vec3 a, Vec3 b, Vec3 c, Vec3 p) {
  const Vec3 normal = cross(b - a, c - a);
  const double square = dot(normal, normal);
  if (square > 0) {
    const Vec3 foot = p - (dot(p - a, normal) / square) * normal;
    if (dot(cross(b - a, foot - a), normal) >= 0 && dot(cross(c - b, foot - b), normal) >= 0 &&
        dot(cross(a - c, foot - c), normal) >= 0)
      return foot;
  }
  Vec3 best = closest_on_segment(a, b, p);
  for (const Vec3 other : {closest_on_segment(b, c, p), closest_on_segment(c, a, p)})
    if (dot(other - p, other - p) < dot(best - p, best - p)) best = other;
  return best;
}

std::pair<Vec3, Vec3> bounds_of(const TriangleMesh& mesh) {
  Vec3 low = mesh.vertices.at(0), high = low;
  for (const Vec3& v : mesh.vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  return {low, high};
}

MeshFacts inspect_mesh(const TriangleMesh& mesh) {
  MeshFacts facts;
  std::tie(facts.low, facts.high) = bounds_of(mesh);
  const Vec3 middle = 0.5 * (facts.low + facts.high);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corner = mesh.triangles[t];
    facts.area += triangle_area(mesh, t);
    const Vec3 a = mesh.vertices[corner[0]] - middle, b = mesh.vertices[corner[1]] - middle,
               c = mesh.vertices[corner[2]] - middle;
    facts.volume += dot(a, cross(b, c)) / 6;
  }
  visit_edges(sides_of(mesh), [&](std::span<const MeshSide> sides) {
    const auto forward = static_cast<std::size_t>(
        std::count_if(sides.begin(), sides.end(), [](const MeshSide& side) { return side.forward; }));
    if (sides.size() % 2 == 1)
      ++facts.open_edges;
    else if (2 * forward != sides.size())
      ++facts.odd_edges;
  });
  return facts;
}

std::vector<MeshSide> sides_of(const TriangleMesh& mesh) {
  std::vector<MeshSide> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), t, from < to});
    }
  std::sort(sides.begin(), sides.end(), [](const MeshSide& l, const MeshSide& r) {
    return std::tie(l.a, l.b, l.triangle) < std::tie(r.a, r.b, r.triangle);
  });
  return sides;
}

std::vector<Vec3> face_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals;
  for (const auto& [a, b, c] : mesh.triangles)
    normals.push_back(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
  return normals;
}

}  // namespace sluice::io
