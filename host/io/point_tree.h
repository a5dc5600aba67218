// Points of any density, found again by halving space: where thousands lie in one place, as where the edges of a fan
// meet, the cells of a grid would be long lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "host/io/point_grid.h"
#include "sluice/scene.h"

namespace sluice::io {

struct PointTree {
  std::vector<Vec3> points;          // each half of a range on its side of the point in the middle
  std::vector<std::uint32_t> index;  // of each in the list that was given
  std::vector<std::uint8_t> axis;    // that the point in the middle of a range halves
};

inline constexpr std::size_t kPointsInLeaf = 8;

inline double along(Vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

inline PointTree make_point_tree(const std::vector<Vec3>& points) {
  PointTree tree;
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  tree.axis.assign(points.size(), 0);
  std::vector<std::pair<std::size_t, std::size_t>> due{{0, points.size()}};
  while (!due.empty()) {
    const auto [begin, end] = due.back();
    due.pop_back();
    if (end - begin <= kPointsInLeaf) continue;
    Vec3 low = points[order[begin]], high = low;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3& p = points[order[i]];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const Vec3 size = high - low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
      return along(points[a], axis) < along(points[b], axis);
    });
    tree.axis[middle] = static_cast<std::uint8_t>(axis);
    due.emplace_back(begin, middle);
    due.emplace_back(middle + 1, end);
  }
  tree.points.reserve(points.size());
  for (const std::uint32_t i : order) tree.points.push_back(points[i]);
  tree.index = std::move(order);
  return tree;
}

// Calls visit(index, squared distance) for points, nearer ones early, as long as they may be no farther than `reach2`,
// which visit may make smaller; until it returns false.
template <class Visit>
bool visit_tree(const PointTree& tree, Vec3 p, std::size_t begin, std::size_t end, const double& reach2, Visit& visit) {
  const auto take = [&](std::size_t i) {
    const Vec3 d = tree.points[i] - p;
    return visit(tree.index[i], dot(d, d));
  };
  if (end - begin <= kPointsInLeaf) {
    for (std::size_t i = begin; i < end; ++i)
      if (!take(i)) return false;
    return true;
  }
  const std::size_t middle = begin + (end - begin) / 2;
  const double off = along(p, tree.axis[middle]) - along(tree.points[middle], tree.axis[middle]);
  const bool below = off < 0;
  if (!(below ? visit_tree(tree, p, begin, middle, reach2, visit) : visit_tree(tree, p, middle + 1, end, reach2, visit)))
    return false;
  if (off * off > reach2) return true;
  if (!take(middle)) return false;
  return below ? visit_tree(tree, p, middle + 1, end, reach2, visit) : visit_tree(tree, p, begin, middle, reach2, visit);
}

inline bool any_near(const PointTree& tree, Vec3 p, double radius) {
  const double radius2 = radius * radius;
  auto visit = [&](std::uint32_t, double distance2) { return !(distance2 < radius2); };
  return !visit_tree(tree, p, 0, tree.points.size(), radius2, visit);
}

// As nearest_point of a grid.
inline std::uint32_t nearest_point(const PointTree& tree, Vec3 p, double radius) {
  std::uint32_t found = kNoPoint;
  double best = radius * radius;
  auto visit = [&](std::uint32_t i, double distance2) {
    if (distance2 < best || (distance2 == best && i < found && found != kNoPoint)) {
      best = distance2;
      found = i;
    }
    return true;
  };
  visit_tree(tree, p, 0, tree.points.size(), best, visit);
  return found;
}

}  // namespace sluice::io
