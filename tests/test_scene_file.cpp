#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "host/scene/scene_file.h"
#include "tests/json_schema.h"

using namespace sluice;
using namespace sluice::io;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// A folder with a mesh file in it, gone at the end.
struct TestFolder {
  fs::path path = fs::temp_directory_path() /
                  ("sluice-scene-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  TestFolder() {
    fs::create_directories(path / "models");
    std::ofstream(path / "models/duck.obj") << "v 0 0 0\n";
  }
  ~TestFolder() { fs::remove_all(path); }
};

std::string error_of(const std::string& text, const fs::path& path = "scene.json") {
  try {
    parse_scene(text, path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Every key, none at its default.
constexpr const char* kFull = R"(// a comment
{
  "$schema": "scene.schema.json",
  "name": "Überlauf",
  "particleSpacing": 0.01, /* h */
  "gravity": [0.5, -1.62, -0.25],
  "surface": "sampled",
  "time": { "end": 2.5, "maxStep": 0.001, "cfl": 0.3 },
  "solver": { "mode": "paper", "acceleration": "none", "tolerance": 0.005, "minIterations": 3, "maxIterations": 50,
              "relaxationFluid": 0.6, "warmStartFluid": 0.5, "warmStartRigid": 0.25, "loadSharing": 0.3, "slip": "midpoint",
              "boundaryPressure": "zero", "overlapSpeed": 0.1,
              "sampleWeights": false, "gamma": 0.65, "relaxationRigid": 0.9, "contactScale": "per-body",
              "frictionUpdate": "velocity", "frictionMethod": "explicit", "contactWeights": true },
  "materials": { "water": { "type": "fluid", "density": 998.2, "viscosity": 1e-6 }, "oil": { "type": "fluid", "density": 0.9e3 },
    "oak": { "type": "rigid", "density": 700, "friction": 0.4 }, "ice": { "type": "rigid", "density": 917, "friction": 0.03,
             "restitution": 0.6 } },
  "pairs": [ { "a": "oak", "b": "ice", "friction": 0.02, "restitution": 0.7 }, { "a": "oak", "b": "oak", "friction": 0.45 } ],
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [2, 1, 1.5], "open": "top" }, "position": [0, 0.5, 0] },
    { "name": "pool", "role": "fluid", "material": "oil", "shape": { "box": [0.5, 0.6, 0.9] },
      "position": [-0.7, 0.3, 0.1], "rotation": { "axis": [0, 0, 2], "degrees": 30 }, "velocity": [1, 2, 3] },
    { "role": "boundary", "shape": { "mesh": "models/duck.obj", "scale": [1, 2, 3] }, "solid": "outside",
      "position": [0.1, 0.2, 0.3], "motion": { "velocity": [0.1, 0, 0], "angularVelocity": [0, 6.28, 0], "center": [4, 5, 6] } },
    { "role": "boundary", "shape": { "mesh": "models/../models/duck.obj", "scale": 0.2 }, "position": [1, 2, 3], "motion": {},
      "repeat": { "count": [2, 1, 3], "step": [0.5, 0, -0.5] } },
    { "name": "ball", "role": "rigid", "material": "oak", "shape": { "sphere": { "radius": 0.1 } }, "surface": "drawn",
      "velocity": [0, 0, 1], "angularVelocity": [0, 3, 4], "friction": 0.3, "restitution": 0.9, "mass": 2, "inertia": [1, 2, 2.5, 0.1, 0, 0.2],
      "gravityScale": -0.5, "force": [1, 0, 2], "torque": [0, 1, 0], "freeTranslation": [false, true, true],
      "rotationAxis": [0, 0.3, 0.4], "repeat": { "count": [1, 2, 1], "step": [0, 0.25, 0] } },
    { "role": "rigid", "material": "oak", "shape": { "cone": { "radius": 0.1, "height": 0.3 } }, "fixed": true },
    { "role": "rigid", "material": "oak", "shape": { "torus": { "radius": 0.1, "tube": 0.03 } }, "freeRotation": false },
    { "role": "boundary", "shape": { "capsule": { "radius": 0.1, "height": 0.3 } }, "material": "ice", "friction": 0.04, "restitution": 0.1 },
    { "role": "boundary", "material": "oak", "shape": { "cylinder": { "radius": 0.1, "height": 0.3 } } },
    { "role": "rigid", "material": "oak", "shape": { "wedge": [1, 2, 3] } },
    { "role": "rigid", "material": "oak", "shape": { "pyramid": [1, 2, 3] } }
  ],
  "output": { "frameRate": 30, "fields": ["pressure", "velocity"], "contacts": true },
  "picture": { "camera": { "eye": [1, 2, 3], "target": [0, 0.5, 0], "degrees": 45 }, "field": "pressure",
               "range": [-1, 250], "boundaries": "wires" }
}
)";

