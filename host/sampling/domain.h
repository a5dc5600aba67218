// The box outside of which a scene is not simulated, where its file does not say.
#pragma once

#include "sluice/scene.h"

namespace sluice::io {

// The scene's extent, grown by its diagonal on each side. The extent holds fluid, bodies and boundaries at the start, and
// boundaries on all of their way until `end`, s. Unlimited if nothing stays in its place: then nothing can stray from it.
Domain default_domain(const Scene& scene, double end);

// That extent, wider by a particle spacing on each side; unlimited in the same case.
Domain extent_of(const Scene& scene, double end);

}  // namespace sluice::io
