#include "host/sampling/triangle_tree.h"

#include <algorithm>
#include <cmath>

namespace sluice::io {
namespace {

constexpr std::uint32_t kInLeaf = 4;
constexpr double kFar = 1e300;
constexpr double kMostPieces = 256;  // of a triangle

struct Box {
  Vec3 low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
};
void widen(Box& box, Vec3 p) {
  box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
  box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
}
Vec3 center_of(const Box& box) { return 0.5 * (box.low + box.high); }

struct Piece {
  Box box;
  std::uint32_t triangle;
};

// Cuts a triangle across its longest side into pieces of up to `longest`: of long thin ones that lie askew, each box
// would hold most of a fan.
void add_pieces(const TriangleMesh& mesh, std::uint32_t t, double longest, std::vector<Piece>& pieces) {
  const auto at = [&](std::size_t k) { return mesh.vertices[mesh.triangles[t][k % 3]]; };
  std::size_t side = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (length(at(k + 1) - at(k)) > length(at(side + 1) - at(side))) side = k;
  const Vec3 a = at(side), b = at(side + 1), top = at(side + 2), ab = b - a;
  const double square = dot(ab, ab);
  const double count = std::clamp(std::ceil(std::sqrt(square) / longest), 1.0, kMostPieces);
  const double peak = square > 0 ? std::clamp(dot(top - a, ab) / square, 0.0, 1.0) : 0;
  // Point of the two other sides at share s of the way along the longest.
  const auto above = [&](double s) {
    return s < peak ? a + (s / peak) * (top - a) : s < 1 ? b + ((1 - s) / (1 - peak)) * (top - b) : peak < 1 ? b : top;
  };
  for (double k = 0; k < count; ++k) {
    const double from = k / count, to = (k + 1) / count;
    Box box;
    for (const double s : {from, to}) {
      widen(box, a + s * ab);
      widen(box, above(s));
    }
    if (from <= peak && peak <= to) widen(box, top);
    pieces.push_back({box, t});
  }
}

}  // namespace

TriangleTree make_triangle_tree(const TriangleMesh& mesh, const std::vector<Vec3>& inward, double margin,
                                double longest) {
  TriangleTree tree;
  std::vector<Piece> pieces;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (length(inward[t]) > 0) add_pieces(mesh, t, longest, pieces);
  if (pieces.empty()) return tree;
  tree.nodes.push_back({});
  tree.nodes[0].end = static_cast<std::uint32_t>(pieces.size());
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    TriangleTree::Node node = tree.nodes[n];
    Box all, centers, directions;
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      const Piece& piece = pieces[i];
      widen(all, piece.box.low);
      widen(all, piece.box.high);
      widen(centers, center_of(piece.box));
      widen(directions, inward[piece.triangle]);
    }
    const Vec3 wider{margin, margin, margin}, size = centers.high - centers.low;
    node.low = all.low - wider;
    node.high = all.high + wider;
    node.inward_low = directions.low;
    node.inward_high = directions.high;
    if (node.end - node.begin > kInLeaf) {
      const auto at = [&](std::uint32_t i) { return pieces.begin() + i; };
      const std::uint32_t middle = node.begin + (node.end - node.begin) / 2;
      std::nth_element(at(node.begin), at(middle), at(node.end), [&](const Piece& s, const Piece& t) {
        const Vec3 p = center_of(s.box), q = center_of(t.box);
        return size.x >= size.y && size.x >= size.z ? p.x < q.x : size.y >= size.z ? p.y < q.y : p.z < q.z;
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
  for (const Piece& piece : pieces) tree.triangles.push_back(piece.triangle);
  return tree;
}

}  // namespace sluice::io