// A scene with one change to try: TEXT stands at line 2, column 1.
std::string with(const std::string& text,
                 const std::string& objects = R"([{"role":"boundary","shape":{"box":[1,1,1]}}])") {
  return "{\"particleSpacing\": 0.02, \"objects\": " + objects + ",\n" + text + "}";
}
std::string with_object(const std::string& object) {
  return "{\"particleSpacing\": 0.02, \"materials\": {\"water\": {\"type\": \"fluid\"}, "
         "\"oak\": {\"type\": \"rigid\"}}, \"objects\": [\n" +
         object + "]}";
}

// Every field, doubles to the last bit.
std::string dump(const SceneFile& s) {
  std::ostringstream out;
  out << std::hexfloat;
  const auto vec = [&](Vec3 v) { out << v.x << ' ' << v.y << ' ' << v.z << ' '; };
  out << s.path << s.name << ' ' << s.spacing << ' ' << s.sample_weights << int(s.surface) << s.solver.contact_weights
      << '\n';
  vec(s.gravity);
  out << s.time.end << ' ' << s.time.max_step << ' ' << s.time.cfl << ' ' << s.time.frame_interval << '\n'
      << int(s.solver.mode) << int(s.solver.acceleration) << ' ' << s.solver.tolerance << ' ' << s.solver.min_iterations
      << ' ' << s.solver.max_iterations << ' ' << s.solver.relaxation_fluid << ' ' << s.solver.warm_start_fluid
      << s.solver.warm_start_rigid << s.solver.load_sharing << int(s.solver.slip) << ' ' << s.solver.overlap_speed
      << ' ' << s.solver.min_iterations_contact << ' ' << s.solver.relaxation_rigid << ' ' << s.solver.gamma
      << int(s.solver.contact_scale) << int(s.solver.friction_update) << int(s.solver.friction_method) << '\n';
  for (const FluidMaterial& m : s.materials) out << m.name << ' ' << m.density << ' ' << m.viscosity << '\n';
  for (const RigidMaterial& m : s.rigid_materials)
    out << m.name << ' ' << m.density << ' ' << m.friction << ' ' << m.restitution << '\n';
  for (const MaterialPair& p : s.pairs)
    out << p.a << ' ' << p.b << ' ' << p.friction << ' ' << p.restitution.value_or(-1) << '\n';
  for (const Object& o : s.objects) {
    out << o.name << o.place << int(o.role) << int(o.shape.kind) << int(o.shape.open) << o.shape.mesh << o.material
        << int(o.solid) << o.has_motion << ' ' << o.degrees << ' ' << o.rotation.w << ' ' << o.rotation.x << ' '
        << o.rotation.y << ' ' << o.rotation.z << ' ';
    for (const Vec3 v :
         {o.shape.box, o.shape.scale, o.position, o.axis, o.velocity, o.motion.velocity, o.motion.angular_velocity,
          o.motion.center, o.rigid.angular_velocity, o.rigid.force, o.rigid.torque, o.rigid.axis, o.repeat.step}) {
      vec(v);
    }
    const RigidSettings& r = o.rigid;
    out << int(o.surface) << o.shape.radius << ' ' << o.shape.height << ' ' << o.shape.tube << o.has_repeat
        << o.repeat.count[0] << o.repeat.count[1] << o.repeat.count[2] << ' ' << o.friction.value_or(-1) << ' '
        << o.restitution.value_or(-1) << ' ' << r.mass.value_or(-1) << ' ' << r.gravity_scale << r.free_translation[0]
        << r.free_translation[1] << r.free_translation[2] << int(r.turning);
    if (r.inertia) {
      for (const double v : *r.inertia) out << ' ' << v;
    }
    out << '\n';
  }
  out << s.output.frame_rate << s.output.contacts;
  for (const std::string& field : s.output.fields) out << ' ' << field;
  const PictureSettings& picture = s.picture;
  out << int(picture.field) << int(picture.boundaries);
  if (picture.range) out << ' ' << picture.range->min << ' ' << picture.range->max;
  if (picture.camera) {
    const Camera& c = *picture.camera;
    for (const double v : {c.eye.x, c.eye.y, c.eye.z, c.target.x, c.target.y, c.target.z, c.degrees}) out << ' ' << v;
  }
  return out.str();
}

