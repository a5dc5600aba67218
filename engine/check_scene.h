// Whether a scene and its options can be run: one place for what every entry of the library must refuse.
#pragma once

#include "sluice/sluice.h"

namespace sluice {

// Throws Error with a sentence about the first thing that is wrong. Afterwards every index of the scene exists, and
// every number is finite in the solver's units.
void check_scene(const Scene& scene);

// Likewise about the options that cannot be had on any device.
void check_options(const SimulationOptions& options);

}  // namespace sluice
