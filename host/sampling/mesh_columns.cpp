#include "host/sampling/mesh_columns.h"

#include <cmath>
#include <numeric>

namespace sluice::io {
namespace {

constexpr std::size_t kMostEntries = 64;  // of a triangle, on average: where many are wide, columns are wide, too

}  // namespace

MeshColumns make_columns(const TriangleMesh& mesh, const MeshFacts& facts) {
  MeshColumns columns;
  columns.low = facts.low;
  columns.high = facts.high;
  columns.oriented = facts.odd_edges == 0;
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  columns.nx = columns.ny =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(static_cast<double>(count))), 1, 1024);
  for (;; columns.nx = columns.ny = columns.nx / 2) {
    columns.start.assign(columns.nx * columns.ny + 1, 0);
    std::size_t entries = 0;
    for (std::uint32_t t = 0; t < count && (entries <= kMostEntries * count || columns.nx == 1); ++t)
      visit_columns(mesh, columns, t, [&](std::size_t column) { ++columns.start[column], ++entries; });
    if (entries <= kMostEntries * count || columns.nx == 1) break;
  }
  // Ends of the columns, which filling from the back turns into their beginnings.
  std::partial_sum(columns.start.begin(), columns.start.end(), columns.start.begin());
  columns.triangles.resize(columns.start.back());
  for (std::uint32_t t = 0; t < count; ++t)
    visit_columns(mesh, columns, t, [&](std::size_t column) { columns.triangles[--columns.start[column]] = t; });
  return columns;
}

bool inside_mesh(const TriangleMesh& mesh, const MeshColumns& columns, Vec3 p) {
  if (p.x < columns.low.x || p.x > columns.high.x || p.y < columns.low.y || p.y > columns.high.y ||
      p.z < columns.low.z || p.z > columns.high.z)
    return false;
  int winding = 0, crossings = 0;
  visit_crossings(mesh, columns, p.x, p.y, [&](std::uint32_t, double z, int sign) {
    if (z <= p.z) return;
    ++crossings;
    winding += sign;
  });
  return columns.oriented ? winding != 0 : crossings % 2 == 1;
}

}  // namespace sluice::io
