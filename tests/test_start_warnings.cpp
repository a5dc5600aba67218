// What check and run say before a run: how deep things overlap, where a run ends, how long it takes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "host/io/atomic_file.h"
#include "host/sampling/estimate.h"
#include "host/sampling/sampling.h"
#include "tests/folder.h"
#include "tests/mesh_shapes.h"
#include "tests/program.h"

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::io;
using namespace sluice::tests;

struct Warned {
  Scene scene;
  std::vector<std::string> warnings;
};
Warned build(const std::string& text, const fs::path& folder = "") {
  Warned out;
  SamplingReport report;
  out.scene = build_scene(parse_scene(text, folder / "scene.json"), report);
  out.warnings = report.warnings;
  return out;
}
bool warns(const Warned& built, const std::string& part) {
  return std::any_of(built.warnings.begin(), built.warnings.end(), [&](const auto& w) { return contains(w, part); });
}

// h = 0.1 m, without gravity.
std::string bodies(const std::string& objects) {
  return R"({ "particleSpacing": 0.1, "gravity": [0, 0, 0], "materials": { "oak": { "type": "rigid" } }, "objects": [)" +
         objects + "] }";
}
std::string object(const std::string& role, const std::string& shape, const std::string& position,
                   const std::string& more = "") {
  return "{ \"role\": \"" + role + "\", \"shape\": {" + shape + "}, \"position\": [" + position + "]" + more +
         (role == "rigid" ? ", \"material\": \"oak\" }" : "}");
}

// As the only warning of an overlap tells it, m; 0 if there is none.
double told_depth(const std::string& objects, const fs::path& folder = "") {
  double depth = 0;
  for (const std::string& warning : build(bodies(objects), folder).warnings) {
    CAPTURE(warning);
    CHECK(!contains(warning, "or more"));
    for (const std::string before : {" by ", " at the start, "}) {
      const std::size_t at = warning.find(before);
      if (at == std::string::npos) continue;
      CHECK(depth == 0);
      depth = std::atof(warning.c_str() + at + before.size());
    }
  }
  return depth;
}

void write_obj(const fs::path& path, const TriangleMesh& mesh) {
  std::ofstream file(path);
  file.precision(17);
  for (const Vec3& v : mesh.vertices) file << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const auto& [a, b, c] : mesh.triangles) file << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
}

constexpr const char* kCube = R"("box": [0.6, 0.6, 0.6])";

std::string with_time(const std::string& time, const std::string& output) {
  return R"({ "particleSpacing": 0.1, "time": {)" + time + "}, \"output\": {" + output +
         R"(}, "objects": [ { "role": "boundary", "shape": { "box": [1, 1, 1] } } ] })";
}

}  // namespace

