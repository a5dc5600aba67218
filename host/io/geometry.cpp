#include "host/io/geometry.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/io/scene_names.h"
#include "host/io/shape_mesh.h"

namespace sluice::io {

Geometry make_geometry(const Shape& shape, double h) {
  Geometry out;
  out.shape = shape;
  if (shape.kind == ShapeKind::box) {
    out.radius = 0.5 * length(shape.box);
    return out;
  }
  if (shape.kind == ShapeKind::mesh) {
    out.mesh = read_obj(shape.mesh);
    for (Vec3& v : out.mesh.vertices) v = {v.x * shape.scale.x, v.y * shape.scale.y, v.z * shape.scale.z};
  } else {
    out.mesh = mesh_of_primitive(shape, h);
  }
  for (const Vec3& v : out.mesh.vertices) {
    if (!std::isfinite(dot(v, v))) {
      throw Error(shape.kind == ShapeKind::mesh
                      ? shape.mesh.string() + ": a scaled coordinate is too large; use a smaller scale"
                      : "the shape is too large; use smaller lengths");
    }
    out.radius = std::max(out.radius, length(v));
  }
  out.radius += h;
  out.facts = inspect_mesh(out.mesh);
  if (!(out.facts.area > 0)) {
    throw Error(shape.kind == ShapeKind::mesh
                    ? shape.mesh.string() + ": its scaled faces are too small to have an area; use a larger scale"
                    : "the shape is too small to have an area; use larger lengths");
  }
  const Vec3 size = out.facts.high - out.facts.low;
  const bool sheet = std::abs(out.facts.volume) <= 1e-9 * out.facts.area * std::max({size.x, size.y, size.z});
  out.closed = out.facts.open_edges == 0 && !sheet;
  if (out.closed && shape.kind == ShapeKind::mesh && out.facts.odd_edges == 0) {
    out.shells = unite_shells(out.mesh);
    if (out.shells.hidden + out.shells.turned > 0) out.facts = inspect_mesh(out.mesh);
  }
  if (out.closed) out.columns = make_columns(out.mesh, out.facts);
  return out;
}

TriangleMesh surface_mesh(const Geometry& geometry, double h) {
  return geometry.shape.kind == ShapeKind::box ? mesh_of_primitive(geometry.shape, h) : geometry.mesh;
}

void remove_open_face(TriangleMesh& mesh, const Shape& shape) {
  if (shape.open == Open::none) return;
  const auto beyond = [&](Vec3 v) {  // half way from the middle
    const Vec3 quarter = 0.25 * shape.box;
    switch (shape.open) {
      case Open::x_min:
        return v.x < -quarter.x;
      case Open::x_max:
        return v.x > quarter.x;
      case Open::bottom:
        return v.y < -quarter.y;
      case Open::top:
        return v.y > quarter.y;
      case Open::z_min:
        return v.z < -quarter.z;
      default:
        return v.z > quarter.z;
    }
  };
  std::erase_if(mesh.triangles, [&](const auto& triangle) {
    return std::all_of(triangle.begin(), triangle.end(), [&](std::uint32_t v) { return beyond(mesh.vertices[v]); });
  });
}

void flip_faces(Geometry& geometry) {
  for (auto& triangle : geometry.mesh.triangles) std::swap(triangle[1], triangle[2]);
  geometry.facts.volume = -geometry.facts.volume;
}

std::string describe_opening(const Geometry& geometry) {
  const std::size_t edges = geometry.facts.open_edges;
  return edges > 0 ? "is open (" + std::to_string(edges) + " edges with one face)" : "encloses no volume";
}

bool inside_geometry(const Geometry& geometry, Vec3 p, double margin) {
  if (!geometry.closed) return false;
  if (geometry.shape.kind != ShapeKind::box) return inside_mesh(geometry.mesh, geometry.columns, p);
  const Vec3 half = 0.5 * geometry.shape.box;
  return std::abs(p.x) < half.x - margin && std::abs(p.y) < half.y - margin && std::abs(p.z) < half.z - margin;
}

std::string describe_shape(const Shape& shape) {
  return shape.kind == ShapeKind::mesh ? "mesh " + shape.mesh.string() : "its " + name_of(kShapes, shape.kind);
}

}  // namespace sluice::io
