// Polygons of mesh files, cut into triangles: wherever they lie, and whatever their shape.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "host/sampling/mass.h"
#include "host/sampling/mesh.h"
#include "host/sampling/polygons.h"
#include "host/sampling/surface_sampling.h"
#include "tests/random_polygons.h"

namespace sluice::tests {
namespace {

using namespace sluice::io;

Vec3 twice_area(Vec3 a, Vec3 b, Vec3 c) { return cross(b - a, c - a); }

// Sum of all triangles, each with a positive sign; -1 where one turns against the polygon.
double covered(const std::vector<Vec3>& corners, const PolygonTriangles& parts, Vec3 normal) {
  double sum = 0, size = dot(normal, normal);
  for (const auto& [a, b, c] : parts.triangles) {
    const Vec3 n = twice_area(corners[a], corners[b], corners[c]);
    // By rounding, a triangle that is hardly more than a line may turn anywhere.
    if (dot(n, normal) < -1e-9 * size) return -1;
    sum += length(n) / 2;
  }
  return sum;
}

Vec3 normal_of(const std::vector<Vec3>& corners) {  // as long as the area
  Vec3 sum;
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) sum = sum + twice_area(corners[0], corners[i], corners[i + 1]);
  return 0.5 * sum;
}

std::vector<Vec3> placed(const Outline& outline, double height, Quat turn, Vec3 at) {
  std::vector<Vec3> out;
  for (const Flat& p : outline) out.push_back(at + rotate(turn, {p.x, p.y, height}));
  return out;
}

Quat random_turn(Pcg& random) {
  for (;;) {
    const Quat q{random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)};
    const double size = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (size > 0.1 && size < 1) return {q.w / size, q.x / size, q.y / size, q.z / size};
  }
}

// Caps as single faces, sides as quads.
std::string prism_obj(const std::vector<Vec3>& low, const std::vector<Vec3>& high,
                      const char* format = "v %.17g %.17g %.17g\n") {
  std::string text;
  char line[128];
  for (const auto* cap : {&low, &high})
    for (const Vec3& v : *cap) {
      std::snprintf(line, sizeof line, format, v.x, v.y, v.z);
      text += line;
    }
  const std::size_t n = low.size();
  text += "f";
  for (std::size_t i = n; i > 0; --i) text += ' ' + std::to_string(i);
  text += "\nf";
  for (std::size_t i = 1; i <= n; ++i) text += ' ' + std::to_string(n + i);
  text += '\n';
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    text += "f " + std::to_string(i + 1) + ' ' + std::to_string(j + 1) + ' ' + std::to_string(n + j + 1) + ' ' +
            std::to_string(n + i + 1) + '\n';
  }
  return text;
}

// Signed, by fans: right for any polygon, whatever its triangles are.
double prism_volume(const std::vector<Vec3>& low, const std::vector<Vec3>& high) {
  const Vec3 o = low[0];
  double sum = 0;
  const auto add = [&](Vec3 a, Vec3 b, Vec3 c) { sum += dot(a - o, cross(b - o, c - o)) / 6; };
  for (std::size_t i = 0; i < low.size(); ++i) {
    const std::size_t j = (i + 1) % low.size();
    add(low[0], low[j], low[i]);
    add(high[0], high[i], high[j]);
    add(low[i], low[j], high[j]);
    add(low[i], high[j], high[i]);
  }
  return sum;
}

void check_polygons(int count, int positions, int sampled) {
  Pcg random(7);
  int wrong_areas = 0, wrong_counts = 0, wrong_volumes = 0, crossed = 0, open = 0, outside = 0;
  for (int k = 0; k < count; ++k) {
    const Outline outline = random_outline(random);
    for (int place = 0; place < positions; ++place) {
      const double far = place == 0 ? 0 : std::pow(10.0, random.below(7));
      const Vec3 at{random.real(-far, far), random.real(-far, far), random.real(-far, far)};
      // Lying flat every third time: corners then stay exactly in line.
      const Quat turn = place % 3 == 0 ? Quat{} : random_turn(random);
      const std::vector<Vec3> low = placed(outline, 0, turn, at), high = placed(outline, 0.25, turn, at);
      const Vec3 normal = normal_of(low);
      const PolygonTriangles parts = triangulate(low);
      crossed += parts.crosses_itself;
      wrong_counts += parts.triangles.size() != outline.size() - 2;
      const double area = length(normal), error = std::fabs(covered(low, parts, normal) - area);
      if (!(error <= 1e-9 * area)) {
        ++wrong_areas;
        CAPTURE(k);
        CAPTURE(place);
        CAPTURE(outline.size());
        CHECK(error <= 1e-9 * area);
      }
      if (place != k % positions) continue;
      const TriangleMesh mesh = parse_obj(prism_obj(low, high), "prism.obj");
      const MeshFacts facts = inspect_mesh(mesh);
      open += facts.open_edges > 0 || facts.odd_edges > 0;
      const double volume = prism_volume(low, high);
      if (!(std::fabs(facts.volume - volume) <= 1e-9 * volume)) {
        ++wrong_volumes;
        CAPTURE(k);
        CAPTURE(place);
        CAPTURE(facts.volume / volume - 1);
        CHECK(std::fabs(facts.volume - volume) <= 1e-9 * volume);
      }
      if (k >= sampled) continue;
      TriangleMesh cap{low, {}};
      cap.triangles = parts.triangles;
      for (const Vec3& sample : sample_mesh(cap, 0.04)) {
        const Vec3 p = rotate({turn.w, -turn.x, -turn.y, -turn.z}, sample - at);
        if (!contains(outline, {p.x, p.y}) && distance_to_rim(outline, {p.x, p.y}) > 1e-8) ++outside;
      }
    }
  }
  CHECK(crossed == 0);
  CHECK(wrong_counts == 0);
  CHECK(wrong_areas == 0);
  CHECK(wrong_volumes == 0);
  CHECK(open == 0);
  CHECK(outside == 0);
}

