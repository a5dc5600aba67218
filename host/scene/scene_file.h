// A scene file (JSON, scenes/scene.schema.json) as it is written: objects, not yet particles.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/scene/picture_settings.h"
#include "host/scene/rotation.h"
#include "sluice/scene.h"

namespace sluice::io {

enum class Role { fluid, rigid, boundary };
enum class ShapeKind { box, sphere, cylinder, capsule, cone, wedge, pyramid, torus, mesh };
// Which side of a boundary's surface is solid.
enum class Solid { inside, outside };
enum class Open { none, x_min, x_max, bottom, top, z_min, z_max };  // bottom is y_min, top is y_max
// Where samples lie: so that resting surfaces meet as they are drawn, or on the drawn surface itself.
enum class SurfaceSetting { drawn, sampled };

// In its own frame, whose origin is the middle of a primitive's bounding box or a mesh file's origin.
struct Shape {
  ShapeKind kind = ShapeKind::box;
  // m, full lengths, > 0, of a box, wedge or pyramid. A wedge is a right triangular prism along z: its square edge
  // lies at -x, -y, its slope falls towards +x. A pyramid stands on its rectangle of x by z, its apex at +y.
  Vec3 box;
  double radius = 0;  // m, > 0, of a sphere, cylinder, capsule, cone, or of a torus's middle circle
  double height = 0;  // m, > 0, along y, of a cylinder or cone (apex at +y); between the centres of a capsule's caps
  double tube = 0;    // m, > 0, < radius: of a torus's tube; its middle circle lies in the plane y = 0
  Open open = Open::none;  // boundary boxes only: this face has no samples
  // Absolute, or relative to the working folder: already resolved against the scene's folder.
  std::filesystem::path mesh;
  Vec3 scale{1, 1, 1};              // of mesh coordinates, > 0
  std::optional<Vec3> round_about;  // direction of the axis of a mesh of revolution, of any length but zero
};

struct Motion {
  Vec3 velocity;          // m/s
  Vec3 angular_velocity;  // rad/s
  Vec3 center;            // m, in the world; the object's position unless given
};

// What only a rigid object has. Vectors are in world axes.
struct RigidSettings {
  Vec3 angular_velocity;                         // rad/s
  std::optional<double> mass;                    // kg, > 0; the material's density times the volume unless given
  std::optional<std::array<double, 6>> inertia;  // xx, yy, zz, xy, xz, yz about the centre of mass, in the shape's
                                                 // frame, kg m^2, positive definite; of an even body unless given
  double gravity_scale = 1;
  Vec3 force, torque;  // N, N m, constant
  std::array<bool, 3> free_translation{true, true, true};
  Turning turning = Turning::free;
  Vec3 axis{0, 1, 0};  // for Turning::about_axis, of any length but zero
};

// Copies of an object on a lattice in world axes; one copy unless given.
struct Repeat {
  std::array<int, 3> count{1, 1, 1};  // >= 1
  Vec3 step;                          // m
};

struct Object {
  std::string name;
  std::string place;         // JSON pointer of the object, for messages: "/objects/3"
  int line = 0, column = 0;  // where it stands in the file, likewise; 0 of one that no file has
  Role role = Role::fluid;
  Shape shape;
  SurfaceSetting surface = SurfaceSetting::drawn;  // of rigid objects and boundaries; what holds, default or not
  Vec3 position;                                   // m, of the shape's origin
  Vec3 axis{0, 1, 0};                              // the rotation as written; only scene_to_json reads these two
  double degrees = 0;
  Quat rotation;                      // rotation_about(axis, degrees)
  std::string material;               // of fluids and rigid objects; perhaps of boundaries, one of type rigid
  std::optional<double> friction;     // of rigid objects and boundaries, >= 0; the material's, if any, unless given
  std::optional<double> restitution;  // likewise, 0 to 1
  Vec3 velocity;                      // m/s, at the start: of all a fluid's particles, of a rigid body's centre of mass
  Solid solid = Solid::inside;
  bool has_motion = false;
  Motion motion;
  RigidSettings rigid;
  bool has_repeat = false;
  Repeat repeat;
};

// A copy is named duck[i,j,k], counted from 0; an object without "repeat" is its own only copy and keeps its name.
struct Copy {
  std::string name;
  Vec3 offset;  // m, from where the object is drawn; a prescribed motion's centre moves along
};
std::vector<Copy> copies_of(const Object& object);

struct RigidMaterial {
  std::string name;
  double density = 1000;   // kg/m^3, > 0
  double friction = 0.5;   // mu of PT23 eq. 3.17, >= 0
  double restitution = 0;  // 0 to 1
};

// The coefficients between two rigid materials, whatever those of their objects are.
struct MaterialPair {
  std::string a, b;
  double friction = 0.5;              // >= 0
  std::optional<double> restitution;  // 0 to 1; left out: the larger of the objects'
};

struct OutputSettings {
  double frame_rate = 50;  // 1/s
  std::vector<std::string> fields{"velocity", "density", "pressure"};
  bool contacts = false;  // contacts.csv: forces between touching bodies
};

struct SceneFile {
  std::filesystem::path path;
  std::string name;  // the file's name without .json, or the key "name"
  double spacing = 0.02;
  Vec3 gravity{0, -9.81, 0};
  SurfaceSetting surface = SurfaceSetting::drawn;  // of objects that do not say
  std::optional<Domain> domain;                    // left out: default_domain() of host/sampling/domain.h
  int domain_line = 0, domain_column = 0;          // where it stands, for messages; 0 of one that no file has
  double drawn_end = 1;  // s, "end" as the file has it: the default domain is for all of it, wherever a run ends
  TimeSettings time;     // frame_interval is 1 / output.frame_rate
  SolverSettings solver;
  bool sample_weights = true;  // boundary neighbours count by V0_b / V0_f; else by 1
  std::vector<FluidMaterial> materials;
  std::vector<RigidMaterial> rigid_materials;
  std::vector<MaterialPair> pairs;
  std::vector<Object> objects;
  OutputSettings output;
  PictureSettings picture;
};

// Reads and checks a scene file. A fixed "step" becomes max_step with an infinite cfl. Throws Error with a text such as
//   scene.json:12:7: /objects/3/shape: unknown key "scal"; did you mean "scale"?
// one line for each of the first 10 errors, in file order; a syntax error stands alone.
// The JSON pointer is left out where it is empty, and the line too where the file cannot be read at all.
SceneFile read_scene_file(const std::filesystem::path& path);
// With SceneParts::settings the objects are left out, whose meshes may be gone.
enum class SceneParts { all, settings };
SceneFile parse_scene(const std::string& text, const std::filesystem::path& path, SceneParts parts = SceneParts::all);

// The scene with every default filled in, as JSON text (for run.json); parse_scene, given scene.path, makes it
// the same SceneFile again.
std::string scene_to_json(const SceneFile& scene);

// Whether a symmetric tensor xx, yy, zz, xy, xz, yz is finite and positive definite.
bool is_positive_definite(const std::array<double, 6>& tensor);

// The keys that parse_scene knows, by kind of object ("scene", "time", "shape", ...): scene.schema.json has the same.
struct SceneKeys {
  std::string kind;
  std::vector<std::string> required, optional;
};
std::vector<SceneKeys> scene_keys();

}  // namespace sluice::io
