// From objects to particles: lattices in fluid boxes, even samples on surfaces, rest volumes, a safe start.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/sampling/mesh.h"
#include "host/scene/scene_file.h"

namespace sluice::io {

struct ObjectReport {
  std::string name;
  Role role;
  std::size_t particles = 0;  // after cutting
  std::size_t cut = 0;        // fluid: removed because in a solid, outside all containers or too near to another object
  // Of a rigid object:
  std::size_t bodies = 0;
  double mass = 0;     // kg, of each body
  double shallow = 0;  // share of the samples that lie less than the full inset below the drawn surface, in [0, 1]
  // V0 / h^3 over its samples.
  double volume_min = 0, volume_mean = 0, volume_max = 0, volume_deviation = 0;
};

// A boundary's surface as drawn.
struct BoundaryMesh {
  TriangleMesh mesh;       // m, from Body::position, with the world's axes at the start
  bool container = false;  // solid outside, or open
};

struct SamplingReport {
  std::vector<ObjectReport> objects;
  double weight_min = 0, weight_mean = 0, weight_max = 0, weight_deviation = 0;  // V0_b / h^3 over all boundary samples
  std::size_t overlaps = 0;           // pairs of a rigid body and another body or a boundary that start in each other
  double start_error_max = 0;         // the largest V0/V - 1 of a fluid particle at the start
  std::vector<std::string> warnings;  // sentences
  std::vector<BoundaryMesh> boundary_meshes;  // of Scene::bodies
  std::vector<TriangleMesh> shape_meshes;  // surfaces as drawn of Scene::shapes, in the frames in which they were given
};

// Told of what begins, such as `sampling "tank"`; what it throws ends the sampling.
using SamplingStage = std::function<void(const std::string& stage)>;

// Samples every object. The samples of boxes lie half a spacing on the solid side of the drawn surface (kBoxInset in
// surface_sampling.h), so that water drawn flush with them starts at its resting distance; those of other boundaries
// lie on the drawn surface, or, with SurfaceSetting::drawn, inside it as those of rigid bodies. Those of rigid bodies
// lie kFullInset h (inset_sampling.h) inside it, less where they are thin. With SurfaceSetting::sampled all lie on the
// drawn surface. Fluid is cut where it is inside an obstacle or a rigid body, outside every container, closer than 0.75
// h to a sample or than 0.5 h to an earlier fluid object. Throws Error on a missing or empty mesh, a boundary's
// inside-out mesh, a rigid body without mass, an object without particles, and a body more than 8190 h away from the
// rest.
Scene build_scene(const SceneFile& file, SamplingReport& report, const SamplingStage& told = {});

}  // namespace sluice::io
