// A shape's surface, and whether a point lies inside it.
#pragma once

#include "host/sampling/mesh.h"
#include "host/sampling/shells.h"
#include "host/scene/scene_file.h"

namespace sluice::io {

// In the shape's own frame; all copies of an object share one.
struct Geometry {
  Shape shape;
  bool closed = true;  // false for an open or a flat mesh, which has no sides
  double radius = 0;   // m, around the origin: nothing drawn lies farther away
  TriangleMesh mesh;   // empty for a box
  MeshFacts facts;     // of the mesh, and so are the next
  MeshColumns columns;
  ShellFacts shells;  // what was done to its parts, and what they still enclose twice
};

// For sample_mesh: nullptr where no part of the surface lies inside another.
inline const MeshColumns* overlapping_columns(const Geometry& geometry) {
  return geometry.closed && geometry.shells.twice != 0 ? &geometry.columns : nullptr;
}

// Reads a mesh file, or makes a primitive's mesh for the spacing h. Throws Error, as read_obj does, and where lengths
// or a scale make coordinates that are no finite numbers, faces without area, or a mesh with too many samples or too
// far from its origin for them.
Geometry make_geometry(const Shape& shape, double h);

// The part of make_geometry behind reading: checks the mesh, sorts out its parts and fills the rest.
void finish_geometry(Geometry& geometry, double h);

// The surface as triangles, a box's too.
TriangleMesh surface_mesh(const Geometry& geometry, double h);

// The face of a box through which one may look, if it has one.
void remove_open_face(TriangleMesh& mesh, const Shape& shape);

// Turns the faces of an inside-out mesh outwards.
void flip_faces(Geometry& geometry);

// "0.2 m"; "0.2 x 0.1 x 0.3 m", of a bounding box.
std::string length_text(double value);
std::string size_text(const MeshFacts& facts);

// A mesh's "scale", times a factor: "0.1", "[0.1, 0.1, 0.2]".
std::string scale_text(const Shape& shape, double factor);

// A sentence about a mesh file smaller than a spacing, whose units are mostly not metres; empty of others.
std::string describe_small(const Geometry& geometry, double h);

// A sentence about polygons that cross themselves.
std::string describe_crossed(const Geometry& geometry);

// Why a mesh is not closed: "is open (3 edges with one face)".
std::string describe_opening(const Geometry& geometry);

// Whether p, in the shape's frame, is inside a closed shape; of a box only what is farther than `margin` from its
// faces (of a negative margin: farther out).
bool inside_geometry(const Geometry& geometry, Vec3 p, double margin);

// What a mesh or primitive is called in messages: "mesh models/duck.obj", "its sphere".
std::string describe_shape(const Shape& shape);

}  // namespace sluice::io