TEST_CASE("the depth of an overlap is the way by which one must move") {
  const auto near = [](double value) { return doctest::Approx(value).epsilon(0.006); };  // three digits are printed
  const std::string cube = object("rigid", kCube, "0, 0, 0");
  SUBCASE("boxes, by their nearest faces") {
    CHECK(told_depth(cube + "," + object("rigid", kCube, "0.35, 0.1, 0")) == near(0.25));
    CHECK(told_depth(cube + "," + object("rigid", kCube, "0.01, 0.02, -0.55")) == near(0.05));
    CHECK(told_depth(cube + "," + object("rigid", kCube, "0, 0.6, 0")) == 0);
  }
  SUBCASE("a box in the middle of another must come all the way out") {
    CHECK(told_depth(cube + "," + object("rigid", R"("box": [4, 4, 4])", "0, 0, 0")) == near(2.3));
  }
  SUBCASE("a box on its edge, and both turned alike") {
    const std::string turn = R"(, "rotation": { "axis": [0, 0, 1], "degrees": 45 })";
    // Half a diagonal is 0.3 sqrt 2 = 0.42426.
    CHECK(told_depth(object("rigid", R"("box": [2, 0.6, 2])", "0, 0, 0") + "," +
                     object("rigid", kCube, "0.2, 0.62426, 0.1", turn)) == near(0.1));
    // By 0.5 along the turned x axis.
    CHECK(told_depth(object("rigid", kCube, "0, 0, 0", turn) + "," +
                     object("rigid", kCube, "0.3535534, 0.3535534, 0", turn)) == near(0.1));
  }
  SUBCASE("two edges that cross at right angles") {
    // Long bars on their edges, one along z and one along x: 2 (0.42426) less 0.1 apart.
    CHECK(told_depth(object("rigid", R"("box": [0.6, 0.6, 3])", "0, 0, 0",
                            R"(, "rotation": { "axis": [0, 0, 1], "degrees": 45 })") +
                     "," +
                     object("rigid", R"("box": [3, 0.6, 0.6])", "0, 0.74853, 0",
                            R"(, "rotation": { "axis": [1, 0, 0], "degrees": 45 })")) == near(0.1));
  }
  SUBCASE("spheres, on a face, at a corner and with each other") {
    CHECK(told_depth(cube + "," + object("rigid", R"("sphere": { "radius": 0.4 })", "0.1, 0.62, 0")) == near(0.08));
    // 0.3 off the corner along (1, 1, 1).
    CHECK(told_depth(cube + "," + object("rigid", R"("sphere": { "radius": 0.4 })", "0.473205, 0.473205, 0.473205")) ==
          near(0.1));
    CHECK(told_depth(object("rigid", R"("sphere": { "radius": 0.4 })", "0, 0, 0") + "," +
                     object("rigid", R"("sphere": { "radius": 0.3 })", "0.36, 0.48, 0")) == near(0.1));
  }
  SUBCASE("other shapes on a floor") {
    const std::string floor = object("boundary", R"("box": [3, 0.6, 3])", "0, -0.3, 0");
    CHECK(told_depth(floor + "," + object("rigid", kCube, "0, 0.22, 0")) == near(0.08));
    CHECK(told_depth(floor + "," + object("rigid", R"("capsule": { "radius": 0.3, "height": 0.5 })", "0, 0.45, 0")) ==
          near(0.1));
    CHECK(told_depth(floor + "," +
                     object("rigid", R"("cylinder": { "radius": 0.4, "height": 0.8 })", "0, 0.33, 0",
                            R"(, "rotation": { "axis": [1, 0, 0], "degrees": 90 })")) == near(0.07));
    CHECK(told_depth(floor + "," + object("rigid", R"("torus": { "radius": 0.5, "tube": 0.2 })", "0, 0.12, 0")) ==
          near(0.08));
  }
  SUBCASE("meshes: one that is convex, and one that is not") {
    const TestFolder folder;
    const std::string floor = object("boundary", R"("box": [3, 0.6, 3])", "0, -0.3, 0");
    write_obj(folder.path / "cube.obj", box_mesh({0.6, 0.6, 0.6}));
    CHECK(told_depth(floor + "," + object("rigid", R"("mesh": "cube.obj")", "0, 0.21, 0"), folder.path) == near(0.09));
    const TriangleMesh animal = rabbit(0.5);
    double lowest = 0;
    for (const Vec3& v : animal.vertices) lowest = std::min(lowest, v.y);
    write_obj(folder.path / "rabbit.obj", animal);
    CHECK(told_depth(
              floor + "," + object("rigid", R"("mesh": "rabbit.obj")", "0, " + std::to_string(-lowest - 0.09) + ", 0"),
              folder.path) == near(0.09));
  }
  SUBCASE("a body in the wall of an open tank") {
    const std::string tank = object("boundary", R"("box": [2, 1, 2], "open": "top")", "0, 0, 0");
    CHECK(told_depth(tank + "," + object("rigid", kCube, "0.75, 0, 0")) == near(0.05));
    CHECK(told_depth(tank + "," + object("rigid", kCube, "0.7, 0, 0")) == 0);
  }
  SUBCASE("half a spacing more off a surface that has its samples on it") {
    CHECK(told_depth(object("boundary", R"("box": [3, 0.6, 3])", "0, -0.3, 0", R"(, "surface": "sampled")") + "," +
                     object("rigid", kCube, "0, 0.28, 0")) == near(0.07));
  }
}

