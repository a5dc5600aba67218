// How many particles and samples a scene will have, before any is made.
#pragma once

#include <vector>

#include "host/scene/scene_file.h"

namespace sluice::io {

// Particles along each axis of a fluid's box.
Vec3 fluid_cells(const Object& object, double h);

// Samples of each object, copies and the layer behind a boundary's surface included: exact for fluids, within a tenth
// for large primitives; 0 for mesh files, which have not been read.
std::vector<double> expected_samples(const SceneFile& file);

// Throws Error, with the object's place, where there are too many of a kind, or a fluid smaller than a particle.
void check_expected(const SceneFile& file, const std::vector<double>& samples);

// Bytes that sampling takes on the host, about.
double sampling_bytes(const SceneFile& file, const std::vector<double>& samples);

}  // namespace sluice::io
