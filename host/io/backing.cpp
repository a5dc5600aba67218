#include "host/io/backing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/io/surface_sampling.h"

namespace sluice::io {
namespace {

// In spacings, from the nearest sample of the first layer, whose holes reach up to 0.95 from a sample: at least 0.5
// below the surface, about one on average, and a layer thick.
constexpr double kNearest = 1.1;
constexpr double kFarthest = 2.0;

std::vector<Vec3> box_backing(const Surface& surface, double h) {
  const Shape& shape = surface.object->shape;
  const double side = surface.container ? 2 * h : -2 * h;
  const Vec3 lengths = boundary_lengths(*surface.object, h) + Vec3{side, side, side};
  if (std::min({lengths.x, lengths.y, lengths.z}) < 0) return {};
  return sample_box(lengths, shape.open, h);
}

// Points of a cubic lattice on the solid side, a layer thick.
std::vector<Vec3> mesh_backing(const Surface& surface, const std::vector<Vec3>& samples, double h) {
  const PointGrid first = grid_of(samples, 2 * kFarthest * h);
  std::vector<std::array<std::int64_t, 3>> sites;
  const auto reach = static_cast<std::int64_t>(std::ceil(kFarthest));
  for (const Vec3& p : samples) {
    const std::array<std::int64_t, 3> near{std::llround(p.x / h), std::llround(p.y / h), std::llround(p.z / h)};
    for (std::int64_t z = -reach; z <= reach; ++z)
      for (std::int64_t y = -reach; y <= reach; ++y)
        for (std::int64_t x = -reach; x <= reach; ++x) {
          const std::array<std::int64_t, 3> site{near[0] + x, near[1] + y, near[2] + z};
          const Vec3 d = Vec3{site[0] * h, site[1] * h, site[2] * h} - p;
          if (dot(d, d) < kFarthest * kFarthest * h * h) sites.push_back(site);
        }
  }
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  std::vector<Vec3> backing;
  for (const std::array<std::int64_t, 3>& site : sites) {
    const Vec3 p{site[0] * h, site[1] * h, site[2] * h};
    if (any_near(first, p, kNearest * h)) continue;
    if (inside_geometry(*surface.geometry, p, 0) != surface.container) backing.push_back(p);
  }
  return backing;
}

}  // namespace

std::vector<Vec3> backing_samples(const Surface& surface, const std::vector<Vec3>& samples, double h) {
  if (surface.geometry->shape.kind == ShapeKind::box) return box_backing(surface, h);
  if (!surface.geometry->closed) return {};
  return mesh_backing(surface, samples, h);
}

}  // namespace sluice::io
