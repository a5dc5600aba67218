// Faces that lines along z through a mesh meet.
#pragma once

#include <algorithm>
#include <utility>

#include "host/sampling/mesh.h"

namespace sluice::io {

inline std::size_t column_of(double value, double low, double high, std::size_t count) {
  if (!(high > low)) return 0;
  const double at = (value - low) / (high - low) * static_cast<double>(count);
  return at <= 0 ? 0 : at >= static_cast<double>(count) ? count - 1 : static_cast<std::size_t>(at);
}

// Whether the edge, seen along z, crosses the ray from x and y towards +x. Depends on the edge alone, not on the order
// of its ends, so that the faces at an edge agree and no ray slips between them.
inline bool edge_crosses(Vec3 a, Vec3 b, double x, double y) {
  if ((a.y > y) == (b.y > y)) return false;
  if (a.y > b.y) std::swap(a, b);
  return (b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y) > 0;
}

// Calls visit(triangle, z, sign) for the faces that the line through x and y, within the bounding box, crosses; the
// sign is 1 where it leaves the mesh upwards.
template <class Visit>
void visit_crossings(const TriangleMesh& mesh, const MeshColumns& columns, double x, double y, Visit visit) {
  const std::size_t column = column_of(y, columns.low.y, columns.high.y, columns.ny) * columns.nx +
                             column_of(x, columns.low.x, columns.high.x, columns.nx);
  for (std::uint32_t i = columns.start[column]; i < columns.start[column + 1]; ++i) {
    const auto& corner = mesh.triangles[columns.triangles[i]];
    const Vec3 a = mesh.vertices[corner[0]], b = mesh.vertices[corner[1]], c = mesh.vertices[corner[2]];
    if (((edge_crosses(a, b, x, y) + edge_crosses(b, c, x, y) + edge_crosses(c, a, x, y)) & 1) == 0) continue;
    const Vec3 normal = cross(b - a, c - a);
    const double z = normal.z == 0 ? a.z : a.z - (normal.x * (x - a.x) + normal.y * (y - a.y)) / normal.z;
    visit(columns.triangles[i], z, normal.z > 0 ? 1 : -1);
  }
}

// Calls visit(column) for the columns whose lines may cross a triangle.
template <class Visit>
void visit_columns(const TriangleMesh& mesh, const MeshColumns& columns, std::uint32_t triangle, Visit visit) {
  constexpr double kMargin = 1e-9;  // of the mesh's width: rounding must hide no column
  const Vec3 size = columns.high - columns.low;
  Vec3 corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = mesh.vertices[mesh.triangles[triangle][k]] - columns.low;
  // No line crosses a face that lies along it, of which the cap of a cylinder has thousands in one row.
  if ((corner[0].x == corner[1].x && corner[1].x == corner[2].x) ||
      (corner[0].y == corner[1].y && corner[1].y == corner[2].y))
    return;
  const auto [y_low, y_high] = std::minmax({corner[0].y, corner[1].y, corner[2].y});
  const double dy = kMargin * size.y, dx = kMargin * size.x, rows = static_cast<double>(columns.ny);
  const std::size_t y0 = column_of(y_low - dy, 0, size.y, columns.ny),
                    y1 = column_of(y_high + dy, 0, size.y, columns.ny);
  for (std::size_t y = y0; y <= y1; ++y) {
    // The triangle's part in this row.
    const double below = size.y * (static_cast<double>(y) / rows) - dy,
                 above = size.y * (static_cast<double>(y + 1) / rows) + dy;
    double left = size.x, right = 0;
    for (int k = 0; k < 3; ++k) {
      Vec3 a = corner[k], b = corner[(k + 1) % 3];
      if (a.y > b.y) std::swap(a, b);
      if (b.y < below || a.y > above) continue;
      const auto x_at = [&](double at) { return b.y > a.y ? a.x + (b.x - a.x) * ((at - a.y) / (b.y - a.y)) : a.x; };
      const double from = a.y < below ? x_at(below) : a.x, to = b.y > above ? x_at(above) : b.x;
      left = std::min({left, from, to});
      right = std::max({right, from, to});
    }
    const std::size_t x0 = column_of(left - dx, 0, size.x, columns.nx),
                      x1 = column_of(right + dx, 0, size.x, columns.nx);
    for (std::size_t x = x0; x <= x1; ++x) visit(y * columns.nx + x);
  }
}

}  // namespace sluice::io
