// Row carriers of boundaries. A row is a sample's, and a boundary's own samples have none: what lies over the edge of
// one would be carried only as far out as it happens to have samples of its own, up to h inside. So the samples along a
// boundary's edges lie in the device's memory a second time, as samples without weight of a rigid body that nothing can
// push, and that goes where the boundary goes: nothing sees them, but their rows see and push what can move.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/scene.h"

namespace sluice {

struct Carriers {
  std::uint32_t boundary = 0;  // index into Scene::bodies
  Vec3 center;                 // m, at the start; `position` is from there; the boundary's own if that may move
  std::vector<RigidSample> samples;
};

bool can_move(const RigidBody& body);

// One entry a boundary that has some; none where no row would need them: without bodies that can move, in paper mode.
// `any_body_may_move`: boundaries that have no motion may be given one later. Those of revolution have none if they turn
// or may: their samples do not turn with them.
std::vector<Carriers> find_carriers(const Scene& scene, bool any_body_may_move);

}  // namespace sluice
