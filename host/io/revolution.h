// Which shapes are surfaces of revolution.
#pragma once

#include "host/io/geometry.h"
#include "sluice/scene.h"

namespace sluice::io {

// In the shape's frame: a sphere, a primitive with a round side, and a mesh that says so, whose axis goes through the
// middle of its volume, or of its faces where it is open.
Revolution revolution_of(const Geometry& geometry);

// The same, turned and moved.
Revolution moved(Revolution round, Quat rotation, Vec3 offset);

}  // namespace sluice::io
