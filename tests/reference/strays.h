// What leaves the domain, in plain double precision: see shaders/lib/domain.glsl and shaders/strays/.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/scene.h"

namespace sluice::reference {

// Beyond a side of the box that neither velocity nor acceleration takes it back to; `radius` around x counts as inside.
bool left_for_good(const Domain& box, Vec3 x, Vec3 v, Vec3 a, double radius);

struct Removal {
  std::vector<std::uint32_t> order;  // old indices in their new order: those that stay, then the strays
  std::uint32_t stay = 0;
};
// Each stray in front changes places with one of the last particles that stay, both in ascending order.
Removal remove_strays(const std::vector<bool>& left);

}  // namespace sluice::reference
