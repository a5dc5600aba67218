#include "host/io/safe_start.h"

#include <algorithm>
#include <cmath>

#include "host/io/rest_volume.h"

namespace sluice::io {
namespace {

constexpr double kTolerance = 1e-6;  // in spacings: rounding must not decide about particles drawn exactly at a limit

Vec3 to_local(const Object& object, Vec3 p) {
  const Quat& q = object.rotation;
  return rotate(Quat{q.w, -q.x, -q.y, -q.z}, p - object.position);
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

bool in_obstacle(const Surface& surface, Vec3 p, double margin) {
  if (surface.container || !surface.closed) return false;
  const Vec3 d = p - surface.object->position;
  if (dot(d, d) > surface.radius * surface.radius) return false;
  const Vec3 local = to_local(*surface.object, p);
  if (surface.object->shape.kind == ShapeKind::mesh) return inside_mesh(surface.mesh, surface.columns, local);
  const Vec3 half = 0.5 * surface.object->shape.box;
  return std::abs(local.x) < half.x - margin && std::abs(local.y) < half.y - margin &&
         std::abs(local.z) < half.z - margin;
}

bool in_container(const Surface& surface, Vec3 p, double margin) {
  if (!surface.container || !surface.closed) return false;
  const Vec3 local = to_local(*surface.object, p);
  if (surface.object->shape.kind == ShapeKind::mesh) return inside_mesh(surface.mesh, surface.columns, local);
  const Vec3 half = 0.5 * surface.object->shape.box;
  switch (surface.object->shape.open) {
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
               const std::vector<Surface>& surfaces, const PointGrid& boundary, const PointGrid& earlier) {
  const double h = scene.spacing;
  const bool has_container =
      std::any_of(surfaces.begin(), surfaces.end(), [](const Surface& s) { return s.container && s.closed; });
  block.begin = scene.fluid.size();
  for (const Vec3& p : centres) {
    const auto holds = [&](const Surface& s) { return in_container(s, p, kTolerance * h); };
    const auto fills = [&](const Surface& s) { return in_obstacle(s, p, kTolerance * h); };
    if (has_container && std::none_of(surfaces.begin(), surfaces.end(), holds))
      ++block.outside;
    else if (std::any_of(surfaces.begin(), surfaces.end(), fills))
      ++block.in_solids;
    else if (any_near(boundary, p, (kRestDistance - kTolerance) * h))
      ++block.near_samples;
    else if (any_near(earlier, p, (kFluidDistance - kTolerance) * h))
      ++block.in_other_fluid;
    else
      scene.fluid.push_back({p, block.object->velocity, material});
  }
  block.end = scene.fluid.size();
}

void measure_start_errors(const Scene& scene, std::vector<FluidBlock>& blocks) {
  const double h = scene.spacing;
  PointGrid boundary = make_point_grid(2 * h, scene.boundary.size());
  for (const BoundarySample& sample : scene.boundary) insert_point(boundary, sample.position);
  PointGrid fluid = make_point_grid(2 * h, scene.fluid.size());
  for (const FluidParticle& particle : scene.fluid) insert_point(fluid, particle.position);
  std::vector<Bounds> reach;
  for (const FluidBlock& block : blocks) reach.push_back(bounds_of(scene, block, 2 * h));

  for (std::size_t k = 0; k < blocks.size(); ++k)
    for (std::size_t i = blocks[k].begin; i < blocks[k].end; ++i) {
      const Vec3 p = scene.fluid[i].position;
      double sum = 0, most = 0;
      std::uint32_t presser = 0;  // index into the boundary, or behind it into the fluid
      visit_near(boundary, p, 2 * h, [&](std::uint32_t b, double distance2) {
        const double share = scene.boundary[b].weight * cubic_spline(std::sqrt(distance2), h);
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
        if (share > most) presser = static_cast<std::uint32_t>(scene.boundary.size()) + j;
        most = std::max(most, share);
        return true;
      });
      const double error = h * h * h * sum - 1;
      if (error <= blocks[k].start_error) continue;
      blocks[k].start_error = error;
      if (presser < scene.boundary.size()) {
        blocks[k].densest_beside = scene.bodies[scene.boundary[presser].body].name;
      } else {
        const std::size_t j = presser - scene.boundary.size();
        for (const FluidBlock& block : blocks)
          if (j >= block.begin && j < block.end) blocks[k].densest_beside = block.object->name;
      }
    }
}

void warn_overlapping_bodies(const Scene& scene, const std::vector<Surface>& surfaces, const PointGrid& boundary,
                             std::vector<std::string>& warnings) {
  const double h = scene.spacing;
  constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> partner(scene.bodies.size(), kNone);
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    if (a == b || !(scene.bodies[a].moving() || scene.bodies[b].moving())) return;
    if (!scene.bodies[a].moving()) std::swap(a, b);
    if (partner[a] == kNone && partner[b] != a) partner[a] = b;
  };
  for (const BoundarySample& sample : scene.boundary) {
    const bool moves = scene.bodies[sample.body].moving();
    if (moves)
      visit_near(boundary, sample.position, (kFluidDistance - kTolerance) * h, [&](std::uint32_t other, double) {
        meet(sample.body, scene.boundary[other].body);
        return true;
      });
    for (const Surface& surface : surfaces)
      if (surface.body != sample.body && (moves || scene.bodies[surface.body].moving()) &&
          in_obstacle(surface, sample.position, kTolerance * h))
        meet(sample.body, surface.body);
  }
  for (std::size_t a = 0; a < partner.size(); ++a)
    if (partner[a] != kNone)
      warnings.push_back("moving object \"" + scene.bodies[a].name + "\" overlaps \"" + scene.bodies[partner[a]].name +
                         "\" at the start; water caught between them may be squeezed out: move one of them");
}

}  // namespace sluice::io
