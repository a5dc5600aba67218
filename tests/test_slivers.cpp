// Meshes as programs export them: polygons cut along edges that hold vertices, narrow bevels, faces listed twice.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "host/sampling/inset_sampling.h"
#include "host/sampling/slivers.h"
#include "tests/mesh_shapes.h"

namespace sluice::tests {
namespace {

using namespace sluice::io;

constexpr double kH = 0.02;
const Vec3 kSize{12 * kH, 22 * kH, 4 * kH};
const Quat kTurn{std::sqrt(1 - 0.14), 0.3, -0.1, 0.2};
constexpr std::array<std::array<std::uint32_t, 4>, 6> kFaces{
    {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};

double rounded(double v, double unit) { return unit > 0 ? std::round(v / unit) * unit : v; }

// A box whose edges hold vertices, its faces cut into triangles that all meet at the first corner: those along the two
// edges there are lines. Coordinates are those of a file with so many digits.
TriangleMesh fan_box(std::uint32_t parts, Quat turn, double unit) {
  TriangleMesh mesh = box_mesh(kSize);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first;  // vertex inside an edge
  for (const auto& face : kFaces) {
    std::vector<std::uint32_t> rim;
    for (int k = 0; k < 4; ++k) {
      const std::uint32_t from = face[k], to = face[(k + 1) % 4], low = std::min(from, to), high = std::max(from, to);
      const auto [at, fresh] = first.try_emplace({low, high}, static_cast<std::uint32_t>(mesh.vertices.size()));
      for (std::uint32_t i = 1; fresh && i < parts; ++i)
        mesh.vertices.push_back(mesh.vertices[low] + (i / double(parts)) * (mesh.vertices[high] - mesh.vertices[low]));
      rim.push_back(from);
      for (std::uint32_t i = 1; i < parts; ++i) rim.push_back(at->second + (from == low ? i - 1 : parts - 1 - i));
    }
    if (&face == &kFaces[0]) mesh.triangles.clear();
    for (std::size_t i = 1; i + 1 < rim.size(); ++i) mesh.triangles.push_back({rim[0], rim[i], rim[i + 1]});
  }
  for (Vec3& v : mesh.vertices) {
    v = rotate(turn, v);
    v = {rounded(v.x, unit), rounded(v.y, unit), rounded(v.z, unit)};
  }
  return mesh;
}

// A box whose edges are cut off at 45 degrees, `width` from each of their faces.
TriangleMesh bevelled_box(double width, Quat turn) {
  TriangleMesh mesh;
  for (const Vec3& v : box_mesh(kSize).vertices)
    for (int axis = 0; axis < 3; ++axis) {
      const auto in = [&](double x, int of) { return of == axis ? x : x - std::copysign(width, x); };
      mesh.vertices.push_back(rotate(turn, {in(v.x, 0), in(v.y, 1), in(v.z, 2)}));  // on the face across `axis`
    }
  const auto add = [&](std::vector<std::uint32_t> rim) {
    const Vec3 a = mesh.vertices[rim[0]];
    if (dot(cross(mesh.vertices[rim[1]] - a, mesh.vertices[rim[2]] - a), a) < 0) std::reverse(rim.begin(), rim.end());
    for (std::size_t i = 1; i + 1 < rim.size(); ++i) mesh.triangles.push_back({rim[0], rim[i], rim[i + 1]});
  };
  for (std::uint32_t f = 0; f < 6; ++f) {
    const std::uint32_t axis = 2 - f / 2;
    std::vector<std::uint32_t> rim;
    for (const std::uint32_t corner : kFaces[f]) rim.push_back(3 * corner + axis);
    add(rim);
  }
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t b = a | 1u << axis, p = (axis + 1) % 3, q = (axis + 2) % 3;
      if (b != a) add({3 * a + p, 3 * b + p, 3 * b + q, 3 * a + q});
    }
    add({3 * a, 3 * a + 1, 3 * a + 2});
  }
  return mesh;
}

double thinnest(const TriangleMesh& mesh) {  // m, of all triangles' heights
  double least = 1e9;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) least = std::min(least, triangle_height(mesh, t));
  return least;
}

struct Rows {
  int on_edges = 0;    // samples where two inset faces of the box meet, to 0.02 h
  double beyond = -1;  // h, that a sample lies outside an inset face
};