json read_schema() {
  std::ifstream stream(fs::path(__FILE__).parent_path().parent_path() / "scenes/scene.schema.json");
  REQUIRE(stream);
  return json::parse(stream);
}

struct Wrong {
  std::string text, error;
  bool in_schema = true;  // whether the schema can refuse it too
};

std::vector<Wrong> wrong_scenes() {
  return {
      {"[]", "scene.json:1:1: must be an object, not an array"},
      {"{}",
       "scene.json:1:1: the key \"particleSpacing\" is missing; add it, such as \"particleSpacing\": 0.02\n"
       "scene.json:1:1: the key \"objects\" is missing; add it, such as \"objects\": [ { \"role\": \"boundary\", "
       "\"shape\": { \"box\": [1, 1, 1] } } ]"},
      {with(R"("gravty": [0, 0, 0])"), "scene.json:2:1: unknown key \"gravty\"; did you mean \"gravity\"?"},
      {with(R"("output": { "pace": 3 })"),
       "scene.json:2:13: /output: unknown key \"pace\"; the keys here are \"frameRate\", \"fields\", \"contacts\""},
      {with(R"("name": "a/b")"),
       "scene.json:2:9: /name: \"a/b\" cannot be a name; a name is part of file names: 1 to "
       "100 characters, none of / \\ : * ? \" < > |, no dot or space at an end"},
      {with(R"("gravity": -9.81)"),
       "scene.json:2:12: /gravity: must be an array of 3 numbers, [x, y, z], not a number"},
      {with(R"("gravity": [0, 1])"), "scene.json:2:12: /gravity: must hold 3 numbers, [x, y, z], not 2"},
      {with(R"("gravity": [0, "1", 0])"), "scene.json:2:16: /gravity/1: must be a number, not a text"},
      {with(R"("time": { "end": 0 })"), "scene.json:2:18: /time/end: must be greater than 0, not 0"},
      {with(R"("time": { "end": 1, "step": 0.001, "cfl": 0.4 })"),
       "scene.json:2:21: /time/step: \"step\" fixes the time step, so \"maxStep\" and \"cfl\" mean nothing beside it; "
       "remove one or the other"},
      {with(R"("solver": { "mode": "robst" })"),
       "scene.json:2:21: /solver/mode: must be \"robust\" or \"paper\", not \"robst\""},
      {with(R"("solver": { "acceleration": true })"),
       "scene.json:2:29: /solver/acceleration: must be \"nncg\" or \"none\", not true or false"},
      {with(R"("solver": { "minIterations": "few" })"),
       "scene.json:2:30: /solver/minIterations: must be a whole number or \"auto\", not \"few\""},
      {with(R"("solver": { "minIterations": 9, "maxIterations": 8 })"),
       "scene.json:2:30: /solver/minIterations: must not be greater than maxIterations, 8", false},
      {with(R"("solver": { "maxIterations": 2.5 })"),
       "scene.json:2:30: /solver/maxIterations: must be a whole number, not 2.5"},
      {with(R"("solver": { "maxIterations": 1e300 })"),
       "scene.json:2:30: /solver/maxIterations: must be at least 1 and at most 100000, not 1e+300"},
      {with(R"("solver": { "warmStartRigid": 1 })"),
       "scene.json:2:31: /solver/warmStartRigid: must be at least 0 and less than 1, not 1"},
      {with(R"("solver": { "gamma": 1 })"),
       "scene.json:2:22: /solver/gamma: must be at least 0.001 and less than 1, not 1"},
      {with(R"("solver": { "relaxationFluid": 2 })"),
       "scene.json:2:32: /solver/relaxationFluid: must be at least 0.001 and less than 2, not 2"},
      {with(R"("solver": { "overlapSpeed": -1 })"),
       "scene.json:2:29: /solver/overlapSpeed: must be at least 0, not -1"},
      {with(R"("solver": { "sampleWeights": 1 })"),
       "scene.json:2:30: /solver/sampleWeights: must be true or false, not a number"},
      {with(R"("solver": { "boundaryPressure": "mirrored" })"),
       "scene.json:2:33: /solver/boundaryPressure: must be \"zero\", not \"mirrored\""},
      {with(R"("output": { "contacts": "yes" })"),
       "scene.json:2:25: /output/contacts: must be true or false, not a text"},
      {with(R"("materials": { "oak": { "type": "wood", "friction": 0.4 } })"),
       "scene.json:2:33: /materials/oak/type: must be \"fluid\" or \"rigid\", not \"wood\"\n"
       "scene.json:2:41: /materials/oak/friction: only a material of type \"rigid\" has friction; remove this key"},
      {with(R"("materials": { "water": { "type": "fluid", "restitution": 0.4 } })"),
       "scene.json:2:44: /materials/water/restitution: only a material of type \"rigid\" has a restitution; remove "
       "this "
       "key"},
      {with(R"("materials": { "oak": { "type": "rigid", "viscosity": 1 } })"),
       "scene.json:2:42: /materials/oak/viscosity: only a fluid has a viscosity; remove this key"},
      {with(R"("materials": { "a~b/": { } })"),
       "scene.json:2:16: /materials/a~0b~1: \"a~b/\" cannot be a name; a name is part of file names: 1 to 100 "
       "characters, none of / \\ : * ? \" < > |, no dot or space at an end\n"
       "scene.json:2:24: /materials/a~0b~1: the key \"type\" is missing; add it, such as \"type\": \"fluid\""},
      {with(R"("output": { "fields": ["density", "density"] })"),
       "scene.json:2:35: /output/fields/1: \"density\" stands here a second time; remove one"},
      {with(R"("output": { "fields": ["speed"] })"),
       "scene.json:2:24: /output/fields/0: must be \"velocity\", \"density\" or \"pressure\", not \"speed\""},
      {with(R"("picture": { "camera": { "eye": [1, 2, 3] } })"),
       "scene.json:2:24: /picture/camera: the key \"target\" is missing; add it, such as \"target\": [0, 0.5, 0]"},
      {with(R"("picture": { "camera": { "eye": [1, 2, 3], "target": [1, 2, 3] } })"),
       "scene.json:2:54: /picture/camera/target: must not be where the eye is; a camera looks from one to the other",
       false},
      {with(R"("picture": { "camera": { "eye": [1, 2, 3], "target": [1, 2, 2], "degrees": 0 } })"),
       "scene.json:2:76: /picture/camera/degrees: must be at least 1 and at most 150, not 0"},
      {with(R"("picture": { "range": [3, 2], "field": "taste", "boundaries": "cut" })"),
       "scene.json:2:23: /picture/range: must be two numbers that grow, such as [0, 2]: the values at the ends of the "
       "colour bar\n"
       "scene.json:2:40: /picture/field: must be \"speed\", \"pressure\", \"density\", \"material\" or \"friction\", "
       "not \"taste\""},
      {with(R"("picture": { "range": [1e9, 1000000000.1] })"),
       "scene.json:2:23: /picture/range: must be two numbers that grow, such as [0, 2]: the values at the ends of the "
       "colour bar",
       false},
      {with(R"("picture": { "range": [1, "2"] })"),
       "scene.json:2:23: /picture/range: must be two numbers that grow, such as [0, 2]: the values at the ends of the "
       "colour bar"},
      {with(R"("time": { "end": 1,)"
            "\n"
            R"("end": 2 })"),
       "scene.json:3:1: /time: the key \"end\" stands here a second time (before: 2:11); remove one", false},
      {"{\"particleSpacing\": 1, \"objects\": []}",
       "scene.json:1:35: /objects: a scene needs at least one object; add a fluid or a boundary"},
      {with_object(R"({"role": "solid", "shape": {"box": [1, 1, 1]}})"),
       "scene.json:2:10: /objects/0/role: must be \"fluid\", \"rigid\" or \"boundary\", not \"solid\""},
      {with_object(R"({"role": "fluid", "shape": {"box": [1, 1, 1]}})"),
       "scene.json:2:1: /objects/0: a fluid needs a \"material\", the name of one of the scene's \"materials\""},
      {with_object(R"({"role": "fluid", "material": "watr", "shape": {"box": [1, 1, 1]}})"),
       "scene.json:2:31: /objects/0/material: \"materials\" has no \"watr\"; did you mean \"water\"?", false},
      {with_object(R"({"role": "fluid", "material": "", "shape": {"box": [1, 1, 1]}})"),
       "scene.json:2:31: /objects/0/material: \"materials\" has no \"\"; it has \"water\"", false},
      {with_object(R"({"role": "fluid", "material": "water", "shape": {"mesh": "models/duck.obj"}})"),
       "scene.json:2:50: /objects/0/shape/mesh: a fluid with the shape of a mesh is not built yet; use a \"box\""},
      {with_object(R"({"role": "fluid", "material": "water", "shape": {"box": [1, 1, 1], "open": "top"}})"),
       "scene.json:2:68: /objects/0/shape/open: only a boundary has an open face; remove this key"},
      {with_object(R"({"role": "fluid", "material": "water", "shape": {"box": [1, 1, 1]}, "motion": {}})"),
       "scene.json:2:69: /objects/0/motion: only a boundary has this key; remove it (a fluid starts with its "
       "\"velocity\")"},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 0]}})"),
       "scene.json:2:46: /objects/0/shape/box/2: must be greater than 0, not 0"},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1], "open": "x"}})"),
       "scene.json:2:58: /objects/0/shape/open: must be \"none\", \"top\", \"bottom\", \"x-\", \"x+\", \"z-\" or "
       "\"z+\", "
       "not \"x\""},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1], "open": "x-"}, "solid": "inside"})"),
       "scene.json:2:74: /objects/0/solid: an open box is a container, solid \"outside\"; remove this key or \"open\""},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1], "raduis": 3}})"),
       "scene.json:2:50: /objects/0/shape: unknown key \"raduis\"; did you mean \"radius\", which belongs in "
       "\"sphere\", \"cylinder\", \"capsule\", \"cone\" or \"torus\"?"},
      {with_object(R"({"role": "boundary", "shape": {}})"),
       "scene.json:2:31: /objects/0/shape: a shape needs a \"box\": [x, y, z], a \"sphere\", \"cylinder\", "
       "\"capsule\", \"cone\", \"wedge\", \"pyramid\", \"torus\" or a \"mesh\": \"PATH\""},
      {with_object(R"({"role": "boundary", "shape": {"type": "box", "size": [1, 1, 1]}})"),
       "scene.json:2:40: /objects/0/shape/type: a shape's kind is its key: write \"shape\": { \"box\": [x, y, z] }"},
      {with_object(R"({"role": "boundary", "shape": "sphere"})"),
       "scene.json:2:31: /objects/0/shape: a shape's kind is its key: write \"shape\": { \"sphere\": { \"radius\": 0.1 "
       "} }"},
      {with_object(R"({"role": "boundary", "shape": {"type": "cube"}})"),
       "scene.json:2:40: /objects/0/shape/type: a shape's kind is its key, with its lengths: a \"box\": [x, y, z], a "
       "\"sphere\", \"cylinder\", \"capsule\", \"cone\", \"wedge\", \"pyramid\", \"torus\" or a \"mesh\": \"PATH\""},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1], "size": 1}})"),
       "scene.json:2:50: /objects/0/shape: unknown key \"size\"; a box has its lengths itself: \"shape\": { \"box\": "
       "[x, "
       "y, z] }"},
      {with_object(R"({"role": "boundary", "shape": {"mesh": "no.obj", "roundAbout": null}})"),
       "scene.json:2:40: /objects/0/shape/mesh: there is no file \"no.obj\"; write a mesh file's path, relative to the "
       "scene file's folder\n"
       "scene.json:2:64: /objects/0/shape/roundAbout: must be an array of 3 numbers, the direction of the mesh's axis "
       "such as [0, 1, 0], not null; leave the key out of a mesh that is not round"},
      {with_object(R"({"role": "boundary", "shape": {"mesh": "models/bunny.obj"}})"),
       "scene.json:2:40: /objects/0/shape/mesh: there is no file \"models/bunny.obj\"; tools/fetch_bunny makes "
       "scenes/models/bunny.obj, from npm or as a stand-in",
       false},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1], "mesh": "a.obj"}})"),
       "scene.json:2:31: /objects/0/shape: a shape is a \"box\" or a \"mesh\", not both; remove one"},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1], "scale": 2}})"),
       "scene.json:2:50: /objects/0/shape/scale: only a mesh has a scale; change the lengths of the box"},
      {with_object(R"({"role": "boundary", "shape": {"mesh": "no.obj"}})"),
       "scene.json:2:40: /objects/0/shape/mesh: there is no file \"no.obj\"; write a mesh file's path, relative to the "
       "scene file's folder",
       false},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "material": "water", "velocity": [0, 0, 0]})"),
       "scene.json:2:63: /objects/0/material: \"water\" is of type \"fluid\", and a boundary needs one of type "
       "\"rigid\"; there is \"oak\"\n"
       "scene.json:2:72: /objects/0/velocity: only a fluid or a rigid object has this key; a boundary moves by "
       "\"motion\": { "
       "\"velocity\": [x, y, z] }"},
      {with_object(
           R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "rotation": {"axis": [0, -0.0, 0], "degrees": 1}})"),
       "scene.json:2:72: /objects/0/rotation/axis: must not be zero; write the direction to turn about, such as [0, 1, "
       "0]"},
      {with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "name": "a"},
{"role": "boundary", "shape": {"box": [1, 1, 1]}, "name": "a"})"),
       "scene.json:3:59: /objects/1/name: the name \"a\" is already that of /objects/0; give this object another "
       "\"name\"",
       false},
  };
}

}  // namespace

