// A second layer of a rigid body's samples, behind the first, in scenes with water: a single layer is symmetric, and a
// fast impact carries water across (of a cube of 216 particles at 4 m/s one in twenty). Water at rest does not reach
// it, nor do other bodies that touch this one.
#pragma once

#include "host/sampling/geometry.h"
#include "host/sampling/inset_sampling.h"

namespace sluice::io {

// In the shape's frame; none in a body too thin for it, or open.
std::vector<Vec3> inner_layer(const Object& object, const Geometry& geometry, const InsetSamples& first, double h);

}  // namespace sluice::io
