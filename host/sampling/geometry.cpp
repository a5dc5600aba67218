#include "host/sampling/geometry.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "host/sampling/shape_mesh.h"
#include "host/sampling/surface_sampling.h"
#include "host/scene/scene_names.h"

namespace sluice::io {
namespace {

constexpr double kFarthest = 1e9;  // in spacings: coordinates this large still tell 1e-7 of a spacing

// A mesh's units show in its size first.
void check_mesh_size(const Geometry& geometry, double h) {
  const std::string name = geometry.shape.mesh.string() + ": ", size = size_text(geometry.facts);
  const Vec3 low = geometry.facts.low, high = geometry.facts.high;
  const double away = std::max({-low.x, -low.y, -low.z, high.x, high.y, high.z});
  if (has_too_many_samples(geometry.mesh, h))
    throw Error(name + "the mesh would have more than 13 million samples: with its scale it is " + size +
                "; if it was drawn in millimetres, give it \"scale\": 0.001, else use a larger particleSpacing");
  if (!(away < kFarthest * h))
    throw Error(name + "the mesh reaches too far from its origin for samples " + length_text(h) +
                " apart to be told apart: with its scale it is " + size +
                "; move it nearer to its origin, or give it a smaller \"scale\"");
}

}  // namespace

std::string length_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g m", value);
  return text;
}

std::string size_text(const MeshFacts& facts) {
  const Vec3 size = facts.high - facts.low;
  char text[96];
  std::snprintf(text, sizeof text, "%.3g x %.3g x %.3g m", size.x, size.y, size.z);
  return text;
}

std::string scale_text(const Shape& shape, double factor) {
  const Vec3 s = factor * shape.scale;
  char text[96];
  if (s.x == s.y && s.y == s.z)
    std::snprintf(text, sizeof text, "%.4g", s.x);  // 1000 rather than 1e+03
  else
    std::snprintf(text, sizeof text, "[%.4g, %.4g, %.4g]", s.x, s.y, s.z);
  return text;
}

std::string describe_small(const Geometry& geometry, double h) {
  const Vec3 size = geometry.facts.high - geometry.facts.low;
  if (geometry.shape.kind != ShapeKind::mesh || std::max({size.x, size.y, size.z}) >= h) return "";
  return describe_shape(geometry.shape) + " is " + size_text(geometry.facts) +
         " large, less than the particle spacing of " + length_text(h) +
         ": if it was drawn in other units, give it a larger \"scale\", such as " + scale_text(geometry.shape, 100) +
         " or " + scale_text(geometry.shape, 1000) + ", else use a smaller particleSpacing";
}

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
  finish_geometry(out, h);
  return out;
}

void finish_geometry(Geometry& out, double h) {
  const Shape& shape = out.shape;
  for (const Vec3& v : out.mesh.vertices) {
    if (!std::isfinite(dot(v, v))) {
      throw Error(shape.kind == ShapeKind::mesh
                      ? shape.mesh.string() +
                            ": a scaled coordinate is too large for a length in metres; use a smaller \"scale\""
                      : "the shape is too large; use smaller lengths");
    }
    out.radius = std::max(out.radius, length(v));
  }
  out.radius += h;
  out.facts = inspect_mesh(out.mesh);
  if (!(out.facts.area > 0)) {
    throw Error(shape.kind == ShapeKind::mesh ? shape.mesh.string() + ": with its scale it is " + size_text(out.facts) +
                                                    ", too small for its faces to have an area; use a larger \"scale\""
                                              : "the shape is too small to have an area; use larger lengths");
  }
  if (shape.kind == ShapeKind::mesh) check_mesh_size(out, h);
  const Vec3 size = out.facts.high - out.facts.low;
  const bool sheet = std::abs(out.facts.volume) <= 1e-9 * out.facts.area * std::max({size.x, size.y, size.z});
  out.closed = out.facts.open_edges == 0 && !sheet;
  if (out.closed && shape.kind == ShapeKind::mesh && out.facts.odd_edges == 0) {
    out.shells = unite_shells(out.mesh);
    if (out.shells.hidden + out.shells.turned > 0) out.facts = inspect_mesh(out.mesh);
  }
  if (out.closed) out.columns = make_columns(out.mesh, out.facts);
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

std::string describe_crossed(const Geometry& geometry) {
  const std::size_t count = geometry.mesh.crossed;
  return describe_shape(geometry.shape) + " has " + std::to_string(count) +
         (count == 1 ? " face that crosses itself" : " faces that cross themselves") +
         ", so its surface there is anyone's guess: cut them into triangles and export it again";
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
