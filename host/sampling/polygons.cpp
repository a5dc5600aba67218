#include "host/sampling/polygons.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sluice::io {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

struct Point {
  double x, y;
};

// Sign of a sum of terms, each exact: an expansion that grows by one term at a time (Shewchuk 1997).
int sign_of_sum(const std::array<double, 12>& terms) {
  std::array<double, 12> parts{};
  std::size_t count = 0;
  for (double sum : terms) {
    for (std::size_t i = 0; i < count; ++i) {
      const double a = sum, b = parts[i];
      sum = a + b;
      const double other = sum - a;
      parts[i] = (a - (sum - other)) + (b - other);
    }
    parts[count++] = sum;
  }
  for (std::size_t i = count; i-- > 0;)
    if (parts[i] != 0) return parts[i] > 0 ? 1 : -1;
  return 0;
}

// 1 where c lies left of the line from a to b, -1 right of it, 0 on it. Exact.
int side_of(Point a, Point b, Point c) {
  const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x), difference = left - right;
  constexpr double kRounding = 3.3306690738754716e-16;  // of the products, in `difference`
  if (std::fabs(difference) > kRounding * (std::fabs(left) + std::fabs(right))) return difference > 0 ? 1 : -1;
  std::array<double, 12> terms;
  std::size_t n = 0;
  const auto add_product = [&](double x, double y) {
    const double product = x * y;
    terms[n++] = std::fma(x, y, -product);
    terms[n++] = product;
  };
  add_product(a.x, b.y);
  add_product(-a.y, b.x);
  add_product(b.x, c.y);
  add_product(-b.y, c.x);
  add_product(c.x, a.y);
  add_product(-c.y, a.x);
  return sign_of_sum(terms);
}

bool same(Point a, Point b) { return a.x == b.x && a.y == b.y; }

// Whether q lies on the segment from a to b, neither end included.
bool on_segment(Point a, Point b, Point q) {
  if (same(q, a) || same(q, b)) return false;
  const auto between = [](double u, double v, double w) { return std::min(u, v) <= w && w <= std::max(u, v); };
  return between(a.x, b.x, q.x) && between(a.y, b.y, q.y) && side_of(a, b, q) == 0;
}

// Whether the segment from u to v meets the inside of a triangle that turns left: no side, nor the segment's own line,
// separates them.
bool enters(Point u, Point v, const std::array<Point, 3>& t) {
  if (std::max(u.x, v.x) <= std::min({t[0].x, t[1].x, t[2].x}) ||
      std::min(u.x, v.x) >= std::max({t[0].x, t[1].x, t[2].x}) ||
      std::max(u.y, v.y) <= std::min({t[0].y, t[1].y, t[2].y}) ||
      std::min(u.y, v.y) >= std::max({t[0].y, t[1].y, t[2].y}))
    return false;
  for (int k = 0; k < 3; ++k)
    if (side_of(t[k], t[(k + 1) % 3], u) <= 0 && side_of(t[k], t[(k + 1) % 3], v) <= 0) return false;
  if (same(u, v)) return true;
  const int a = side_of(u, v, t[0]), b = side_of(u, v, t[1]), c = side_of(u, v, t[2]);
  return !(a <= 0 && b <= 0 && c <= 0) && !(a >= 0 && b >= 0 && c >= 0);
}

// Twice the area, along the normal. Relative to a corner: a polygon far away loses no digits.
Vec3 newell_normal(std::span<const Vec3> corners) {
  Vec3 sum;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum = sum + cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  return sum;
}

// The corners seen along the axis nearest to the normal, so that the polygon turns left. Leaves coordinates as they
// are: what is straight or touches stays so.
std::vector<Point> seen_along(Vec3 normal, std::span<const Vec3> corners) {
  const double x = std::fabs(normal.x), y = std::fabs(normal.y), z = std::fabs(normal.z);
  const int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
  const double along = axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z;
  std::vector<Point> points;
  points.reserve(corners.size());
  for (const Vec3& c : corners) {
    Point p = axis == 0 ? Point{c.y, c.z} : axis == 1 ? Point{c.z, c.x} : Point{c.x, c.y};
    if (along < 0) std::swap(p.x, p.y);
    points.push_back(p);
  }
  return points;
}

struct Box {
  Point low{1e300, 1e300}, high{-1e300, -1e300};
};

