// Nobody leaks: no particle passes a wall or enters an obstacle, and the water stays incompressible. Sides are told by
// geometry: the planes on which a tank's samples lie, the surface of a ball. A particle of the bulk rests about one h
// from them; one alone feels a wall only from 0.15 h on, where its own density and the wall's first sum up to that at
// rest (1/pi + 0.68), so a stray drop may come that near.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "host/sampling/sampling.h"
#include "host/sampling/surface_sampling.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/mesh_shapes.h"
#include "tests/scene_builders.h"

namespace sluice::tests {
namespace {

constexpr double kDensityErrorLimit = 0.03;

struct TemporaryFolder {
  std::filesystem::path path;
  explicit TemporaryFolder(const std::string& name) : path(std::filesystem::temp_directory_path() / name) {
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

void write_obj(const std::filesystem::path& path, const io::TriangleMesh& mesh) {
  std::ofstream out(path);
  out.precision(17);
  for (const Vec3& v : mesh.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const auto& [a, b, c] : mesh.triangles) out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
  REQUIRE(out.flush());
}

Scene scene_from(const std::string& json, const std::filesystem::path& folder = ".") {
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(json, folder / "scene.json"), report);
}

// The least distance of a particle over all frames, in h; negative on the wrong side.
struct Watch {
  double from_walls = 1e9, from_obstacle = 1e9;
  double density_error = 0;
};
struct Clearance {
  double walls = 1e9, obstacle = 1e9;  // m
};
template <typename ClearanceOf>
Watch watch(Gpu& gpu, const Scene& scene, ClearanceOf clearance_of) {
  Watch w;
  const Run run = run_scene(gpu, scene, {}, [&](const Frame& frame) {
    CHECK(frame.position.size() == scene.fluid.size());
    for (const auto& x : frame.position) {
      const Clearance clearance = clearance_of(Vec3{x[0], x[1], x[2]}, frame.time);
      w.from_walls = std::min(w.from_walls, clearance.walls / scene.spacing);
      w.from_obstacle = std::min(w.from_obstacle, clearance.obstacle / scene.spacing);
    }
  });
  for (const StepRecord& step : run.steps) w.density_error = std::max(w.density_error, step.density_error_max);
  MESSAGE(scene.name << ": " << scene.fluid.size() << " particles, " << run.steps.size() << " steps, "
                     << run.steps.back().time << " s, least distance from a wall " << w.from_walls
                     << " h, from an obstacle " << w.from_obstacle << " h, density error " << w.density_error
                     << ", iterations " << mean_iterations(run.steps));
  return w;
}

// That nobody leaked and the water kept its volume.
void report_leaks(const Scene& scene, const Watch& w) {
  char end[16];
  std::snprintf(end, sizeof end, "%.3g s", scene.time.end);
  const std::string name = scene.name + ", " + std::to_string(scene.fluid.size()) + " particles, " + end + ": ";
  report_figure({.name = name + "least distance of a particle from a wall",
                 .value = w.from_walls,
                 .unit = "h",
                 .least = 0,
                 .source = "nothing leaks"});
  report_figure({.name = name + "largest density error",
                 .value = 100 * w.density_error,
                 .unit = "%",
                 .most = 100 * kDensityErrorLimit,
                 .source = "incompressibility"});
}

// Distance inside the planes of a tank of samples at 0 and (n + 1) h; the top is open.
Clearance inside_tank(Vec3 p, double h, int columns) {
  const double far = (columns + 1) * h;
  return {.walls = std::min({p.x, far - p.x, p.z, far - p.z, p.y})};
}

Scene column(int columns, int layers, double spacing, double end) {
  Scene scene = hydrostatic(columns, layers, spacing, 0.002, 0.002);
  scene.time = {.end = end, .max_step = 0.002, .cfl = 0.4, .frame_interval = 0.05};
  return scene;
}

// The tank starts at once with `speed`, so that the water sloshes.
Scene sloshing_tank(int columns, int layers, double spacing, double speed, double end) {
  Scene scene = column(columns, layers, spacing, end);
  scene.name = "sloshing tank";
  const int freeboard = 2 * layers;
  scene.bodies.clear();
  scene.boundary.clear();
  add_body(scene, tank_lattice({columns, layers + freeboard, columns}, true), {}, {speed, 0, 0}, {}, "tank");
  return scene;
}

constexpr double kMeshSpacing = 0.05, kDrawnTank = 0.6, kTilt = 25, kBallRadius = 0.14;  // m, degrees
// The samples of a drawn box lie this far on its solid side.
constexpr double kInset = io::kBoxInset * kMeshSpacing;
const Vec3 kBallCenter{0.05, 0.17, 0.02};

// A column of water falls onto a ball given as a mesh.
std::string dam_and_ball(const std::string& end) {
  return R"({"name": "dam and ball", "particleSpacing": 0.05,
    "time": {"end": )" +
         end + R"(, "maxStep": 0.002},
    "materials": {"water": {"type": "fluid", "density": 1000, "viscosity": 0.002}},
    "objects": [
      {"name": "tank", "role": "boundary", "shape": {"box": [1.2, 0.8, 0.4], "open": "top"}, "position": [0, 0.4, 0]},
      {"name": "ball", "role": "boundary", "shape": {"mesh": "ball.obj"}, "position": [0.05, 0.17, 0.02]},
      {"name": "water", "role": "fluid", "material": "water", "shape": {"box": [0.4, 0.6, 0.4]},
       "position": [-0.4, 0.3, 0]}],
    "output": {"frameRate": 50}})";
}

// A closed box that is turned about z, half full of water that is not level.
std::string tilted_box(const std::string& end) {
  return R"({"name": "tilted box", "particleSpacing": 0.05,
    "time": {"end": )" +
         end + R"(, "maxStep": 0.002},
    "materials": {"water": {"type": "fluid", "density": 1000, "viscosity": 0.002}},
    "objects": [
      {"name": "tank", "role": "boundary", "solid": "outside", "shape": {"box": [0.6, 0.6, 0.6]},
       "rotation": {"axis": [0, 0, 1], "degrees": 25}},
      {"name": "water", "role": "fluid", "material": "water", "shape": {"box": [0.3, 0.6, 0.6]},
       "position": [-0.13594616, -0.06339274, 0], "rotation": {"axis": [0, 0, 1], "degrees": 25}}],
    "output": {"frameRate": 50}})";
}

