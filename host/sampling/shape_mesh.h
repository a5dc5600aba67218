// Primitives as closed triangle meshes with their faces outwards.
#pragma once

#include "host/sampling/mesh.h"
#include "host/scene/scene_file.h"

namespace sluice::io {

// In the shape's own frame, corners on the true surface, edges of curved parts no longer than about half a spacing h
// (longer where that would take millions of triangles). Not for a shape of kind mesh, which is read from its file.
TriangleMesh mesh_of_primitive(const Shape& shape, double h);

}  // namespace sluice::io