TEST_CASE("a scene file with comments sets every field") {
  const TestFolder folder;
  const SceneFile scene = parse_scene(kFull, folder.path / "scene.json");
  CHECK(scene.name == "Überlauf");
  CHECK(scene.spacing == 0.01);
  CHECK(scene.gravity.y == -1.62);
  CHECK(scene.time.end == 2.5);
  CHECK(scene.time.max_step == 0.001);
  CHECK(scene.time.cfl == 0.3);
  CHECK(scene.time.frame_interval == 1.0 / 30);
  CHECK(scene.solver.mode == SolverMode::paper);
  CHECK(scene.solver.acceleration == Acceleration::none);
  CHECK(scene.solver.tolerance == 0.005);
  CHECK(scene.solver.min_iterations == 3);
  CHECK(scene.solver.max_iterations == 50);
  CHECK(scene.solver.relaxation_fluid == 0.6);
  CHECK(scene.solver.warm_start_fluid == 0.5);
  CHECK(scene.solver.warm_start_rigid == 0.25);
  CHECK(scene.solver.load_sharing == 0.3);
  CHECK(scene.solver.slip == Slip::midpoint);
  CHECK(scene.solver.overlap_speed == 0.1);
  CHECK(!scene.sample_weights);
  CHECK(scene.solver.gamma == 0.65);
  CHECK(scene.solver.min_iterations_contact == 3);
  CHECK(scene.solver.relaxation_rigid == 0.9);
  CHECK(scene.solver.contact_scale == ContactScale::per_body);
  CHECK(scene.solver.friction_update == FrictionUpdate::velocity);
  CHECK(scene.solver.friction_method == FrictionMethod::staggered);
  CHECK(scene.solver.contact_weights);
  CHECK(scene.surface == SurfaceSetting::sampled);
  REQUIRE(scene.materials.size() == 2);
  CHECK(scene.materials[0].name == "water");
  CHECK(scene.materials[0].density == 998.2);
  CHECK(scene.materials[0].viscosity == 1e-6);
  CHECK(scene.materials[1].density == 900);
  REQUIRE(scene.objects.size() == 11);
  const Object &tank = scene.objects[0], &pool = scene.objects[1], &duck = scene.objects[2], &still = scene.objects[3];
  CHECK(tank.shape.open == Open::top);
  CHECK(tank.solid == Solid::outside);
  CHECK(tank.shape.box.z == 1.5);
  CHECK(!tank.has_motion);
  CHECK(pool.role == Role::fluid);
  CHECK(pool.material == "oil");
  CHECK(pool.velocity.z == 3);
  CHECK(pool.rotation.z == doctest::Approx(std::sin(std::acos(-1.0) / 12)).epsilon(1e-15));
  CHECK(pool.place == "/objects/1");
  CHECK(duck.name == "boundary2");
  CHECK(duck.shape.kind == ShapeKind::mesh);
  CHECK(duck.shape.mesh == folder.path / "models/duck.obj");
  CHECK(duck.shape.scale.z == 3);
  CHECK(duck.solid == Solid::outside);
  CHECK(duck.motion.center.x == 4);
  CHECK(duck.motion.angular_velocity.y == 6.28);
  CHECK(still.shape.scale.y == 0.2);
  CHECK(still.has_motion);
  CHECK(still.motion.center.z == 3);
  CHECK(scene.output.fields == std::vector<std::string>{"pressure", "velocity"});
  REQUIRE(scene.picture.camera.has_value());
  CHECK(scene.picture.camera->eye.z == 3);
  CHECK(scene.picture.camera->target.y == 0.5);
  CHECK(scene.picture.camera->degrees == 45);
  CHECK(scene.picture.field == PictureField::pressure);
  REQUIRE(scene.picture.range.has_value());
  CHECK(scene.picture.range->max == 250);
  CHECK(scene.picture.boundaries == BoundaryLook::wires);
}

