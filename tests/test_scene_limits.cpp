// Limits of a scene's numbers, keys in wrong places, and files that are no scenes.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/sampling/sampling.h"
#include "host/scene/scene_file.h"
#include "tests/folder.h"
#include "tests/json_schema.h"

#ifndef SLUICE_SOURCE_DIR
#define SLUICE_SOURCE_DIR "."
#endif

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::io;
using namespace sluice::tests;
using nlohmann::json;

// Every key with a number, and those beside them that they need.
constexpr const char* kNumbers = R"({
  "particleSpacing": 0.1, "gravity": [0, -9.81, 0],
  "time": { "end": 1, "maxStep": 0.001, "cfl": 0.4 },
  "solver": { "tolerance": 0.02, "minIterations": 2, "maxIterations": 500, "relaxationFluid": 0.8,
              "relaxationRigid": 1.6, "warmStartFluid": 0.8, "warmStartRigid": 0.6, "loadSharing": 0.2, "overlapSpeed": 0.2, "gamma": 0.7 },
  "materials": { "water": { "type": "fluid", "density": 1000, "viscosity": 1e-6 },
                 "oak": { "type": "rigid", "density": 700, "friction": 0.4 } },
  "pairs": [ { "a": "oak", "b": "oak", "friction": 0.3 } ],
  "objects": [
    { "role": "boundary", "shape": { "box": [1, 1, 1] }, "position": [1, 2, 3],
      "rotation": { "axis": [1, 1, 1], "degrees": 30 }, "repeat": { "count": [1, 2, 1], "step": [0, 2, 0] }, "friction": 0.2,
      "motion": { "velocity": [0, 1, 0], "angularVelocity": [0, 1, 0], "center": [0, 0, 0] } },
    { "role": "fluid", "material": "water", "shape": { "box": [1, 1, 1] }, "velocity": [1, 0, 0] },
    { "role": "rigid", "material": "oak", "shape": { "sphere": { "radius": 1 } }, "velocity": [1, 0, 0],
      "angularVelocity": [1, 0, 0], "friction": 1, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "gravityScale": 1,
      "force": [1, 0, 0], "torque": [1, 0, 0] },
    { "role": "rigid", "material": "oak", "shape": { "cylinder": { "radius": 1, "height": 1 } } },
    { "role": "rigid", "material": "oak", "shape": { "torus": { "radius": 1, "tube": 0.1 } }, "rotationAxis": [1, 1, 1] },
    { "role": "rigid", "material": "oak", "shape": { "wedge": [1, 1, 1] } } ],
  "output": { "frameRate": 50 },
  "picture": { "camera": { "eye": [1, 2, 3], "target": [0, 0, 0], "degrees": 30 }, "range": [0, 1] }
})";

std::string refusal(const std::string& text) {
  return error_of([&] { parse_scene(text, "scene.json"); });
}

std::string scene_with(const std::string& text) {
  return "{\"particleSpacing\": 0.1, \"objects\": [{\"role\": \"boundary\", \"shape\": {\"box\": [1, 1, 1]}}],\n" +
         text + "}";
}

json read_schema() {
  std::ifstream stream(fs::path(SLUICE_SOURCE_DIR) / "scenes/scene.schema.json");
  REQUIRE(stream);
  return json::parse(stream);
}

}  // namespace

