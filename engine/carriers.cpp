#include "engine/carriers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "shaders/shared/constants.h"

namespace sluice {
namespace {

// A sample's neighbours on its own surface lie to one side of it: their mean offset is this share of their mean
// distance, or more. 0.64 at the edge of a sheet, 0.45 at that of a box, below 0.1 elsewhere on flat faces, 0.15 on a
// cylinder of 2 h.
constexpr double kOneSided = 0.25;

// Samples sorted by cells of 2 h, those of three cells along x side by side.
struct Cells {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted;
  Vec3 low;
  double edge;
  std::array<std::uint64_t, 3> cell_of(Vec3 p) const {
    const auto along = [&](double x, double least) { return static_cast<std::uint64_t>((x - least) / edge) + 1; };
    return {along(p.x, low.x), along(p.y, low.y), along(p.z, low.z)};
  }
  static std::uint64_t key(std::uint64_t x, std::uint64_t y, std::uint64_t z) { return (z << 42) | (y << 21) | x; }
};

double distance_share(Vec3 d, double h) {
  const double q = length(d) / h;
  return q < 2 ? (2 - q) * (2 - q) : 0;
}

}  // namespace

bool can_move(const RigidBody& body) {
  const auto& along = body.free_translation;
  return along[0] || along[1] || along[2] || body.turning != Turning::none;
}

std::vector<Carriers> find_carriers(const Scene& scene, bool any_body_may_move) {
  const SolverSettings& solver = scene.solver;
  std::vector<Carriers> found;
  if (solver.mode != SolverMode::robust || !solver.contact_weights ||
      solver.slip != Slip::midpoint || scene.rigid.size() + scene.bodies.size() > gpu::kMaxRigid ||
      std::none_of(scene.rigid.begin(), scene.rigid.end(), can_move))
    return found;

  const auto counts = [&](const BoundarySample& s) {
    const Body& body = scene.bodies[s.body];
    const bool may_turn = any_body_may_move || length(body.angular_velocity) > 0;
    return !s.backing && (body.round.kind == Roundness::none || !may_turn);
  };
  Cells cells;
  cells.edge = 2 * scene.spacing;
  bool any = false;
  for (const BoundarySample& s : scene.boundary) {
    if (!counts(s)) continue;
    const Vec3 p = s.position;
    cells.low = any ? Vec3{std::min(cells.low.x, p.x), std::min(cells.low.y, p.y), std::min(cells.low.z, p.z)} : p;
    any = true;
  }
  for (std::uint32_t i = 0; i < scene.boundary.size(); ++i) {
    if (!counts(scene.boundary[i])) continue;
    const auto [x, y, z] = cells.cell_of(scene.boundary[i].position);
    cells.sorted.emplace_back(Cells::key(x, y, z), i);
  }
  std::sort(cells.sorted.begin(), cells.sorted.end());

  std::vector<std::vector<std::uint32_t>> edges(scene.bodies.size());
  for (const auto& [key, i] : cells.sorted) {
    const BoundarySample& s = scene.boundary[i];
    const auto [x, y, z] = cells.cell_of(s.position);
    Vec3 offset;
    double distance = 0;
    for (std::uint64_t cz = z - 1; cz <= z + 1; ++cz) {
      for (std::uint64_t cy = y - 1; cy <= y + 1; ++cy) {
        const std::uint64_t last = Cells::key(x + 1, cy, cz);
        auto at = std::lower_bound(cells.sorted.begin(), cells.sorted.end(),
                                   std::pair{Cells::key(x - 1, cy, cz), std::uint32_t{0}});
        for (; at != cells.sorted.end() && at->first <= last; ++at) {
          const BoundarySample& other = scene.boundary[at->second];
          if (other.body != s.body || at->second == i) continue;
          const Vec3 d = other.position - s.position;
          const double share = distance_share(d, scene.spacing);
          offset = offset + share * d;
          distance += share * length(d);
        }
      }
    }
    if (length(offset) >= kOneSided * distance) edges[s.body].push_back(i);
  }

  for (std::uint32_t b = 0; b < scene.bodies.size(); ++b) {
    if (edges[b].empty()) continue;
    const Body& body = scene.bodies[b];
    const bool moves = any_body_may_move || body.moving();
    Carriers carriers{b, moves ? body.position : scene.boundary[edges[b][0]].position, {}};
    for (const std::uint32_t i : edges[b]) {
      const BoundarySample& s = scene.boundary[i];
      carriers.samples.push_back({s.position - carriers.center, s.weight});
    }
    found.push_back(std::move(carriers));
  }
  return found;
}

}  // namespace sluice
