#include "host/io/triangle_tree.h"

#include <algorithm>

namespace sluice::io {
namespace {

constexpr std::uint32_t kInLeaf = 4;

void widen(Vec3& low, Vec3& high, Vec3 p) {
  low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}

}  // namespace

TriangleTree make_triangle_tree(const TriangleMesh& mesh, const std::vector<Vec3>& inward, double margin) {
  TriangleTree tree;
  std::vector<Vec3> centers(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (length(inward[t]) == 0) continue;
    const auto& [a, b, c] = mesh.triangles[t];
    centers[t] = (1.0 / 3) * (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]);
    tree.triangles.push_back(t);
  }
  if (tree.triangles.empty()) return tree;
  tree.nodes.push_back({});
  tree.nodes[0].end = static_cast<std::uint32_t>(tree.triangles.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    TriangleTree::Node node = tree.nodes[n];
    constexpr double kFar = 1e300;
    node.low = node.inward_low = {kFar, kFar, kFar};
    node.high = node.inward_high = {-kFar, -kFar, -kFar};
    Vec3 low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      const std::uint32_t t = tree.triangles[i];
      for (const std::uint32_t v : mesh.triangles[t]) widen(node.low, node.high, mesh.vertices[v]);
      widen(node.inward_low, node.inward_high, inward[t]);
      widen(low, high, centers[t]);
    }
    const Vec3 wider{margin, margin, margin}, size = high - low;
    node.low = node.low - wider;
    node.high = node.high + wider;
    if (node.end - node.begin > kInLeaf) {
      const auto at = [&](std::uint32_t i) { return tree.triangles.begin() + i; };
      const std::uint32_t middle = node.begin + (node.end - node.begin) / 2;
      std::nth_element(at(node.begin), at(middle), at(node.end), [&](std::uint32_t s, std::uint32_t t) {
        return size.x >= size.y && size.x >= size.z ? centers[s].x < centers[t].x
               : size.y >= size.z                   ? centers[s].y < centers[t].y
                                                    : centers[s].z < centers[t].z;
      });
      node.left = static_cast<std::uint32_t>(tree.nodes.size());
      node.right = node.left + 1;
      TriangleTree::Node left, right;
      left.begin = node.begin;
      left.end = right.begin = middle;
      right.end = node.end;
      tree.nodes.push_back(left);
      tree.nodes.push_back(right);
    }
    tree.nodes[n] = node;
  }
  return tree;
}

}  // namespace sluice::io
