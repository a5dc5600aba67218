// What a scene file may not say of rigid objects.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/scene/scene_file.h"
#include "tests/json_schema.h"

namespace {

using namespace sluice;
using namespace sluice::io;
namespace fs = std::filesystem;

// A scene with these objects, which begin at line 2, column 1.
std::string scene_text(const std::string& objects, const std::string& more = "") {
  return R"({ "particleSpacing": 0.1, "materials": { "water": { "type": "fluid" }, "oak": { "type": "rigid", "density": 700,
"friction": 0.4 } },)" +
         more + "\"objects\": [\n" + objects + "] }";
}

struct Wrong {
  std::string object, error;
  bool in_schema = true;  // whether the schema can refuse it too
};
std::vector<Wrong> wrong_objects() {
  const auto body = [](const std::string& keys) {
    return R"({"role": "rigid", "material": "oak", "shape": {"box": [1, 1, 1]},)"
           "\n" +
           keys + "}";
  };
  return {
      {R"({"role": "rigid", "shape": {"box": [1, 1, 1]}})",
       "3:1: /objects/0: a rigid object needs a \"material\", the name of one of the scene's \"materials\" of type "
       "\"rigid\""},
      {R"({"role": "rigid", "material": "water", "shape": {"box": [1, 1, 1]}})",
       "3:31: /objects/0/material: \"water\" is of type \"fluid\", and a rigid object needs one of type \"rigid\"; "
       "there is \"oak\"",
       false},
      {R"({"role": "fluid", "material": "oak", "shape": {"box": [1, 1, 1]}})",
       "3:31: /objects/0/material: \"oak\" is of type \"rigid\", and a fluid needs one of type \"fluid\"; there is "
       "\"water\"",
       false},
      {R"({"role": "rigid", "material": "oka", "shape": {"box": [1, 1, 1]}})",
       "3:31: /objects/0/material: \"materials\" has no \"oka\"; did you mean \"oak\"?", false},
      {body(R"("mass": 0)"), "4:9: /objects/0/mass: must be greater than 0, not 0"},
      {body(R"("friction": -0.1)"), "4:13: /objects/0/friction: must be at least 0 and at most 1000000, not -0.1"},
      {body(R"("inertia": [1, 2])"), "4:12: /objects/0/inertia: must hold 6 numbers, [xx, yy, zz, xy, xz, yz], not 2"},
      {body(R"("inertia": 1)"),
       "4:12: /objects/0/inertia: must be an array of 6 numbers, [xx, yy, zz, xy, xz, yz], not a number"},
      {body(R"("inertia": [1, 1, 1, 0, "0", 0])"), "4:25: /objects/0/inertia/4: must be a number, not a text"},
      {body(R"("inertia": [1, 1, 1, 2, 0, 0])"),
       "4:12: /objects/0/inertia: must be positive definite, as the tensor of every solid body is; a ball's is [a, a, "
       "a, 0, 0, 0]",
       false},
      {body(R"("inertia": [1, 1, 2.1, 0, 0, 0])"),
       "4:12: /objects/0/inertia: no body has this tensor: of the moments about any three axes at right angles, two "
       "must "
       "add up to the third or more; leave it out to take it from the shape",
       false},
      {body(R"("freeTranslation": [true, 0, true])"),
       "4:27: /objects/0/freeTranslation/1: must be true or false, not a number"},
      {body(R"("freeTranslation": [true])"),
       "4:20: /objects/0/freeTranslation: must hold 3 of true or false, [x, y, z], not 1"},
      {body(R"("freeTranslation": true)"),
       "4:20: /objects/0/freeTranslation: must be an array of 3, [x, y, z], of true or false, not true or false"},
      {body(R"("rotationAxis": [0, 0, 0])"),
       "4:17: /objects/0/rotationAxis: must not be zero; write the direction to turn about, such as [0, 1, 0]"},
      {body(R"("rotationAxis": [0, 0, 1], "freeRotation": false)"),
       "4:28: /objects/0/freeRotation: \"rotationAxis\" already says how the body turns; remove one or the other"},
      {body(R"("fixed": true, "freeTranslation": [true, true, true])"),
       "4:16: /objects/0/freeTranslation: \"fixed\" already lets nothing move; remove one or the other"},
      {body(R"("fixed": true, "velocity": [0, 1, 0])"),
       "4:28: /objects/0/velocity: the body cannot move along this direction; remove it, or use a boundary with a "
       "\"motion\" for a prescribed one",
       false},
      {body(R"("rotationAxis": [0, 2, 0], "angularVelocity": [0, 1, 0.1])"),
       "4:47: /objects/0/angularVelocity: the body cannot turn about this direction; remove it, or use a boundary with "
       "a \"motion\" for a prescribed one",
       false},
      {body(R"("motion": {})"),
       "4:1: /objects/0/motion: only a boundary has a prescribed motion; a rigid object starts with its \"velocity\" "
       "and \"angularVelocity\""},
      {body(R"("solid": "inside")"), "4:1: /objects/0/solid: a rigid object is solid inside; remove this key"},
      {body(R"("surface": "inset")"), "4:12: /objects/0/surface: must be \"drawn\" or \"sampled\", not \"inset\""},
      {body(R"("repeat": { "count": [0, 1, 1], "step": [1, 1, 1] })"),
       "4:23: /objects/0/repeat/count/0: must be at least 1 and at most 1000000, not 0"},
      {body(R"("repeat": { "count": [1, 1.5, 1], "step": [1, 1, 1] })"),
       "4:26: /objects/0/repeat/count/1: must be a whole number"},
      {body(R"("repeat": { "count": [1000, 1000, 2], "step": [1, 1, 1] })"),
       "4:22: /objects/0/repeat/count: must not make more than 1000000 copies", false},
      {body(R"("repeat": { "count": [2, 1, 1], "step": [0, 1, 1] })"),
       "4:42: /objects/0/repeat/step/0: must not be 0 where there are several copies, which would lie in each other; "
       "write how far apart they are, m",
       false},
      {body(R"("repeat": { "count": [2, 1, 1] })"),
       "4:11: /objects/0/repeat: the key \"step\" is missing; add it, such as \"step\": [0.1, 0.1, 0.1]"},
      {R"({"role": "rigid", "material": "oak", "shape": {"box": [1, 1, 1], "open": "top"}})",
       "3:66: /objects/0/shape/open: only a boundary has an open face; remove this key"},
      {R"({"role": "rigid", "material": "oak", "shape": {"sphere": {"radius": 1}, "open": "top"}})",
       "3:73: /objects/0/shape/open: only a box has faces to leave open; remove this key"},
      {R"({"role": "rigid", "material": "oak", "shape": {"sphere": {"radius": 1}, "scale": 2}})",
       "3:73: /objects/0/shape/scale: only a mesh has a scale; change the lengths of the sphere"},
      {R"({"role": "rigid", "material": "oak", "shape": {"cone": {"radius": 1}}})",
       "3:56: /objects/0/shape/cone: the key \"height\" is missing; add it, such as \"height\": 0.2"},
      {R"({"role": "rigid", "material": "oak", "shape": {"sphere": 3}})",
       "3:58: /objects/0/shape/sphere: must be an object such as { \"radius\": 0.1 }, not a number"},
      {R"({"role": "rigid", "material": "oak", "shape": {"torus": {"radius": 1, "tube": 1}}})",
       "3:79: /objects/0/shape/torus/tube: must be less than the radius, which is that of the tube's middle circle: "
       "else the hole closes",
       false},
      {R"({"role": "fluid", "material": "water", "shape": {"sphere": {"radius": 1}}})",
       "3:50: /objects/0/shape/sphere: a fluid with the shape of a sphere is not built yet; use a \"box\""},
      {R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "mass": 3, "angularVelocity": [0, 0, 0]})",
       "3:51: /objects/0/mass: only a rigid object has this key; remove it\nscene.json:3:62: "
       "/objects/0/angularVelocity: only a rigid object has this key; a boundary turns by \"motion\": { "
       "\"angularVelocity\": [x, y, z] }"},
      {R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "material": "oka"})",
       "3:63: /objects/0/material: \"materials\" has no \"oka\"; did you mean \"oak\"?", false},
      {R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "friction": -1})",
       "3:63: /objects/0/friction: must be at least 0 and at most 1000000, not -1"},
      {R"({"role": "fluid", "material": "water", "shape": {"box": [1, 1, 1]}, "friction": 0.5})",
       "3:69: /objects/0/friction: only a rigid object or a boundary has friction; remove this key"},
      {body(R"("restitution": 1.1)"), "4:16: /objects/0/restitution: must be at least 0 and at most 1, not 1.1"},
      {R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "restitution": -0.1})",
       "3:66: /objects/0/restitution: must be at least 0 and at most 1, not -0.1"},
      {R"({"role": "fluid", "material": "water", "shape": {"box": [1, 1, 1]}, "restitution": 0.5})",
       "3:69: /objects/0/restitution: only a rigid object or a boundary has a restitution; remove this key"},
      {R"({"role": "fluid", "material": "water", "shape": {"box": [1, 1, 1]}, "surface": "drawn"})",
       "3:69: /objects/0/surface: only a rigid object or a boundary has a surface; remove this key"},
      {body(R"("name": "a", "repeat": { "count": [2, 1, 1], "step": [2, 1, 1] })") + ",\n" +
           R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "name": "a[0,0,0]"})",
       "5:59: /objects/1/name: the name \"a[0,0,0]\" reads like that of a copy of /objects/0; give this object another "
       "\"name\"",
       false},
  };
}

}  // namespace