// Mass at density 1 and the area of the lower cap, as a file with six digits gives them.
struct Prism {
  double mass, cap;
};
Prism prism_of(const Outline& outline, Vec3 at, double height) {
  const TriangleMesh mesh =
      parse_obj(prism_obj(placed(outline, 0, {}, at), placed(outline, height, {}, at), "v %.6f %.6f %.6f\n"), "p.obj");
  const MeshFacts facts = inspect_mesh(mesh);
  CHECK(facts.open_edges + facts.odd_edges == 0);
  double cap = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corner = mesh.triangles[t];
    if (std::all_of(corner.begin(), corner.end(),
                    [&](std::uint32_t v) { return mesh.vertices[v].z < facts.low.z + 1e-9; }))
      cap += triangle_area(mesh, t);
  }
  CHECK(facts.volume == doctest::Approx(mesh_mass(mesh).mass).epsilon(1e-12));
  return {mesh_mass(mesh).mass, cap};
}

const Vec3 kPlaces[] = {{0, 0, 0}, {-0.166667, -0.166667, -0.1}, {3, 2, 1}, {-3, 2, -1}, {-1000, -500, 20}};

}  // namespace

TEST_CASE("letters, stars and darts weigh what they are drawn as, wherever they lie") {
  const Outline pentagon{{0, 0}, {0.4, 0}, {0.4, 0.4}, {0.2, 0.1}, {0, 0.4}};
  const Outline dart{{0, 0}, {0.3, 0.05}, {0, 0.1}, {0.05, 0.05}};
  const Outline l{{0, 0}, {0.4, 0}, {0.4, 0.1}, {0.1, 0.1}, {0.1, 0.4}, {0, 0.4}};
  const Outline u{{0, 0}, {0.4, 0}, {0.4, 0.4}, {0.3, 0.4}, {0.3, 0.1}, {0.1, 0.1}, {0.1, 0.4}, {0, 0.4}};
  const Outline h{{-0.2, -0.2}, {-0.1, -0.2}, {-0.1, -0.05}, {0.1, -0.05}, {0.1, -0.2}, {0.2, -0.2},
                  {0.2, 0.2},   {0.1, 0.2},   {0.1, 0.05},   {-0.1, 0.05}, {-0.1, 0.2}, {-0.2, 0.2}};
  Outline star, gear;
  for (int i = 0; i < 10; ++i)
    star.push_back({(i % 2 ? 0.08 : 0.2) * std::cos(i * 0.6283185307179586),
                    (i % 2 ? 0.08 : 0.2) * std::sin(i * 0.6283185307179586)});
  for (int i = 0; i < 48; ++i) {
    const double r = i % 4 < 2 ? 0.2 : 0.14, a = i * 0.1308996938995747;
    gear.push_back({r * std::cos(a), r * std::sin(a)});
  }
  for (const Vec3 at : kPlaces) {
    CAPTURE(at.x);
    CHECK(prism_of(pentagon, at, 0.2).mass == doctest::Approx(0.2 * 0.1).epsilon(1e-6));
    CHECK(prism_of(pentagon, at, 0.2).cap == doctest::Approx(0.1).epsilon(1e-6));
    CHECK(prism_of(dart, at, 0.1).cap == doctest::Approx(0.0125).epsilon(1e-6));
    CHECK(prism_of(dart, at, 0.1).mass == doctest::Approx(0.00125).epsilon(1e-6));
    CHECK(prism_of(l, at, 0.2).mass == doctest::Approx(0.014).epsilon(1e-6));
    CHECK(prism_of(u, at, 0.2).mass == doctest::Approx(0.02).epsilon(1e-6));
    CHECK(prism_of(h, at, 0.2).mass == doctest::Approx(0.02).epsilon(1e-6));
    CHECK(prism_of(star, at, 0.2).mass == doctest::Approx(0.2 * area_of(star)).epsilon(1e-4));
    CHECK(prism_of(gear, at, 0.2).cap == doctest::Approx(area_of(gear)).epsilon(1e-4));
  }
}