TEST_CASE("any number of a scene is refused with its place beyond the limits of the schema, and only there") {
  const json schema = read_schema(), scene = json::parse(kNumbers), flat = scene.flatten();
  REQUIRE(refusal(scene.dump()) == "nothing thrown");
  REQUIRE(accepts_json(schema, schema, scene));
  int tried = 0, refused = 0;
  for (const auto& [pointer, value] : flat.items()) {
    if (!value.is_number()) continue;
    for (const double number : {0.0,  -1.0, 1.0,     1e-300, -1e-300,  1e300, -1e300,  1e9, 1.0000001e9, -1.0000001e9,
                                1e18, 1e-9, 0.99e-9, 1e-12,  0.99e-12, 0.001, 0.00099, 1e6, 1.0000001e6, 1e30}) {
      json changed = scene;
      changed[json::json_pointer(pointer)] = number;
      const std::string error = refusal(changed.dump());
      CAPTURE(pointer);
      CAPTURE(number);
      CAPTURE(error);
      ++tried;
      refused += error != "nothing thrown";
      // What several numbers must satisfy together no schema says.
      const bool together = contains(error, "a frame would take") || contains(error, "no step is longer") ||
                            contains(error, "the run would have") || contains(error, "from the origin") ||
                            contains(error, "with this object the scene is") ||
                            contains(error, "these are more than") || contains(error, "must be less than the radius") ||
                            contains(error, "positive definite") || contains(error, "no body has this tensor") ||
                            contains(error, "than maxIterations") || contains(error, "two numbers that grow") ||
                            contains(error, "where the eye is") || contains(error, "must not be 0 where") ||
                            contains(error, "1000000 copies") || contains(error, "spacings from the object") ||
                            contains(error, "together, and at most") || contains(error, "must be at least 1e-30");
      if (!together) CHECK((error == "nothing thrown") == accepts_json(schema, schema, changed));
      if (error != "nothing thrown") CHECK(contains(error, "scene.json:1:"));
      if (error != "nothing thrown" && !together) CHECK(contains(error, ": " + pointer + ": must be "));
    }
  }
  CHECK(tried > 1000);
  CHECK(refused > 400);
}

TEST_CASE("numbers that cannot stand together are refused with the place") {
  CHECK(refusal(scene_with(R"("gravity": [0, -1e300, 0])")) ==
        "scene.json:2:16: /gravity/1: must be at least -1e+09 and at most 1e+09, not -1e+300");
  CHECK(refusal(scene_with(R"("time": { "cfl": 1e-9 })")) ==
        "scene.json:2:18: /time/cfl: must be at least 0.001, not 1e-09");
  CHECK(refusal(scene_with(R"("time": { "end": 1e8 })")) ==
        "scene.json:2:18: /time/end: the run would have 5e+09 frames, of which fewer than 1e+09 are possible; use a "
        "smaller \"end\" or \"frameRate\"");
  CHECK(refusal(scene_with(R"("time": { "maxStep": 1e-9 })")) ==
        "scene.json:2:22: /time/maxStep: a frame would take 2e+07 steps, of which fewer than 1e+06 are possible; use a "
        "larger \"maxStep\" or \"frameRate\"");
  CHECK(
      refusal(scene_with(R"("time": { "step": 1e6 })")) ==
      "scene.json:2:19: /time/step: no step is longer than a frame, which takes 1/frameRate = 0.02 s; write a \"step\" "
      "of up to that");
  CHECK(
      refusal("{\"particleSpacing\": 0.1, \"objects\": [{\"role\": \"boundary\", \"shape\": {\"box\": [1, 1, 1]},\n"
              "\"position\": [0, 1.1e8, 0]}]}") ==
      "scene.json:2:13: /objects/0/position: this is more than 1e+09 particle spacings from the origin, where samples "
      "can no longer be told apart; move the scene nearer to it");
  CHECK(
      contains(refusal("{\"particleSpacing\": 0.1, \"objects\": [{\"role\": \"boundary\", \"shape\": {\"box\": [1, 1, "
                       "1]},\n\"repeat\": {\"count\": [300, 300, 1], \"step\": [2, 2, 0]}}]}"),
               "scene.json:2:21: /objects/0/repeat/count: these are more than 65535 boundaries"));
  CHECK(refusal(scene_with(R"("gravity": [0, -1e9, 1e9])")) ==
        "scene.json:2:12: /gravity: is 1.41e+09 m/s^2 together, and at most 1e+09 is possible; write smaller numbers");
  const auto with_motion = [](const std::string& motion) {
    return refusal(
        "{\"particleSpacing\": 0.1, \"objects\": [{\"role\": \"boundary\", \"shape\": {\"box\": [1, 1, 1]},\n"
        "\"motion\": {" +
        motion + "}}]}");
  };
  CHECK(with_motion(R"("velocity": [1e9, 1e9, 0])") ==
        "scene.json:2:24: /objects/0/motion/velocity: is 1.41e+09 m/s together, and at most 1e+09 is possible; write "
        "smaller numbers");
  CHECK(with_motion(R"("center": [1e6, 0, 0])") ==
        "scene.json:2:22: /objects/0/motion/center: this is more than 1e+06 particle spacings from the object; write a "
        "place nearer to it, or a \"velocity\" for one so far");
  CHECK(with_motion(R"("center": [1e4, 0, 0])") == "nothing thrown");
  std::string materials;
  for (int i = 0; i < 33; ++i)
    materials += std::string(i == 0 ? "" : ",") + "\n\"w" + std::to_string(i) + "\": { \"type\": \"fluid\" }";
  CHECK(refusal(scene_with("\"materials\": {" + materials + "}")) ==
        "scene.json:35:1: /materials/w32: a scene has at most 32 materials of type \"fluid\"; remove those that no "
        "object "
        "needs");
  std::string solids, pairs;
  for (int i = 0; i < 32; ++i) {
    const std::string name = "\"m" + std::to_string(i) + "\"";
    solids += (i == 0 ? "" : ",") + name + ": { \"type\": \"rigid\" }";
    pairs += std::string(i == 0 ? "" : ",\n") + R"({ "a": )" + name + R"(, "b": )" + name + R"(, "friction": 0.1 })";
    if (i == 30)
      CHECK(refusal(scene_with("\"materials\": {" + solids + "}, \"pairs\": [" + pairs + "]")) == "nothing thrown");
  }
  CHECK(contains(refusal(scene_with("\"materials\": {" + solids + "}, \"pairs\": [" + pairs + "]")),
                 "scene.json:33:1: /pairs/31: \"pairs\" names more than 31 materials up to here; remove entries, or "
                 "let materials that are alike share a name"));
}

