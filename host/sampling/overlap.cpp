#include "host/sampling/overlap.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "host/sampling/penetration.h"

namespace sluice::io {
namespace {

constexpr double kTolerance = 1e-6;  // in spacings: rounding must not decide about what is drawn exactly at a limit

}  // namespace

void warn_overlapping_boundaries(const Scene& scene, const Solids& solids, std::vector<std::string>& warnings) {
  const double h = scene.spacing;
  if (std::none_of(scene.bodies.begin(), scene.bodies.end(), [](const Body& b) { return b.moving(); })) return;
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
      visit_near(solids.samples, sample.position, (kFluidDistance - kTolerance) * h, [&](std::uint32_t other, double) {
        if (other < scene.boundary.size()) meet(sample.body, solids.body[other]);
        return true;
      });
    any_obstacle(solids, sample.position, [&](const Surface& surface) {
      if (surface.body < scene.bodies.size() && surface.body != sample.body &&
          (moves || scene.bodies[surface.body].moving()) && in_obstacle(surface, sample.position, kTolerance * h))
        meet(sample.body, surface.body);
      return false;
    });
  }
  for (std::size_t a = 0; a < partner.size(); ++a)
    if (partner[a] != kNone)
      warnings.push_back("moving object \"" + scene.bodies[a].name + "\" overlaps \"" + scene.bodies[partner[a]].name +
                         "\" at the start; water caught between them may be squeezed out: move one of them");
}

std::size_t warn_overlapping_rigid(const Scene& scene, const Solids& solids, std::vector<std::string>& warnings) {
  const double h = scene.spacing;
  const double apart = scene.solver.contact_weights ? kContactDistance : kUnweightedContactDistance;
  const auto fixed = static_cast<std::uint32_t>(scene.bodies.size());  // bodies before this one are boundaries
  const auto movable = [&](std::uint32_t body) {
    if (body < fixed) return scene.bodies[body].moving();
    const RigidBody& rigid = scene.rigid[body - fixed];
    const auto& free = rigid.free_translation;
    return free[0] || free[1] || free[2] || rigid.turning != Turning::none;
  };
  // Least distance between samples of a pair, m, by the later body and the earlier one; 0: one inside the other.
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> pairs;
  for (std::size_t i = scene.boundary.size(); i < solids.body.size(); ++i) {
    const std::uint32_t body = solids.body[i];
    const Vec3 p = solids.samples.points[i];
    visit_near(solids.samples, p, (apart - kOverlapSlack) * h, [&](std::uint32_t j, double distance2) {
      const std::uint32_t other = solids.body[j];
      if (other >= body || (j < scene.boundary.size() && scene.boundary[j].backing)) return true;
      if (!movable(body) && !movable(other)) return true;
      double& least = pairs.try_emplace({body, other}, h).first->second;
      least = std::min(least, std::sqrt(distance2));
      return true;
    });
    if (i > scene.boundary.size() && solids.body[i - 1] == body) continue;
    // The body's first sample stands for a body that lies in another, far from its surface.
    any_obstacle(solids, p, [&](const Surface& surface) {
      if (surface.body == body || (!movable(body) && !movable(surface.body)) || !in_obstacle(surface, p, h))
        return false;
      bool beside = false;  // as the samples of a mesh's surface tell: no margin is kept there
      visit_near(solids.samples, p, h, [&](std::uint32_t j, double) {
        beside = solids.body[j] == surface.body;
        return !beside;
      });
      if (!beside) pairs[{std::max(body, surface.body), std::min(body, surface.body)}] = 0;
      return false;
    });
  }
  const auto is_sampled = [&](std::uint32_t body) {
    return solids.surfaces[body].object->surface == SurfaceSetting::sampled ? 1 : 0;
  };
  const auto why = [&](std::uint32_t body) -> std::string {
    if (body >= fixed || solids.surfaces[body].object->surface == SurfaceSetting::drawn) return "";
    return " (samples of \"" + solid_name(scene, body) + "\" lie on its drawn surface, off which bodies rest by half " +
           "a spacing: leave that, or give it \"surface\": \"drawn\")";
  };
  std::size_t told = 0;
  for (const auto& [pair, distance] : pairs) {
    if (++told > kMostOverlaps) break;
    const std::string first = "\"" + solid_name(scene, pair.first) + "\"", second = solid_name(scene, pair.second);
    // As drawn, and half a spacing more off each surface that has its samples on it; where samples of thin parts lie
    // less than half a spacing inside, they tell more.
    const double drawn = penetration(scene, solids.surfaces[pair.first], solids.surfaces[pair.second]) / h +
                         0.5 * (is_sampled(pair.first) + is_sampled(pair.second));
    const double depth = distance == 0 ? drawn : std::max(drawn, apart - distance / h);
    char text[64];
    std::snprintf(text, sizeof text, "%.3g m (%.2f particle spacings)", depth * h, depth);
    if (distance == 0) {
      warnings.push_back(first + " and \"" + second + "\" lie in each other at the start, " + text +
                         " deep; move one of them");
      continue;
    }
    warnings.push_back(first + " overlaps \"" + second + "\" by " + text +
                       " at the start and will be pushed out; move one of them" + why(pair.first) + why(pair.second));
  }
  if (pairs.size() > kMostOverlaps)
    warnings.push_back("and " + std::to_string(pairs.size() - kMostOverlaps) + " more pairs of bodies overlap");
  return pairs.size();
}

}  // namespace sluice::io
