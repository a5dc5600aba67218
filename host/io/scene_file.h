// A scene file (JSON, scenes/scene.schema.json) as it is written: objects, not yet particles.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sluice/scene.h"

namespace sluice::io {

enum class Role { fluid, boundary };
enum class ShapeKind { box, mesh };
// Which side of a boundary's surface is solid.
enum class Solid { inside, outside };
enum class Open { none, x_min, x_max, bottom, top, z_min, z_max };  // bottom is y_min, top is y_max

struct Shape {
  ShapeKind kind = ShapeKind::box;
  Vec3 box;                // m, full lengths, > 0
  Open open = Open::none;  // boundary boxes only: this face has no samples
  // Absolute, or relative to the working folder: already resolved against the scene's folder.
  std::filesystem::path mesh;
  Vec3 scale{1, 1, 1};  // of mesh coordinates, > 0
};

struct Motion {
  Vec3 velocity;          // m/s
  Vec3 angular_velocity;  // rad/s
  Vec3 center;            // m, in the world; the object's position unless given
};

struct Object {
  std::string name;
  std::string place;  // JSON pointer of the object, for messages: "/objects/3"
  Role role = Role::fluid;
  Shape shape;
  Vec3 position;       // of a box's centre or a mesh file's origin
  Vec3 axis{0, 1, 0};  // the rotation as written; only scene_to_json reads these two
  double degrees = 0;
  Quat rotation;         // rotation_about(axis, degrees)
  std::string material;  // fluids
  Vec3 velocity;         // fluids: of all their particles at the start, m/s
  Solid solid = Solid::inside;
  bool has_motion = false;
  Motion motion;
};

struct OutputSettings {
  double frame_rate = 50;  // 1/s
  std::vector<std::string> fields{"velocity", "density", "pressure"};
};

struct SceneFile {
  std::filesystem::path path;
  std::string name;  // the file's name without .json, or the key "name"
  double spacing = 0.02;
  Vec3 gravity{0, -9.81, 0};
  TimeSettings time;  // frame_interval is 1 / output.frame_rate
  SolverSettings solver;
  bool sample_weights = true;  // boundary neighbours count by V0_b / V0_f; else by 1
  double gamma = 0.7;          // PT23 eq. 3.2
  std::vector<FluidMaterial> materials;
  std::vector<Object> objects;
  OutputSettings output;
};

// Reads and checks a scene file. A fixed "step" becomes max_step with an infinite cfl. Throws Error with a text such as
//   scene.json:12:7: /objects/3/shape: unknown key "scal"; did you mean "scale"?
// one line for each of the first 10 errors, in file order; a syntax error stands alone.
// The JSON pointer is left out where it is empty, and the line too where the file cannot be read at all.
SceneFile read_scene_file(const std::filesystem::path& path);
SceneFile parse_scene(const std::string& text, const std::filesystem::path& path);

// The scene with every default filled in, as JSON text (for run.json); parse_scene, given scene.path, makes it
// the same SceneFile again.
std::string scene_to_json(const SceneFile& scene);

// Right-handed, about a non-zero axis of any length. Made of + - * / and sqrt, so the same bits on every machine.
Quat rotation_about(Vec3 axis, double degrees);

// The keys that parse_scene knows, by kind of object ("scene", "time", "shape", ...): scene.schema.json has the same.
struct SceneKeys {
  std::string kind;
  std::vector<std::string> required, optional;
};
std::vector<SceneKeys> scene_keys();

}  // namespace sluice::io
