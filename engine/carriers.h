// Row carriers of boundaries. A row is a sample's, and a boundary's own samples have none: what lies over the edge of
// one would be carried only as far out as it happens to have samples of its own, up to h inside. So the samples along a
// static boundary's edges lie in the device's memory a second time, as samples without weight of a rigid body that
// cannot move: nothing sees them, but their rows see and push what can.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/scene.h"

namespace sluice {

struct Carriers {
  std::uint32_t boundary = 0;  // index into Scene::bodies
  Vec3 center;                 // m; `position` is from there
  std::vector<RigidSample> samples;
};

bool can_move(const RigidBody& body);

// One entry a boundary that has some; none where no row would need them: without bodies that can move, in paper mode.
// With `any_body_may_move` none either: carriers do not follow.
std::vector<Carriers> find_carriers(const Scene& scene, bool any_body_may_move);

}  // namespace sluice