Box box_of(Point a, Point b) {
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

Box box_around(const Box& a, const Box& b) {
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y)}};
}

bool meet(const Box& a, const Box& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

// Ring of the corners that are still to be cut, with a tree of boxes over its edges: neighbours along the ring are
// near each other, so an ear meets few of them.
struct Ring {
  const std::vector<Point>& points;
  std::vector<std::uint32_t> before, after;
  std::size_t left = 0;
  std::size_t leaves = 1;  // a power of two
  std::vector<Box> boxes;  // [leaves + i] holds the edge from corner i to the next, [i] the boxes [2 i] and [2 i + 1]
};

void set_box(Ring& ring, std::uint32_t corner, const Box& box) {
  std::size_t i = ring.leaves + corner;
  ring.boxes[i] = box;
  for (i /= 2; i > 0; i /= 2) ring.boxes[i] = box_around(ring.boxes[2 * i], ring.boxes[2 * i + 1]);
}

Ring make_ring(const std::vector<Point>& points) {
  const auto count = static_cast<std::uint32_t>(points.size());
  Ring ring{points, std::vector<std::uint32_t>(count), std::vector<std::uint32_t>(count), count, 1, {}};
  while (ring.leaves < count) ring.leaves *= 2;
  ring.boxes.resize(2 * ring.leaves);
  for (std::uint32_t i = 0; i < count; ++i) {
    ring.before[i] = (i + count - 1) % count;
    ring.after[i] = (i + 1) % count;
    ring.boxes[ring.leaves + i] = box_of(points[i], points[ring.after[i]]);
  }
  for (std::size_t i = ring.leaves; --i > 0;) ring.boxes[i] = box_around(ring.boxes[2 * i], ring.boxes[2 * i + 1]);
  return ring;
}

void take_out(Ring& ring, std::uint32_t corner) {
  const std::uint32_t from = ring.before[corner], to = ring.after[corner];
  ring.after[from] = to;
  ring.before[to] = from;
  set_box(ring, corner, {});
  set_box(ring, from, box_of(ring.points[from], ring.points[to]));
  --ring.left;
}

// Calls visit(corner) for edges, by their first corners, whose boxes meet `box`; until it returns false.
template <class Visit>
void visit_edges(const Ring& ring, const Box& box, Visit visit) {
  std::uint32_t due[64] = {1};
  int count = 1;
  while (count > 0) {
    const std::uint32_t i = due[--count];
    if (!meet(ring.boxes[i], box)) continue;
    if (i >= ring.leaves) {
      if (!visit(static_cast<std::uint32_t>(i - ring.leaves))) return;
    } else {
      due[count++] = 2 * i + 1;
      due[count++] = 2 * i;
    }
  }
}

// Kinds of ears, from the best on. A simple polygon always has one of the first kind; where edges touch, as along
// bridges, one of the next two; the last two are for polygons that cross themselves.
enum class Ear { clean, touched, flat, crossed, any };

bool is_ear(const Ring& ring, std::uint32_t corner, Ear kind) {
  const std::uint32_t from = ring.before[corner], to = ring.after[corner];
  const std::array<Point, 3> t{ring.points[from], ring.points[corner], ring.points[to]};
  const int turn = side_of(t[0], t[1], t[2]);
  if (kind == Ear::any) return true;
  if (kind == Ear::flat) return turn == 0;
  if (turn <= 0) return false;
  if (kind == Ear::crossed) return true;
  bool clear = true;
  visit_edges(ring, box_around(box_of(t[0], t[1]), box_of(t[2], t[2])), [&](std::uint32_t u) {
    if (u == from || u == corner) return true;  // the ear's own
    const Point a = ring.points[u], b = ring.points[ring.after[u]];
    clear = !enters(a, b, t) && !(kind == Ear::clean && on_segment(t[2], t[0], b));
    return clear;
  });
  return clear;
}

PolygonTriangles cut_ears(const std::vector<Point>& points, std::uint32_t first) {
  Ring ring = make_ring(points);
  PolygonTriangles out;
  std::uint32_t corner = first;
  std::size_t tried = 0;
  auto kind = Ear::clean;
  while (ring.left >= 3) {
    const std::uint32_t from = ring.before[corner], to = ring.after[corner];
    if (same(points[from], points[corner]) || same(points[from], points[to])) {
      // A corner that repeats, or an edge there and back.
      take_out(ring, corner);
      corner = from;
      tried = 0;
      continue;
    }
    if (is_ear(ring, corner, kind)) {
      out.triangles.push_back({from, corner, to});
      if (kind >= Ear::crossed) out.crosses_itself = true;
      take_out(ring, corner);
      // Not the next corner: ears all around, rather than a fan of long edges.
      corner = ring.after[to];
      tried = 0;
      kind = Ear::clean;
      continue;
    }
    corner = to;
    if (++tried < ring.left) continue;
    tried = 0;
    kind = static_cast<Ear>(static_cast<int>(kind) + 1);
  }
  return out;
}

// Cotangent of the angle at a.
double cotangent(Vec3 a, Vec3 b, Vec3 c) {
  const double sine = length(cross(b - a, c - a)), cosine = dot(b - a, c - a);
  return sine > 0 ? cosine / sine : cosine < 0 ? -1e300 : 1e300;
}

std::uint32_t opposite(const Triangle& t, std::uint32_t a, std::uint32_t b) {
  return t[0] != a && t[0] != b ? t[0] : t[1] != a && t[1] != b ? t[1] : t[2];
}

// Turns diagonals whose opposite angles sum to more than a half turn (Lawson).
void round_off(std::span<const Vec3> corners, const std::vector<Point>& points, std::vector<Triangle>& triangles) {
  using Edge = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Edge, std::uint32_t> face;  // of each directed edge
  std::vector<Edge> due;
  const auto list = [&](std::uint32_t t) {
    for (int k = 0; k < 3; ++k) face[{triangles[t][k], triangles[t][(k + 1) % 3]}] = t;
  };
  for (std::uint32_t t = 0; t < triangles.size(); ++t) list(t);
  for (const auto& [edge, t] : face)
    if (edge.first < edge.second && face.count({edge.second, edge.first})) due.push_back(edge);
  // Rounding might turn the same ones for ever.
  std::size_t turns = 10 * triangles.size() + 100;
  const auto turns_left = [&](const Triangle& t) { return side_of(points[t[0]], points[t[1]], points[t[2]]) > 0; };
  while (!due.empty() && turns > 0) {
    const auto [a, b] = due.back();
    due.pop_back();
    const auto left = face.find({a, b}), right = face.find({b, a});
    if (left == face.end() || right == face.end()) continue;
    const std::uint32_t s = left->second, t = right->second;
    const std::uint32_t c = opposite(triangles[s], a, b), d = opposite(triangles[t], a, b);
    constexpr double kGain = 1e-9;
    if (!(cotangent(corners[c], corners[a], corners[b]) + cotangent(corners[d], corners[a], corners[b]) < -kGain))
      continue;
    const Triangle one{a, d, c}, other{d, b, c};
    if (!turns_left(one) || !turns_left(other) || face.count({c, d}) || face.count({d, c})) continue;
    face.erase(left);
    face.erase(right);
    triangles[s] = one;
    triangles[t] = other;
    list(s);
    list(t);
    due.insert(due.end(), {{a, c}, {c, b}, {b, d}, {d, a}});
    --turns;
  }
}

}  // namespace

PolygonTriangles triangulate(std::span<const Vec3> corners) {
  PolygonTriangles out;
  const std::size_t count = corners.size();
  if (count < 3) return out;
  if (count == 3) {
    out.triangles.push_back({0, 1, 2});
    return out;
  }
  const std::vector<Point> points = seen_along(newell_normal(corners), corners);
  if (count == 4) {
    bool convex = true;
    for (int k = 0; k < 4; ++k) convex = convex && side_of(points[k], points[(k + 1) % 4], points[(k + 2) % 4]) > 0;
    if (convex) {
      const Vec3 one = corners[2] - corners[0], other = corners[3] - corners[1];
      if (dot(one, one) < dot(other, other))
        out.triangles = {{0, 1, 2}, {0, 2, 3}};
      else
        out.triangles = {{0, 1, 3}, {1, 2, 3}};
      return out;
    }
  }
  // From the same corner on wherever a file begins.
  const auto first = std::min_element(points.begin(), points.end(),
                                      [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  out = cut_ears(points, static_cast<std::uint32_t>(first - points.begin()));
  if (!out.crosses_itself) round_off(corners, points, out.triangles);
  return out;
}

}  // namespace sluice::io
