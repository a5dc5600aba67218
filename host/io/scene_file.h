// A scene file (JSON, scenes/scene.schema.json) as it is written: objects, not yet particles.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sluice/scene.h"

namespace sluice::io {

enum class Role { fluid, boundary };
enum class ShapeKind { box, mesh };
enum class Solid { inside, outside };  // which side of a boundary's surface is solid
enum class Open { none, x_min, x_max, bottom, top, z_min, z_max };  // bottom is y_min, top is y_max

struct Shape {
  ShapeKind kind = ShapeKind::box;
  Vec3 box;                    // m, full lengths, > 0
  Open open = Open::none;      // boundary boxes only: this face has no samples
  std::filesystem::path mesh;  // absolute, or relative to the working folder: already resolved against the scene's folder
  Vec3 scale{1, 1, 1};         // of mesh coordinates, > 0
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
  Vec3 position;        // of a box's centre or a mesh file's origin
  Quat rotation;
  std::string material; // fluids
  Vec3 velocity;        // fluids: of all their particles at the start, m/s
  Solid solid = Solid::inside;
  bool has_motion = false;
  Motion motion;
};

struct OutputSettings {
  double frame_rate = 50;                                           // 1/s
  std::vector<std::string> fields{"velocity", "density", "pressure"};
};

struct SceneFile {
  std::filesystem::path path;
  std::string name;  // the file's name without .json, or the key "name"
  double spacing = 0.02;
  Vec3 gravity{0, -9.81, 0};
  TimeSettings time;  // frame_interval is 1 / output.frame_rate
  SolverSettings solver;
  bool sample_weights = true;  // METHOD: boundary neighbours count by V0_b / V0_f; else by 1
  double gamma = 0.7;          // PT23 eq. 3.2
  std::vector<FluidMaterial> materials;
  std::vector<Object> objects;
  OutputSettings output;
};

// Reads and checks a scene file. Throws Error with a text such as
//   scene.json:12:7: /objects/3/shape: unknown key "raduis"; did you mean "radius"?
SceneFile read_scene_file(const std::filesystem::path& path);
SceneFile parse_scene(const std::string& text, const std::filesystem::path& path);

// The scene with every default filled in, as JSON text (for run.json).
std::string scene_to_json(const SceneFile& scene);

}  // namespace sluice::io
