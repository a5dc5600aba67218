// Rigid bodies from scene files: what the file may say, mass properties, samples, and a start without overlaps.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "host/sampling/inset_sampling.h"
#include "host/sampling/point_grid.h"
#include "host/sampling/rest_volume.h"
#include "host/sampling/sampling.h"
#include "host/sampling/surface_sampling.h"
#include "tests/folder.h"
#include "tests/json_schema.h"
#include "tests/mesh_shapes.h"
#include "tests/rigid_texts.h"

namespace {

using namespace sluice;
using namespace sluice::io;
using namespace sluice::tests;
namespace fs = std::filesystem;

const double kPi = std::acos(-1.0);

// Writes a mesh as NAME in the folder.
void write_obj(const TestFolder& folder, const std::string& name, const TriangleMesh& mesh) {
  std::ofstream file(folder.path / name);
  file.precision(17);
  for (const Vec3& v : mesh.vertices) file << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const auto& [a, b, c] : mesh.triangles) file << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
}

std::string error_of(const std::string& text, const fs::path& folder = "") {
  try {
    build(text, folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
bool warns(const Built& built, const std::string& part) {
  return std::any_of(built.report.warnings.begin(), built.report.warnings.end(),
                     [&](const auto& w) { return has(w, part); });
}

double distance_to(const TriangleMesh& mesh, Vec3 p) {
  double best = 1e300;
  for (const auto& [ia, ib, ic] : mesh.triangles) {
    const Vec3 a = mesh.vertices[ia], ab = mesh.vertices[ib] - a, ac = mesh.vertices[ic] - a;
    // Projected onto the plane, then back into the triangle by its edges.
    for (int i = 0; i <= 8; ++i)
      for (int j = 0; i + j <= 8; ++j) best = std::min(best, length(a + (i / 8.0) * ab + (j / 8.0) * ac - p));
  }
  return best;
}

}  // namespace

TEST_CASE("a fixed body neither moves nor turns, and constraints come from their keys") {
  const Built built =
      build(scene_text(rigid(R"("box": [0.5, 0.5, 0.5])", R"(, "fixed": true)") + "," +
                       R"({"role": "rigid", "material": "oak", "shape": {"box": [0.5, 0.5, 0.5]}, "position": [2, 0, 0],
          "rotationAxis": [0, 3, 4], "angularVelocity": [0, 6, 8], "freeTranslation": [true, false, true],
          "velocity": [1, 0, 0], "friction": 0.9, "gravityScale": 0.5, "force": [1, 2, 3], "torque": [4, 5, 6]})"));
  REQUIRE(built.scene.rigid.size() == 2);
  const RigidBody &fixed = built.scene.rigid[0], &door = built.scene.rigid[1];
  CHECK(fixed.free_translation == std::array<bool, 3>{false, false, false});
  CHECK(fixed.turning == Turning::none);
  CHECK(fixed.friction == 0.4);
  CHECK(door.name == "rigid1");
  CHECK(door.free_translation == std::array<bool, 3>{true, false, true});
  CHECK(door.turning == Turning::about_axis);
  CHECK(door.axis.y == doctest::Approx(0.6));
  CHECK(door.axis.z == doctest::Approx(0.8));
  CHECK(door.angular_velocity.z == 8);
  CHECK(door.velocity.x == 1);
  CHECK(door.friction == 0.9);
  CHECK(door.gravity_scale == 0.5);
  CHECK(door.force.z == 3);
  CHECK(door.torque.y == 5);
}

TEST_CASE("mass, inertia and the place of the centre of mass reach the body") {
  const Built box = build(scene_text(rigid(R"("box": [0.5, 0.6, 0.7])")));
  const RigidBody& b = box.scene.rigid.at(0);
  CHECK(b.mass == doctest::Approx(700 * 0.21).epsilon(1e-15));
  CHECK(b.inertia[0] == doctest::Approx(b.mass * (0.36 + 0.49) / 12).epsilon(1e-14));
  CHECK(b.inertia[2] == doctest::Approx(b.mass * (0.25 + 0.36) / 12).epsilon(1e-14));
  CHECK(box.report.objects[0].mass == b.mass);
  const Built given = build(scene_text(rigid(R"("sphere": {"radius": 0.4})", R"(, "mass": 3)")));
  CHECK(given.scene.rigid[0].mass == 3);
  CHECK(given.scene.rigid[0].inertia[1] == doctest::Approx(0.4 * 3 * 0.16).epsilon(1e-14));
  const Built tensor =
      build(scene_text(rigid(R"("sphere": {"radius": 0.4})", R"(, "inertia": [1, 2, 2.5, 0.1, 0, 0])")));
  CHECK(tensor.scene.rigid[0].inertia == std::array<double, 6>{1, 2, 2.5, 0.1, 0, 0});
  CHECK(tensor.scene.rigid[0].mass == doctest::Approx(700 * 4 * kPi / 3 * 0.064));

  const Built cone =
      build(scene_text(rigid(R"("cone": {"radius": 0.4, "height": 0.8})",
                             R"(, "position": [1, 2, 3], "rotation": {"axis": [0, 0, 1], "degrees": 90})")));
  const RigidBody& c = cone.scene.rigid[0];
  CHECK(c.center_of_mass.y == doctest::Approx(-0.2));
  CHECK(length(c.position - Vec3{1.2, 2, 3}) < 1e-12);  // its base is turned to +x
  CHECK(c.orientation.z == std::sqrt(0.5));
  Vec3 top{0, -1, 0};
  for (const RigidSample& sample : cone.scene.shapes[0].samples)
    if (sample.position.y > top.y) top = sample.position;
  CHECK(top.y == doctest::Approx(0.6).epsilon(0.05));  // a sharp tip keeps a sample
  CHECK(std::hypot(top.x, top.z) < 0.5 * kH);
}

TEST_CASE("bodies of equal shape share their samples") {
  const std::string sphere = R"("sphere": {"radius": 0.4})";
  const auto body = [](const std::string& shape, const std::string& more) {
    return R"({"role": "rigid", "material": "oak", "shape": {)" + shape + "}" + more + "}";
  };
  const Built built = build(scene_text(body(sphere, R"(, "repeat": {"count": [3, 2, 2], "step": [1, 1, 1]})") + "," +
                                       body(sphere, R"(, "position": [9, 0, 0], "mass": 5)") + "," +
                                       body(sphere, R"(, "position": [9, 3, 0], "surface": "sampled")") + "," +
                                       body(R"("sphere": {"radius": 0.5})", R"(, "position": [9, 5, 0])")));
  CHECK(built.scene.shapes.size() == 3);
  REQUIRE(built.scene.rigid.size() == 15);
  CHECK(built.scene.rigid[12].shape == built.scene.rigid[0].shape);
  CHECK(built.scene.rigid[13].shape == 1);
  CHECK(built.scene.rigid[0].name == "rigid0[0,0,0]");
  CHECK(built.scene.rigid[5].name == "rigid0[2,1,0]");
  CHECK(built.scene.rigid[11].name == "rigid0[2,1,1]");
  CHECK(length(built.scene.rigid[5].position - Vec3{2, 1, 0}) < 1e-12);
  CHECK(built.report.objects[0].bodies == 12);
  CHECK(built.report.objects[0].particles == 12 * built.scene.shapes[0].samples.size());
  CHECK(built.report.warnings.empty());
}

TEST_CASE("boundaries and fluids repeat too") {
  const Built built = build(scene_text(
      R"({"role": "boundary", "name": "tank", "shape": {"box": [0.5, 0.5, 0.5], "open": "top"},
          "repeat": {"count": [2, 1, 2], "step": [2, 0, 3]}, "motion": {"velocity": [0.1, 0, 0]}},
         {"role": "fluid", "material": "water", "shape": {"box": [0.5, 0.2, 0.5]}, "position": [0, -0.15, 0],
          "repeat": {"count": [2, 1, 2], "step": [2, 0, 3]}})"));
  REQUIRE(built.scene.bodies.size() == 4);
  CHECK(built.scene.bodies[3].name == "tank[1,0,1]");
  CHECK(length(built.scene.bodies[3].position - Vec3{2, 0, 3}) < 1e-12);
  CHECK(built.scene.boundary.size() % 4 == 0);
  CHECK(built.scene.boundary.back().body == 3);
  CHECK(built.scene.fluid.size() == 4 * 5 * 2 * 5);
  CHECK(built.report.objects[1].cut == 0);
  CHECK(built.report.warnings.empty());
}

TEST_CASE("a rigid box is a lattice, inset by h/2 where it is thick enough") {
  CHECK(inset_of(3, 1) == 0.5);
  CHECK(inset_of(1.5, 1) == doctest::Approx(0.25));
  CHECK(inset_of(1, 1) == 0);
  const auto box = [](const std::string& lengths, const std::string& more = "") {
    return build(scene_text(rigid("\"box\": " + lengths, more)));
  };
  // A box drawn in whole spacings: so is the lattice.
  const Built flat = box("[0.8, 0.8, 0.4]");
  const auto& samples = flat.scene.shapes[0].samples;
  CHECK(samples.size() == 8 * 8 * 4 - 6 * 6 * 2);
  double reach = 0;
  for (const RigidSample& s : samples) reach = std::max(reach, s.position.z);
  CHECK(reach == doctest::Approx(1.5 * kH));
  CHECK(flat.report.objects[0].shallow == 0);
  CHECK(flat.report.objects[0].volume_min > 0.94);
  CHECK(flat.report.objects[0].volume_max == doctest::Approx(1.157).epsilon(0.005));
  CHECK(box("[0.5, 0.5, 0.5]", R"(, "surface": "sampled")").scene.shapes[0].samples.size() == 6 * 6 * 6 - 4 * 4 * 4);
  const Built thin = box("[0.8, 0.15, 0.8]");
  for (const RigidSample& s : thin.scene.shapes[0].samples) CHECK(std::abs(s.position.y) == doctest::Approx(0.05));
  CHECK(thin.report.objects[0].shallow > 0.9);
  const Built plate = box("[0.8, 0.05, 0.8]");
  for (const RigidSample& s : plate.scene.shapes[0].samples) CHECK(s.position.y == 0);
  CHECK(plate.scene.rigid[0].mass == doctest::Approx(700 * 0.032));
  CHECK(plate.report.objects[0].shallow == 1);
  CHECK(warns(plate, "object \"duck\" is thinner than the particle spacing; it gets one plane of samples"));
  CHECK(box("[0.05, 0.05, 0.05]").scene.shapes[0].samples.size() == 1);
  CHECK(box("[0.1, 0.1, 0.1]").scene.shapes[0].samples.size() == 8);
}

TEST_CASE("rest volumes of rigid samples are not clipped") {
  const Built paper = build(scene_text(rigid(R"("box": [0.05, 0.05, 0.05])")));
  CHECK(paper.scene.shapes[0].samples[0].rest_volume == doctest::Approx(0.7 * kPi));
  const Built box = build(scene_text(rigid(R"("box": [0.8, 0.8, 0.8])"), R"("solver": {"gamma": 0.6},)"));
  CHECK(box.report.objects[0].volume_max == doctest::Approx(0.6 / 0.7 * 1.157).epsilon(1e-3));  // a corner's
}

TEST_CASE("samples of curved and lumpy bodies lie evenly at their inset below the surface") {
  const TriangleMesh ball = icosphere(4, 0.5), lump = rabbit(0.4);
  for (const TriangleMesh* mesh : {&ball, &lump}) {
    const MeshColumns columns = make_columns(*mesh, inspect_mesh(*mesh));
    const InsetSamples samples = sample_inset_mesh(*mesh, columns, kH);
    REQUIRE(samples.positions.size() == samples.insets.size());
    const PointGrid grid = grid_of(samples.positions, 2 * kH);
    for (std::size_t i = 0; i < samples.positions.size(); ++i) {
      const Vec3 p = samples.positions[i];
      const double inset = samples.insets[i];
      CHECK(inset <= kFullInset * kH * (1 + 1e-9));
      CHECK(std::abs(distance_to(*mesh, p) - inset) < 0.08 * kH);
      if (inset > 0.05 * kH) CHECK(inside_mesh(*mesh, columns, p));
      visit_near(grid, p, 0.999 * kMinDistance * kH, [&](std::uint32_t j, double) {
        CHECK(j == i);
        return true;
      });
    }
    // Every part of the drawn surface is near a sample.
    double gap = 0;
    for (const Vec3& v : mesh->vertices) {
      const std::uint32_t nearest = nearest_point(grid, v, 2 * kH);
      REQUIRE(nearest != kNoPoint);
      gap = std::max(gap, length(samples.positions[nearest] - v));
    }
    CHECK(gap < 1.1 * kH);
  }
  for (const double inset : sample_inset_mesh(ball, make_columns(ball, inspect_mesh(ball)), kH).insets)
    CHECK(inset == doctest::Approx(kFullInset * kH));
}

TEST_CASE("inset samples close the gap along a concave edge, and a pyramid's stand a half spacing above its base") {
  // An L, 0.6 m thick, 1 m long in z.
  const double outline[6][2] = {{0, 0}, {1.2, 0}, {1.2, 0.6}, {0.6, 0.6}, {0.6, 1.2}, {0, 1.2}};
  TriangleMesh mesh;
  for (const double z : {-0.5, 0.5})
    for (const auto& [x, y] : outline) mesh.vertices.push_back({x, y, z});
  for (const auto& [a, b, c] : std::vector<std::array<std::uint32_t, 3>>{{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}}) {
    mesh.triangles.push_back({c, b, a});
    mesh.triangles.push_back({a + 6, b + 6, c + 6});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  const InsetSamples samples = sample_inset_mesh(mesh, make_columns(mesh, inspect_mesh(mesh)), kH);
  for (double z = -0.45; z < 0.46; z += 0.02) {
    double nearest = 1;
    for (const Vec3& p : samples.positions) nearest = std::min(nearest, length(p - Vec3{0.55, 0.55, z}));
    CHECK(nearest < 0.9 * kH);
  }

  const Built pyramid = build(scene_text(rigid(R"("pyramid": [1, 1, 1])")));
  int low = 0;
  double bottom = 0;
  for (const RigidSample& s : pyramid.scene.shapes[0].samples) bottom = std::min(bottom, s.position.y);
  for (const RigidSample& s : pyramid.scene.shapes[0].samples) low += s.position.y < bottom + 0.1 * kH;
  CHECK(bottom == doctest::Approx(-0.25 + 0.5 * kH));  // from the centre of mass
  CHECK(low > 60);
}

TEST_CASE("a contact patch is a few runs of samples on each face") {
  const Built built = build(scene_text(rigid(R"("box": [2, 2, 2])")));
  const auto& samples = built.scene.shapes[0].samples;
  for (const auto coordinate : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    double low = 1;
    for (const RigidSample& s : samples) low = std::min(low, s.position.*coordinate);
    int runs = 0, count = 0;
    bool before = false;
    for (const RigidSample& s : samples) {
      const Vec3 p = s.position;
      const bool touches = p.*coordinate < low + 1e-9 && std::abs(p.x) + std::abs(p.y) + std::abs(p.z) < 0.6 - low;
      runs += touches && !before;
      count += touches;
      before = touches;
    }
    CHECK(count > 50);
    CHECK(runs <= count / 3);
  }
}

TEST_CASE("a body from a lumpy mesh keeps its mass wherever the file has its origin") {
  const TestFolder folder;
  TriangleMesh mesh = rabbit(0.4);
  write_obj(folder, "a.obj", mesh);
  for (Vec3& v : mesh.vertices) v = v + Vec3{5, 0, 0};
  write_obj(folder, "b.obj", mesh);
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  write_obj(folder, "inside_out.obj", mesh);
  const auto body = [&](const std::string& name) {
    return build(scene_text(rigid("\"mesh\": \"" + name + "\"")), folder.path);
  };
  const Built a = body("a.obj"), b = body("b.obj"), flipped = body("inside_out.obj");
  CHECK(a.report.warnings.empty());
  CHECK(b.scene.rigid[0].mass == doctest::Approx(a.scene.rigid[0].mass).epsilon(1e-12));
  CHECK(length(b.scene.rigid[0].position - a.scene.rigid[0].position - Vec3{5, 0, 0}) < 1e-12);
  for (int i = 0; i < 6; ++i)
    CHECK(std::abs(b.scene.rigid[0].inertia[i] - a.scene.rigid[0].inertia[i]) < 1e-10 * a.scene.rigid[0].inertia[0]);
  CHECK(warns(flipped, "is inside out: its faces point inwards. They are taken as flipped"));
  CHECK(flipped.scene.rigid[0].mass == doctest::Approx(a.scene.rigid[0].mass).epsilon(1e-12));
  CHECK(flipped.report.objects[0].shallow < 0.5);
  CHECK(a.report.objects[0].volume_deviation < 0.15);
}

TEST_CASE("open and flat meshes need a mass, and take the inertia of a shell unless it is given") {
  const TestFolder folder;
  TriangleMesh open = box_mesh({1, 1, 1});
  open.triangles.resize(10);
  write_obj(folder, "open.obj", open);
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}};
  write_obj(folder, "sheet.obj", sheet);
  const auto text = [](const std::string& name, const std::string& more = "") {
    return scene_text(rigid("\"mesh\": \"" + name + "\"", more));
  };
  const std::string error = error_of(text("open.obj"), folder.path);
  CHECK(has(error, "scene.json:3:1: /objects/0 (\"duck\"): mesh "));
  CHECK(has(error,
            "is open (4 edges with one face), so it has no mass of its own; close it, or give \"mass\" and "
            "\"inertia\""));
  CHECK(has(error_of(text("sheet.obj"), folder.path), "encloses no volume, so it has no mass of its own"));
  CHECK(has(error_of(text("open.obj", R"(, "inertia": [1, 1, 1, 0, 0, 0])"), folder.path), "no mass of its own"));

  const Built shell = build(text("open.obj", R"(, "mass": 5)"), folder.path);
  CHECK(warns(shell, "its inertia is that of a thin shell: close it, or give \"inertia\""));
  CHECK(shell.scene.rigid[0].mass == 5);
  CHECK(shell.scene.rigid[0].center_of_mass.x == doctest::Approx(-0.1));  // the face at x = 0.5 is missing
  const Built given = build(text("open.obj", R"(, "mass": 5, "inertia": [1, 2, 2, 0, 0, 0])"), folder.path);
  CHECK(given.report.warnings.empty());
  CHECK(given.scene.rigid[0].inertia[1] == 2);
  const Built flat = build(text("sheet.obj", R"(, "mass": 12)"), folder.path);
  CHECK(flat.scene.rigid[0].inertia[2] == doctest::Approx(2));
  CHECK(flat.scene.rigid[0].inertia[0] == doctest::Approx(1));
  CHECK(flat.report.objects[0].shallow == 1);
}

TEST_CASE("what cannot be a body is refused with its place") {
  const auto refused = [](const std::string& object) { return error_of(scene_text(object)); };
  CHECK(has(refused(rigid(R"("box": [1e-150, 1e-150, 1e-150])")),
            "/objects/0/shape/box/0: must be at least 1e-09, not 1e-150"));
  CHECK(has(refused(rigid(R"("box": [1e4, 1e4, 1e4])")), "more than 268 million samples"));
  CHECK(has(refused(rigid(R"("sphere": {"radius": 200})")),
            "(\"duck\"): the shape would have more than 13 million samples"));
  CHECK(has(refused(rigid(R"("sphere": {"radius": 1e200})")),
            "/objects/0/shape/sphere/radius: must be at most 1e+09, not 1e+200"));
  CHECK(has(
      refused(
          rigid(R"("box": [1, 1, 1])") + "," +
          R"({"role": "rigid", "name": "far", "material": "oak", "shape": {"box": [1, 1, 1]}, "position": [0, 820, 0]})"),
      "/objects/1 (\"far\"): rigid body \"far\" starts more than 8190 particle spacings away from the rest of the "
      "scene"));
  CHECK(has(refused(rigid(R"("box": [1, 1, 1])", R"(, "position": [0, 2e8, 0])")),
            "from the origin, where samples can no longer be told apart"));
  CHECK(has(refused(rigid(R"("sphere": {"radius": 1e-300})")),
            "/objects/0/shape/sphere/radius: must be at least 1e-09, not 1e-300"));
  CHECK(has(refused(R"({"role": "boundary", "shape": {"cone": {"radius": 1e-300, "height": 1e-300}}})"),
            "/height: must be at least 1e-09"));
}

TEST_CASE("fluid in and too near to rigid bodies is cut") {
  const std::string water = R"({"role": "fluid", "material": "water", "shape": {"box": [1.5, 1.5, 1.5]}})";
  // Drawn flush: 5 cells of water are displaced, and the rest starts at its resting distance.
  const Built drawn = build(scene_text(rigid(R"("box": [0.5, 0.5, 0.5])") + "," + water));
  CHECK(drawn.report.objects[1].cut == 5 * 5 * 5);
  const Built ball = build(scene_text(rigid(R"("sphere": {"radius": 0.5})") + "," + water));
  for (const FluidParticle& particle : ball.scene.fluid) CHECK(length(particle.position) > 0.49);
  const Built sampled =
      build(scene_text(rigid(R"("sphere": {"radius": 0.5})", R"(, "surface": "sampled")") + "," + water));
  CHECK(sampled.report.objects[1].cut > ball.report.objects[1].cut);
  CHECK(has(error_of(scene_text(rigid(R"("box": [3, 3, 3])") + "," + water)),
            "3375 in or too near to a boundary or rigid"));
}

TEST_CASE("bodies that overlap at the start are named with their depth, ten pairs at most") {
  const auto cube = [](const std::string& name, const std::string& y, const std::string& more = "") {
    return R"({"role": "rigid", "name": ")" + name +
           R"(", "material": "oak", "shape": {"box": [0.6, 0.6, 0.6]},
              "position": [0, )" +
           y + ", 0]" + more + "}";
  };
  CHECK(build(scene_text(cube("a", "0") + "," + cube("b", "0.6"))).report.warnings.empty());
  const Built over = build(scene_text(cube("a", "0") + "," + cube("b", "0.5744")));
  REQUIRE(over.report.warnings.size() == 1);
  CHECK(over.report.warnings[0] ==
        "\"b\" overlaps \"a\" by 0.0256 m (0.26 particle spacings) at the start and will be pushed out; move one of "
        "them");
  const std::string floor =
      R"({"role": "boundary", "name": "floor", "shape": {"box": [2, 0.4, 2]}, "position": [0, -0.2, 0]})";
  CHECK(build(scene_text(floor + "," + cube("a", "0.3"))).report.warnings.empty());
  CHECK(warns(build(scene_text(floor + "," + cube("a", "0.25"))), "\"a\" overlaps \"floor\" by"));
  CHECK(build(scene_text(floor + "," + cube("a", "0.25", R"(, "fixed": true)"))).report.warnings.empty());
  const std::string hall = R"({"role": "rigid", "name": "rock", "material": "oak", "shape": {"box": [4, 4, 4]}})";
  CHECK(warns(build(scene_text(hall + "," + cube("a", "0"))), "\"a\" and \"rock\" lie in each other at the start"));
  const Built many = build(scene_text(cube("a", "0", R"(, "repeat": {"count": [1, 15, 1], "step": [0, 0.55, 0]})")));
  CHECK(many.report.warnings.size() == 11);
  CHECK(many.report.warnings[10] == "and 4 more pairs of bodies overlap");
}