TEST_CASE("each mistake in a rigid object is reported with its place and a remedy, and refused by the schema") {
  std::ifstream stream(fs::path(__FILE__).parent_path().parent_path() / "scenes/scene.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(stream);
  for (const Wrong& wrong : wrong_objects()) {
    CAPTURE(wrong.object);
    const std::string text = scene_text(wrong.object);
    try {
      parse_scene(text, "scene.json");
      CHECK(wrong.error == "no error");
    } catch (const Error& error) {
      CHECK(std::string(error.what()) == "scene.json:" + wrong.error);
    }
    CHECK(accepts_json(schema, schema, nlohmann::json::parse(text)) != wrong.in_schema);
  }
}

TEST_CASE("each mistake in the table of pairs is reported with its place and a remedy") {
  const std::string objects = R"({"role": "rigid", "material": "oak", "shape": {"box": [1, 1, 1]}})";
  const auto refusal = [&](const std::string& pairs) -> std::string {
    try {
      parse_scene(scene_text(objects, "\n\"pairs\": " + pairs + ","), "scene.json");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(refusal("[]") == "no error");
  CHECK(refusal(R"([{"a": "oak", "b": "oak", "friction": 0}])") == "no error");
  CHECK(refusal("{}") == "scene.json:3:10: /pairs: must be an array, not an object");
  CHECK(refusal(R"([{"a": "oak", "b": "oak"}])") ==
        "scene.json:3:11: /pairs/0: the key \"friction\" is missing; add it, such as \"friction\": 0.1");
  CHECK(refusal(R"([{"a": "oak", "b": "oak", "mu": 0.3, "friction": -1}])") ==
        "scene.json:3:36: /pairs/0: unknown key \"mu\"; the keys here are \"a\", \"b\", \"friction\", "
        "\"restitution\"\n"
        "scene.json:3:59: /pairs/0/friction: must be at least 0 and at most 1000000, not -1");
  CHECK(refusal(R"([{"a": "oak", "b": "oka", "friction": 0.3}])") ==
        "scene.json:3:29: /pairs/0/b: \"materials\" has no \"oka\"; did you mean \"oak\"?");
  CHECK(refusal(R"([{"a": "water", "b": 3, "friction": 0.3}])") ==
        "scene.json:3:17: /pairs/0/a: \"water\" is of type \"fluid\", and a pair needs two of type \"rigid\"; there is "
        "\"oak\"\nscene.json:3:31: /pairs/0/b: must be a text, not a number");
  CHECK(refusal("[{\"a\": \"oak\", \"b\": \"oak\", \"friction\": 0.3},\n{\"b\": \"oak\", \"a\": \"oak\", "
                "\"friction\": 0.2}]") ==
        "scene.json:4:1: /pairs/1: the pair of \"oak\" and \"oak\" is already that of /pairs/0; remove one of the two");
}