TEST_CASE("keys that a scene file leaves out keep the defaults of the structs") {
  const SceneFile scene = parse_scene(with("\"output\": {}"), "folder/dam break.json");
  SceneFile expected;
  expected.path = "folder/dam break.json";
  expected.name = "dam break";
  expected.objects.resize(1);
  expected.objects[0].name = "boundary0";
  expected.objects[0].place = "/objects/0";
  expected.objects[0].role = Role::boundary;
  expected.objects[0].shape.box = {1, 1, 1};
  CHECK(dump(scene) == dump(expected));
}

TEST_CASE("paper mode changes the solver's defaults") {
  const SceneFile scene = parse_scene(with("\"solver\": { \"mode\": \"paper\" }"), "scene.json");
  CHECK(scene.solver == paper_settings());
  CHECK(scene.solver.relaxation_fluid == 0.5);
  CHECK(scene.solver.overlap_speed == 0);
  CHECK(scene.solver.relaxation_rigid == 0.5);
  CHECK(scene.solver.contact_scale == ContactScale::own_body);
  CHECK(scene.solver.friction_update == FrictionUpdate::target);
  CHECK(!scene.solver.contact_weights);
  CHECK(scene.solver.slip == Slip::sample);
  CHECK(scene.solver.warm_start_fluid == 0);
  CHECK(scene.solver.warm_start_rigid == 0);
  CHECK(scene.solver.load_sharing == 0);
  CHECK(scene.solver.min_iterations == 2);
  CHECK(scene.solver.min_iterations_contact == 20);
  CHECK(dump(parse_scene(scene_to_json(scene), "scene.json")) == dump(scene));
  CHECK(parse_scene(with("\"solver\": { \"overlapSpeed\": 0.1, \"mode\": \"paper\" }"), "a").solver.overlap_speed ==
        0.1);
}

