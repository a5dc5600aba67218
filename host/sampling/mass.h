// Mass, centre of mass and inertia of shapes.
#pragma once

#include <array>

#include "host/sampling/mesh.h"
#include "host/scene/scene_file.h"

namespace sluice::io {

// Of a body of density 1. Inertia is the tensor xx, yy, zz, xy, xz, yz about the centre, where xy is minus the
// integral of x y.
struct MassProperties {
  double mass = 0;  // m^3 of a solid, m^2 of a shell; negative where a mesh is inside out
  Vec3 center;      // m
  std::array<double, 6> inertia{};
};

// Integrals over a body about some origin: of 1, of x, and of x x^T as xx, yy, zz, xy, xz, yz.
struct Moments {
  double zeroth = 0;
  Vec3 first;
  std::array<double, 6> second{};
};

// Exact, of a primitive, in its own frame; a wedge, a pyramid or a mesh has its from mesh_mass.
bool has_exact_mass(ShapeKind kind);
MassProperties exact_mass(const Shape& shape);

// Exact for a closed mesh: a sum over the signed tetrahedra that its faces span with a common point. A place that
// the mesh encloses twice counts twice, unless `excess`, about the middle of the mesh's bounding box, holds what it
// counts too often (host/sampling/shells.h). Of no use where the mesh is open or its mass zero.
MassProperties mesh_mass(const TriangleMesh& mesh, const Moments& excess = {});

// Of the mesh's faces as a thin shell of density 1 per area.
MassProperties shell_mass(const TriangleMesh& mesh);

}  // namespace sluice::io
