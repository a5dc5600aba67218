// Triangle meshes: read from OBJ files, checked, and asked whether a point lies inside.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sluice/scene.h"

namespace sluice::io {

struct TriangleMesh {
  std::vector<Vec3> vertices;  // no two are equal
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::size_t repeated = 0;  // faces that a file lists once more, which are left out
  std::size_t crossed = 0;   // polygons that cross themselves, whose surface so cannot be told
};

// Reads a Wavefront OBJ file (host/sampling/obj_reader.h); polygons become triangles (host/sampling/polygons.h), equal
// vertices one; triangles that use a vertex twice or are listed before are left out, and slivers are turned
// (host/sampling/slivers.h). Throws Error (naming the file, the line where known, and the remedy) when the file cannot
// be read, has no faces or no area, or lies so far from its origin that doubles cannot tell its shape.
TriangleMesh read_obj(const std::filesystem::path& path);
TriangleMesh parse_obj(const std::string& text, const std::filesystem::path& path);

struct MeshFacts {
  double area = 0;             // m^2
  double volume = 0;           // m^3, positive if the faces of a closed mesh point outwards
  std::size_t open_edges = 0;  // edges with an odd number of faces: 0 means closed
  std::size_t odd_edges = 0;   // edges whose faces run along them in the same direction: 0 means oriented
  Vec3 low, high;              // bounding box
};
MeshFacts inspect_mesh(const TriangleMesh& mesh);
std::pair<Vec3, Vec3> bounds_of(const TriangleMesh& mesh);  // lowest and highest coordinates

// A triangle's side; those of one edge follow each other in sides_of.
struct MeshSide {
  std::uint32_t a = 0, b = 0;  // a < b
  std::uint32_t triangle = 0;
  bool forward = false;  // the triangle runs from a to b
};
// Sorted by a, b and triangle.
std::vector<MeshSide> sides_of(const TriangleMesh& mesh);

// Calls visit(std::span<const MeshSide>) for each edge.
template <class Visit>
void visit_edges(const std::vector<MeshSide>& sides, Visit visit) {
  for (std::size_t i = 0, j = 0; i < sides.size(); i = j) {
    while (j < sides.size() && sides[j].a == sides[i].a && sides[j].b == sides[i].b) ++j;
    visit(std::span<const MeshSide>(sides).subspan(i, j - i));
  }
}

// By the right hand, each twice its face's area long.
std::vector<Vec3> face_normals(const TriangleMesh& mesh);

double triangle_area(const TriangleMesh& mesh, std::size_t triangle);
double triangle_height(const TriangleMesh& mesh, std::size_t triangle);  // m, over its longest side; 0 of a point
Vec3 closest_on_triangle(Vec3 a, Vec3 b, Vec3 c, Vec3 p);                // to p

// Triangles by columns along z, to count the faces above a point.
struct MeshColumns {
  Vec3 low, high;
  std::size_t nx = 1, ny = 1;
  std::vector<std::uint32_t> start;  // nx * ny + 1 offsets into `triangles`
  std::vector<std::uint32_t> triangles;
  bool oriented = true;
};
MeshColumns make_columns(const TriangleMesh& mesh, const MeshFacts& facts);

// Whether p lies inside a closed mesh: by winding number, which holds for overlapping parts, or by parity if the
// faces point both ways.
bool inside_mesh(const TriangleMesh& mesh, const MeshColumns& columns, Vec3 p);

}  // namespace sluice::io