TEST_CASE("an end between two frames is told of, with where the run ends and how to end as asked") {
  const Warned between = build(with_time(R"("end": 0.033)", R"("frameRate": 50)"));
  REQUIRE(between.warnings.size() == 1);
  CHECK(
      between.warnings[0] ==
      "the end, at 0.033 s, lies between frames, which are 0.02 s apart: the run ends at 0.04 s, with frame 2; give a "
      "whole number of frames, or another \"frameRate\" of \"output\"");
  CHECK(build(with_time(R"("end": 0.04)", R"("frameRate": 50)")).warnings.empty());
  const Warned short_run = build(with_time(R"("end": 1e-9)", R"("frameRate": 50)"));
  CHECK(warns(short_run, "the run ends at 0.02 s, with frame 1; give a whole number of frames"));
  // Whole but for rounding.
  for (const auto& [end, rate] : {std::pair{"0.1", "30"}, {"2.3", "10"}, {"0.7", "100"}, {"1e6", "60"}})
    CHECK_MESSAGE(!warns(build(with_time("\"end\": " + std::string(end), "\"frameRate\": " + std::string(rate))),
                         "lies between frames"),
                  end);
}

TEST_CASE("a viscosity far beyond any liquid's is told of, with the step and known liquids in both units") {
  const auto text = [](const char* viscosity, const char* spacing) {
    return std::string(R"({ "particleSpacing": )") + spacing +
           R"(, "time": { "end": 1, "maxStep": 0.002 }, "materials": { "water": { "type": "fluid", "viscosity": )" +
           viscosity + R"( } }, "objects": [ { "role": "boundary", "shape": { "box": [0.4, 0.4, 0.4], "open": "top" } },
             { "role": "fluid", "material": "water", "shape": { "box": [0.4, 0.2, 0.4] }, "position": [0, -0.1, 0] } ] })";
  };
  const Warned thick = build(text("5", "0.02"));
  REQUIRE(thick.warnings.size() == 1);
  CHECK(thick.warnings[0] ==
        "\"water\" has a viscosity of 5 m^2/s, which limits steps to 4e-06 s where 0.002 s are allowed: the run would "
        "take "
        "2.5e+05 steps; \"viscosity\" is the kinematic one, m^2/s, the dynamic one (Pa s) over the density: at 20 C of "
        "water 1e-6 (0.001 Pa s), of olive oil 9e-5 (0.084 Pa s), of glycerol 0.0011 (1.4 Pa s), of honey about 0.007 "
        "(10 "
        "Pa s); if 5 Pa s were meant, write 0.005, else a larger particleSpacing helps, by its square");
  CHECK(build(text("1e-6", "0.02")).warnings.empty());
  CHECK(build(text("0.007", "0.02")).warnings.empty());  // honey: steps of 2.9 ms
  // Five times the steps that are asked for.
  CHECK(build(text("0.05", "0.02")).warnings.empty());
}

