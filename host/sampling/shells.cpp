#include "host/sampling/shells.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "host/sampling/mesh_columns.h"
#include "host/sampling/triangle_tree.h"

namespace sluice::io {
namespace {

constexpr double kTouching = 1e-12;  // of the mesh's length, between surfaces
constexpr double kNoOverlap = 1e-9;  // of the mesh's volume: rounding where parts only touch

struct Parts {
  std::vector<std::uint32_t> of;  // part of each triangle
  std::uint32_t count = 0;
};

// Triangles that share edges.
Parts parts_of(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> root(mesh.triangles.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t t) {
    while (root[t] != t) t = root[t] = root[root[t]];
    return t;
  };
  visit_edges(sides_of(mesh), [&](std::span<const MeshSide> edge) {
    for (const MeshSide& side : edge) {
      const std::uint32_t a = find(edge[0].triangle), b = find(side.triangle);
      root[std::max(a, b)] = std::min(a, b);
    }
  });
  Parts parts;
  parts.of.resize(root.size());
  for (std::uint32_t t = 0; t < root.size(); ++t) parts.of[t] = root[t] == t ? parts.count++ : parts.of[find(t)];
  return parts;
}

struct Corners {
  Vec3 at[3];
};

// Whether an axis has all of one triangle before all of the other.
bool apart_along(Vec3 axis, const Corners& s, const Corners& t, double gap) {
  const double size = length(axis);
  if (!(size > 0)) return false;
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
  for (int k = 0; k < 3; ++k) {
    const double u = dot(axis, s.at[k]), v = dot(axis, t.at[k]);
    low[0] = std::min(low[0], u), high[0] = std::max(high[0], u);
    low[1] = std::min(low[1], v), high[1] = std::max(high[1], v);
  }
  return low[1] - high[0] > gap * size || low[0] - high[1] > gap * size;
}

bool apart(const Corners& s, const Corners& t, double gap) {
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    if (apart_along(axis, s, t, gap)) return true;
  const Vec3 edges[2][3] = {{s.at[1] - s.at[0], s.at[2] - s.at[1], s.at[0] - s.at[2]},
                            {t.at[1] - t.at[0], t.at[2] - t.at[1], t.at[0] - t.at[2]}};
  const Vec3 normals[2] = {cross(edges[0][0], edges[0][1]), cross(edges[1][0], edges[1][1])};
  for (int i = 0; i < 2; ++i) {
    if (apart_along(normals[i], s, t, gap)) return true;
    for (int k = 0; k < 3; ++k)
      if (apart_along(cross(normals[i], edges[i][k]), s, t, gap)) return true;
  }
  for (const Vec3 a : edges[0])
    for (const Vec3 b : edges[1])
      if (apart_along(cross(a, b), s, t, gap)) return true;
  return false;
}

// Parts of a mesh, and how they turn.
struct Shells {
  const TriangleMesh& mesh;
  const MeshColumns& columns;
  Parts parts;
  Vec3 middle;
  double gap = 0;                                     // m
  TriangleTree tree;                                  // with boxes that much wider
  std::vector<std::vector<std::uint32_t>> triangles;  // of each part
  std::vector<double> volume;
  std::vector<int> turn;  // 1, or -1 where a part is to be turned
};

Corners corners_of(const Shells& shells, std::uint32_t t) {
  const auto& [a, b, c] = shells.mesh.triangles[t];
  const auto& v = shells.mesh.vertices;
  return {{v[a] - shells.middle, v[b] - shells.middle, v[c] - shells.middle}};
}

bool touches_another(const Shells& shells, std::uint32_t part) {
  for (const std::uint32_t t : shells.triangles[part]) {
    const Corners corners = corners_of(shells, t);
    const auto& [a, b, c] = shells.mesh.triangles[t];
    const Vec3 u = shells.mesh.vertices[a], v = shells.mesh.vertices[b], w = shells.mesh.vertices[c];
    const Vec3 low{std::min({u.x, v.x, w.x}), std::min({u.y, v.y, w.y}), std::min({u.z, v.z, w.z})};
    const Vec3 high{std::max({u.x, v.x, w.x}), std::max({u.y, v.y, w.y}), std::max({u.z, v.z, w.z})};
    bool found = false;
    visit_box(shells.tree, low, high, [&](std::uint32_t other) {
      found = found || (shells.parts.of[other] != part && !apart(corners, corners_of(shells, other), shells.gap));
    });
    if (found) return true;
  }
  return false;
}

// How often the other parts enclose this one, whose surface they do not touch.
int depth_of(const Shells& shells, std::uint32_t part) {
  const Vec3 p = shells.mesh.vertices[shells.mesh.triangles[shells.triangles[part].front()][0]];
  int depth = 0;
  visit_crossings(shells.mesh, shells.columns, p.x, p.y, [&](std::uint32_t t, double z, int sign) {
    if (z > p.z && shells.parts.of[t] != part) depth += sign * shells.turn[shells.parts.of[t]];
  });
  return depth;
}

// Removes and turns the parts whose surfaces touch no other.
void sort_out(TriangleMesh& mesh, const MeshFacts& facts, ShellFacts& out) {
  const MeshColumns columns = make_columns(mesh, facts);
  Shells shells{mesh, columns, parts_of(mesh)};
  const std::uint32_t count = shells.parts.count;
  if (count < 2) return;
  shells.middle = 0.5 * (facts.low + facts.high);
  const Vec3 size = facts.high - facts.low;
  shells.gap = kTouching * std::max({size.x, size.y, size.z});
  shells.tree = make_triangle_tree(mesh, std::vector<Vec3>(mesh.triangles.size(), {1, 0, 0}), shells.gap);
  shells.triangles.resize(count);
  shells.volume.assign(count, 0);
  shells.turn.assign(count, 1);
  const double sign = facts.volume < 0 ? -1 : 1;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const Corners c = corners_of(shells, t);
    shells.triangles[shells.parts.of[t]].push_back(t);
    shells.volume[shells.parts.of[t]] += sign * dot(c.at[0], cross(c.at[1], c.at[2])) / 6;
  }
  // The larger first: what lies in others is smaller.
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::fabs(shells.volume[a]) > std::fabs(shells.volume[b]);
  });
  std::vector<bool> hidden(count, false);
  for (const std::uint32_t part : order) {
    const int depth = (sign < 0 ? -1 : 1) * depth_of(shells, part);
    const bool outwards = shells.volume[part] >= 0;
    if (outwards ? depth == 0 : depth == 1) continue;
    if (depth < 0 || touches_another(shells, part)) continue;
    if (!outwards && depth == 0)
      shells.turn[part] = -1, ++out.turned;
    else
      hidden[part] = true, ++out.hidden;
  }
  if (out.hidden + out.turned == 0) return;
  std::vector<std::array<std::uint32_t, 3>> left;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    if (hidden[shells.parts.of[t]]) continue;
    left.push_back(mesh.triangles[t]);
    if (shells.turn[shells.parts.of[t]] < 0) std::swap(left.back()[1], left.back()[2]);
  }
  mesh.triangles = std::move(left);
}