TEST_CASE("a fixed step is the largest step with no limit by speed") {
  const SceneFile scene = parse_scene(with("\"time\": { \"step\": 0.0005 }"), "scene.json");
  CHECK(scene.time.max_step == 0.0005);
  CHECK(std::isinf(scene.time.cfl));
  CHECK(dump(parse_scene(scene_to_json(scene), "scene.json")) == dump(scene));
}

TEST_CASE("automatic iterations stay below a small maximum") {
  const char* text = "\"solver\": { \"minIterations\": \"auto\", \"maxIterations\": 1 }";
  CHECK(parse_scene(with(text), "scene.json").solver.min_iterations == 1);
  CHECK(parse_scene(with(text), "scene.json").solver.min_iterations_contact == 1);
}

TEST_CASE("each mistake in a scene is reported with its place and a remedy") {
  for (const Wrong& wrong : wrong_scenes()) CHECK(error_of(wrong.text) == wrong.error);
}

TEST_CASE("errors come in file order, ten at most") {
  std::string keys;
  for (int i = 0; i < 12; ++i) keys += "\"unknown_key_" + std::to_string(i) + "\": 0,\n";
  const std::string error = error_of("{\n" + keys + "\"particleSpacing\": 1}");
  CHECK(std::count(error.begin(), error.end(), '\n') == 10);
  CHECK(error.find("scene.json:1:1: the key \"objects\" is missing") == 0);
  CHECK(error.find("\nscene.json:10:1: unknown key \"unknown_key_8\"") != std::string::npos);
  CHECK(error.find("unknown_key_9\"") == std::string::npos);
  CHECK(error.substr(error.rfind('\n')) == "\nscene.json: 3 more errors");
}