Rows rows_of(const TriangleMesh& mesh, Quat turn) {
  const MeshFacts facts = inspect_mesh(mesh);
  CHECK(facts.open_edges == 0);
  CHECK(facts.odd_edges == 0);
  CHECK(facts.volume == doctest::Approx(kSize.x * kSize.y * kSize.z).epsilon(0.003));
  Rows rows;
  for (const Vec3& sample : sample_inset_mesh(mesh, make_columns(mesh, facts), kH).positions) {
    const Vec3 p = rotate({turn.w, -turn.x, -turn.y, -turn.z}, sample);
    int on = 0;
    for (const double d : {std::abs(p.x) - kSize.x / 2, std::abs(p.y) - kSize.y / 2, std::abs(p.z) - kSize.z / 2}) {
      rows.beyond = std::max(rows.beyond, d / kH + kFullInset);
      on += std::abs(d / kH + kFullInset) < 0.02;
    }
    rows.on_edges += on >= 2;
  }
  return rows;
}

// Of the 12 edges in steps of one spacing: 4 (11 + 21 + 3) steps, less one an edge, and 8 corners.
constexpr int kOnEdges = 4 * (11 + 21 + 3) - 12 + 8;

}  // namespace

TEST_CASE("slivers along edges are turned: the surface stays, and rows stand along the edges") {
  for (const std::uint32_t parts : {2u, 4u})
    for (const double unit : {0.0, 1e-6, 1e-4})
      for (const Quat turn : {Quat{}, kTurn}) {
        CAPTURE(parts);
        CAPTURE(unit);
        CAPTURE(turn.x);
        TriangleMesh mesh = fan_box(parts, turn, unit);
        const double area = inspect_mesh(mesh).area, volume = inspect_mesh(mesh).volume;
        const std::size_t triangles = mesh.triangles.size();
        CHECK(thinnest(mesh) < 2e-4);
        turn_slivers(mesh);
        CHECK(thinnest(mesh) > 0.1 * kH);
        CHECK(mesh.triangles.size() == triangles);
        CHECK(inspect_mesh(mesh).area == doctest::Approx(area).epsilon(1e-3));
        CHECK(inspect_mesh(mesh).volume == doctest::Approx(volume).epsilon(1e-4));
        const Rows rows = rows_of(mesh, turn);
        CHECK(rows.on_edges >= kOnEdges);
        CHECK(rows.beyond < 0.01);
      }
}

TEST_CASE("strips of a long round mesh, and faces that nothing lies beyond, stay as they are") {
  TriangleMesh rod;  // 200 long, 64 strips around
  constexpr std::uint32_t kSides = 64;
  for (std::uint32_t i = 0; i < kSides; ++i)
    for (const double y : {0.0, 200.0})
      rod.vertices.push_back({std::cos(0.0981747704 * i), y, std::sin(0.0981747704 * i)});
  for (std::uint32_t i = 0; i < kSides; ++i) {
    const std::uint32_t a = 2 * i, b = 2 * ((i + 1) % kSides);
    rod.triangles.push_back({a, a + 1, b + 1});
    rod.triangles.push_back({a, b + 1, b});
  }
  const double volume = inspect_mesh(rod).volume, area = inspect_mesh(rod).area;
  turn_slivers(rod);
  CHECK(inspect_mesh(rod).volume == doctest::Approx(volume).epsilon(1e-12));
  CHECK(inspect_mesh(rod).area == doctest::Approx(area).epsilon(1e-12));

  TriangleMesh line;
  line.vertices = {{0, 0, 0}, {1, 0, 0}, {0.5, 1e-7, 0}, {0.5, -1, 0}};
  line.triangles = {{0, 1, 2}};
  const auto alone = line.triangles;
  turn_slivers(line);
  CHECK(line.triangles == alone);
  // The new edge would be there already.
  line.triangles = {{0, 1, 2}, {1, 0, 3}, {2, 3, 0}};
  const auto closed_off = line.triangles;
  turn_slivers(line);
  CHECK(line.triangles == closed_off);
  line.triangles.pop_back();
  turn_slivers(line);
  CHECK(line.triangles == std::vector<std::array<std::uint32_t, 3>>{{2, 0, 3}, {2, 3, 1}});
}