struct Region {
  double x0, x1, y0, y1;
};

// Adds what the rays through a region find; the region that they found.
Region add_rays(const TriangleMesh& mesh, const MeshColumns& columns, double sign, Vec3 middle, Region region,
                std::uint32_t rays, Moments& moments) {
  Region found{1e300, -1e300, 1e300, -1e300};
  const double share = (region.x1 - region.x0) * (region.y1 - region.y0) / rays;
  std::vector<std::pair<double, int>> crossings;
  for (std::uint32_t i = 1; i <= rays; ++i) {
    // The plastic-number sequence: even, and along no line.
    const double x = region.x0 + (region.x1 - region.x0) * ((i * 3242174889u) / 4294967296.0);
    const double y = region.y0 + (region.y1 - region.y0) * ((i * 2447445414u) / 4294967296.0);
    crossings.clear();
    visit_crossings(mesh, columns, x, y, [&](std::uint32_t, double z, int up) { crossings.emplace_back(z, up); });
    std::sort(crossings.begin(), crossings.end());
    int winding = 0;
    for (std::size_t k = 0; k + 1 < crossings.size(); ++k) {
      winding -= (sign < 0 ? -1 : 1) * crossings[k].second;
      const int more = winding - (winding != 0);
      const double z0 = crossings[k].first - middle.z, z1 = crossings[k + 1].first - middle.z;
      if (more == 0 || !(z1 > z0)) continue;
      found = {std::min(found.x0, x), std::max(found.x1, x), std::min(found.y0, y), std::max(found.y1, y)};
      const double u = x - middle.x, v = y - middle.y, part = more * share * (z1 - z0), mean = (z0 + z1) / 2;
      moments.zeroth += part;
      moments.first = moments.first + part * Vec3{u, v, mean};
      const double second[6] = {u * u, v * v, (z0 * z0 + z0 * z1 + z1 * z1) / 3, u * v, u * mean, v * mean};
      for (int j = 0; j < 6; ++j) moments.second[j] += part * second[j];
    }
  }
  return found;
}

