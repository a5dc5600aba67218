#include "host/sampling/backing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "host/sampling/surface_sampling.h"
#include "host/sampling/triangle_tree.h"

namespace sluice::io {
namespace {

// Bounds of a mesh, in spacings.
constexpr double kLayer = 0.5;  // from the nearest places to the farthest: one layer thick
constexpr double kApart = 0.9;  // of each other
constexpr double kStep = 0.33;  // of the lattice of places tried
// In walls too thin for a layer that far from both faces' samples, from 2.4 spacings on, it stands in the middle
// between them.
constexpr double kBetween = 0.7;  // from the nearest sample
constexpr double kMiddle = 0.55;  // deeper than that sample
constexpr double kEnds = 1.7;     // the solid, behind that layer

std::vector<Vec3> box_backing(const Surface& surface, double h) {
  const Shape& shape = surface.object->shape;
  const double side = surface.container ? 2 * h : -2 * h;
  const Vec3 lengths = boundary_lengths(*surface.object, h) + Vec3{side, side, side};
  if (std::min({lengths.x, lengths.y, lengths.z}) < 0) return {};
  return sample_box(lengths, shape.open, h);
}

Vec3 closest_on_mesh(const TriangleMesh& mesh, const TriangleTree& tree, Vec3 p) {
  double square = std::numeric_limits<double>::infinity();
  Vec3 closest;
  visit_nearer(tree, p, square, [&](std::uint32_t t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const Vec3 q = closest_on_triangle(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], p);
    if (dot(q - p, q - p) >= square) return;
    square = dot(q - p, q - p);
    closest = q;
  });
  return closest;
}

// Whether p lies deep enough behind the sample next to it, in a solid that ends soon behind p.
bool in_thin_wall(const Geometry& geometry, const TriangleTree& tree, Vec3 p, Vec3 sample, double h) {
  const Vec3 in = p - closest_on_mesh(geometry.mesh, tree, p);
  const double depth = length(in);
  if (!(depth - length(sample - closest_on_mesh(geometry.mesh, tree, sample)) > kMiddle * h)) return false;
  return !inside_geometry(geometry, p + (kEnds * h / depth) * in, 0);
}

// Points behind the surface, those nearest to samples of it first: they stand right behind its holes.
std::vector<Vec3> mesh_backing(const Surface& surface, const std::vector<Vec3>& samples, double h, double least) {
  const double most = least + kLayer;
  const PointGrid first = grid_of(samples, most * h);
  const double step = kStep * h;
  std::vector<std::array<std::int64_t, 3>> sites;
  const auto reach = static_cast<std::int64_t>(std::ceil(most / kStep));
  for (const Vec3& p : samples) {
    const std::array<std::int64_t, 3> near{std::llround(p.x / step), std::llround(p.y / step),
                                           std::llround(p.z / step)};
    for (std::int64_t z = -reach; z <= reach; ++z)
      for (std::int64_t y = -reach; y <= reach; ++y)
        for (std::int64_t x = -reach; x <= reach; ++x) {
          const std::array<std::int64_t, 3> site{near[0] + x, near[1] + y, near[2] + z};
          const Vec3 d = Vec3{site[0] * step, site[1] * step, site[2] * step} - p;
          if (dot(d, d) < most * most * h * h && dot(d, d) >= kBetween * kBetween * h * h) sites.push_back(site);
        }
  }
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  const TriangleMesh& mesh = surface.geometry->mesh;
  const TriangleTree tree = make_triangle_tree(mesh, std::vector<Vec3>(mesh.triangles.size(), {1, 0, 0}), 0);
  struct Site {
    double distance2;  // from the nearest sample
    Vec3 position;
  };
  std::vector<Site> behind;
  for (const std::array<std::int64_t, 3>& site : sites) {
    const Vec3 p{site[0] * step, site[1] * step, site[2] * step};
    double nearest2 = most * most * h * h;
    visit_near(first, p, most * h, [&](std::uint32_t, double distance2) {
      nearest2 = std::min(nearest2, distance2);
      return true;
    });
    if (nearest2 < kBetween * kBetween * h * h) continue;
    if (nearest2 < least * least * h * h &&
        (surface.container || !in_thin_wall(*surface.geometry, tree, p, samples[nearest_point(first, p, most * h)], h)))
      continue;
    if (inside_geometry(*surface.geometry, p, 0) != surface.container) behind.push_back({nearest2, p});
  }
  std::stable_sort(behind.begin(), behind.end(),
                   [](const Site& a, const Site& b) { return a.distance2 < b.distance2; });
  PointGrid backing = make_point_grid(h, samples.size());
  for (const Site& site : behind)
    if (!any_near(backing, site.position, kApart * h)) insert_point(backing, site.position);
  return backing.points;
}

}  // namespace

std::vector<Vec3> backing_samples(const Surface& surface, const std::vector<Vec3>& samples, double h, double nearest) {
  if (surface.geometry->shape.kind == ShapeKind::box) return box_backing(surface, h);
  if (!surface.geometry->closed) return {};
  return mesh_backing(surface, samples, h, nearest);
}

}  // namespace sluice::io
