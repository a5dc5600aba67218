// Sharp edges of meshes: how they are found, samples along them, and bodies that lean on them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "host/sampling/creases.h"
#include "host/sampling/inset_sampling.h"
#include "host/sampling/shape_mesh.h"
#include "host/sampling/surface_sampling.h"
#include "tests/figures.h"
#include "tests/folder.h"
#include "tests/gpu.h"
#include "tests/mesh_shapes.h"
#include "tests/rigid_runs.h"

namespace sluice::tests {
namespace {

using namespace sluice::io;

constexpr double kH = 0.1;
const Quat kTurn{std::sqrt(1 - 0.14), 0.3, -0.1, 0.2};

double nearest(const std::vector<Vec3>& samples, Vec3 p) {
  double best = 1e9;
  for (const Vec3& s : samples) best = std::min(best, length(s - p));
  return best;
}

std::vector<Vec3> inset_samples(const TriangleMesh& mesh) {
  return sample_inset_mesh(mesh, make_columns(mesh, inspect_mesh(mesh)), kH).positions;
}

}  // namespace

TEST_CASE("creases: a box has twelve, a cylinder two rings, round meshes and flat sheets none") {
  const std::vector<Crease> box = creases_of(box_mesh({1, 2, 3}, kTurn));
  CHECK(box.size() == 12);
  for (const Crease& crease : box) CHECK(crease.vertices.size() == 2);

  const TriangleMesh cylinder = mesh_of_primitive({.kind = ShapeKind::cylinder, .radius = 0.5, .height = 1}, kH);
  const std::vector<Crease> rings = creases_of(cylinder);
  CHECK(rings.size() == 2);
  for (const Crease& ring : rings) {
    CHECK(ring.vertices.front() == ring.vertices.back());
    CHECK(ring.triangles.size() + 1 == ring.vertices.size());
    for (const std::uint32_t v : ring.vertices) CHECK(cylinder.vertices[v].y == cylinder.vertices[ring.vertices[0]].y);
  }

  CHECK(creases_of(icosphere(2, 1)).empty());
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  CHECK(creases_of(sheet).empty());
  // Faces that run the same way along their common edge are no sharp edge.
  std::swap(sheet.triangles[1][1], sheet.triangles[1][2]);
  CHECK(creases_of(sheet).empty());
}

TEST_CASE("an edge that a mesh splits is one crease up to where it turns") {
  // A box whose upper front edge has a vertex in its middle.
  TriangleMesh mesh = box_mesh({2, 1, 1});
  const auto split = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back({0, 0.5, 0.5});  // between vertices 6 and 7
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (const auto& t : mesh.triangles) {
    int side = 3;
    for (int k = 0; k < 3; ++k)
      if (std::minmax(t[k], t[(k + 1) % 3]) == std::minmax(6u, 7u)) side = k;
    if (side == 3) {
      triangles.push_back(t);
      continue;
    }
    const std::uint32_t a = t[side], b = t[(side + 1) % 3], c = t[(side + 2) % 3];
    triangles.push_back({a, split, c});
    triangles.push_back({split, b, c});
  }
  mesh.triangles = triangles;
  const std::vector<Crease> creases = creases_of(mesh);
  CHECK(creases.size() == 12);
  CHECK(std::count_if(creases.begin(), creases.end(), [](const Crease& c) { return c.vertices.size() == 3; }) == 1);
}

TEST_CASE("points along a crease are even, no closer than asked for") {
  TriangleMesh line;
  line.vertices = {{0, 0, 0}, {1, 0, 0}, {2.3, 0, 0}};
  const std::vector<Vec3> still(3);
  const Crease crease{{0, 1, 2}, {0, 0}};
  const auto count = [&](double step, double least) { return points_along(crease, line, still, step, least).size(); };
  CHECK(count(1, 0.8) == 3);  // three cells of 0.77 would be too short
  CHECK(count(1, 0.7) == 4);
  CHECK(count(2.3, 0) == 2);
  CHECK(count(10, 5) == 2);
  const std::vector<CreasePoint> points = points_along(crease, line, {{0, 0.5, 0}, {0, 0.5, 0}, {0, 0.5, 0}}, 0.25, 0);
  REQUIRE(points.size() == 11);
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(length(points[i].position - Vec3{0.23 * static_cast<double>(i), 0.5, 0}) < 1e-12);
    CHECK(length(points[i].shift - Vec3{0, 0.5, 0}) < 1e-12);
  }
}

