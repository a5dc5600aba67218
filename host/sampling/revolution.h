// Which shapes are surfaces of revolution.
#pragma once

#include "host/sampling/geometry.h"
#include "sluice/scene.h"

namespace sluice::io {

// In the shape's frame: a sphere, a primitive with a round side, and a mesh that says so, whose axis goes through the
// middle of its volume, or of its faces where it is open.
Revolution revolution_of(const Geometry& geometry);

// The same, turned and moved.
Revolution moved(Revolution round, Quat rotation, Vec3 offset);

// Throws an Error if a mesh is not round about what it says: it would roll on flat sides. Only what a plane can touch
// counts, so a wheel may have spokes.
void check_round(const Geometry& geometry);

}  // namespace sluice::io
