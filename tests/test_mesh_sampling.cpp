// Even samples of meshes: no hole that water passes, rest volumes alike where the surface is smooth.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "host/sampling/inset_sampling.h"
#include "host/sampling/mesh_columns.h"
#include "host/sampling/point_grid.h"
#include "host/sampling/rest_volume.h"
#include "host/sampling/triangle_tree.h"
#include "tests/mesh_shapes.h"

using namespace sluice;
using namespace sluice::io;

namespace {

constexpr double kH = 0.1;  // m

// Points of the mesh moved inwards by `inset`, m, without those that lie nearer to another part of it.
std::vector<Vec3> inset_points(const TriangleMesh& mesh, double inset) {
  std::vector<Vec3> drawn, moved, out;
  const std::vector<Vec3> normals = face_normals(mesh);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 a = mesh.vertices[mesh.triangles[t][0]];
    const Vec3 ab = mesh.vertices[mesh.triangles[t][1]] - a, ac = mesh.vertices[mesh.triangles[t][2]] - a;
    const int n = 1 + static_cast<int>(12 * std::max(length(ab), length(ac)) / kH);
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) {
        drawn.push_back(a + (1.0 * i / n) * ab + (1.0 * j / n) * ac);
        moved.push_back(drawn.back() - (inset / length(normals[t])) * normals[t]);
      }
  }
  const PointGrid grid = grid_of(drawn, kH);
  for (const Vec3& p : moved)
    if (inset == 0 || !any_near(grid, p, 0.995 * inset)) out.push_back(p);
  return out;
}

std::vector<Vec3> samples_of(const TriangleMesh& mesh, double inset) {
  if (inset == 0) return sample_mesh(mesh, kH);
  return sample_inset_mesh(mesh, make_columns(mesh, inspect_mesh(mesh)), kH).positions;
}

double largest_hole(const TriangleMesh& mesh, const std::vector<Vec3>& samples, double inset) {
  const PointGrid grid = grid_of(samples, 2 * kH);
  double hole = 0;
  for (const Vec3& p : inset_points(mesh, inset)) {
    const std::uint32_t nearest = nearest_point(grid, p, 2 * kH);
    hole = std::max(hole, nearest == kNoPoint ? 2 * kH : length(samples[nearest] - p));
  }
  return hole;
}

}  // namespace

TEST_CASE("samples of meshes leave no hole that water passes") {
  const Quat turn{0.8, 0.36, 0.48, 0};  // a unit quaternion without a trigonometric function
  const TriangleMesh meshes[] = {icosphere(3, 0.3),
                                 icosphere(4, 0.5),
                                 icosphere(4, 0.8),
                                 box_mesh({0.8, 0.8, 0.8}),
                                 box_mesh({0.84, 0.7, 1}),
                                 box_mesh({1.1, 0.7, 0.9}, turn),
                                 rabbit(0.5)};
  for (const TriangleMesh& mesh : meshes)
    for (const double inset : {0.0, kFullInset * kH}) {
      INFO("mesh ", &mesh - meshes, " inset ", inset);
      CHECK(largest_hole(mesh, samples_of(mesh, inset), inset) < 0.75 * kH);
    }
}

TEST_CASE("the tree of a fan of long thin triangles, each in pieces, finds the nearest of all") {
  TriangleMesh fan;
  fan.vertices = {{0, 0.3, 0}};
  constexpr std::uint32_t kCount = 300;
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const double angle = 0.02 * k;
    fan.vertices.push_back({2 * std::cos(angle), 0, 2 * std::sin(angle)});
    if (k > 0) fan.triangles.push_back({0, k, k + 1});
  }
  const auto square_to = [&](std::uint32_t t, Vec3 p) {
    const auto& [a, b, c] = fan.triangles[t];
    const Vec3 d = closest_on_triangle(fan.vertices[a], fan.vertices[b], fan.vertices[c], p) - p;
    return dot(d, d);
  };
  const TriangleTree tree = make_triangle_tree(fan, std::vector<Vec3>(fan.triangles.size(), {0, 1, 0}), 0, 0.3);
  CHECK(tree.triangles.size() > 6 * fan.triangles.size());
  for (int k = 0; k < 500; ++k) {
    const Vec3 p{2.5 * std::sin(1.7 * k), 0.5 * std::sin(2.3 * k), 2.5 * std::sin(3.1 * k)};
    double nearest = 1e9, found = 1e9;
    for (std::uint32_t t = 0; t < fan.triangles.size(); ++t) nearest = std::min(nearest, square_to(t, p));
    visit_nearer(tree, p, found, [&](std::uint32_t t) { found = std::min(found, square_to(t, p)); });
    CHECK(found == doctest::Approx(nearest).epsilon(1e-9));
  }
}

TEST_CASE("rest volumes of the samples of a round mesh are alike") {
  for (const double radius : {0.3, 0.5, 0.8})
    for (const double inset : {0.0, kFullInset * kH}) {
      INFO("radius ", radius, " inset ", inset);
      std::vector<double> volumes =
          rest_weights(samples_of(icosphere(radius > 0.6 ? 5 : 4, radius), inset), kH, 0.7, 10);
      std::sort(volumes.begin(), volumes.end());
      const double median = volumes[volumes.size() / 2];
      CHECK(volumes.front() > 0.97 * median);
      CHECK(volumes.back() < 1.03 * median);
    }
}