TEST_CASE("a vertex moves by the least shift that brings it behind its planes") {
  const auto off = [](const std::vector<MovedPlane>& planes, Vec3 expected) {
    const std::optional<Vec3> shift = shift_onto(planes);
    return shift ? length(*shift - expected) : 1e9;
  };
  CHECK(off({}, {}) == 0);
  CHECK(off({{{0, 1, 0}, 0.3}}, {0, 0.3, 0}) == 0);
  CHECK(off({{{0, 1, 0}, 0.3}, {{1, 0, 0}, 0.2}}, {0.2, 0.3, 0}) == 0);
  CHECK(off({{{0, 1, 0}, 0.3}, {{1, 0, 0}, 0.2}, {{0, 0, -1}, 0.1}, {{0, 0, -1}, 0.1}}, {0.2, 0.3, -0.1}) < 1e-12);
  const double root = std::sqrt(0.5);
  // The plane between two others does not matter once both are reached, nor does the order.
  CHECK(off({{{0, 1, 0}, 0.3}, {{root, root, 0}, 0.3}, {{1, 0, 0}, 0.3}}, {0.3, 0.3, 0}) < 1e-3);
  CHECK(off({{{root, root, 0}, 0.3}, {{0, 1, 0}, 0.3}, {{1, 0, 0}, 0.3}}, {0.3, 0.3, 0}) < 1e-3);
  CHECK(off({{{0, 1, 0}, -0.3}}, {}) == 0);                                 // behind it already
  CHECK(off({{{0, 1, 0}, 0.3}, {{1e-4, 1, 0}, 0.3}}, {0, 0.3, 0}) < 1e-4);  // one face, cut in two
  CHECK(!shift_onto({{{0, 1, 0}, 0.3}, {{0, -1, 0}, 0.3}}));                // a slit
}

TEST_CASE("a box mesh has samples in its corners and in rows along its edges, as drawn and inset") {
  const Vec3 size{1.13, 0.72, 0.95};
  const TriangleMesh mesh = box_mesh(size, kTurn);
  for (const double inset : {0.0, kFullInset * kH}) {
    CAPTURE(inset);
    const std::vector<Vec3> samples = inset > 0 ? inset_samples(mesh) : sample_mesh(mesh, kH);
    const Vec3 half{size.x / 2 - inset, size.y / 2 - inset, size.z / 2 - inset};
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z};
      CHECK(nearest(samples, rotate(kTurn, p)) < 1e-4 * kH);
    }
    std::vector<double> row;
    for (const Vec3& s : samples) {
      const Vec3 p = rotate({kTurn.w, -kTurn.x, -kTurn.y, -kTurn.z}, s);
      if (std::hypot(p.y - half.y, p.z - half.z) < 1e-4 * kH) row.push_back(p.x);
    }
    std::sort(row.begin(), row.end());
    REQUIRE(row.size() > 2);
    for (std::size_t i = 1; i < row.size(); ++i) {
      CHECK(row[i] - row[i - 1] > 0.8 * kH);
      CHECK(row[i] - row[i - 1] == doctest::Approx(2 * half.x / static_cast<double>(row.size() - 1)));
    }
  }
}

TEST_CASE("edges inside other parts of a mesh, and slits, get no samples") {
  // Two boxes through each other: the edges of the thin one that lie in the thick one are not its surface.
  TriangleMesh mesh = box_mesh({1, 1, 1});
  const TriangleMesh bar = box_mesh({3, 0.4, 0.4});
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), bar.vertices.begin(), bar.vertices.end());
  for (const auto& [a, b, c] : bar.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
  const std::vector<Vec3> samples = inset_samples(mesh);
  int inside = 0, along = 0;
  for (const Vec3& p : samples) {
    inside += std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) < 0.4;
    along += std::abs(p.y - 0.15) < 1e-6 && std::abs(p.z - 0.15) < 1e-6;
  }
  CHECK(inside == 0);
  CHECK(along >= 20);
}

// The resultant of a weight that leans passes through its base, or leaves it `inside` h before the drawn edge.
TEST_CASE("a block of a mesh stands while its weight passes through its base" * doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  const TestFolder folder;
  const double width = 12, height = 22;  // h
  const std::string file = (folder.path / "block.obj").string();
  {
    const TriangleMesh mesh = box_mesh({width * kSpacing, height * kSpacing, 4 * kSpacing});
    std::ofstream out(file);
    for (const Vec3& v : mesh.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    for (const auto& [a, b, c] : mesh.triangles) out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
  }
  for (const double inside : {0.25, 1.0}) {
    const double slope = std::atan((width / 2 - inside) / (height / 2)) / kDegree;
    const Scene scene = shape_on_strip(R"("shape": {"mesh": ")" + file + "\"}", 0.8, slope, 20);
    const Recording run = record(lavapipe(), scene, 0.3, 0.1);
    const Quat q = run.frames.back().bodies[0].orientation;
    const double turned = 2 * std::asin(std::min(1.0, length(Vec3{q.x, q.y, q.z}))) / kDegree;
    Figure figure{.name = "mesh of a block, 12 h wide, its weight through a point " + text_of(inside) +
                          " h inside its edge, 0.3 s: turned by",
                  .value = turned,
                  .unit = "degrees",
                  .source = "samples lie h/2 inside"};
    if (inside < 0.5) {
      figure.least = 2;
      figure.required = "topples: > 2 degrees";
    } else {
      figure.most = 0.5;
      figure.required = "stands: < 0.5 degrees";
    }
    report_figure(figure);
  }
}

}  // namespace sluice::tests
