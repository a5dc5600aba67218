// Sharp edges of a mesh, where samples stand in rows: a body leans on its edges, and samples that are only spread
// evenly end up to half a spacing before them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/sampling/mesh.h"
#include "sluice/scene.h"

namespace sluice::io {

// Edges that follow each other, up to corners: vertices where more or fewer than two sharp edges meet, or where two
// turn.
struct Crease {
  std::vector<std::uint32_t> vertices;   // in order; closed if the first is also the last
  std::vector<std::uint32_t> triangles;  // one of the two faces of each edge
};

// Of edges with two faces whose normals are more than 35 degrees apart.
std::vector<Crease> creases_of(const TriangleMesh& mesh);

struct CreasePoint {
  Vec3 position;  // shift included
  Vec3 shift;
  std::uint32_t triangle = 0;
};

// Points evenly along a crease whose vertices are moved by `shifts` (a vector per vertex of the mesh, m), both ends
// included, a closed one's once. At most `step` apart, m, but for fewer where they would be closer than `least`.
std::vector<CreasePoint> points_along(const Crease& crease, const TriangleMesh& mesh, const std::vector<Vec3>& shifts,
                                      double step, double least);

// The least shift, m, that takes a point at least as far along each unit normal as its distance; none where the planes
// leave no room, as in a slit, or too little.
struct MovedPlane {
  Vec3 normal;
  double distance = 0;  // m
};
std::optional<Vec3> shift_onto(const std::vector<MovedPlane>& planes);

}  // namespace sluice::io