void check_ball(Gpu& gpu, const std::string& end) {
  const TemporaryFolder folder("sluice_test_walls");
  write_obj(folder.path / "ball.obj", io::icosphere(3, kBallRadius));
  const Scene scene = scene_from(dam_and_ball(end), folder.path);
  // The flat faces of the icosphere lie 1 % of the radius inside the sphere at most.
  const Watch w = watch(gpu, scene, [](Vec3 p, double) {
    return Clearance{std::min({p.x + 0.6, 0.6 - p.x, p.z + 0.2, 0.2 - p.z, p.y}) + kInset,
                     length(p - kBallCenter) - kBallRadius};
  });
  report_leaks(scene, w);
  report_figure({.name = "dam and ball, " + end + " s: least distance of a particle from the ball",
                 .value = w.from_obstacle,
                 .unit = "h",
                 .least = 0,
                 .most = 1,  // the wave did reach the ball
                 .source = "nothing leaks"});
}

void check_tilted_box(Gpu& gpu, const std::string& end) {
  const Quat back = io::rotation_about({0, 0, 1}, -kTilt);
  const Scene scene = scene_from(tilted_box(end));
  const Watch w = watch(gpu, scene, [&](Vec3 p, double) {
    const Vec3 q = rotate(back, p);
    return Clearance{0.5 * kDrawnTank + kInset - std::max({std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)})};
  });
  report_leaks(scene, w);
}

void check_sloshing(Gpu& gpu, int columns, int layers, double end) {
  constexpr double kSpeed = 0.8;  // m/s
  const Scene scene = sloshing_tank(columns, layers, 0.05, kSpeed, end);
  const Watch w = watch(gpu, scene, [&](Vec3 p, double time) {
    return inside_tank(p - Vec3{kSpeed * time, 0, 0}, scene.spacing, columns);
  });
  report_leaks(scene, w);
}

}  // namespace

