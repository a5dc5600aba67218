#include "host/sampling/slivers.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::io {
namespace {

// Of a sliver's height, at most: of the mesh's length (files hold four to seven digits), and of its longest edge.
constexpr double kThin = 5e-4, kSlender = 0.01;
constexpr double kAgrees = 0.97;  // cosine of 14 degrees: a face turns by less
// Of its area and volume that a mesh may change: the narrow sides of a thin sheet are no slivers, but as thin.
constexpr double kChange = 1e-3;

using Edge = std::pair<std::uint32_t, std::uint32_t>;  // the lower index first
using Triangle = std::array<std::uint32_t, 3>;

struct Turning {
  TriangleMesh& mesh;
  std::vector<std::uint32_t>& polygons;
  double thin = 0;                                   // m
  std::map<Edge, std::vector<std::uint32_t>> faces;  // of each edge
};

Vec3 normal_of(const TriangleMesh& mesh, const Triangle& t) {  // twice the area long
  return cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

struct Shape {
  Triangle corners;                // from the one opposite the longest edge on
  double longest = 0, height = 0;  // m, of that edge and over it
};

Shape shape_of(const TriangleMesh& mesh, Triangle t) {
  Shape shape{t};
  for (int k = 0; k < 3; ++k) {
    std::rotate(t.begin(), t.begin() + 1, t.end());
    const double size = length(mesh.vertices[t[2]] - mesh.vertices[t[1]]);
    if (size > shape.longest) shape = {t, size};
  }
  if (shape.longest > 0) shape.height = length(normal_of(mesh, t)) / shape.longest;
  return shape;
}

bool is_sliver(const Turning& turning, std::uint32_t triangle) {
  const Shape shape = shape_of(turning.mesh, turning.mesh.triangles[triangle]);
  return shape.height < std::min(turning.thin, kSlender * shape.longest);
}

bool runs_along(const Triangle& t, std::uint32_t from, std::uint32_t to) {
  return (t[0] == from && t[1] == to) || (t[1] == from && t[2] == to) || (t[2] == from && t[0] == to);
}

void replace_face(Turning& turning, std::uint32_t a, std::uint32_t b, std::uint32_t old, std::uint32_t now) {
  std::vector<std::uint32_t>& faces = turning.faces[std::minmax(a, b)];
  std::replace(faces.begin(), faces.end(), old, now);
}

// The other face, where it could be turned: the two that came of them are `face` and that.
std::optional<std::uint32_t> turn(Turning& turning, std::uint32_t face) {
  TriangleMesh& mesh = turning.mesh;
  const Shape sliver = shape_of(mesh, mesh.triangles[face]);
  const auto [m, b, a] = sliver.corners;
  const Edge along = std::minmax(a, b);
  for (const std::uint32_t u : turning.faces[along]) {
    // Where slivers of two faces lie along one edge, each belongs to the face that runs the other way.
    if (u == face || !runs_along(mesh.triangles[u], a, b)) continue;
    // A sliver along a polygon's edge is a narrow part of it, and the polygon's corners are as meant.
    if (turning.polygons[face] != 0 && turning.polygons[face] != turning.polygons[u]) continue;
    std::uint32_t c = a;
    for (const std::uint32_t v : mesh.triangles[u])
      if (v != a && v != b) c = v;
    const auto crossing = turning.faces.find(std::minmax(m, c));
    if (c == m || (crossing != turning.faces.end() && !crossing->second.empty())) continue;
    const Triangle left{m, b, c}, right{m, c, a};
    const Vec3 before = normal_of(mesh, mesh.triangles[u]);
    const auto agrees = [&](const Triangle& t) {
      const Vec3 after = normal_of(mesh, t);
      return dot(before, after) > kAgrees * length(before) * length(after);
    };
    if (!agrees(left) || !agrees(right)) continue;
    if (std::min(shape_of(mesh, left).height, shape_of(mesh, right).height) <= sliver.height) continue;
    mesh.triangles[face] = left;
    mesh.triangles[u] = right;
    if (turning.polygons[face] != turning.polygons[u]) turning.polygons[u] = 0;
    replace_face(turning, b, c, u, face);
    replace_face(turning, a, m, face, u);
    std::erase_if(turning.faces[along], [&](std::uint32_t t) { return t == face || t == u; });
    turning.faces[std::minmax(m, c)] = {face, u};
    return u;
  }
  return std::nullopt;
}

}  // namespace

void turn_slivers(TriangleMesh& mesh, std::vector<std::uint32_t> polygons) {
  polygons.resize(mesh.triangles.size(), 0);
  const auto [low, high] = bounds_of(mesh);
  const std::vector<Triangle> before = mesh.triangles;
  Turning turning{mesh, polygons, kThin * std::max({high.x - low.x, high.y - low.y, high.z - low.z}), {}};
  std::deque<std::uint32_t> due;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (is_sliver(turning, t)) due.push_back(t);
  if (due.empty()) return;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      turning.faces[std::minmax(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3])].push_back(t);
  while (!due.empty()) {
    const std::uint32_t t = due.front();
    due.pop_front();
    if (!is_sliver(turning, t)) continue;
    const std::optional<std::uint32_t> other = turn(turning, t);
    if (!other) continue;
    // What lies along them, and may have waited for this, has its turn again.
    for (const std::uint32_t made : {t, *other})
      for (int k = 0; k < 3; ++k) {
        const Edge edge = std::minmax(mesh.triangles[made][k], mesh.triangles[made][(k + 1) % 3]);
        for (const std::uint32_t beside : turning.faces[edge])
          if (is_sliver(turning, beside)) due.push_back(beside);
      }
  }
  const TriangleMesh untouched{mesh.vertices, before};
  const MeshFacts was = inspect_mesh(untouched), is = inspect_mesh(mesh);
  const auto differ = [](double a, double b) { return std::fabs(a - b) > kChange * std::fabs(a); };
  if (differ(was.area, is.area) || (was.open_edges == 0 && differ(was.volume, is.volume))) mesh.triangles = before;
}

}  // namespace sluice::io
