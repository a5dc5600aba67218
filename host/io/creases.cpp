#include "host/io/creases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sluice::io {
namespace {

constexpr double kFlat = 0.819;      // cosine of 35 degrees: sides of a round mesh turn less
constexpr double kStraight = 0.707;  // cosine of 45 degrees, between two edges of a crease
// Of the planes' own weights: too small to move a point by a part in 10^5, enough to choose where planes leave a
// choice.
constexpr double kRidge = 1e-6;

struct SharpEdge {
  std::uint32_t a, b, triangle;
};

Vec3 normal_of(const TriangleMesh& mesh, std::uint32_t triangle) {
  const Vec3 a = mesh.vertices[mesh.triangles[triangle][0]];
  const Vec3 normal =
      cross(mesh.vertices[mesh.triangles[triangle][1]] - a, mesh.vertices[mesh.triangles[triangle][2]] - a);
  const double size = length(normal);
  return size > 0 ? (1 / size) * normal : Vec3{};
}

std::vector<SharpEdge> sharp_edges(const TriangleMesh& mesh) {
  struct Sides {
    std::uint32_t count = 0, triangle[2] = {};
    bool forward[2] = {};  // whether the triangle runs from the lower to the higher index
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Sides> edges;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      Sides& sides = edges[std::minmax(a, b)];
      if (sides.count < 2) {
        sides.triangle[sides.count] = t;
        sides.forward[sides.count] = a < b;
      }
      ++sides.count;
    }
  std::vector<SharpEdge> sharp;
  for (const auto& [ends, sides] : edges) {
    if (sides.count != 2) continue;
    const Vec3 m = normal_of(mesh, sides.triangle[0]), n = normal_of(mesh, sides.triangle[1]);
    if (length(m) == 0 || length(n) == 0) continue;
    const double cosine = sides.forward[0] != sides.forward[1] ? dot(m, n) : -dot(m, n);
    if (cosine < kFlat) sharp.push_back({ends.first, ends.second, sides.triangle[0]});
  }
  return sharp;
}

}  // namespace

std::vector<Crease> creases_of(const TriangleMesh& mesh) {
  const std::vector<SharpEdge> edges = sharp_edges(mesh);
  std::map<std::uint32_t, std::vector<std::uint32_t>> at;  // edges of a vertex
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    at[edges[e].a].push_back(e);
    at[edges[e].b].push_back(e);
  }
  const auto other = [&](std::uint32_t e, std::uint32_t v) { return edges[e].a == v ? edges[e].b : edges[e].a; };
  const auto is_corner = [&](std::uint32_t v) {
    const std::vector<std::uint32_t>& own = at[v];
    if (own.size() != 2) return true;
    const Vec3 to = mesh.vertices[v] - mesh.vertices[other(own[0], v)],
               on = mesh.vertices[other(own[1], v)] - mesh.vertices[v];
    return dot(to, on) < kStraight * length(to) * length(on);
  };
  std::vector<bool> used(edges.size(), false);
  std::vector<Crease> creases;
  const auto follow = [&](std::uint32_t from, std::uint32_t edge) {
    Crease crease{{from}, {}};
    for (std::uint32_t v = from, e = edge; !used[e];) {
      used[e] = true;
      v = other(e, v);
      crease.vertices.push_back(v);
      crease.triangles.push_back(edges[e].triangle);
      if (is_corner(v)) break;
      e = at[v][0] == e ? at[v][1] : at[v][0];
    }
    creases.push_back(std::move(crease));
  };
  for (const auto& [v, own] : at)
    if (is_corner(v))
      for (const std::uint32_t e : own)
        if (!used[e]) follow(v, e);
  for (std::uint32_t e = 0; e < edges.size(); ++e)  // what is left are loops
    if (!used[e]) follow(edges[e].a, e);
  return creases;
}

std::vector<CreasePoint> points_along(const Crease& crease, const TriangleMesh& mesh, const std::vector<Vec3>& shifts,
                                      double step, double least) {
  std::vector<double> along{0};  // m, of each vertex
  const auto moved = [&](std::size_t i) { return mesh.vertices[crease.vertices[i]] + shifts[crease.vertices[i]]; };
  for (std::size_t i = 1; i < crease.vertices.size(); ++i)
    along.push_back(along.back() + length(moved(i) - moved(i - 1)));
  const double total = along.back();
  const bool closed = crease.vertices.front() == crease.vertices.back();
  double cells = std::max(1.0, std::ceil(total / step * (1 - 1e-9)));
  if (cells > 1 && total / cells < least) --cells;
  std::vector<CreasePoint> points;
  std::size_t i = 1;
  for (double k = 0; k <= cells - (closed ? 1 : 0); ++k) {
    const double at = total * (k / cells);
    while (i + 1 < along.size() && along[i] < at) ++i;
    const double edge = along[i] - along[i - 1];
    const double s = edge > 0 ? std::min(1.0, (at - along[i - 1]) / edge) : 0;
    const std::uint32_t a = crease.vertices[i - 1], b = crease.vertices[i];
    const Vec3 shift = (1 - s) * shifts[a] + s * shifts[b];
    points.push_back({(1 - s) * mesh.vertices[a] + s * mesh.vertices[b] + shift, shift, crease.triangles[i - 1]});
  }
  return points;
}

Vec3 shift_onto(const std::vector<MovedPlane>& planes) {
  // Normal equations of least squares: columns of a symmetric matrix.
  Vec3 x{kRidge, 0, 0}, y{0, kRidge, 0}, z{0, 0, kRidge}, right;
  for (const auto& [n, distance] : planes) {
    x = x + n.x * n;
    y = y + n.y * n;
    z = z + n.z * n;
    right = right + distance * n;
  }
  const double determinant = dot(x, cross(y, z));
  return (1 / determinant) * (dot(right, cross(y, z)) * Vec3{1, 0, 0} + dot(x, cross(right, z)) * Vec3{0, 1, 0} +
                              dot(x, cross(y, right)) * Vec3{0, 0, 1});
}

}  // namespace sluice::io