TEST_CASE("a scene cut short at any byte is an error, and one with a byte changed never crashes") {
  const TestFolder folder;
  const std::string path = (folder.path / "scene.json").string(), text = kFull;
  const std::size_t end = text.rfind('}');
  for (std::size_t size = 0; size <= end; ++size) {
    const std::string error = error_of(text.substr(0, size), path);
    if (error.compare(0, path.size() + 1, path + ":") != 0) FAIL("cut at ", size, ": ", error);
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'"', '{', ']', ',', '-', '9', '\\', '\0', '\xC3'}) {
      std::string changed = text;
      changed[i] = c;
      const std::string error = error_of(changed, path);
      if (error != "no error" && error.find(path + ":") != 0) FAIL("changed at ", i, ": ", error);
    }
  }
}

TEST_CASE("a scene written out with its defaults reads back as the same scene") {
  const TestFolder folder;
  const SceneFile full = parse_scene(kFull, folder.path / "scene.json");
  const std::string text = scene_to_json(full);
  CHECK(dump(parse_scene(text, full.path)) == dump(full));
  CHECK(scene_to_json(parse_scene(text, full.path)) == text);
  CHECK(text.find(folder.path.generic_string()) == std::string::npos);
  const SceneFile small = parse_scene(
      with("\"time\": {\"end\": 0.1, \"maxStep\": 1.0000000000000002e-7, \"cfl\": 123456789.12345679}"), "a.json");
  CHECK(dump(parse_scene(scene_to_json(small), "a.json")) == dump(small));
}

