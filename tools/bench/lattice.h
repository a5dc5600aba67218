// Fluid as it is at rest, without walls.
#pragma once

#include "sluice/scene.h"

namespace sluice::bench {

// A jittered lattice: about 29 neighbours a particle.
Scene lattice(std::uint32_t count);

}  // namespace sluice::bench
