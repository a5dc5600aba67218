// Polygons of a mesh, cut into triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sluice/scene.h"

namespace sluice::io {

struct PolygonTriangles {
  std::vector<std::array<std::uint32_t, 3>> triangles;  // indices into the corners, turning as the polygon does
  bool crosses_itself = false;  // the sum of the signed areas is right then, but not what the triangles cover
};

// Cuts ears off the polygon, seen along the axis nearest to its normal, and turns diagonals until no two triangles
// would be rounder otherwise. What is an ear is decided exactly, so the result is right wherever the polygon lies. It
// may be concave, have corners on straight edges, corners that repeat and holes, reached by a bridge that is walked
// twice. A convex quad is cut along its shorter diagonal.
PolygonTriangles triangulate(std::span<const Vec3> corners);

}  // namespace sluice::io
