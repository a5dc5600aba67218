#include "host/sampling/shape_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sluice::io {
namespace {

constexpr double kTurn = 6.28318530717958647692;

// How many sides a circle gets: a multiple of four, so that its extent along the axes is exact.
std::uint32_t sides_of(double radius, double h, std::uint32_t most) {
  const double sides = std::ceil(kTurn * radius / (0.5 * h) / 4);
  return 4 * static_cast<std::uint32_t>(std::clamp(sides, 4.0, most / 4.0));
}

// Turns a profile about y: points (distance from y, height) from the bottom up along the outside. A point on the axis
// becomes one vertex. A closed profile (a torus's) goes on from its last point to its first.
TriangleMesh revolve(const std::vector<std::array<double, 2>>& profile, bool closed, std::uint32_t sides) {
  TriangleMesh mesh;
  std::vector<std::uint32_t> first;  // vertex of each point of the profile
  std::vector<bool> pole;
  for (const auto& [distance, height] : profile) {
    first.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
    pole.push_back(distance == 0);
    for (std::uint32_t k = 0; k < (distance == 0 ? 1 : sides); ++k) {
      const auto [sine, cosine] = sine_cosine(k * 360.0 / sides);
      mesh.vertices.push_back({distance * cosine, height, distance * sine});
    }
  }
  const std::size_t count = profile.size();
  for (std::size_t i = 0; i + (closed ? 0 : 1) < count; ++i) {
    const std::size_t j = (i + 1) % count;
    for (std::uint32_t k = 0; k < sides; ++k) {
      const std::uint32_t next = (k + 1) % sides;
      const std::uint32_t a = first[i] + (pole[i] ? 0 : k), b = first[i] + (pole[i] ? 0 : next),
                          c = first[j] + (pole[j] ? 0 : k), d = first[j] + (pole[j] ? 0 : next);
      if (!pole[i]) mesh.triangles.push_back({a, c, b});
      if (!pole[j]) mesh.triangles.push_back({b, c, d});
    }
  }
  return mesh;
}

// An icosahedron whose faces are split in four until their edges are short enough.
TriangleMesh sphere_mesh(double radius, double h) {
  const double t = (1 + std::sqrt(5.0)) / 2;
  TriangleMesh mesh;
  mesh.vertices = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                   {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  constexpr int kMostLevels = 8;  // 1.3 million triangles
  double edge = 1.06 * radius;
  for (int level = 0; level < 2 || (edge > 0.5 * h && level < kMostLevels); ++level, edge /= 2) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, fresh] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<std::uint32_t>(mesh.vertices.size()));
      if (fresh) mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
      return at->second;
    };
    for (Vec3& v : mesh.vertices) v = normalized(v);
    std::vector<std::array<std::uint32_t, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  for (Vec3& v : mesh.vertices) v = radius * v;
  return mesh;
}

TriangleMesh capsule_mesh(double radius, double height, double h) {
  const std::uint32_t sides = sides_of(radius, h, 1024);
  std::vector<std::array<double, 2>> profile{{0, -radius - 0.5 * height}};
  for (const double half : {-0.5, 0.5}) {
    for (std::uint32_t k = half < 0 ? 1 : 0; k <= sides / 4 - (half < 0 ? 0 : 1); ++k) {
      const auto [sine, cosine] = sine_cosine((half < 0 ? -90 : 0) + k * 360.0 / sides);
      profile.push_back({radius * cosine, half * height + radius * sine});
    }
  }
  profile.push_back({0, radius + 0.5 * height});
  return revolve(profile, false, sides);
}

TriangleMesh torus_mesh(double radius, double tube, double h) {
  const std::uint32_t sides = sides_of(radius + tube, h, 1024), around = sides_of(tube, h, 1024);
  std::vector<std::array<double, 2>> profile;
  for (std::uint32_t k = 0; k < around; ++k) {
    const auto [sine, cosine] = sine_cosine(k * 360.0 / around);
    profile.push_back({radius + tube * cosine, tube * sine});
  }
  return revolve(profile, true, sides);
}

}  // namespace

TriangleMesh mesh_of_primitive(const Shape& shape, double h) {
  const double r = shape.radius, y = 0.5 * shape.height;
  const Vec3 b = 0.5 * shape.box;
  TriangleMesh mesh;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return sphere_mesh(r, h);
    case ShapeKind::cylinder:
      return revolve({{0, -y}, {r, -y}, {r, y}, {0, y}}, false, sides_of(r, h, 4096));
    case ShapeKind::cone:
      return revolve({{0, -y}, {r, -y}, {0, y}}, false, sides_of(r, h, 4096));
    case ShapeKind::capsule:
      return capsule_mesh(r, shape.height, h);
    case ShapeKind::torus:
      return torus_mesh(r, shape.tube, h);
    case ShapeKind::wedge:
      mesh.vertices = {{-b.x, -b.y, -b.z}, {b.x, -b.y, -b.z}, {-b.x, b.y, -b.z},
                       {-b.x, -b.y, b.z},  {b.x, -b.y, b.z},  {-b.x, b.y, b.z}};
      mesh.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {0, 3, 5}, {0, 5, 2}, {1, 2, 5}, {1, 5, 4}};
      break;
    case ShapeKind::pyramid:
      mesh.vertices = {{-b.x, -b.y, -b.z}, {b.x, -b.y, -b.z}, {b.x, -b.y, b.z}, {-b.x, -b.y, b.z}, {0, b.y, 0}};
      mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 4, 1}, {1, 4, 2}, {2, 4, 3}, {3, 4, 0}};
      break;
    case ShapeKind::box:
      for (int i = 0; i < 8; ++i) mesh.vertices.push_back({i & 1 ? b.x : -b.x, i & 2 ? b.y : -b.y, i & 4 ? b.z : -b.z});
      mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                        {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
      break;
    case ShapeKind::mesh:
      break;
  }
  return mesh;
}

}  // namespace sluice::io
