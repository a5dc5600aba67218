// Samples half a spacing inside a closed surface. Samples of two bodies, of a body and a wall, of a body and water come
// to rest one spacing apart: so all of them meet at surfaces as drawn.
#pragma once

#include <vector>

#include "host/sampling/mesh.h"
#include "host/sampling/surface_sampling.h"
#include "sluice/scene.h"

namespace sluice::io {

inline constexpr double kFullInset = 0.5;  // in spacings: half the gap between samples at rest

// How far inside, m, a sample lies where the body is `thickness` m thick: so little in a thin part that its two faces
// stay h apart, and none below that.
double inset_of(double thickness, double h);

// Lengths of the box on which a rigid box's samples lie, an inset per axis. A length below h becomes 0: one plane of
// samples in the middle.
Vec3 inset_lengths(Vec3 drawn, bool on_surface, double h);

struct InsetSamples {
  std::vector<Vec3> positions;
  std::vector<double> insets;  // m, of each
};

// Of a closed mesh whose faces point outwards (or both ways; `columns` know). The thickness is that along the inward
// normal; a sharp tip so keeps its samples. Parts of the surface that lie inside other parts get none.
InsetSamples sample_inset_mesh(const TriangleMesh& mesh, const MeshColumns& columns, double h);

}  // namespace sluice::io
