// Points in cubic cells, found again by hashing integer cell coordinates. Every walk visits points in an order
// that depends only on the points and on the order of their insertion, so sums over neighbours are reproducible.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "sluice/scene.h"

namespace sluice::io {

struct GridCell {
  std::int64_t x, y, z;
  bool operator==(const GridCell&) const = default;
};

struct PointGrid {
  double cell = 1;  // m
  std::vector<Vec3> points;
  std::vector<std::uint32_t> head;  // of each bucket's list: index of a point + 1, 0 ends it
  std::vector<std::uint32_t> next;
};

// `expected` sets the number of buckets; more points than that only make the grid slower.
inline PointGrid make_point_grid(double cell, std::size_t expected) {
  PointGrid grid;
  grid.cell = cell;
  std::size_t buckets = 64;
  while (buckets < 2 * expected) buckets *= 2;
  grid.head.assign(buckets, 0);
  return grid;
}

inline GridCell cell_of(const PointGrid& grid, Vec3 p) {
  return {static_cast<std::int64_t>(std::floor(p.x / grid.cell)),
          static_cast<std::int64_t>(std::floor(p.y / grid.cell)),
          static_cast<std::int64_t>(std::floor(p.z / grid.cell))};
}

inline std::size_t bucket_of(const PointGrid& grid, GridCell c) {
  std::uint64_t key = static_cast<std::uint64_t>(c.x) * 0x9E3779B97F4A7C15u;
  key = (key ^ (key >> 29)) + static_cast<std::uint64_t>(c.y) * 0xC2B2AE3D27D4EB4Fu;
  key = (key ^ (key >> 31)) + static_cast<std::uint64_t>(c.z) * 0x165667B19E3779F9u;
  key *= 0xD6E8FEB86659FD93u;
  return static_cast<std::size_t>(key >> 32) & (grid.head.size() - 1);
}

inline void insert_point(PointGrid& grid, Vec3 p) {
  std::uint32_t& head = grid.head[bucket_of(grid, cell_of(grid, p))];
  grid.next.push_back(head);
  grid.points.push_back(p);
  head = static_cast<std::uint32_t>(grid.points.size());
}

inline PointGrid grid_of(const std::vector<Vec3>& points, double cell) {
  PointGrid grid = make_point_grid(cell, points.size());
  for (const Vec3& p : points) insert_point(grid, p);
  return grid;
}

// Calls visit(index, squared distance) for every point closer than `radius` until it returns false. Cells of twice the
// radius are quickest: at most eight of them are looked at.
template <class Visit>
void visit_near(const PointGrid& grid, Vec3 p, double radius, Visit visit) {
  if (grid.points.empty()) return;
  const Vec3 r{radius, radius, radius};
  const GridCell low = cell_of(grid, p - r), high = cell_of(grid, p + r);
  for (std::int64_t z = low.z; z <= high.z; ++z)
    for (std::int64_t y = low.y; y <= high.y; ++y)
      for (std::int64_t x = low.x; x <= high.x; ++x) {
        const GridCell near{x, y, z};
        for (std::uint32_t i = grid.head[bucket_of(grid, near)]; i != 0; i = grid.next[i - 1]) {
          const Vec3 d = grid.points[i - 1] - p;
          const double distance2 = dot(d, d);
          // Two cells may share a bucket: a point counts only in its own cell.
          if (distance2 < radius * radius && cell_of(grid, grid.points[i - 1]) == near && !visit(i - 1, distance2))
            return;
        }
      }
}

inline bool any_near(const PointGrid& grid, Vec3 p, double radius) {
  bool found = false;
  visit_near(grid, p, radius, [&](std::uint32_t, double) {
    found = true;
    return false;
  });
  return found;
}

// Index of the nearest point closer than `radius` (<= grid.cell), of equal ones the first; kNoPoint if there is none.
inline constexpr std::uint32_t kNoPoint = ~0u;
inline std::uint32_t nearest_point(const PointGrid& grid, Vec3 p, double radius) {
  const GridCell c = cell_of(grid, p);
  // Squared distance along an axis from p to the cells at -1, 0, +1, so that far cells are skipped.
  const auto reach = [&](double value, std::int64_t cell, double out[3]) {
    const double below = value - static_cast<double>(cell) * grid.cell;
    const double above = grid.cell - below;
    // A little less than exact: rounding must not hide a cell.
    out[0] = 0.999999 * below * below;
    out[1] = 0;
    out[2] = 0.999999 * above * above;
  };
  double x2[3], y2[3], z2[3];
  reach(p.x, c.x, x2);
  reach(p.y, c.y, y2);
  reach(p.z, c.z, z2);
  constexpr int kOwnFirst[3] = {0, -1, 1};
  std::uint32_t found = kNoPoint;
  double best = radius * radius;
  for (const int z : kOwnFirst)
    for (const int y : kOwnFirst)
      for (const int x : kOwnFirst) {
        if (x2[x + 1] + y2[y + 1] + z2[z + 1] > best) continue;
        for (std::uint32_t i = grid.head[bucket_of(grid, {c.x + x, c.y + y, c.z + z})]; i != 0; i = grid.next[i - 1]) {
          const Vec3 d = grid.points[i - 1] - p;
          const double distance2 = dot(d, d);
          if (distance2 < best || (distance2 == best && i - 1 < found && found != kNoPoint)) {
            best = distance2;
            found = i - 1;
          }
        }
      }
  return found;
}

}  // namespace sluice::io
