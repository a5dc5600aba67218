// From objects to particles: lattices in fluid boxes, even samples on surfaces, rest volumes, a safe start.
#pragma once

#include <string>
#include <vector>

#include "host/io/scene_file.h"

namespace sluice::io {

struct ObjectReport {
  std::string name;
  Role role;
  std::size_t particles = 0;  // after cutting
  std::size_t cut = 0;        // fluid: removed because in a solid, outside all containers or too near to another object
};

struct SamplingReport {
  std::vector<ObjectReport> objects;
  double weight_min = 0, weight_mean = 0, weight_max = 0, weight_deviation = 0;  // V0_b / h^3 over all boundary samples
  double start_error_max = 0;         // the largest V0/V - 1 of a fluid particle at the start
  std::vector<std::string> warnings;  // sentences
};

// Samples every object. The samples of boxes lie half a spacing on the solid side of the drawn surface (kBoxInset in
// surface_sampling.h), so that water drawn flush with them starts at its resting distance; those of meshes lie on the
// drawn surface, as an offset of an arbitrary mesh opens holes or folds at sharp parts. Fluid is cut where it is inside
// an obstacle, outside every container, closer than 0.75 h to a sample or than 0.5 h to an earlier fluid object.
// Throws Error on a missing, empty or inside-out mesh and on an object without particles.
Scene build_scene(const SceneFile& file, SamplingReport& report);

}  // namespace sluice::io
