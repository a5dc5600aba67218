// Rigid objects as bodies: shapes with samples, mass, centre of mass and inertia.
#pragma once

#include <deque>

#include "host/sampling/safe_start.h"
#include "host/sampling/sampling.h"

namespace sluice::io {

// Fills scene.shapes, scene.rigid, the surfaces of `solids` and the report. Objects of equal shape share a RigidShape
// and, in `geometries`, a Geometry. A shape's samples stand in Morton order of cells of 2h.
// Throws Error on an object without material, mass or inertia, and on a mesh that cannot be read.
void add_rigid_bodies(const SceneFile& file, Scene& scene, std::deque<Geometry>& geometries, Solids& solids,
                      SamplingReport& report);

}  // namespace sluice::io
