#include "host/sampling/creases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace sluice::io {
namespace {

constexpr double kFlat = 0.819;      // cosine of 35 degrees: sides of a round mesh turn less
constexpr double kStraight = 0.707;  // cosine of 45 degrees, between two edges of a crease
constexpr int kSweeps = 200;
constexpr double kClose = 1e-4, kReached = 0.01;  // of the planes' distances: what is left of a shift's error

struct SharpEdge {
  std::uint32_t a, b, triangle;
};

std::vector<SharpEdge> sharp_edges(const TriangleMesh& mesh) {
  const std::vector<MeshSide> sides = sides_of(mesh);
  const std::vector<Vec3> normals = face_normals(mesh);
  std::vector<SharpEdge> sharp;
  visit_edges(sides, [&](std::span<const MeshSide> edge) {
    if (edge.size() != 2) return;
    const Vec3 m = normals[edge[0].triangle], n = normals[edge[1].triangle];
    const double sizes = length(m) * length(n), product = edge[0].forward != edge[1].forward ? dot(m, n) : -dot(m, n);
    if (product < kFlat * sizes) sharp.push_back({edge[0].a, edge[0].b, edge[0].triangle});
  });
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

std::optional<Vec3> shift_onto(const std::vector<MovedPlane>& planes) {
  // Hildreth's method: Gauss-Seidel on the multipliers of the planes, which only push.
  std::vector<double> push(planes.size(), 0);
  Vec3 shift;
  double scale = 0;
  for (const MovedPlane& plane : planes) scale = std::max(scale, std::fabs(plane.distance));
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double change = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const double more = std::max(-push[i], planes[i].distance - dot(planes[i].normal, shift));
      push[i] += more;
      shift = shift + more * planes[i].normal;
      change = std::max(change, std::fabs(more));
    }
    if (change <= kClose * scale) return shift;
  }
  // Nearly parallel planes take long to agree which of them pushes, but not on the shift.
  const bool reached = std::all_of(planes.begin(), planes.end(), [&](const MovedPlane& plane) {
    return dot(plane.normal, shift) >= plane.distance - kReached * scale;
  });
  return reached ? std::optional(shift) : std::nullopt;
}

}  // namespace sluice::io