void measure_excess(const TriangleMesh& mesh, const MeshFacts& facts, ShellFacts& out) {
  constexpr std::uint32_t kRays[] = {1u << 14, 1u << 16, 1u << 19};
  const MeshColumns columns = make_columns(mesh, facts);
  const Vec3 middle = 0.5 * (facts.low + facts.high);
  Region region{facts.low.x, facts.high.x, facts.low.y, facts.high.y};
  for (const std::uint32_t rays : kRays) {
    Moments moments;
    const Region found = add_rays(mesh, columns, facts.volume < 0 ? -1 : 1, middle, region, rays, moments);
    if (std::fabs(moments.zeroth) <= kNoOverlap * std::fabs(facts.volume)) return;
    out.excess = moments;
    out.twice = moments.zeroth;
    // Wider by what lies between rays.
    const double wide = 3 / std::sqrt(static_cast<double>(rays)), x = wide * (region.x1 - region.x0),
                 y = wide * (region.y1 - region.y0);
    region = {std::max(region.x0, found.x0 - x), std::min(region.x1, found.x1 + x), std::max(region.y0, found.y0 - y),
              std::min(region.y1, found.y1 + y)};
  }
}

}  // namespace

ShellFacts unite_shells(TriangleMesh& mesh) {
  ShellFacts out;
  sort_out(mesh, inspect_mesh(mesh), out);
  measure_excess(mesh, inspect_mesh(mesh), out);
  return out;
}

std::vector<std::string> describe_shells(const ShellFacts& shells, double volume, const std::string& about) {
  std::vector<std::string> out;
  if (shells.hidden > 0)
    out.push_back(
        about + " has " +
        (shells.hidden == 1 ? "a part inside another, which is"
                            : std::to_string(shells.hidden) + " parts inside others, which are") +
        " left out, as what they enclose counts once: delete them, or turn their faces inwards if they are cavities");
  if (shells.turned > 0)
    out.push_back(about + " has " +
                  (shells.turned == 1 ? "a part that is" : std::to_string(shells.turned) + " parts that are") +
                  " inside out and beside the others; their faces are flipped: recalculate its normals");
  if (shells.twice < 0)
    out.push_back(
        about +
        " has parts that are inside out and cross others, so its mass may be wrong: recalculate its normals, or "
        "give \"mass\" and \"inertia\"");
  if (shells.twice > 0) {
    char text[160];
    std::snprintf(
        text, sizeof text,
        " has parts that overlap: %.3g m^3, %.2g %% of its volume, are enclosed twice and count once: unite the "
        "parts before the export",
        shells.twice, 100 * std::fabs(shells.twice / volume));
    out.push_back(about + text);
  }
  return out;
}

}  // namespace sluice::io
