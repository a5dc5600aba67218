#include "host/sampling/safe_start.h"

#include <algorithm>
#include <cmath>

#include "host/sampling/rest_volume.h"

namespace sluice::io {
namespace {

constexpr double kTolerance = 1e-6;  // in spacings: rounding must not decide about particles drawn exactly at a limit

constexpr double kMostCells = 4096;  // that one obstacle is listed in

Vec3 to_local(const Surface& surface, Vec3 p) {
  return rotate(inverse(surface.object->rotation), p - surface.position);
}

struct Bounds {
  Vec3 low, high;
};

Bounds bounds_of(const Scene& scene, const FluidBlock& block, double margin) {
  Bounds b{scene.fluid[block.begin].position, scene.fluid[block.begin].position};
  for (std::size_t i = block.begin; i < block.end; ++i) {
    const Vec3& p = scene.fluid[i].position;
    b.low = {std::min(b.low.x, p.x), std::min(b.low.y, p.y), std::min(b.low.z, p.z)};
    b.high = {std::max(b.high.x, p.x), std::max(b.high.y, p.y), std::max(b.high.z, p.z)};
  }
  return {b.low - Vec3{margin, margin, margin}, b.high + Vec3{margin, margin, margin}};
}

bool contains(const Bounds& b, Vec3 p) {
  return p.x >= b.low.x && p.x <= b.high.x && p.y >= b.low.y && p.y <= b.high.y && p.z >= b.low.z && p.z <= b.high.z;
}

}  // namespace

std::uint64_t solid_cell_key(GridCell c) {
  const auto part = [](std::int64_t v) { return static_cast<std::uint64_t>(v) & 0x1FFFFF; };
  return part(c.x) << 42 | part(c.y) << 21 | part(c.z);
}

void fill_solids(const Scene& scene, Solids& solids) {
  const double h = scene.spacing;
  std::vector<double> radii;
  for (const Surface& surface : solids.surfaces)
    if (!surface.container && surface.geometry->closed) radii.push_back(surface.geometry->radius);
  if (!radii.empty()) {
    std::nth_element(radii.begin(), radii.begin() + radii.size() / 2, radii.end());
    solids.cell = std::max(2 * h, 4 * radii[radii.size() / 2]);
  }
  for (std::uint32_t i = 0; i < solids.surfaces.size(); ++i) {
    const Surface& surface = solids.surfaces[i];
    if (surface.container || !surface.geometry->closed) continue;
    const auto index = [&](double v) { return std::floor(v / solids.cell); };
    const Vec3 p = surface.position;
    const double r = surface.geometry->radius;
    const double x0 = index(p.x - r), x1 = index(p.x + r), y0 = index(p.y - r), y1 = index(p.y + r),
                 z0 = index(p.z - r), z1 = index(p.z + r);
    if (!((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) <= kMostCells)) {
      solids.everywhere.push_back(i);
      continue;
    }
    for (double z = z0; z <= z1; ++z)
      for (double y = y0; y <= y1; ++y)
        for (double x = x0; x <= x1; ++x)
          solids.cells.emplace_back(solid_cell_key({static_cast<std::int64_t>(x), static_cast<std::int64_t>(y),
                                                    static_cast<std::int64_t>(z)}),
                                    i);
  }
  std::sort(solids.cells.begin(), solids.cells.end());

  std::size_t count = scene.boundary.size();
  for (const RigidBody& body : scene.rigid) count += scene.shapes[body.shape].samples.size();
  solids.samples = make_point_grid(2 * kRestDistance * h, count);
  for (const BoundarySample& sample : scene.boundary) {
    insert_point(solids.samples, sample.position);
    solids.body.push_back(sample.body);
    solids.weight.push_back(sample.weight);
  }
  for (std::uint32_t b = 0; b < scene.rigid.size(); ++b) {
    const RigidBody& body = scene.rigid[b];
    for (const RigidSample& sample : scene.shapes[body.shape].samples) {
      insert_point(solids.samples, body.position + rotate(body.orientation, sample.position));
      solids.body.push_back(static_cast<std::uint32_t>(scene.bodies.size()) + b);
      solids.weight.push_back(std::min(sample.rest_volume, kMaxWeight));
    }
  }
}

const std::string& solid_name(const Scene& scene, std::uint32_t body) {
  return body < scene.bodies.size() ? scene.bodies[body].name : scene.rigid[body - scene.bodies.size()].name;
}

bool in_obstacle(const Surface& surface, Vec3 p, double margin) {
  if (surface.container || !surface.geometry->closed) return false;
  const Vec3 d = p - surface.position;
  const double radius = surface.geometry->radius;
  return dot(d, d) <= radius * radius && inside_geometry(*surface.geometry, to_local(surface, p), margin);
}

bool in_any_obstacle(const Solids& solids, Vec3 p, double margin) {
  return any_obstacle(solids, p, [&](const Surface& surface) { return in_obstacle(surface, p, margin); });
}

bool in_container(const Surface& surface, Vec3 p, double margin) {
  if (!surface.container || !surface.geometry->closed) return false;
  const Vec3 local = to_local(surface, p);
  const Shape& shape = surface.geometry->shape;
  if (shape.kind != ShapeKind::box) return inside_geometry(*surface.geometry, local, margin);
  const Vec3 half = 0.5 * shape.box;
  switch (shape.open) {
    case Open::none:
      break;
    case Open::x_min:
      if (local.x < -half.x) return true;
      break;
    case Open::x_max:
      if (local.x > half.x) return true;
      break;
    case Open::bottom:
      if (local.y < -half.y) return true;
      break;
    case Open::top:
      if (local.y > half.y) return true;
      break;
    case Open::z_min:
      if (local.z < -half.z) return true;
      break;
    case Open::z_max:
      if (local.z > half.z) return true;
      break;
  }
  return std::abs(local.x) <= half.x + margin && std::abs(local.y) <= half.y + margin &&
         std::abs(local.z) <= half.z + margin;
}

void add_fluid(Scene& scene, FluidBlock& block, const std::vector<Vec3>& centres, std::uint32_t material,
               const Solids& solids, const PointGrid& earlier) {
  const double h = scene.spacing;
  std::vector<const Surface*> containers;
  for (const Surface& surface : solids.surfaces)
    if (surface.container && surface.geometry->closed) containers.push_back(&surface);
  block.begin = scene.fluid.size();
  for (const Vec3& p : centres) {
    const auto holds = [&](const Surface* s) { return in_container(*s, p, kTolerance * h); };
    if (!containers.empty() && std::none_of(containers.begin(), containers.end(), holds))
      ++block.outside;
    else if (in_any_obstacle(solids, p, kTolerance * h))
      ++block.in_solids;
    else if (any_near(solids.samples, p, (kRestDistance - kTolerance) * h))
      ++block.near_samples;
    else if (any_near(earlier, p, (kFluidDistance - kTolerance) * h))
      ++block.in_other_fluid;
    else
      scene.fluid.push_back({p, block.object->velocity, material});
  }
  block.end = scene.fluid.size();
}

void measure_start_errors(const Scene& scene, const Solids& solids, std::vector<FluidBlock>& blocks) {
  const double h = scene.spacing;
  const PointGrid samples = grid_of(solids.samples.points, 2 * h);
  PointGrid fluid = make_point_grid(2 * h, scene.fluid.size());
  for (const FluidParticle& particle : scene.fluid) insert_point(fluid, particle.position);
  std::vector<Bounds> reach;
  for (const FluidBlock& block : blocks) reach.push_back(bounds_of(scene, block, 2 * h));

  for (std::size_t k = 0; k < blocks.size(); ++k)
    for (std::size_t i = blocks[k].begin; i < blocks[k].end; ++i) {
      const Vec3 p = scene.fluid[i].position;
      double sum = 0, most = 0;
      std::size_t presser = 0;  // index into the samples, or behind them into the fluid
      visit_near(samples, p, 2 * h, [&](std::uint32_t b, double distance2) {
        const double share = solids.weight[b] * cubic_spline(std::sqrt(distance2), h);
        sum += share;
        if (share > most) presser = b;
        most = std::max(most, share);
        return true;
      });
      // Far from walls and other blocks a particle sees only its own lattice, whose density is that of rest.
      bool alone = sum == 0;
      for (std::size_t other = 0; other < blocks.size() && alone; ++other)
        alone = other == k || !contains(reach[other], p);
      if (alone) continue;
      visit_near(fluid, p, 2 * h, [&](std::uint32_t j, double distance2) {
        const double share = cubic_spline(std::sqrt(distance2), h);
        sum += share;
        if (j >= blocks[k].begin && j < blocks[k].end) return true;
        if (share > most) presser = solids.body.size() + j;
        most = std::max(most, share);
        return true;
      });
      const double error = h * h * h * sum - 1;
      if (error <= blocks[k].start_error) continue;
      blocks[k].start_error = error;
      if (presser < solids.body.size()) {
        blocks[k].densest_beside = solid_name(scene, solids.body[presser]);
      } else {
        const std::size_t j = presser - solids.body.size();
        for (const FluidBlock& block : blocks)
          if (j >= block.begin && j < block.end) blocks[k].densest_beside = block.object->name;
      }
    }
}

}  // namespace sluice::io
