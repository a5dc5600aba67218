// Forces between touching bodies in double precision: what Simulation::read_contacts() is to find.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/reference/rigid_passes.h"

namespace sluice::reference {

struct ContactForce {
  std::uint32_t a = 0, b = 0;  // b: a boundary or a later rigid body
  bool boundary = false;
  Vec3 point;               // h, by normal forces, as the step begins
  Vec3 pressure, friction;  // on a, rho_0 h^4 / dt^2
  std::uint32_t samples = 0;
};

// By a, then rigid bodies before boundaries, then b. `boundary_body` has the boundary of each boundary sample, `carried`
// that of each body of row carriers, which come last.
std::vector<ContactForce> contact_forces(const RigidSystem& system, const Multipliers& x,
                                         const std::vector<std::uint32_t>& boundary_body,
                                         const std::vector<std::uint32_t>& carried);

}  // namespace sluice::reference