TEST_CASE("a start too fast to end is warned of") {
  CHECK(warns(build(scene_text(rigid("\"box\": [0.5, 0.5, 0.5]", R"(, "angularVelocity": [0, 1e8, 0])"))),
              "object \"duck\" starts at up to"));
  CHECK(build(scene_text(rigid("\"box\": [0.5, 0.5, 0.5]", R"(, "velocity": [0, 10, 0])"))).report.warnings.empty());
}

TEST_CASE("a ramp that says so is as drawn: a block lies flush on it") {
  const auto ramp = [](const char* more) {
    return std::string(
               R"({"role": "boundary", "name": "ramp", "shape": {"pyramid": [6, 3, 6]}, "position": [0, -1.5, 0]})")
               .insert(1, more) +
           R"(, {"role": "boundary", "name": "table", "shape": {"box": [4, 1, 4]}, "position": [9, 0, 0]})";
  };
  const std::string block =
      R"(, {"role": "rigid", "name": "block", "material": "oak", "shape": {"box": [0.6, 0.4, 0.6]},
      "position": [1.14142, -0.85858, 0], "rotation": {"axis": [0, 0, 1], "degrees": -45}})";
  const Built sampled = build(scene_text(ramp("") + block));
  CHECK(warns(sampled, "\"block\" overlaps \"ramp\""));
  CHECK(warns(sampled, "give it \"surface\": \"drawn\""));
  const Built drawn = build(scene_text(ramp(R"("surface": "drawn", )") + block));
  CHECK(drawn.report.warnings.empty());
  double outside = -1;
  for (const BoundarySample& s : drawn.scene.boundary)
    if (s.body == 0 && !s.backing && s.position.x > std::abs(s.position.z) + 0.3 && s.position.y > -2)
      outside = std::max(outside, s.position.x + s.position.y);
  CHECK(outside == doctest::Approx(-0.05 * std::sqrt(2)));
  CHECK_THROWS_WITH_AS(build(scene_text(R"({"role": "boundary", "shape": {"sphere": {"radius": 1}}, "solid": "outside",
      "surface": "drawn"})")),
                       doctest::Contains("a container that is no box has its samples on its surface"), Error);
}

