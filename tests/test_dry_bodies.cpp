// Water stays out of rigid bodies: no particle is deeper in one than half a spacing below what is drawn. There it may
// be for a moment: a lone particle feels samples, which lie that deep, only from close by.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>

#include "host/sampling/sampling.h"
#include "tests/figures.h"
#include "tests/folder.h"
#include "tests/gpu.h"
#include "tests/mesh_shapes.h"
#include "tests/scene_builders.h"

namespace sluice::tests {
namespace {

using Depth = std::function<double(Vec3)>;  // m below the surface, of a point in the shape's frame

constexpr double kH = 0.02;  // m

void write_obj(const std::filesystem::path& path, const io::TriangleMesh& mesh) {
  std::ofstream out(path);
  out.precision(17);
  for (const Vec3& v : mesh.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const auto& [a, b, c] : mesh.triangles) out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
  REQUIRE(out.flush());
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

// A fixed body 4 h above the bottom of a tank whose walls are 4 h off its sides, under so many layers of water.
struct Dive {
  std::string shape;          // JSON
  double half = 0, tall = 0;  // h: half its width and height
  int layers = 20;
  double end = 2;  // s
};

std::string text_of(const Dive& dive) {
  const double width = 2 * (std::ceil(dive.half) + 4) * kH, water = (4 + std::ceil(2 * dive.tall) + dive.layers) * kH;
  const std::string w = number(width), tank = number(water + 6 * kH);
  std::string text = R"({"particleSpacing": 0.02, "time": {"end": )" + number(dive.end) + R"(, "maxStep": 0.004},)";
  text += R"("materials": {"water": {"type": "fluid", "viscosity": 0.005}, "stone": {"type": "rigid"}}, "objects": [)";
  text += R"({"name": "tank", "role": "boundary", "shape": {"box": [)" + w + ", " + tank + ", " + w;
  text += R"(], "open": "top"}, "position": [0, )" + number(0.5 * (water + 6 * kH)) + ", 0]},";
  text += R"({"role": "fluid", "material": "water", "shape": {"box": [)" + w + ", " + number(water) + ", " + w;
  text += R"(]}, "position": [0, )" + number(0.5 * water) + ", 0]},";
  text += R"({"name": "body", "role": "rigid", "material": "stone", "fixed": true, "shape": {)" + dive.shape;
  text += R"(}, "position": [0, )" + number((4 + dive.tall) * kH) + R"(, 0]}], "output": {"frameRate": 20}})";
  return text;
}

// The deepest that a particle is in the first rigid body, which is fixed, in any frame, in h.
double deepest(Gpu& gpu, const std::string& text, const std::filesystem::path& folder, const Depth& depth_at) {
  io::SamplingReport report;
  const Scene scene = io::build_scene(io::parse_scene(text, folder / "scene.json"), report);
  const Vec3 origin = scene.rigid.at(0).position - scene.rigid.at(0).center_of_mass;
  double deepest = -1e9;
  run_scene(gpu, scene, {}, [&](const Frame& frame) {
    CHECK(frame.position.size() == scene.fluid.size());
    for (const auto& x : frame.position)
      deepest = std::max(deepest, depth_at(Vec3{x[0], x[1], x[2]} - origin) / scene.spacing);
  });
  return deepest;
}

double in_box(Vec3 p, Vec3 size) {
  return std::min({0.5 * size.x - std::abs(p.x), 0.5 * size.y - std::abs(p.y), 0.5 * size.z - std::abs(p.z)});
}

void report_depth(const std::string& name, double depth) {
  report_figure({.name = name + ": deepest particle below the drawn surface",
                 .value = depth,
                 .unit = "h",
                 .most = 0.5,
                 .source = "nothing leaks"});
}

}  // namespace

TEST_CASE("water stays out of a box that is a mesh") {
  MessageGuard guard(lavapipe());
  const TestFolder folder;
  write_obj(folder.path / "cube.obj", io::box_mesh({6 * kH, 6 * kH, 6 * kH}));
  const std::string text = text_of({R"("mesh": "cube.obj")", 3, 3, 14, 0.3});
  CHECK(deepest(lavapipe(), text, folder.path, [](Vec3 p) { return in_box(p, {6 * kH, 6 * kH, 6 * kH}); }) < 0.5);
}

// One layer of samples let one particle in twenty of such a cube more than h deep.
TEST_CASE("a cube of water that hits a body fast stays out of it") {
  MessageGuard guard(lavapipe());
  const TestFolder folder;
  for (const char* speed : {"4", "8"})
    for (const bool ball : {false, true}) {
      std::string text = R"({"particleSpacing": 0.02, "time": {"end": 0.06, "maxStep": 0.002},)";
      text += R"("materials": {"water": {"type": "fluid"}, "stone": {"type": "rigid"}}, "objects": [)";
      text += R"({"name": "body", "role": "rigid", "material": "stone", "fixed": true, "shape": )";
      text += ball ? R"({"sphere": {"radius": 0.1}}},)" : R"({"box": [0.24, 0.12, 0.24]}},)";
      text += R"({"role": "fluid", "material": "water", "shape": {"box": [0.12, 0.12, 0.12]}, "position": [0.003, )";
      text += std::string(ball ? "0.18" : "0.14") + R"(, 0.003], "velocity": [0, -)" + speed;
      text += R"(, 0]}], "output": {"frameRate": 200}})";
      const double depth = deepest(lavapipe(), text, folder.path, [&](Vec3 p) {
        return ball ? 0.1 - std::hypot(p.x, p.y, p.z) : in_box(p, {0.24, 0.12, 0.24});
      });
      INFO("speed ", speed, " ball ", ball);
      CHECK(depth < 0.5);
      CHECK(depth > -1);  // it did hit
    }
}

TEST_CASE("water stays out of bodies under 20 layers for 2 s" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  const TestFolder folder;
  for (const double radius : {3.0, 5.0, 8.0}) {
    const double r = radius * kH;
    const std::string size = number(radius) + " h", r_text = number(r);
    const auto check = [&](const std::string& name, const Dive& dive, const Depth& depth_at) {
      report_depth(name + " of " + size + ", 2 s", deepest(gpu, text_of(dive), folder.path, depth_at));
    };
    check("ball", {R"("sphere": {"radius": )" + r_text + "}", radius, radius},
          [&](Vec3 p) { return r - std::hypot(p.x, p.y, p.z); });
    check("capsule", {R"("capsule": {"radius": )" + r_text + R"(, "height": )" + r_text + "}", radius, 1.5 * radius},
          [&](Vec3 p) { return r - std::hypot(p.x, std::max(std::abs(p.y) - 0.5 * r, 0.0), p.z); });
    check("cylinder", {R"("cylinder": {"radius": )" + r_text + R"(, "height": )" + number(2 * r) + "}", radius, radius},
          [&](Vec3 p) { return std::min(r - std::hypot(p.x, p.z), r - std::abs(p.y)); });
    check("cone", {R"("cone": {"radius": )" + r_text + R"(, "height": )" + number(2 * r) + "}", radius, radius},
          [&](Vec3 p) {
            return std::min(p.y + r, ((r - p.y) * r - std::hypot(p.x, p.z) * 2 * r) / std::hypot(r, 2 * r));
          });
    const double tube = std::max(radius / 2.5, 1.5) * kH;
    check("torus",
          {R"("torus": {"radius": )" + r_text + R"(, "tube": )" + number(tube) + "}", radius + tube / kH, tube / kH},
          [&](Vec3 p) { return tube - std::hypot(std::hypot(p.x, p.z) - r, p.y); });
    write_obj(folder.path / "cube.obj", io::box_mesh({2 * r, 2 * r, 2 * r}));
    check("box as a mesh", {R"("mesh": "cube.obj")", radius, radius}, [&](Vec3 p) {
      return in_box(p, {2 * r, 2 * r, 2 * r});
    });
  }
}

TEST_CASE("cups with walls of 2.5 h hold the water that falls into them" * doctest::test_suite("full") *
          doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  const TestFolder folder;
  const Vec3 size = kH * Vec3{20, 24, 20};
  const double wall = 2.5 * kH;
  const io::TriangleMesh cup = io::cup_mesh(size, wall);
  REQUIRE(io::inspect_mesh(cup).odd_edges == 0);
  REQUIRE(io::inspect_mesh(cup).volume ==
          doctest::Approx(size.x * size.y * size.z - (size.x - 2 * wall) * (size.y - wall) * (size.z - 2 * wall)));
  write_obj(folder.path / "cup.obj", cup);
  for (const bool rigid : {true, false}) {
    std::string text = R"({"particleSpacing": 0.02, "time": {"end": 0.6, "maxStep": 0.002}, "materials": {)";
    text += R"("water": {"type": "fluid", "viscosity": 0.001}, "glass": {"type": "rigid"}}, "objects": [)";
    text += R"({"name": "cup", "shape": {"mesh": "cup.obj"}, "role": )";
    text += rigid ? R"("rigid", "material": "glass", "fixed": true},)" : R"("boundary", "surface": "drawn"},)";
    text += R"({"role": "fluid", "material": "water", "shape": {"box": [0.26, 0.2, 0.26]},)";
    text += R"( "position": [0, -0.02, 0]}], "output": {"frameRate": 50}})";
    io::SamplingReport report;
    const Scene scene = io::build_scene(io::parse_scene(text, folder.path / "scene.json"), report);
    double deepest = -1e9;
    std::vector<bool> over_rim(scene.fluid.size(), false), outside(scene.fluid.size(), false);
    run_scene(gpu, scene, {}, [&](const Frame& frame) {
      for (std::size_t i = 0; i < frame.position.size(); ++i) {
        const auto& x = frame.position[i];
        const Vec3 p{x[0], x[1], x[2]}, in_cavity = p - Vec3{0, 0.5 * wall, 0};
        const double below_outside = in_box(p, size);
        const double to_cavity = -in_box(in_cavity, size - Vec3{2 * wall, wall, 2 * wall});
        if (p.y > 0.5 * size.y) over_rim[frame.id[i]] = true;
        if (below_outside < 0 && !over_rim[frame.id[i]]) outside[frame.id[i]] = true;
        deepest = std::max(deepest, std::min(below_outside, to_cavity) / kH);
      }
    });
    const std::string name = std::string("cup as a ") + (rigid ? "fixed body" : "boundary, drawn") +
                             ", walls of 2.5 h, water falls into it: ";
    report_depth(name + "wall", deepest);
    report_figure({.name = name + "particles through its wall",
                   .value = static_cast<double>(std::count(outside.begin(), outside.end(), true)),
                   .exact = 0,
                   .source = "nothing leaks"});
  }
}

}  // namespace sluice::tests
