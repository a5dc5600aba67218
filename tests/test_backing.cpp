// The layer of samples behind the surface of a mesh: with it, the density of a particle that is alone rises above that
// at rest on every way through the surface, so that pressure turns it back.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/sampling/backing.h"
#include "host/sampling/geometry.h"
#include "host/sampling/point_grid.h"
#include "host/sampling/rest_volume.h"
#include "host/sampling/surface_sampling.h"
#include "tests/mesh_shapes.h"

namespace sluice::io {
namespace {

constexpr double kH = 0.1;  // m

struct Layers {
  Geometry geometry;
  std::vector<Vec3> surface, backing;
};

Layers layers_of(const TriangleMesh& mesh, bool solid_outside) {
  Layers layers;
  layers.geometry.shape.kind = ShapeKind::mesh;
  layers.geometry.mesh = mesh;
  layers.geometry.facts = inspect_mesh(mesh);
  layers.geometry.columns = make_columns(mesh, layers.geometry.facts);
  const Object object;
  Surface surface;
  surface.object = &object;
  surface.geometry = &layers.geometry;
  surface.container = solid_outside;
  layers.surface = sample_mesh(mesh, kH);
  layers.backing = backing_samples(surface, layers.surface, kH);
  return layers;
}

// Over rest: the largest density of a particle alone on its way through the surface at p along `inward`.
double barrier(const std::vector<std::pair<PointGrid, std::vector<double>>>& layers, Vec3 p, Vec3 inward) {
  double most = 0;
  for (double depth = -0.2; depth <= 1; depth += 0.1) {
    const Vec3 x = p + (depth * kH) * inward;
    double density = cubic_spline(0, kH);
    for (const auto& [grid, weights] : layers)
      visit_near(grid, x, 2 * kH, [&](std::uint32_t i, double distance2) {
        density += weights[i] * cubic_spline(std::sqrt(distance2), kH);
        return true;
      });
    most = std::max(most, density * kH * kH * kH);
  }
  return most;
}

double least_barrier(const Layers& layers, bool solid_outside) {
  constexpr double kGamma = 0.7;
  std::vector<std::pair<PointGrid, std::vector<double>>> weighted;
  for (const std::vector<Vec3>* layer : {&layers.surface, &layers.backing})
    weighted.emplace_back(grid_of(*layer, 2 * kH), rest_weights(*layer, kH, kGamma));
  const TriangleMesh& mesh = layers.geometry.mesh;
  double least = 1e9;
  for (const Candidate& candidate : surface_candidates(mesh, kH).area) {
    const auto& [a, b, c] = mesh.triangles[candidate.triangle];
    const Vec3 normal = cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
    const double sign = solid_outside ? 1 : -1;
    least = std::min(least, barrier(weighted, candidate.position, (sign / length(normal)) * normal));
  }
  return least;
}

TEST_CASE("a particle alone is turned back everywhere on a ball, from outside and from inside") {
  for (const double radius : {2.0, 2.4, 2.8, 3.3, 4.0, 5.0, 7.0, 10.0}) {
    CAPTURE(radius);
    for (const bool solid_outside : {false, true})
      CHECK(least_barrier(layers_of(icosphere(3, radius * kH), solid_outside), solid_outside) > 1.05);
  }
}

TEST_CASE("the layer behind a mesh lies on its solid side, apart, and not in the surface") {
  for (const bool solid_outside : {false, true}) {
    const Layers layers = layers_of(box_mesh({0.73, 0.61, 0.52}), solid_outside);
    REQUIRE(layers.backing.size() > 40);
    double most = -1e9, apart = 1e9, from_surface = 1e9;
    for (std::size_t i = 0; i < layers.backing.size(); ++i) {
      const Vec3 p = layers.backing[i];
      const double out = std::max({std::fabs(p.x) - 0.365, std::fabs(p.y) - 0.305, std::fabs(p.z) - 0.26});
      most = std::max(most, solid_outside ? -out : out);
      for (std::size_t j = 0; j < i; ++j) apart = std::min(apart, length(p - layers.backing[j]));
      for (const Vec3& sample : layers.surface) from_surface = std::min(from_surface, length(p - sample));
    }
    CHECK(most < 0);
    CHECK(apart > 0.89 * kH);
    CHECK(from_surface > 0.89 * kH);
  }
}

TEST_CASE("a body thinner than a spacing has no layer behind") {
  CHECK(layers_of(box_mesh({1, 0.08, 1}), false).backing.empty());
}

}  // namespace
}  // namespace sluice::io