TEST_CASE("a concave quad is cut from its notch, whichever corner that is") {
  const std::vector<Vec3> dart{{0, 0, 0}, {0.3, 0.05, 0}, {0, 0.1, 0}, {0.05, 0.05, 0}};
  for (std::size_t first = 0; first < 4; ++first)
    for (const bool back : {false, true}) {
      std::vector<Vec3> turned;
      for (std::size_t i = 0; i < 4; ++i) turned.push_back(dart[(first + (back ? 4 - i : i)) % 4]);
      const PolygonTriangles parts = triangulate(turned);
      CHECK(parts.triangles.size() == 2);
      CHECK(covered(turned, parts, normal_of(turned)) == doctest::Approx(0.0125).epsilon(1e-12));
    }
  // A convex one along the shorter diagonal, and the last two corners' where they are equal.
  using Triangles = std::vector<std::array<std::uint32_t, 3>>;
  CHECK(triangulate(std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {1, 1, 0}}).triangles ==
        Triangles{{0, 1, 3}, {1, 2, 3}});
  CHECK(triangulate(std::vector<Vec3>{{1, 0, 0}, {3, 0, 0}, {2, 1, 0}, {0, 1, 0}}).triangles ==
        Triangles{{0, 1, 2}, {0, 2, 3}});
  CHECK(triangulate(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}).triangles ==
        Triangles{{0, 1, 3}, {1, 2, 3}});
}

TEST_CASE("holes by bridges, corners in line, corners that repeat and edges there and back keep the area") {
  const auto area = [](const std::vector<Vec3>& corners) {
    const PolygonTriangles parts = triangulate(corners);
    CHECK(!parts.crosses_itself);
    return covered(corners, parts, normal_of(corners));
  };
  // A square of 4 with a hole of 1, the bridge from a corner, and along an edge of the hole.
  CHECK(area({{0, 0, 5},
              {2, 0, 5},
              {2, 2, 5},
              {0, 2, 5},
              {0, 0, 5},
              {0.5, 0.5, 5},
              {0.5, 1.5, 5},
              {1.5, 1.5, 5},
              {1.5, 0.5, 5},
              {0.5, 0.5, 5}}) == doctest::Approx(3));
  CHECK(area({{0, 0, 0},
              {2, 0, 0},
              {2, 2, 0},
              {0, 2, 0},
              {0, 0.5, 0},
              {0.5, 0.5, 0},
              {0.5, 1.5, 0},
              {1.5, 1.5, 0},
              {1.5, 0.5, 0},
              {0.5, 0.5, 0},
              {0, 0.5, 0}}) == doctest::Approx(3));
  // Two holes, one beside the other, both bridged from the same corner.
  CHECK(area({{0, 0, 0},
              {8, 0, 0},
              {8, 4, 0},
              {0, 4, 0},
              {0, 0, 0},
              {1, 1, 0},
              {1, 2, 0},
              {2, 2, 0},
              {2, 1, 0},
              {1, 1, 0},
              {0, 0, 0},
              {5, 1, 0},
              {5, 2, 0},
              {6, 2, 0},
              {6, 1, 0},
              {5, 1, 0}}) == doctest::Approx(30));
  CHECK(area({{0, 0, 0},
              {1, 0, 0},
              {1, 0, 0},
              {2, 0, 0},
              {2, 1, 0},
              {2, 2, 0},
              {1, 2, 0},
              {0, 2, 0},
              {0, 2, 0},
              {0, 1, 0}}) == doctest::Approx(4));
  CHECK(area({{0, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}) == doctest::Approx(4));
  CHECK(area({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}) == 0);
  CHECK(triangulate(std::vector<Vec3>{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}).triangles.empty());
  // No triangle is a line where none needs be.
  const std::vector<Vec3> in_line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0},
                                  {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
  for (const auto& [a, b, c] : triangulate(in_line).triangles)
    CHECK(length(twice_area(in_line[a], in_line[b], in_line[c])) > 0.1);
  CHECK(triangulate(std::vector<Vec3>{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}}).crosses_itself);
}

TEST_CASE("a polygon of thousands of corners is cut, into as many triangles") {
  std::vector<Vec3> gear;
  for (int i = 0; i < 8000; ++i) {
    const double r = i % 4 < 2 ? 1 : 0.9, a = i * 6.283185307179586 / 8000;
    gear.push_back({r * std::cos(a), r * std::sin(a), 3});
  }
  const PolygonTriangles parts = triangulate(gear);
  CHECK(parts.triangles.size() == gear.size() - 2);
  CHECK(covered(gear, parts, normal_of(gear)) == doctest::Approx(length(normal_of(gear))).epsilon(1e-9));
}

TEST_CASE("random polygons: areas, volumes and samples are right at any place") { check_polygons(2000, 10, 40); }
TEST_CASE("10^4 random polygons" * doctest::test_suite("full") * doctest::skip()) { check_polygons(10000, 10, 200); }

}  // namespace sluice::tests