TEST_CASE("a body or a fluid of few particles across is told of, with the spacing that it needs") {
  const auto fluid = [](const std::string& box, const std::string& position) {
    return build(
        R"({ "particleSpacing": 0.1, "gravity": [0, 0, 0], "materials": { "water": { "type": "fluid" } }, "objects": [
      { "name": "drop", "role": "fluid", "material": "water", "shape": { "box": [)" +
        box + R"(] } }, { "name": "other", "role": "fluid", "material": "water", "shape": { "box": [1, 1, 1] },
      "position": [)" +
        position + "] } ] }");
  };
  const Warned drop = fluid("0.2, 0.6, 0.6", "3, 0, 0");
  REQUIRE(drop.warnings.size() == 1);
  CHECK(drop.warnings[0] ==
        "object \"drop\" is 0.2 m across, which is resolved by 2 particles; use a particleSpacing of at most 0.0667 m, "
        "or make it larger");
  CHECK(fluid("0.3, 0.6, 0.6", "3, 0, 0").warnings.empty());
  // Part of a larger body of fluid.
  CHECK(fluid("0.2, 1, 1", "0.6, 0, 0").warnings.empty());
  CHECK(warns(build(bodies(object("rigid", R"("sphere": { "radius": 0.1 })", "0, 0, 0") + "," +
                           object("rigid", R"("box": [0.2, 0.22, 2])", "5, 0, 0"))),
              "object \"rigid0\" is 0.2 m across, which is resolved by 2 particles (and 1 other object is as coarse)"));
  // A card is thin, and yet is whole.
  CHECK(build(bodies(object("rigid", R"("box": [0.1, 1, 1.5])", "0, 0, 0"))).warnings.empty());
  CHECK(build(bodies(object("rigid", R"("sphere": { "radius": 0.15 })", "0, 0, 0"))).warnings.empty());
}

TEST_CASE("a mesh of another size than all the rest is told of, with its size and what scales it") {
  const TestFolder folder;
  write_obj(folder.path / "cube.obj", box_mesh({1, 1, 1}));
  const auto with = [&](const std::string& role, const std::string& scale, const std::string& position) {
    return build(bodies(object("boundary", R"("box": [0.3, 0.3, 0.3])", "0, 0, 0") + "," +
                        object(role, R"("mesh": "cube.obj", "scale": )" + scale, position)),
                 folder.path);
  };
  const Warned large = with("rigid", "2", "20, 0, 0");
  REQUIRE(large.warnings.size() == 1);
  CHECK(contains(large.warnings[0],
                 "is 2 x 2 x 2 m large with its scale, and the largest other object 0.3 m; if it was drawn in "
                 "centimetres, give it \"scale\": 0.02, if in millimetres, 0.002"));
  CHECK(with("rigid", "1.4", "20, 0, 0").warnings.empty());
  CHECK(with("boundary", "2", "20, 0, 0").warnings.empty());  // a landscape
  CHECK(warns(with("boundary", "[10, 1, 0.5]", "20, 0, 0"), "\"scale\": [0.1, 0.01, 0.005]"));
  CHECK(warns(with("boundary", "0.05", "20, 0, 0"), "give it a larger \"scale\", such as 5 or 50, else"));
  const Warned small = build(R"({ "particleSpacing": 0.01, "gravity": [0, 0, 0],
    "materials": { "oak": { "type": "rigid" } }, "objects": [
    { "role": "boundary", "shape": { "box": [1, 0.6, 1] } },
    { "role": "rigid", "material": "oak", "shape": { "mesh": "cube.obj", "scale": 0.015 }, "position": [2, 0, 0] } ] })",
                             folder.path);
  CHECK(warns(small,
              "0.015 x 0.015 x 0.015 m large with its scale, and the largest other object 1 m; if that is 100 or "
              "1000 times too small, give it \"scale\": 1.5 or 15"));
}

TEST_CASE("a density that looks like g/cm^3 is told of, if something has it") {
  const auto text = [](const std::string& water, const std::string& oak, const std::string& more = "") {
    return build(
        R"({ "particleSpacing": 0.1, "gravity": [0, 0, 0], "materials": { "water": { "type": "fluid", "density": )" +
        water + R"( }, "oak": { "type": "rigid", "density": )" + oak + R"( } }, "objects": [
      { "role": "fluid", "material": "water", "shape": { "box": [1, 1, 1] } },
      { "role": "rigid", "material": "oak", "shape": { "box": [1, 1, 1] }, "position": [3, 0, 0] )" +
        more + "} ] }");
  };
  const Warned both = text("1", "0.7");
  REQUIRE(both.warnings.size() == 2);
  CHECK(both.warnings[0] ==
        "\"water\" has a density of 1 kg/m^3, and water has 1000; if 1 g/cm^3 were meant, write 1000");
  CHECK(contains(both.warnings[1],
                 "\"oak\" has a density of 0.7 kg/m^3, and water has 1000; if 0.7 g/cm^3 were meant, "
                 "write 700"));
  CHECK(text("1000", "20").warnings.empty());  // a foam
  CHECK(text("1000", "1", R"(, "mass": 700)").warnings.empty());
}

TEST_CASE("a run of more than a million steps is told of before it starts") {
  CHECK(warns(build(with_time(R"("end": 3000, "maxStep": 0.002)", R"("frameRate": 50)")),
              "the run ends at 3e+03 s and takes at least 1.5e+06 steps, which are 0.002 s long at most; end sooner"));
  CHECK(build(with_time(R"("end": 1000, "maxStep": 0.002)", R"("frameRate": 50)")).warnings.empty());
}

namespace {

std::string falling(const std::string& objects, const std::string& gravity = "0, -9.81, 0") {
  return R"({ "particleSpacing": 0.1, "gravity": [)" + gravity +
         R"(], "materials": { "water": { "type": "fluid" }, "oak": { "type": "rigid" } }, "objects": [
         { "role": "boundary", "shape": { "box": [2, 0.4, 2] }, "position": [0, -0.2, 0] }, )" +
         objects + "] }";
}

}  // namespace