TEST_CASE("a number that only the solver refuses is told of with its object's place") {
  SamplingReport report;
  const std::string text = R"({ "particleSpacing": 0.1, "materials": { "oak": { "type": "rigid" } }, "objects": [
{ "role": "boundary", "shape": { "box": [1, 1, 1] } },
{ "role": "rigid", "material": "oak", "mass": 1e18, "shape": { "box": [1, 1, 1] }, "position": [0, 2, 0] } ] })";
  const std::string error = error_of([&] { build_scene(parse_scene(text, "scene.json"), report); });
  CHECK_MESSAGE(error.starts_with("scene.json:3:1: /objects/1 (\"rigid1\"): "), error);
  CHECK(contains(error, "in the solver's units"));
  CHECK(contains(error, "at most 1e+18 is possible"));
}

TEST_CASE("a key in a wrong place is told where it belongs") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("end": 2)", "unknown key \"end\"; it belongs in \"time\": move it there"},
      {R"("friction": 2)",
       "unknown key \"friction\"; it belongs in a material, an entry of \"pairs\" or an object: move it there"},
      {R"("cfl": 0.4)", "unknown key \"cfl\"; it belongs in \"time\": move it there"},
      {R"("clf": 0.4)", "unknown key \"clf\"; did you mean \"cfl\", which belongs in \"time\"?"},
      {R"("duration": 2)", "unknown key \"duration\"; write \"time\": { \"end\": 2 }, s"},
      {R"("dt": 2)", "unknown key \"dt\"; write \"time\": { \"maxStep\": 0.002 }, or \"step\" for a fixed one"},
      {R"("particleRadius": 2)", "unknown key \"particleRadius\"; write \"particleSpacing\", twice the radius"},
      {R"("materials": [])",
       "must be an object of materials by name, { \"water\": { \"type\": \"fluid\" } }, not an array"},
      {R"("gravity": null)",
       "must be an array of 3 numbers, [x, y, z], not null; leave the key out if it has a default"},
      {R"("time": { "frameRate": 2 })", "unknown key \"frameRate\"; it belongs in \"output\": move it there"},
      {R"("output": { "materials": 2 })",
       "unknown key \"materials\"; it belongs in the scene itself, beside \"objects\": move it there"},
      {R"("materials": { "water": { "type": "fluid", "velocty": 1 } })",
       "unknown key \"velocty\"; did you mean \"velocity\", which belongs in an object or \"motion\"?"},
      {R"("materials": { "oak": { "type": "rigid", "bounciness": 0.7 } })",
       "unknown key \"bounciness\"; how bodies rebound is \"restitution\", 0 to 1, of a material, an object or a pair"},
      {R"("materials": { "water": { "type": "fluid", "surfaceTension": 0.07 } })",
       "unknown key \"surfaceTension\"; there is no surface tension; remove this key"}};
  for (const auto& [text, sentence] : cases) {
    const std::string error = refusal(scene_with(text));
    CHECK_MESSAGE(contains(error, sentence), error);
    CHECK(error.starts_with("scene.json:2:"));
  }
  CHECK(
      refusal(
          "{\"particleSpacing\": 0.1, \"objects\": [{\"role\": \"boundary\",\n\"open\": \"top\", \"shape\": {\"box\": "
          "[1, 1, 1]}}]}") ==
      "scene.json:2:1: /objects/0: unknown key \"open\"; it belongs in \"shape\": move it there");
}

