// Closed meshes for the tests, faces outwards.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "host/sampling/mesh.h"

namespace sluice::io {

inline TriangleMesh icosphere(int levels, double radius) {
  const double t = (1 + std::sqrt(5.0)) / 2;
  TriangleMesh mesh;
  mesh.vertices = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                   {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, fresh] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<std::uint32_t>(mesh.vertices.size()));
      if (fresh) mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
      return at->second;
    };
    std::vector<std::array<std::uint32_t, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = finer;
  }
  for (Vec3& v : mesh.vertices) v = (radius / length(v)) * v;
  return mesh;
}

inline TriangleMesh box_mesh(Vec3 size, Quat turn = {}) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(
        rotate(turn, {(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y, (i & 4 ? 0.5 : -0.5) * size.z}));
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// A box, open at the top, with walls and a bottom of one thickness; `size` of its outside.
inline TriangleMesh cup_mesh(Vec3 size, double wall) {
  TriangleMesh cup = box_mesh(size), inside = box_mesh(size - Vec3{2 * wall, wall, 2 * wall});
  for (Vec3& v : inside.vertices) v.y += 0.5 * wall;
  cup.vertices.insert(cup.vertices.end(), inside.vertices.begin(), inside.vertices.end());
  std::erase_if(cup.triangles, [](const auto& t) { return (t[0] & t[1] & t[2] & 2) != 0; });
  for (std::size_t t = cup.triangles.size(); t-- > 0;) {
    const auto [a, b, c] = cup.triangles[t];
    cup.triangles.push_back({c + 8, b + 8, a + 8});
  }
  constexpr std::uint32_t kRim[] = {2, 6, 7, 3, 2};
  for (int k = 0; k < 4; ++k) {
    const std::uint32_t p = kRim[k], q = kRim[k + 1];
    cup.triangles.insert(cup.triangles.end(), {{p, q, q + 8}, {p, q + 8, p + 8}});
  }
  return cup;
}

// A body, a head and two ears: thick, thin and sharp parts, concave where they join.
inline TriangleMesh rabbit(double size) {
  TriangleMesh mesh = icosphere(4, 1);
  for (Vec3& v : mesh.vertices) {
    const Vec3 ears[] = {{0.35, 0.9, 0.25}, {-0.35, 0.9, 0.25}};
    double radius = 1 + 0.25 * v.x * v.z - 0.2 * v.y * v.y;
    for (const Vec3& ear : ears) radius += 0.9 * std::pow(std::max(0.0, dot(v, ear) / length(ear)), 60);
    v = size * radius * v;
  }
  return mesh;
}

}  // namespace sluice::io
