// Triangles that are no more than a line, where a vertex lies on another's edge: programs that cut polygons into
// triangles leave them along edges. Their normals point anywhere.
#pragma once

#include "host/sampling/mesh.h"

namespace sluice::io {

// Turns the long edge of each sliver and of the face beyond it, so that both become proper faces: a vertex on the edge
// of a face then splits the face. Moves no vertex; the surface moves by less than a sliver's height, at most 5e-4 of
// the mesh's length. What cannot be turned is left: where the other face is missing or would fold, or the new edge is
// there; and all of it, where its area or volume would change by more than a thousandth. `polygons` tells which
// triangles were cut from one polygon, by equal numbers, and 0 those that were not cut: a sliver of a polygon is turned
// within it, which moves nothing where the polygon is flat.
void turn_slivers(TriangleMesh& mesh, std::vector<std::uint32_t> polygons = {});

}  // namespace sluice::io