TEST_CASE("millions of wrong keys are told of at once") {
  std::string text = "{";
  for (int i = 0; i < 300000; ++i) text += "\"radiuz\":1,";
  text += "\"objects\":[]}";
  const std::clock_t start = std::clock();
  CHECK(contains(refusal(text), "more errors"));
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC <
        10);  // of processor time; minutes with a remedy each
}

TEST_CASE("what is no file is no scene") {
  const TestFolder folder;
  const fs::path pipe = folder.path / "scene.json";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(error_of([&] { read_scene_file(pipe); }) == pipe.string() + ": this is a device or a pipe; name a scene file");
  CHECK(contains(error_of([] { read_scene_file("/dev/zero"); }), "/dev/zero: this is a device or a pipe"));
  // A file whose size is 0 and whose bytes cannot be read.
  CHECK(contains(error_of([] { read_scene_file("/proc/self/mem"); }), "/proc/self/mem: reading the scene file failed"));
  const std::string mesh =
      "{\"particleSpacing\": 0.1, \"objects\": [\n{\"role\": \"boundary\", \"shape\": {\"mesh\": "
      "\"/proc/self/mem\"}}]}";
  SamplingReport report;
  const std::string error = error_of([&] { build_scene(parse_scene(mesh, "scene.json"), report); });
  CHECK(error.starts_with("scene.json:2:1: /objects/0 (\"boundary0\"): /proc/self/mem: "));
  CHECK(contains(error, "cannot be read"));
}

TEST_CASE("line ends of any system and a byte-order mark make no difference") {
  const std::string text =
      "\xEF\xBB\xBF{\r\n\"particleSpacing\": 0.1, // h\r\n\"objects\": [\r\n{\"role\": \"boundary\", "
      "\"shape\": {\"box\": [1, 1, 1]}}]}\r\n";
  CHECK(refusal(text) == "nothing thrown");
  std::string wrong = text;
  wrong.replace(wrong.find("role"), 4, "rule");
  CHECK(refusal(wrong).starts_with("scene.json:4:1: /objects/0: the key \"role\" is missing"));
}
