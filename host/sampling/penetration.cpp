#include "host/sampling/penetration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "host/sampling/shape_mesh.h"

namespace sluice::io {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostNormals = 256;  // of a mesh's faces that are tried as directions
constexpr std::size_t kMostEdges = 16;     // of a solid, whose products with another's are tried: a box has 3
constexpr double kMostConvexTests = 3e7;   // of a vertex against a face
constexpr double kMostDistances = 3e7;     // of a point from a triangle
constexpr int kDirections = 200;           // spread over the sphere
constexpr std::size_t kRefined = 8;        // of the best directions
constexpr double kFirstTurn = 0.2, kLastTurn = 1e-7;

// A convex solid in the world: its points swollen by a radius.
struct Convex {
  std::vector<Vec3> points;
  double radius = 0;
  std::vector<Vec3> normals, edges;  // directions, of unit length
};

Vec3 to_world(const Surface& s, Vec3 p) { return s.position + rotate(s.object->rotation, p); }
Vec3 to_local(const Surface& s, Vec3 p) {
  const Quat q = s.object->rotation;
  return rotate({q.w, -q.x, -q.y, -q.z}, p - s.position);
}

bool is_convex(const Surface& s) {
  const Geometry& geometry = *s.geometry;
  if (s.container || !geometry.closed || geometry.shape.kind == ShapeKind::torus) return false;
  if (geometry.shape.kind != ShapeKind::mesh) return true;
  const TriangleMesh& mesh = geometry.mesh;
  if (1.0 * mesh.vertices.size() * mesh.triangles.size() > kMostConvexTests) return false;
  const std::vector<Vec3> normals = face_normals(mesh);
  const double side = geometry.facts.volume < 0 ? -1 : 1, slack = 1e-6 * geometry.radius;
  for (std::size_t t = 0; t < normals.size(); ++t) {
    const double size = length(normals[t]);
    if (!(size > 0)) continue;
    const Vec3 n = (side / size) * normals[t];
    const double level = dot(n, mesh.vertices[mesh.triangles[t][0]]) + slack;
    for (const Vec3& v : mesh.vertices)
      if (dot(n, v) > level) return false;
  }
  return true;
}

void add_direction(std::vector<Vec3>& directions, Vec3 d) {
  const double size = length(d);
  if (!(size > 0)) return;
  const Vec3 n = (1 / size) * d;
  for (const Vec3& other : directions)
    if (std::abs(dot(n, other)) > 1 - 1e-12) return;
  directions.push_back(n);
}

Convex convex_of(const Surface& s) {
  const Shape& shape = s.geometry->shape;
  const Quat q = s.object->rotation;
  Convex out;
  if (shape.kind == ShapeKind::sphere) {
    out.points = {s.position};
    out.radius = shape.radius;
    return out;
  }
  if (shape.kind == ShapeKind::capsule) {
    for (const double end : {-0.5, 0.5}) out.points.push_back(to_world(s, {0, end * shape.height, 0}));
    out.radius = shape.radius;
    out.edges = {rotate(q, {0, 1, 0})};
    return out;
  }
  const TriangleMesh box = shape.kind == ShapeKind::box ? mesh_of_primitive(shape, 1) : TriangleMesh{};
  const TriangleMesh& mesh = shape.kind == ShapeKind::box ? box : s.geometry->mesh;
  for (const Vec3& v : mesh.vertices) out.points.push_back(to_world(s, v));
  for (const Vec3& n : face_normals(mesh)) {
    add_direction(out.normals, rotate(q, n));
    if (out.normals.size() >= kMostNormals) break;
  }
  if (mesh.triangles.size() > 2 * kMostEdges) return out;
  for (const auto& triangle : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      add_direction(out.edges, rotate(q, mesh.vertices[triangle[(k + 1) % 3]] - mesh.vertices[triangle[k]]));
  return out;
}

double support(const Convex& c, Vec3 n) {
  double most = -kInfinity;
  for (const Vec3& p : c.points) most = std::max(most, dot(n, p));
  return most + c.radius;
}

// The way along -n by which `a` must move to be free of `b`.
double way(const Convex& a, const Convex& b, Vec3 n) { return support(a, n) + support(b, -1.0 * n); }

// The least way over all directions. That of two polyhedra lies along a face's normal or at right angles to two edges;
// others are found by turning the best ones of many.
double least_way(const Convex& a, const Convex& b, Vec3 between) {
  std::vector<Vec3> directions;
  for (const Convex* c : {&a, &b}) directions.insert(directions.end(), c->normals.begin(), c->normals.end());
  for (const Vec3& e : a.edges)
    for (const Vec3& f : b.edges) add_direction(directions, cross(e, f));
  add_direction(directions, between);
  double z = 1 - 1.0 / kDirections, c = 1, s = 0;
  for (int i = 0; i < kDirections; ++i, z -= 2.0 / kDirections) {
    const double r = std::sqrt(std::max(0.0, 1 - z * z));
    directions.push_back({r * c, r * s, z});
    // By the golden angle, 137.5 degrees.
    const double cosine = -0.73736887807831985, sine = 0.67549029426152362, turned = c * cosine - s * sine;
    s = s * cosine + c * sine;
    c = turned;
  }
  struct Tried {
    double way;
    Vec3 n;
  };
  std::vector<Tried> tried;
  for (const Vec3& n : directions)
    for (const double sign : {-1.0, 1.0}) tried.push_back({way(a, b, sign * n), sign * n});
  std::stable_sort(tried.begin(), tried.end(), [](const Tried& p, const Tried& q) { return p.way < q.way; });
  tried.resize(std::min(tried.size(), kRefined));
  double least = kInfinity;
  for (Tried& best : tried) {
    for (double turn = kFirstTurn; turn > kLastTurn;) {
      const Vec3 side = std::abs(best.n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
      const Vec3 u = normalized(cross(best.n, side)), v = cross(best.n, u);
      const double before = best.way;
      const Vec3 middle = best.n;
      for (const auto& [x, y] : {std::array{1.0, 0.0},
                                 {-1.0, 0.0},
                                 {0.0, 1.0},
                                 {0.0, -1.0},
                                 {0.7, 0.7},
                                 {-0.7, 0.7},
                                 {0.7, -0.7},
                                 {-0.7, -0.7}}) {
        const Vec3 n = normalized(middle + (turn * x) * u + (turn * y) * v);
        if (const double w = way(a, b, n); w < best.way) best = {w, n};
      }
      if (!(best.way < before)) turn /= 2;
    }
    least = std::min(least, best.way);
  }
  return least;
}

// Corners as drawn, and samples, which lie closer together: in the world.
std::vector<Vec3> points_of(const Scene& scene, const Surface& s) {
  std::vector<Vec3> points;
  const TriangleMesh box = surface_mesh(*s.geometry, scene.spacing);
  for (const Vec3& v : box.vertices) points.push_back(to_world(s, v));
  if (s.body >= scene.bodies.size()) {
    const RigidBody& body = scene.rigid[s.body - scene.bodies.size()];
    for (const RigidSample& sample : scene.shapes[body.shape].samples)
      points.push_back(body.position + rotate(body.orientation, sample.position));
  } else {
    for (const BoundarySample& sample : scene.boundary)
      if (sample.body == s.body && !sample.backing) points.push_back(sample.position);
  }
  return points;
}

// How far a point lies in the solid around a box, of which one face may be open.
double depth_in_walls(const Shape& shape, Vec3 p) {
  const Vec3 half = 0.5 * shape.box;
  const std::array<double, 6> beyond{-half.x - p.x, p.x - half.x,  -half.y - p.y,
                                     p.y - half.y,  -half.z - p.z, p.z - half.z};
  const std::array<Open, 6> faces{Open::x_min, Open::x_max, Open::bottom, Open::top, Open::z_min, Open::z_max};
  double most = 0;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (faces[i] != shape.open)
      most = std::max(most, beyond[i]);
    else if (beyond[i] > 0)
      return 0;  // past the rim there are no walls
  }
  return most;
}

// The farthest of the points below the solid's surface.
double deepest(const std::vector<Vec3>& points, const Surface& solid) {
  const Geometry& geometry = *solid.geometry;
  if (!geometry.closed) return 0;
  double most = 0;
  if (geometry.shape.kind == ShapeKind::box) {
    const Vec3 half = 0.5 * geometry.shape.box;
    for (const Vec3& world : points) {
      const Vec3 p = to_local(solid, world);
      most = std::max(most, solid.container
                                ? depth_in_walls(geometry.shape, p)
                                : std::min({half.x - std::abs(p.x), half.y - std::abs(p.y), half.z - std::abs(p.z)}));
    }
    return most;
  }
  const TriangleMesh& mesh = geometry.mesh;
  std::vector<Vec3> inside;
  for (const Vec3& world : points) {
    const Vec3 p = to_local(solid, world);
    if (inside_mesh(mesh, geometry.columns, p) != solid.container) inside.push_back(p);
  }
  const double work = 1.0 * inside.size() * mesh.triangles.size();
  const auto stride = static_cast<std::size_t>(std::ceil(std::max(1.0, work / kMostDistances)));
  for (std::size_t i = 0; i < inside.size(); i += stride) {
    double nearest = kInfinity;
    for (const auto& [a, b, c] : mesh.triangles) {
      const Vec3 p = closest_on_triangle(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], inside[i]);
      nearest = std::min(nearest, length(inside[i] - p));
    }
    most = std::max(most, nearest);
  }
  return most;
}

}  // namespace

double penetration(const Scene& scene, const Surface& a, const Surface& b) {
  if (is_convex(a) && is_convex(b)) return least_way(convex_of(a), convex_of(b), a.position - b.position);
  return std::max(deepest(points_of(scene, a), b), deepest(points_of(scene, b), a));
}

}  // namespace sluice::io