TEST_CASE("files that cannot be scenes are refused") {
  const TestFolder folder;
  const auto error = [](const fs::path& path) {
    try {
      read_scene_file(path);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  const fs::path path = folder.path / "scene.json";
  CHECK(error(path) == path.string() + ": the scene file cannot be opened; check that it exists and may be read");
  CHECK(error(folder.path) == folder.path.string() + ": this is a folder; name a scene file in it");
  std::ofstream(path) << kFull;
  CHECK(error(path) == "no error");
  std::ofstream(path) << std::string((16 << 20) + 1, ' ');
  CHECK(error(path) == path.string() + ": larger than 16 MiB, so not a scene file; a scene names its meshes by path");
}

TEST_CASE("the schema has the keys of the parser") {
  const json schema = read_schema();
  for (const SceneKeys& keys : scene_keys()) {
    const json& part = keys.kind == "scene" ? schema : schema["definitions"][keys.kind];
    std::vector<std::string> expected = keys.required, found;
    expected.insert(expected.end(), keys.optional.begin(), keys.optional.end());
    std::sort(expected.begin(), expected.end());
    for (const auto& [key, value] : part["properties"].items()) found.push_back(key);
    CHECK(found == expected);
    CHECK(part.value("required", std::vector<std::string>{}) == keys.required);
    CHECK(part["additionalProperties"] == false);
  }
}

TEST_CASE("the schema accepts what the parser accepts") {
  const json schema = read_schema();
  const TestFolder folder;
  const auto valid = [&](const std::string& text) {
    return accepts_json(schema, schema, json::parse(text, nullptr, true, true));
  };
  CHECK(valid(kFull));
  CHECK(valid(scene_to_json(parse_scene(kFull, folder.path / "scene.json"))));
  CHECK(valid(with("\"solver\": { \"minIterations\": \"auto\", \"maxIterations\": 7.0 }")));
  for (const Wrong& wrong : wrong_scenes()) CHECK_MESSAGE(valid(wrong.text) != wrong.in_schema, wrong.text);
}

TEST_CASE("the schema's defaults are the parser's") {
  const json schema = read_schema();
  const json scene = json::parse(
      scene_to_json(parse_scene(with_object(R"({"role": "boundary", "shape": {"box": [1, 1, 1]}, "motion": {}},
                                 {"role": "fluid", "material": "water", "shape": {"box": [1, 1, 1]}},
                                 {"role": "rigid", "material": "oak", "shape": {"box": [1, 1, 1]}})"),
                                "scene.json")));
  int compared = 0;
  const auto compare = [&](const json& part, const json& value) {
    for (const auto& [key, rule] : part["properties"].items()) {
      if (!rule.contains("default") || !value.contains(key) || key == "minIterations" || key == "materials") continue;
      CHECK_MESSAGE(rule["default"] == value[key], key);
      ++compared;
    }
  };
  compare(schema, scene);
  for (const char* part : {"time", "solver", "output", "picture"}) compare(schema["definitions"][part], scene[part]);
  for (const char* name : {"water", "oak"}) compare(schema["definitions"]["material"], scene["materials"][name]);
  for (const json& object : scene["objects"]) compare(schema["definitions"]["object"], object);
  compare(schema["definitions"]["shape"], scene["objects"][0]["shape"]);
  compare(schema["definitions"]["motion"], scene["objects"][0]["motion"]);
  CHECK(compared == 48);
}
