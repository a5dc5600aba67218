#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "host/sampling/mesh.h"
#include "host/sampling/point_grid.h"
#include "host/sampling/rest_volume.h"
#include "host/sampling/sampling.h"
#include "host/sampling/surface_sampling.h"
#include "tests/mesh_shapes.h"

namespace {

using namespace sluice;
using namespace sluice::io;

constexpr double kH = 0.1;  // m, the spacing of the scenes below

SceneFile empty_scene() {
  SceneFile file;
  file.path = "test.json";
  file.spacing = kH;
  file.materials.push_back({"water", 1000, 0});
  return file;
}

Object box(Role role, const std::string& name, Vec3 size_in_h, Vec3 position_in_h = {}) {
  Object object;
  object.name = name;
  object.place = "/objects/" + name;
  object.role = role;
  object.shape.box = kH * size_in_h;
  object.position = kH * position_in_h;
  if (role == Role::fluid) object.material = "water";
  return object;
}

Object tank(Vec3 size_in_h, Open open = Open::top) {
  Object object = box(Role::boundary, "tank", size_in_h);
  object.solid = Solid::outside;
  object.shape.open = open;
  return object;
}

Object moving(Object object, Vec3 velocity, Vec3 spin = {}) {
  object.has_motion = true;
  object.motion = {velocity, spin, object.position};
  return object;
}

Scene build(const std::vector<Object>& objects, SamplingReport& report) {
  SceneFile file = empty_scene();
  file.objects = objects;
  return build_scene(file, report);
}
Scene build(const std::vector<Object>& objects) {
  SamplingReport report;
  return build(objects, report);
}

std::string error_of(const std::vector<Object>& objects) {
  try {
    build(objects);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
bool warns(const SamplingReport& report, const std::string& part) {
  return std::any_of(report.warnings.begin(), report.warnings.end(), [&](const auto& w) { return has(w, part); });
}

TriangleMesh flipped(TriangleMesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

// An OBJ file in the temporary folder that goes away with this.
struct TemporaryObj {
  std::filesystem::path path;
  explicit TemporaryObj(const std::string& text) {
    static int count = 0;
    path =
        std::filesystem::temp_directory_path() /
        ("sluice_sampling_" + std::to_string(std::hash<std::string>{}(text)) + "_" + std::to_string(count++) + ".obj");
    std::ofstream(path, std::ios::binary) << text;
  }
  explicit TemporaryObj(const TriangleMesh& mesh) : TemporaryObj(text_of(mesh)) {}
  ~TemporaryObj() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  static std::string text_of(const TriangleMesh& mesh) {
    std::string text;
    char line[128];
    for (const Vec3& v : mesh.vertices) {
      std::snprintf(line, sizeof line, "v %.17g %.17g %.17g\n", v.x, v.y, v.z);
      text += line;
    }
    for (const auto& [a, b, c] : mesh.triangles) {
      std::snprintf(line, sizeof line, "f %u %u %u\n", a + 1, b + 1, c + 1);
      text += line;
    }
    return text;
  }
};

Object mesh_object(const TemporaryObj& file, Vec3 position_in_h = {}) {
  Object object = box(Role::boundary, "mesh", {}, position_in_h);
  object.shape.kind = ShapeKind::mesh;
  object.shape.mesh = file.path;
  object.surface = SurfaceSetting::sampled;  // as the parser has it
  return object;
}

double smallest_distance(const std::vector<Vec3>& points, double h) {
  const PointGrid grid = grid_of(points, 2 * h);
  double best = 4 * h * h;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    visit_near(grid, points[i], 2 * h, [&](std::uint32_t j, double distance2) {
      if (j != i) best = std::min(best, distance2);
      return true;
    });
  return std::sqrt(best);
}

// The largest distance from a point of the surface to its nearest sample, on a lattice of h/20.
double largest_gap(const TriangleMesh& mesh, const std::vector<Vec3>& points, double h) {
  const PointGrid grid = grid_of(points, 2 * h);
  double worst = 0;
  for (const auto& triangle : mesh.triangles) {
    const Vec3 a = mesh.vertices[triangle[0]];
    const Vec3 ab = mesh.vertices[triangle[1]] - a, ac = mesh.vertices[triangle[2]] - a;
    const int n = 1 + static_cast<int>(20 * std::max(length(ab), length(ac)) / h);
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) {
        const Vec3 p = a + (1.0 * i / n) * ab + (1.0 * j / n) * ac;
        const std::uint32_t nearest = nearest_point(grid, p, 2 * h);
        worst = std::max(worst, nearest == kNoPoint ? 2 * h : length(points[nearest] - p));
      }
  }
  return worst;
}

bool has_point(const std::vector<Vec3>& points, Vec3 p) {
  return std::any_of(points.begin(), points.end(), [&](Vec3 q) { return length(p - q) < 1e-9; });
}
std::vector<Vec3> positions(const Scene& scene) {
  std::vector<Vec3> points;
  for (const BoundarySample& sample : scene.boundary) points.push_back(sample.position);
  return points;
}

const Quat kTurn{0.8, 0.36, 0.48, 0};  // a unit quaternion without a trigonometric function

}  // namespace

TEST_CASE("a fluid box has round(L/h) cells per axis with centres half a spacing inside") {
  Object water = box(Role::fluid, "water", {3, 2.4, 0.2}, {10, 0, 0});
  water.velocity = {1, 2, 3};
  const Scene scene = build({water});
  REQUIRE(scene.fluid.size() == 3 * 2 * 1);
  CHECK(scene.fluid[0].position.x == doctest::Approx(9 * kH));
  CHECK(scene.fluid[1].position.x == doctest::Approx(10 * kH));
  CHECK(scene.fluid[0].position.y == doctest::Approx(-0.5 * kH));
  CHECK(scene.fluid[5].position.y == doctest::Approx(0.5 * kH));
  CHECK(scene.fluid[5].position.z == 0);
  CHECK(scene.fluid[5].velocity.z == 3);
}

TEST_CASE("a turned fluid box turns its centres about its position") {
  Object water = box(Role::fluid, "water", {4, 3, 2}, {1, 2, 3});
  const Scene straight = build({water});
  water.rotation = kTurn;
  const Scene turned = build({water});
  REQUIRE(turned.fluid.size() == straight.fluid.size());
  for (std::size_t i = 0; i < turned.fluid.size(); ++i) {
    const Vec3 expected = water.position + rotate(kTurn, straight.fluid[i].position - water.position);
    CHECK(length(turned.fluid[i].position - expected) < 1e-12);
  }
}

// Of the surface of a lattice of n^3 points.
std::size_t shell(std::size_t n) { return n * n * n - (n - 2) * (n - 2) * (n - 2); }

TEST_CASE("an obstacle's samples lie half a spacing inside, with edges and corners once, a second layer behind them") {
  const std::vector<Vec3> samples = positions(build({box(Role::boundary, "cube", {5, 5, 5})}));
  CHECK(samples.size() == shell(5) + shell(3));
  CHECK(has_point(samples, {2 * kH, 2 * kH, 2 * kH}));
  CHECK(has_point(samples, {-2 * kH, 0, kH}));
  CHECK(has_point(samples, {kH, kH, kH}));
  CHECK(smallest_distance(samples, kH) == doctest::Approx(kH));
}

TEST_CASE("a container's samples lie half a spacing outside, and an open face keeps only its rim") {
  CHECK(build({tank({4, 4, 4}, Open::none)}).boundary.size() == shell(6) + shell(8));
  const Vec3 middle[] = {{-2.5, .5, .5}, {2.5, .5, .5}, {.5, -2.5, .5}, {.5, 2.5, .5}, {.5, .5, -2.5}, {.5, .5, 2.5}};
  const Open faces[] = {Open::x_min, Open::x_max, Open::bottom, Open::top, Open::z_min, Open::z_max};
  for (int face = 0; face < 6; ++face) {
    CAPTURE(face);
    const std::vector<Vec3> samples = positions(build({tank({4, 4, 4}, faces[face])}));
    CHECK(samples.size() == shell(6) - 4 * 4 + shell(8) - 6 * 6);
    for (int other = 0; other < 6; ++other) CHECK(has_point(samples, kH * middle[other]) == (other != face));
    CHECK(has_point(samples, {2.5 * kH, 2.5 * kH, 2.5 * kH}));
    CHECK(smallest_distance(samples, kH) == doctest::Approx(kH));
  }
}

TEST_CASE("the spacing of a box that is no multiple of h is as near to h as it can be") {
  const std::vector<Vec3> samples = sample_box({4.4 * kH, 3.6 * kH, 0.4 * kH}, Open::none, kH);
  CHECK(samples.size() == 5 * 5);  // 4 cells of 1.1 h, 4 of 0.9 h, and one plane
  CHECK(has_point(samples, {2.2 * kH, 1.8 * kH, 0}));
  CHECK(smallest_distance(samples, kH) == doctest::Approx(0.9 * kH));
}

TEST_CASE("a box thinner than 2h is inset less, and one below h not at all, with a warning") {
  CHECK(sampled_lengths({9, 2, 9}, false, 1).y == doctest::Approx(1));
  CHECK(sampled_lengths({9, 1.5, 9}, false, 1).y == doctest::Approx(1));
  CHECK(sampled_lengths({9, 0.7, 9}, false, 1).y == doctest::Approx(0.7));
  CHECK(sampled_lengths({9, 3, 9}, true, 1).y == doctest::Approx(4));
  SamplingReport report;
  build({box(Role::boundary, "plate", {9, 0.7, 9})}, report);
  CHECK(warns(report, "\"plate\" is thinner"));
}

TEST_CASE("an interior sample of a flat wall has the weight 0.999") {
  const Scene scene = build({box(Role::boundary, "wall", {12, 0.2, 12})});
  int interior = 0;
  for (const BoundarySample& sample : scene.boundary) {
    if (std::abs(sample.position.x) > 3 * kH || std::abs(sample.position.z) > 3 * kH) continue;
    CHECK(sample.weight == doctest::Approx(0.999).epsilon(0.001));
    ++interior;
  }
  CHECK(interior > 20);
}

TEST_CASE("a box corner weighs 1.16 and a lone sample at most 1.2") {
  const std::vector<Vec3> samples = sample_box({8, 8, 8}, Open::none, 1);
  const std::vector<double> weights = rest_weights(samples, 1, 0.7);
  CHECK(weights[0] == doctest::Approx(0.7 / 0.605).epsilon(0.005));
  CHECK(rest_weights({{0, 0, 0}}, 1, 0.7)[0] == 1.2);
}

TEST_CASE("weights are 1 when the scene switches them off") {
  SceneFile file = empty_scene();
  file.sample_weights = false;
  file.objects = {box(Role::boundary, "a", {5, 5, 5}),
                  moving(box(Role::boundary, "b", {5, 5, 5}, {20, 0, 0}), {1, 0, 0})};
  SamplingReport report;
  const Scene scene = build_scene(file, report);
  CHECK(std::all_of(scene.boundary.begin(), scene.boundary.end(), [](const auto& s) { return s.weight == 1; }));
  CHECK(report.weight_deviation == 0);
}

TEST_CASE("static bodies share one set of samples, moving ones have their own") {
  const Object a = box(Role::boundary, "a", {5, 5, 5}), b = box(Role::boundary, "b", {5, 5, 5}, {4, 0, 0});
  SamplingReport report;
  const Scene fixed = build({a, b}, report);
  const std::size_t alone_count = shell(5) + shell(3);
  CHECK(report.objects[0].particles == alone_count);
  CHECK(report.objects[1].particles == alone_count - 25);  // the common face is kept once
  const Scene one_moves = build({a, moving(b, {0.1, 0, 0})});
  CHECK(one_moves.boundary.size() == 2 * alone_count);
  const Scene alone = build({a});
  bool equal = true, lighter = false;
  for (std::size_t i = 0; i < 98; ++i) {
    equal = equal && one_moves.boundary[i].weight == alone.boundary[i].weight;
    lighter = lighter || fixed.boundary[i].weight < alone.boundary[i].weight;
  }
  CHECK(equal);
  CHECK(lighter);
}

TEST_CASE("samples on a sphere mesh are even") {
  const TriangleMesh mesh = icosphere(3, 0.6);
  const std::vector<Vec3> samples = sample_mesh(mesh, kH);
  CHECK(smallest_distance(samples, kH) >= kMinDistance * kH);
  CHECK(largest_gap(mesh, samples, kH) < 0.75 * kH);
  for (const Vec3& p : samples) CHECK(std::abs(length(p) - 0.6) < 0.02 * kH + 0.01 * 0.6);
  double sum = 0;
  for (const double w : rest_weights(samples, kH, 0.7)) sum += w;
  CHECK(sum / static_cast<double>(samples.size()) > 0.92);
  CHECK(sum / static_cast<double>(samples.size()) < 1);
}

TEST_CASE("samples on a turned box mesh of twelve triangles are even, edges and corners too") {
  const TriangleMesh mesh = box_mesh({1.1, 0.7, 0.9}, kTurn);
  const std::vector<Vec3> samples = sample_mesh(mesh, kH);
  CHECK(smallest_distance(samples, kH) >= kMinDistance * kH);
  CHECK(largest_gap(mesh, samples, kH) < 0.75 * kH);
  TemporaryObj file(mesh);
  SamplingReport report;
  build({mesh_object(file)}, report);
  CHECK(report.warnings.empty());
  CHECK(report.weight_mean > 0.95);
  CHECK(report.weight_mean < 1.05);
  CHECK(report.weight_min > 0.62);  // of what closes a hole
  CHECK(report.weight_max <= 1.2);
  CHECK(report.weight_deviation < 0.12);
}

TEST_CASE("holes that evening out opens in a large sheet are filled again") {
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  const std::vector<Vec3> samples = sample_mesh(sheet, kH);
  // Somewhat more than the 441 of a lattice, whose holes of 0.71 h are the smallest that so many leave.
  CHECK(samples.size() > 441);
  CHECK(samples.size() < 480);
  CHECK(smallest_distance(samples, kH) >= kMinDistance * kH);
  CHECK(largest_gap(sheet, samples, kH) < 0.75 * kH);
}

TEST_CASE("a mesh narrower than the spacing is still covered along its length") {
  const TriangleMesh mesh = box_mesh({3, 0.02, 0.02});
  const std::vector<Vec3> samples = sample_mesh(mesh, kH);
  CHECK(samples.size() >= 25);
  CHECK(largest_gap(mesh, samples, kH) < kH);
}

TEST_CASE("moving and turning an object changes no count") {
  TemporaryObj file(icosphere(2, 0.5));
  for (Object object : {box(Role::boundary, "b", {5.3, 4, 7}), mesh_object(file), tank({7, 6, 5})}) {
    const std::vector<Vec3> straight = positions(build({object}));
    object.rotation = kTurn;
    object.position = {3.21, -1.7, 0.333};
    const std::vector<Vec3> turned = positions(build({object}));
    REQUIRE(turned.size() == straight.size());
    for (std::size_t i = 0; i < turned.size(); ++i)
      CHECK(length(turned[i] - object.position - rotate(kTurn, straight[i])) < 1e-12);
  }
}

TEST_CASE("two builds of a scene are equal to the bit") {
  TemporaryObj file(icosphere(2, 0.3));
  const std::vector<Object> objects{tank({20, 12, 10}), mesh_object(file), box(Role::fluid, "water", {20, 12, 10})};
  const Scene one = build(objects), two = build(objects);
  REQUIRE(one.fluid.size() == two.fluid.size());
  REQUIRE(one.boundary.size() == two.boundary.size());
  bool equal = true;
  for (std::size_t i = 0; i < one.fluid.size(); ++i) {
    const Vec3 a = one.fluid[i].position, b = two.fluid[i].position;
    equal = equal && a.x == b.x && a.y == b.y && a.z == b.z;
  }
  for (std::size_t i = 0; i < one.boundary.size(); ++i) {
    const Vec3 a = one.boundary[i].position, b = two.boundary[i].position;
    equal = equal && a.x == b.x && a.y == b.y && a.z == b.z && one.boundary[i].weight == two.boundary[i].weight;
  }
  CHECK(equal);
}

TEST_CASE("water drawn flush with a tank's walls keeps every particle and starts at rest density") {
  for (const Quat& turn : {Quat{}, kTurn}) {
    Object wall = tank({8, 6, 5}, Open::none), water = box(Role::fluid, "water", {8, 6, 5});
    wall.rotation = water.rotation = turn;
    SamplingReport report;
    const Scene scene = build({wall, water}, report);
    CHECK(scene.fluid.size() == 8 * 6 * 5);
    CHECK(report.objects[1].cut == 0);
    CHECK(std::abs(report.start_error_max) < 0.01);
    CHECK(report.warnings.empty());
  }
}

TEST_CASE("water drawn through an obstacle is cut in it and keeps its distance, nothing more") {
  SamplingReport report;
  const Scene scene = build({box(Role::boundary, "cube", {5, 5, 5}), box(Role::fluid, "water", {15, 15, 15})}, report);
  CHECK(report.objects[1].cut == 5 * 5 * 5);  // the lattices agree: what is left rests at h
  CHECK(report.start_error_max < 0.02);
  TemporaryObj sphere(icosphere(3, 5 * kH));
  const Scene around = build({mesh_object(sphere), box(Role::fluid, "water", {16, 16, 16})}, report);
  CHECK(report.objects[1].cut > 4.0 / 3 * 3.14 * 5 * 5 * 5);
  for (const FluidParticle& particle : around.fluid) CHECK(length(particle.position) > 5.2 * kH);
}

TEST_CASE("water outside every container is cut and counted, but not above an open top or in a second tank") {
  SamplingReport report;
  build({tank({4, 4, 4}), box(Role::fluid, "water", {6, 4, 4})}, report);
  CHECK(report.objects[1].cut == 2 * 4 * 4);
  CHECK(warns(report, "32 particles lie outside every container"));
  build({tank({4, 4, 4}), box(Role::fluid, "drop", {2, 2, 2}, {0, 8, 0})}, report);
  CHECK(report.objects[1].cut == 0);
  Object second = tank({4, 4, 4});
  second.name = "second";
  second.position.x = 10 * kH;
  build({tank({4, 4, 4}), second, box(Role::fluid, "water", {2, 2, 2}, {10, 0, 0})}, report);
  CHECK(report.objects[2].cut == 0);
}

TEST_CASE("a later fluid gives way to an earlier one, and interleaved lattices are reported") {
  SamplingReport report;
  build({box(Role::fluid, "first", {4, 4, 4}), box(Role::fluid, "second", {4, 4, 4}, {2, 0, 0})}, report);
  CHECK(report.objects[0].cut == 0);
  CHECK(report.objects[1].cut == 2 * 4 * 4);
  CHECK(report.start_error_max < 0.01);
  build({box(Role::fluid, "first", {4, 4, 4}), box(Role::fluid, "second", {4, 4, 4}, {0.5, 0.5, 0.5})}, report);
  CHECK(report.objects[1].cut == 0);
  CHECK(report.start_error_max > 0.5);
  CHECK(warns(report, "\"second\" starts up to"));
  CHECK(warns(report, "denser than at rest where it meets \"first\""));
  build({box(Role::boundary, "floor", {9, 2, 9}), box(Role::fluid, "water", {5, 5, 5}, {0, 3.28, 0})}, report);
  CHECK(report.objects[1].cut == 0);
  CHECK(report.start_error_max > 0.05);
  CHECK(warns(report, "\"water\" starts up to"));
  CHECK(warns(report, "where it meets \"floor\""));
}

TEST_CASE("a body carries its motion, and a wall too fast for the step is named") {
  Object paddle = moving(box(Role::boundary, "paddle", {4, 10, 4}), {1, 0, 0}, {0, 0, 2});
  paddle.motion.center = {0, 1, 0};
  SamplingReport report;
  const Scene scene = build({paddle}, report);
  REQUIRE(scene.bodies.size() == 1);
  CHECK(scene.bodies[0].position.y == 1);
  CHECK(scene.bodies[0].angular_velocity.z == 2);
  CHECK(scene.bodies[0].moving());
  CHECK(report.warnings.empty());
  paddle.motion.velocity = {30, 0, 0};  // 0.06 m in a step of 2 ms
  build({paddle}, report);
  CHECK(warns(report, "\"paddle\" moves at up to"));
  paddle.motion.velocity = {};
  paddle.motion.angular_velocity = {0, 0, 30};
  build({paddle}, report);
  CHECK(warns(report, "\"paddle\" moves at up to"));
}

TEST_CASE("moving objects that overlap others at the start are named") {
  SamplingReport report;
  const Object wall = box(Role::boundary, "wall", {8, 8, 8});
  build({wall, moving(box(Role::boundary, "inner", {2, 2, 2}), {0.1, 0, 0})}, report);
  CHECK(warns(report, "\"inner\" overlaps \"wall\""));
  build({wall, moving(box(Role::boundary, "beside", {2, 2, 2}, {6, 0, 0}), {0.1, 0, 0})}, report);
  CHECK(report.warnings.empty());
}

TEST_CASE("open and two-way meshes are warned about, inside-out ones refused") {
  SamplingReport report;
  TriangleMesh open = box_mesh({1, 1, 1});
  open.triangles.resize(10);
  build({mesh_object(TemporaryObj(open))}, report);
  CHECK(warns(report, "is open (4 edges with one face)"));
  TriangleMesh mixed = box_mesh({1, 1, 1});
  std::swap(mixed.triangles[3][0], mixed.triangles[3][1]);
  build({mesh_object(TemporaryObj(mixed))}, report);
  CHECK(warns(report, "point both ways"));
  const std::string error = error_of({mesh_object(TemporaryObj(flipped(icosphere(1, 0.5))))});
  CHECK(has(error, "test.json: /objects/mesh (\"mesh\"): mesh "));
  CHECK(has(error, "inside out"));
  CHECK(has(error, "flip the faces"));
}

TEST_CASE("objects that cannot be sampled are refused with their place") {
  Object missing = box(Role::boundary, "m", {});
  missing.shape.kind = ShapeKind::mesh;
  missing.shape.mesh = "no/such/file.obj";
  CHECK(has(error_of({missing}), "test.json: /objects/m (\"m\"): no/such/file.obj: cannot be opened"));
  missing.shape.mesh = std::filesystem::temp_directory_path();
  CHECK(has(error_of({missing}), "is a folder"));
  CHECK(has(error_of({mesh_object(TemporaryObj(std::string()))}), "is empty"));
  CHECK(has(error_of({}), "test.json: /objects: there are none"));

  Object water = box(Role::fluid, "water", {2, 2, 2});
  CHECK(has(error_of({box(Role::boundary, "b", {9, 9, 9}), water}), "(\"water\"): no particle is left: of 8, 0 lie"));
  CHECK(has(error_of({water, water}), "8 in an earlier fluid"));
  Object twin = box(Role::boundary, "twin", {4, 4, 4});
  CHECK(has(error_of({twin, twin}), "all its samples coincide"));
  water.material = "wine";
  CHECK(has(error_of({water}), "no fluid material is named \"wine\""));
  CHECK(has(error_of({box(Role::fluid, "sea", {1e4, 1e4, 1e4})}), "more than 268 million particles"));
  CHECK(has(error_of({box(Role::boundary, "sky", {1e6, 1e6, 1e6})}), "more than 268 million samples"));
  TemporaryObj sphere(icosphere(1, 1e4));
  CHECK(has(error_of({mesh_object(sphere)}), "more than 13 million samples"));
  Object filled = mesh_object(sphere);
  filled.role = Role::fluid;
  filled.material = "water";
  CHECK(has(error_of({filled}), "fluid can fill boxes only"));
  SceneFile file = empty_scene();
  file.objects = {box(Role::fluid, "water", {2, 2, 2})};
  file.spacing = 0;
  SamplingReport report;
  CHECK_THROWS_AS(build_scene(file, report), Error);
}

TEST_CASE("the second layer of a closed mesh lies inside it, off the first and out of reach of resting fluid") {
  const TemporaryObj ball(icosphere(3, 6 * kH));
  std::size_t first = 0, second = 0;
  for (const Vec3& p : positions(build({mesh_object(ball)}))) {
    const double depth = 6 - length(p) / kH;  // below the sphere, in spacings
    ++(depth < 0.3 ? first : second);
    if (depth >= 0.3) CHECK((depth > 0.5 && depth < 2.1));
  }
  CHECK(first > 300);
  CHECK(second > 200);
}
