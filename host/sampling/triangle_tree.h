// Triangles in boxes in boxes, to be met by rays.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "host/sampling/mesh.h"

namespace sluice::io {

struct TriangleTree {
  struct Node {
    Vec3 low, high;                     // of the triangles, m
    Vec3 inward_low, inward_high;       // of their unit normals
    std::uint32_t begin = 0, end = 0;   // in `triangles`, of a leaf
    std::uint32_t left = 0, right = 0;  // nodes; 0 of a leaf
  };
  std::vector<Node> nodes;  // the first holds all
  std::vector<std::uint32_t> triangles;
};

// `inward` holds a normal a triangle; those with a zero one are left out. `margin`, m, makes the boxes wider. What is
// longer than `longest`, m, has several boxes, so that a visit may meet it several times.
TriangleTree make_triangle_tree(const TriangleMesh& mesh, const std::vector<Vec3>& inward, double margin,
                                double longest = std::numeric_limits<double>::infinity());

// How far along a ray a box begins; more than `reach` where it is missed.
inline double way_to_box(const TriangleTree::Node& node, Vec3 from, Vec3 direction, double reach) {
  constexpr double kMissed = 1e300;
  double first = 0, last = reach;
  const auto cut = [&](double at, double step, double low, double high) {
    if (step == 0) return at >= low && at <= high;
    const double a = (low - at) / step, b = (high - at) / step;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
    return first <= last;
  };
  return cut(from.x, direction.x, node.low.x, node.high.x) && cut(from.y, direction.y, node.low.y, node.high.y) &&
                 cut(from.z, direction.z, node.low.z, node.high.z)
             ? first
             : kMissed;
}

// Calls visit(triangle) for those whose boxes lie nearer to p than the root of `square`, which a visit may lower; those
// of nearer boxes first.
template <class Visit>
void visit_nearer(const TriangleTree& tree, Vec3 p, const double& square, Visit visit) {
  if (tree.nodes.empty()) return;
  const auto gap = [](double at, double low, double high) { return std::max({low - at, at - high, 0.0}); };
  const auto square_to = [&](const TriangleTree::Node& node) {
    const Vec3 d{gap(p.x, node.low.x, node.high.x), gap(p.y, node.low.y, node.high.y),
                 gap(p.z, node.low.z, node.high.z)};
    return dot(d, d);
  };
  std::uint32_t due[64] = {0};
  int count = 1;
  while (count > 0) {
    const TriangleTree::Node& node = tree.nodes[due[--count]];
    if (square_to(node) >= square) continue;
    if (node.left == 0) {
      for (std::uint32_t i = node.begin; i < node.end; ++i) visit(tree.triangles[i]);
      continue;
    }
    const bool left_first = square_to(tree.nodes[node.left]) <= square_to(tree.nodes[node.right]);
    due[count++] = left_first ? node.right : node.left;
    due[count++] = left_first ? node.left : node.right;
  }
}

// Calls visit(triangle) for those whose boxes meet a box.
template <class Visit>
void visit_box(const TriangleTree& tree, Vec3 low, Vec3 high, Visit visit) {
  if (tree.nodes.empty()) return;
  std::uint32_t due[64] = {0};
  int count = 1;
  while (count > 0) {
    const TriangleTree::Node& node = tree.nodes[due[--count]];
    if (node.low.x > high.x || node.high.x < low.x || node.low.y > high.y || node.high.y < low.y ||
        node.low.z > high.z || node.high.z < low.z)
      continue;
    if (node.left == 0) {
      for (std::uint32_t i = node.begin; i < node.end; ++i) visit(tree.triangles[i]);
    } else {
      due[count++] = node.left;
      due[count++] = node.right;
    }
  }
}

// Calls visit(triangle) for those that a ray of length `reach`, which visit may make shorter, may meet, and that may
// face against it: the product of their normal and its direction below `facing`. Until visit returns false.
template <class Visit>
void visit_ray(const TriangleTree& tree, Vec3 from, Vec3 direction, double facing, const double& reach, Visit visit) {
  if (tree.nodes.empty()) return;
  struct Due {
    std::uint32_t node;
    double way;
  };
  const auto due_of = [&](std::uint32_t n) {
    const TriangleTree::Node& node = tree.nodes[n];
    const auto least = [](double d, double low, double high) { return d >= 0 ? d * low : d * high; };
    const bool turned_off = least(direction.x, node.inward_low.x, node.inward_high.x) +
                                least(direction.y, node.inward_low.y, node.inward_high.y) +
                                least(direction.z, node.inward_low.z, node.inward_high.z) >=
                            facing + 1e-9;
    return Due{n, turned_off ? 1e300 : way_to_box(node, from, direction, reach)};
  };
  Due due[64] = {due_of(0)};
  int count = 1;
  while (count > 0) {
    const Due next = due[--count];
    if (next.way > reach) continue;
    const TriangleTree::Node& node = tree.nodes[next.node];
    if (node.left == 0) {
      for (std::uint32_t i = node.begin; i < node.end; ++i)
        if (!visit(tree.triangles[i])) return;
      continue;
    }
    Due near = due_of(node.left), far = due_of(node.right);
    if (far.way < near.way) std::swap(near, far);
    due[count++] = far;
    due[count++] = near;
  }
}

}  // namespace sluice::io