TEST_CASE("gravity that points up is told of once, if something is free to fall") {
  const std::string cube = object("rigid", kCube, "0, 1, 0"), up = "0, 9.81, 0";
  const Warned lifted = build(falling(cube, up));
  REQUIRE(lifted.warnings.size() == 1);
  CHECK(lifted.warnings[0] ==
        "\"gravity\" points up, for y is up: what is free falls upwards; if that is not meant, write -9.81 for its y");
  CHECK(build(falling(object("rigid", kCube, "0, 1, 0", R"(, "fixed": true)"), up)).warnings.empty());
  CHECK(build(falling(cube)).warnings.empty());
}

TEST_CASE("what has nothing below it is named, unless it is held, thrown or carried") {
  const auto lost = [](const std::string& objects, const std::string& gravity = "0, -9.81, 0") {
    const Warned built = build(falling(objects, gravity));
    CHECK(built.warnings.size() <= 1);
    return built.warnings.empty() ? std::string() : built.warnings[0];
  };
  const std::string over = object("rigid", kCube, "0, 1, 0"), beside = object("rigid", kCube, "3, 1, 0");
  CHECK(contains(lost(beside),
                 "no boundary and no fixed body lies below \"rigid1\", so what falls leaves the scene; put "
                 "a floor or a tank there"));
  CHECK(lost(over).empty());
  CHECK(lost(object("rigid", kCube, "1.2, 1, 0")).empty());  // over the edge
  CHECK(contains(lost(over + "," + beside + "," + object("rigid", kCube, "-3, 1, 0")),
                 "below \"rigid2\" and 1 other thing, so"));
  CHECK(contains(lost(R"({ "name": "rain", "role": "fluid", "material": "water", "shape": { "box": [0.5, 0.5, 0.5] },
                          "position": [0, 1, 4] })"),
                 "below \"rain\", so"));
  CHECK(contains(lost(over, "9.81, 0, 0"), "below \"rigid1\""));
  // The floor is above it.
  CHECK(contains(lost(object("rigid", kCube, "0, -2, 0")), "below \"rigid1\""));
  for (const char* held : {R"("fixed": true)", R"("freeTranslation": [true, false, true])", R"("gravityScale": 0)",
                           R"("velocity": [-2, 0, 0])", R"("force": [0, 5000, 0])"})
    CHECK_MESSAGE(lost(object("rigid", kCube, "3, 1, 0", std::string(", ").append(held))).empty(), held);
  // A plank that overhangs the floor carries one; a fixed one does, too.
  CHECK(lost(object("rigid", R"("box": [4, 0.4, 1])", "1.5, 0.2, 0") + "," + beside).empty());
  CHECK(lost(object("rigid", R"("box": [1, 0.4, 1])", "3, 0, 0", R"(, "fixed": true)") + "," + beside).empty());
  // A boundary that moves may come below it.
  const char* paddle = R"(, { "role": "boundary", "shape": { "box": [1, 0.5, 1] }, "position": [0, -2, 0],
                             "motion": { "velocity": [1, 0, 0] } })";
  CHECK(lost(std::string(beside).append(paddle)).empty());
}

TEST_CASE("how many particles and samples a scene will have is known before they are made") {
  const std::string text = R"({ "particleSpacing": 0.02, "materials": { "water": { "type": "fluid" },
    "oak": { "type": "rigid" } }, "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [2, 1, 2] }, "solid": "outside" },
    { "role": "fluid", "material": "water", "shape": { "box": [1, 0.5, 1] } },
    { "role": "rigid", "material": "oak", "shape": { "sphere": { "radius": 0.3 } }, "position": [0, 10, 0] },
    { "role": "rigid", "material": "oak", "shape": { "cylinder": { "radius": 0.3, "height": 0.5 } },
      "position": [10, 0, 0], "repeat": { "count": [2, 1, 1], "step": [1, 0, 0] } },
    { "role": "rigid", "material": "oak", "shape": { "torus": { "radius": 0.5, "tube": 0.2 } }, "position": [0, 0, 10] } ] })";
  const SceneFile file = parse_scene(text, "scene.json");
  const std::vector<double> expected = expected_samples(file);
  SamplingReport report;
  std::vector<std::string> stages;
  build_scene(file, report, [&](const std::string& stage) { stages.push_back(stage); });
  REQUIRE(expected.size() == report.objects.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(expected[i] == doctest::Approx(static_cast<double>(report.objects[i].particles)).epsilon(0.15));
  }
  CHECK(std::find(stages.begin(), stages.end(), "sampling \"tank\"") != stages.end());
  CHECK(std::find(stages.begin(), stages.end(), "placing \"fluid1\"") != stages.end());
  CHECK(sampling_bytes(file, expected) > 100 * expected[0]);
  // Whoever does not want to wait throws.
  CHECK_THROWS_AS(build_scene(file, report, [](const std::string&) { throw Error("enough"); }), Error);
}

