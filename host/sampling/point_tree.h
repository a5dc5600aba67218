// Points of any density, found again by halving space: where thousands lie in one place, as where the edges of a fan
// meet, the cells of a grid would be long lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "host/sampling/point_grid.h"
#include "sluice/scene.h"

namespace sluice::io {

struct PointTree {
  struct Node {
    Vec3 low, high;                    // of the points, m
    std::uint32_t begin = 0, end = 0;  // in `points`
    std::uint32_t halves = 0;          // the first of two nodes; 0 of a leaf
  };
  std::vector<Node> nodes;  // the first holds all
  std::vector<Vec3> points;
  std::vector<std::uint32_t> index;  // of each in the list that was given
};

inline PointTree make_point_tree(const std::vector<Vec3>& points) {
  constexpr std::uint32_t kInLeaf = 8;
  PointTree tree;
  if (points.empty()) return tree;
  std::vector<std::uint32_t>& order = tree.index;
  order.resize(points.size());
  std::iota(order.begin(), order.end(), 0u);
  tree.nodes.push_back({});
  tree.nodes[0].end = static_cast<std::uint32_t>(points.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    PointTree::Node& node = tree.nodes[n];
    const std::uint32_t begin = node.begin, end = node.end;
    Vec3 low = points[order[begin]], high = low;
    for (std::uint32_t i = begin; i < end; ++i) {
      const Vec3& p = points[order[i]];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    node.low = low;
    node.high = high;
    if (end - begin <= kInLeaf) continue;
    const Vec3 size = high - low;
    const auto at = [&](std::uint32_t i) { return order.begin() + i; };
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
      return size.x >= size.y && size.x >= size.z ? points[a].x < points[b].x
             : size.y >= size.z                   ? points[a].y < points[b].y
                                                  : points[a].z < points[b].z;
    });
    node.halves = static_cast<std::uint32_t>(tree.nodes.size());
    PointTree::Node left, right;
    left.begin = begin;
    left.end = right.begin = middle;
    right.end = end;
    tree.nodes.push_back(left);
    tree.nodes.push_back(right);
  }
  tree.points.reserve(points.size());
  for (const std::uint32_t i : order) tree.points.push_back(points[i]);
  return tree;
}

// Never more than that of a point of the node, rounding included.
inline double distance2_to(const PointTree::Node& node, Vec3 p) {
  const auto off = [](double v, double low, double high) { return v < low ? low - v : v > high ? v - high : 0.0; };
  const Vec3 d{off(p.x, node.low.x, node.high.x), off(p.y, node.low.y, node.high.y), off(p.z, node.low.z, node.high.z)};
  return dot(d, d);
}

// Calls visit(index, squared distance) for points that may be no farther than `reach2`, which visit may make smaller;
// until it returns false.
template <class Visit>
void visit_tree(const PointTree& tree, Vec3 p, const double& reach2, Visit visit) {
  if (tree.nodes.empty() || distance2_to(tree.nodes[0], p) > reach2) return;
  struct Due {
    std::uint32_t node;
    double distance2;
  };
  Due due[64] = {{0, 0}};
  int count = 1;
  while (count > 0) {
    const Due next = due[--count];
    if (next.distance2 > reach2) continue;
    const PointTree::Node& node = tree.nodes[next.node];
    if (node.halves == 0) {
      for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const Vec3 d = tree.points[i] - p;
        if (!visit(tree.index[i], dot(d, d))) return;
      }
      continue;
    }
    Due near{node.halves, distance2_to(tree.nodes[node.halves], p)},
        far{node.halves + 1, distance2_to(tree.nodes[node.halves + 1], p)};
    if (far.distance2 < near.distance2) std::swap(near, far);
    if (far.distance2 <= reach2) due[count++] = far;
    if (near.distance2 <= reach2) due[count++] = near;
  }
}

inline bool any_near(const PointTree& tree, Vec3 p, double radius) {
  const double radius2 = radius * radius;
  bool found = false;
  visit_tree(tree, p, radius2, [&](std::uint32_t, double distance2) {
    found = distance2 < radius2;
    return !found;
  });
  return found;
}

// Does what nearest_point of a grid does.
inline std::uint32_t nearest_point(const PointTree& tree, Vec3 p, double radius) {
  std::uint32_t found = kNoPoint;
  double best = radius * radius;
  visit_tree(tree, p, best, [&](std::uint32_t i, double distance2) {
    if (distance2 < best || (distance2 == best && i < found && found != kNoPoint)) {
      best = distance2;
      found = i;
    }
    return true;
  });
  return found;
}

}  // namespace sluice::io