TEST_CASE("the narrow sides of a thin sheet are no slivers") {
  // 1 m square and 0.4 mm thick, a vertex in the middle of a lower edge. Turned, it would lose a sixth of its volume.
  TriangleMesh sheet;
  for (const double z : {0.0, 4e-4})
    for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      sheet.vertices.push_back({x * 1.0, y * 1.0, z});
  sheet.vertices.push_back({0.5, 0, 0});
  sheet.triangles = {{0, 3, 2}, {0, 2, 8}, {8, 2, 1}, {4, 5, 6}, {4, 6, 7}, {0, 8, 4}, {4, 8, 5},
                     {8, 1, 5}, {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  const MeshFacts before = inspect_mesh(sheet);
  REQUIRE(before.open_edges == 0);
  CHECK(before.volume == doctest::Approx(4e-4));
  turn_slivers(sheet);
  CHECK(inspect_mesh(sheet).volume == doctest::Approx(4e-4));
  CHECK(inspect_mesh(sheet).area == doctest::Approx(before.area));
}

TEST_CASE("rows stand where the faces beside a narrow bevel meet") {
  for (const double width : {1e-6, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.3})
    for (const Quat turn : {Quat{}, kTurn}) {
      CAPTURE(width);
      CAPTURE(turn.x);
      const Rows rows = rows_of(bevelled_box(width * kH, turn), turn);
      CHECK(rows.on_edges >= kOnEdges);
      CHECK(rows.beyond < 0.01);
    }
}

TEST_CASE("faces that a file lists twice count once") {
  const TriangleMesh box = box_mesh(kSize);
  std::string text;
  for (const Vec3& v : box.vertices)
    text += "v " + std::to_string(v.x) + ' ' + std::to_string(v.y) + ' ' + std::to_string(v.z) + '\n';
  const auto face = [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return "f " + std::to_string(a + 1) + ' ' + std::to_string(b + 1) + ' ' + std::to_string(c + 1) + '\n';
  };
  for (const auto& [a, b, c] : box.triangles) text += face(a, b, c);
  CHECK(parse_obj(text, "box.obj").repeated == 0);
  for (const auto& [a, b, c] : box.triangles) text += face(b, c, a);
  const TriangleMesh twice = parse_obj(text, "box.obj");
  CHECK(twice.repeated == 12);
  CHECK(twice.triangles.size() == 12);
  CHECK(inspect_mesh(twice).volume == doctest::Approx(kSize.x * kSize.y * kSize.z));
  // A sheet with two sides has each face once in each direction.
  const TriangleMesh sheet =
      parse_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\nf 3 2 1\nf 4 3 1\n", "sheet.obj");
  CHECK(sheet.repeated == 0);
  CHECK(sheet.triangles.size() == 4);
}

TEST_CASE("two bodies that share a face keep both of it") {
  // A pyramid up and one up to twice its height, both on the face 1 2 3, listed once by each.
  const TriangleMesh both = parse_obj(
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nf 1 3 2\nf 1 2 5\nf 2 3 5\n"
      "f 3 1 5\n",
      "both.obj");
  CHECK(both.repeated == 0);
  CHECK(inspect_mesh(both).open_edges == 0);
  CHECK(inspect_mesh(both).volume == doctest::Approx(3.0 / 6));
}

TEST_CASE("edges of 60 degrees are blunt, however the mesh is turned") {
  TriangleMesh prism;
  for (const double z : {-10 * kH, 10 * kH})
    for (const double angle : {0.0, 2 * std::numbers::pi / 3, 4 * std::numbers::pi / 3})
      prism.vertices.push_back({10 * kH * std::cos(angle), 10 * kH * std::sin(angle), z});
  prism.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
  // Where the inset faces meet, twice as far inside as the faces.
  const double edge = 10 * kH - 2 * kFullInset * kH;
  for (int turn = 0; turn < 12; ++turn) {
    const Quat q{std::cos(0.37 * turn), std::sin(0.37 * turn) * 0.6, 0, std::sin(0.37 * turn) * 0.8};
    TriangleMesh turned = prism;
    for (Vec3& v : turned.vertices) {
      v = rotate(q, v);
      v = {rounded(v.x, 1e-6), rounded(v.y, 1e-6), rounded(v.z, 1e-6)};
    }
    int on_edges = 0;
    for (const Vec3& sample : sample_inset_mesh(turned, make_columns(turned, inspect_mesh(turned)), kH).positions) {
      const Vec3 p = rotate({q.w, -q.x, -q.y, -q.z}, sample);
      on_edges += std::abs(std::hypot(p.x, p.y) - edge) < 1e-3 * kH;
    }
    CAPTURE(turn);
    CHECK(on_edges >= 3 * 20);
  }
}

}  // namespace sluice::tests