TEST_CASE("a viscosity that no run would survive is warned of") {
  const auto text = [](const char* viscosity) {
    return std::string(R"({ "particleSpacing": 0.1, "gravity": [0, 0, 0], "materials": { "mud": { "type": "fluid",
        "viscosity": )") +
           viscosity + R"( } }, "objects": [ { "role": "fluid", "material": "mud", "shape": { "box":
        [1, 1, 1] } } ] })";
  };
  CHECK(warns(build(text("600")), "\"mud\" has a viscosity of 600 m^2/s"));
  CHECK(build(text("0.1")).report.warnings.empty());
}

TEST_CASE("what nothing holds is warned of, and faces that a file lists twice") {
  const std::string gravity = R"("gravity": [0, -9.81, 0],)", water = R"({"role": "fluid", "material": "water", "shape":
      {"box": [1, 1, 1]}})";
  const auto falls = [&](const std::string& objects, const std::string& more) {
    return warns(build(scene_text(objects, more)), "there is no boundary and no fixed body");
  };
  CHECK(falls(water, gravity));
  CHECK(falls(rigid("\"box\": [0.5, 0.5, 0.5]"), gravity));
  CHECK(!falls(water, ""));
  CHECK(!falls(water + "," + R"({"role": "boundary", "shape": {"box": [9, 1, 9]}, "position": [0, -2, 0]})", gravity));
  CHECK(!falls(rigid("\"box\": [0.5, 0.5, 0.5]", R"(, "fixed": true)"), gravity));

  const TestFolder folder;
  const std::string file = (folder.path / "twice.obj").string();
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 3 4 2\n";
  CHECK(warns(build(scene_text(rigid("\"mesh\": \"" + file + "\""))), "lists 1 face twice; it counts once"));
}