TEST_CASE("a scene in millimetres is refused before anything is made, with its place") {
  const auto error = [](const std::string& spacing, const std::string& object) {
    return error_of([&] {
      SamplingReport report;
      build_scene(
          parse_scene("{ \"particleSpacing\": " + spacing +
                          R"(, "materials": { "water": { "type": "fluid" } }, "objects": [)" + "\n" + object + "] }",
                      "scene.json"),
          report, [](const std::string& stage) { FAIL("began ", stage); });
    });
  };
  CHECK(error("0.02", R"({ "role": "fluid", "material": "water", "shape": { "box": [300, 400, 480] } })") ==
        "scene.json:2:1: /objects/0 (\"fluid0\"): with it the scene would have more than 268 million particles, about "
        "7.2e+12; use a larger particleSpacing or a smaller box; is \"particleSpacing\", 0.02, in metres?");
  CHECK(contains(error("0.02", R"({ "role": "boundary", "shape": { "sphere": { "radius": 3000 } } })"),
                 "more than 268 million samples"));
  CHECK(error("20", R"({ "role": "fluid", "material": "water", "shape": { "box": [0.3, 0.4, 0.48] } })") ==
        "scene.json:2:1: /objects/0 (\"fluid0\"): the box is smaller than half a particle, which is 20 m wide; use a "
        "smaller particleSpacing or a larger box; is \"particleSpacing\", 20, in metres?");
}

TEST_CASE("a report of contacts that will have no rows is told") {
  const auto with = [](const std::string& role) {
    return build(R"({ "particleSpacing": 0.1, "gravity": [0, 0, 0], "output": { "contacts": true },
      "materials": { "oak": { "type": "rigid" } }, "objects": [)" +
                 object(role, R"("box": [0.5, 0.5, 0.5])", "0, 0, 0") + "] }");
  };
  CHECK(warns(with("boundary"), "nothing is rigid, so contacts.csv will have no rows"));
  CHECK(!warns(with("rigid"), "contacts.csv"));
}

TEST_CASE("check says which boundary samples files leave out, and what takes long before it does") {
  const TestFolder folder;
  const fs::path scene = folder.path / "scene.json";
  write_file(scene,
             R"({ "particleSpacing": 0.02, "time": { "end": 0.033 }, "materials": { "water": { "type": "fluid" } },
    "objects": [ { "role": "boundary", "shape": { "box": [0.4, 0.4, 0.4], "open": "top" } },
                 { "role": "fluid", "material": "water", "shape": { "box": [0.2, 0.2, 0.2] } } ] })");
  const Result small = run_program(folder, {"check", scene.string()});
  CHECK(small.code == 0);
  CHECK(small.err.empty());
  SamplingReport report;
  const Scene built = build_scene(read_scene_file(scene), report);
  const auto backing =
      std::count_if(built.boundary.begin(), built.boundary.end(), [](const auto& s) { return s.backing; });
  CHECK(contains(small.out, "(" + std::to_string(backing) + " of the " + std::to_string(built.boundary.size()) +
                                " boundary samples are of a second layer"));
  CHECK(contains(small.out, "warning: the end, at 0.033 s, lies between frames"));

  write_file(scene, R"({ "particleSpacing": 0.01, "gravity": [0, 0, 0], "materials": { "water": { "type": "fluid" } },
    "objects": [ { "name": "sea", "role": "fluid", "material": "water", "shape": { "box": [1.4, 1, 1.5] } } ] })");
  const Result large = run_program(folder, {"check", scene.string()});
  CHECK(large.code == 0);
  CHECK(contains(large.err, "the scene will have about 2.1 million particles and samples, most of them \"sea\""));
}