// The hardest for a wall of a single layer: no neighbours add to the density that it builds up.
TEST_CASE("lone drops do not pass a wall, wherever between its samples and however fast they hit it") {
  MessageGuard guard(lavapipe());
  constexpr int kSide = 6, kApart = 5, kMargin = 4, kExtent = kSide * kApart + 2 * kMargin;
  Scene scene;
  scene.name = "lone drops";
  scene.time = {.end = 0.12, .max_step = 0.004, .cfl = 0.4, .frame_interval = 0.01};
  scene.materials = {{"water", 1000, 0.002}};
  std::vector<Vec3> floor;
  for (int z = 0; z <= kExtent; ++z) {
    for (int x = 0; x <= kExtent; ++x) floor.push_back({double(x), 0, double(z)});
  }
  add_body(scene, floor, {}, {}, {}, "floor");
  for (int k = 0; k < kSide; ++k) {
    for (int i = 0; i < kSide; ++i) {
      const Vec3 cell{kMargin + i * (kApart + 0.1), 3, kMargin + k * (kApart + 0.1)};  // another offset for each
      scene.fluid.push_back({scene.spacing * cell, {0, -0.5 - 0.1 * (i + kSide * k), 0}, 0});
    }
  }
  const Watch w = watch(lavapipe(), scene, [](Vec3 p, double) { return Clearance{.walls = p.y}; });
  CHECK(w.from_walls > 0);
  CHECK(w.from_walls < 0.5);  // they did hit it
}

// A single layer of samples let a fifth of such a cube through: the second one must turn it back at default settings.
TEST_CASE("a cube of water that hits a wall fast stays inside") {
  MessageGuard guard(lavapipe());
  for (const char* speed : {"4", "8"}) {
    const std::string text = R"({"name": "thrown cube", "particleSpacing": 0.02,
      "time": {"end": 0.06, "maxStep": 0.002}, "materials": {"water": {"type": "fluid"}},
      "objects": [
        {"name": "tank", "role": "boundary", "solid": "outside", "shape": {"box": [0.4, 0.4, 0.4]}},
        {"name": "cube", "role": "fluid", "material": "water", "shape": {"box": [0.08, 0.08, 0.08]},
         "position": [0.003, -0.1, 0.003], "velocity": [0, -)" +
                             std::string(speed) + R"(, 0]}],
      "output": {"frameRate": 200}})";
    const Scene scene = scene_from(text, std::filesystem::temp_directory_path());
    const Watch w = watch(lavapipe(), scene, [](Vec3 p, double) {
      return Clearance{.walls =
                           0.2 + io::kBoxInset * 0.02 - std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)})};
    });
    CHECK(w.from_walls > 0);
    CHECK(w.from_walls < 1);  // it did hit
  }
}

TEST_CASE("nobody leaks from a column at rest") {
  MessageGuard guard(lavapipe());
  const Scene scene = column(5, 10, 0.04, 0.4);
  const Watch w = watch(lavapipe(), scene, [&](Vec3 p, double) { return inside_tank(p, scene.spacing, 5); });
  CHECK(w.from_walls > 0);
  CHECK(w.density_error < kDensityErrorLimit);
}

TEST_CASE("nobody leaks from a tank that is moved under the water") {
  MessageGuard guard(lavapipe());
  check_sloshing(lavapipe(), 6, 5, 0.5);
}

TEST_CASE("a wave that meets a mesh stays outside") {
  MessageGuard guard(lavapipe());
  check_ball(lavapipe(), "0.5");
}

TEST_CASE("nobody leaks from a box that stands askew") {
  MessageGuard guard(lavapipe());
  check_tilted_box(lavapipe(), "0.3");
}

TEST_CASE("nobody leaks from a 1 m column in 10 s" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  Scene scene = column(6, 25, 0.04, 10);
  scene.name = "column of 1 m";
  report_leaks(scene, watch(gpu, scene, [&](Vec3 p, double) { return inside_tank(p, scene.spacing, 6); }));
}

TEST_CASE("nobody leaks from a moved tank in 3 s" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  check_sloshing(gpu, 10, 8, 3);
}

TEST_CASE("a wave stays outside a mesh for 3 s" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  check_ball(gpu, "3");
}

TEST_CASE("nobody leaks from a box that stands askew in 3 s" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  check_tilted_box(gpu, "3");
}

}  // namespace sluice::tests