TEST_CASE("a boundary's samples lie on the drawn surface where the scene asks for it") {
  const std::string box = R"({"role": "boundary", "shape": {"box": [0.5, 0.5, 0.5]})";
  const auto reach = [](const Built& built) {
    double most = 0;
    for (const BoundarySample& s : built.scene.boundary) most = std::max(most, s.position.x);
    return most;
  };
  CHECK(reach(build(scene_text(box + "}"))) == doctest::Approx(0.2));
  CHECK(reach(build(scene_text(box + R"(, "surface": "sampled"})"))) == doctest::Approx(0.25));
  CHECK(reach(build(scene_text(box + "}", R"("surface": "sampled",)"))) == doctest::Approx(0.25));
  CHECK(reach(build(scene_text(box + R"(, "surface": "drawn"})", R"("surface": "sampled",)"))) == doctest::Approx(0.2));
  const Built bowl = build(scene_text(
      R"({"role": "boundary", "shape": {"sphere": {"radius": 0.8}}, "solid": "outside"},
         {"role": "fluid", "material": "water", "shape": {"box": [0.6, 0.6, 0.6]}})"));
  CHECK(bowl.report.warnings.empty());
  CHECK(bowl.scene.fluid.size() == 6 * 6 * 6);
}

TEST_CASE("twenty thousand grains share one shape and start without a warning") {
  const Built built = build(scene_text(
      rigid(R"("sphere": {"radius": 0.15})", R"(, "repeat": {"count": [40, 25, 20], "step": [0.35, 0.35, 0.35]})")));
  CHECK(built.scene.rigid.size() == 20000);
  CHECK(built.scene.shapes.size() == 1);
  CHECK(built.report.warnings.empty());
}
