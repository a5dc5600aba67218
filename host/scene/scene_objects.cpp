#include "host/scene/scene_objects.h"

#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "host/scene/scene_names.h"

namespace sluice::io {
namespace {

constexpr std::size_t kMaxName = 100;  // code points: names become file names
// File systems give a name 255 bytes; the most that is put around one is "surface.4294967295." and ".obj.tmp".
constexpr std::size_t kMaxNameBytes = 255 - 19 - 8;

void read_rotation(Reader& reader, const Spot& object, Object& out) {
  const Spot spot = at(object, "rotation");
  if (!spot || !expect_object(reader, spot, kRotationKeys)) return;
  if (read_vector(reader, spot, "axis", kVector, out.axis) && out.axis.x == 0 && out.axis.y == 0 && out.axis.z == 0) {
    return complain(reader, at(spot, "axis"), "must not be zero; write the direction to turn about, such as [0, 1, 0]");
  }
  read_number(reader, spot, "degrees", kAngle, out.degrees);
  out.rotation = rotation_about(out.axis, out.degrees);
}

void read_repeat(Reader& reader, const Spot& object, Object& out) {
  const Spot spot = at(object, "repeat");
  if (!spot || !expect_object(reader, spot, kRepeatKeys)) return;
  Vec3 count{1, 1, 1};
  if (!read_vector(reader, spot, "count", {1, kMaxCopies}, count)) return;
  for (std::size_t i = 0; const double value : {count.x, count.y, count.z}) {
    if (value != std::floor(value)) return complain(reader, at(at(spot, "count"), i), "must be a whole number");
    out.repeat.count[i++] = static_cast<int>(value);
  }
  if (count.x * count.y * count.z > kMaxCopies)
    return complain(reader, at(spot, "count"), "must not make more than 1000000 copies");
  if (!read_vector(reader, spot, "step", kVector, out.repeat.step)) return;
  const double steps[] = {out.repeat.step.x, out.repeat.step.y, out.repeat.step.z};
  for (std::size_t i = 0; i < 3; ++i) {
    if (out.repeat.count[i] > 1 && steps[i] == 0) {
      return complain(
          reader, at(at(spot, "step"), i),
          "must not be 0 where there are several copies, which would lie in each other; write how far apart "
          "they are, m");
    }
  }
  out.has_repeat = true;
}

// Keys that objects of another role have.
struct ForeignKey {
  std::string_view key, sentence;
};
void refuse_keys(Reader& reader, const Spot& object, std::span<const ForeignKey> keys) {
  for (const ForeignKey& foreign : keys) {
    if (const Spot spot = at(object, foreign.key)) complain_at_key(reader, spot, std::string(foreign.sentence));
  }
}
constexpr const char* kOnlyRigid = "only a rigid object has this key; remove it";
constexpr ForeignKey kRigidKeys[] = {
    {"mass", kOnlyRigid},        {"inertia", kOnlyRigid}, {"gravityScale", kOnlyRigid},    {"force", kOnlyRigid},
    {"torque", kOnlyRigid},      {"fixed", kOnlyRigid},   {"freeTranslation", kOnlyRigid}, {"freeRotation", kOnlyRigid},
    {"rotationAxis", kOnlyRigid}};
constexpr const char* kFluidMotion = "only a boundary has this key; remove it (a fluid starts with its \"velocity\")";
constexpr ForeignKey kNotOfFluids[] = {
    {"solid", kFluidMotion},
    {"motion", kFluidMotion},
    {"angularVelocity", "only a rigid object has this key; remove it (a fluid starts with its \"velocity\")"},
    {"friction", "only a rigid object or a boundary has friction; remove this key"},
    {"restitution", "only a rigid object or a boundary has a restitution; remove this key"},
    {"surface", "only a rigid object or a boundary has a surface; remove this key"}};
constexpr ForeignKey kNotOfRigid[] = {
    {"solid", "a rigid object is solid inside; remove this key"},
    {"motion",
     "only a boundary has a prescribed motion; a rigid object starts with its \"velocity\" and \"angularVelocity\""}};
constexpr ForeignKey kNotOfBoundaries[] = {
    {"velocity",
     "only a fluid or a rigid object has this key; a boundary moves by \"motion\": { \"velocity\": [x, y, z] }"},
    {"angularVelocity",
     "only a rigid object has this key; a boundary turns by \"motion\": { \"angularVelocity\": [x, y, z] }"}};

void read_fluid(Reader& reader, const Spot& object, Object& out) {
  read_vector(reader, object, "velocity", kVector, out.velocity);
  const Spot material = at(object, "material");
  if (!material) complain(reader, object, "a fluid needs a \"material\", the name of one of the scene's \"materials\"");
  if (material && expect(reader, material, JsonKind::string)) out.material = material.node->string;
  refuse_keys(reader, object, kNotOfFluids);
  refuse_keys(reader, object, kRigidKeys);
}

void read_boundary(Reader& reader, const Spot& object, Object& out) {
  refuse_keys(reader, object, kNotOfBoundaries);
  refuse_keys(reader, object, kRigidKeys);
  const Spot material = at(object, "material");
  if (material && expect(reader, material, JsonKind::string)) out.material = material.node->string;
  read_optional(reader, object, "friction", kFriction, out.friction);
  read_optional(reader, object, "restitution", kRestitution, out.restitution);
  const bool is_open = out.shape.open != Open::none;
  if (is_open) out.solid = Solid::outside;
  if (read_named(reader, object, "solid", kSolids, out.solid) && is_open && out.solid == Solid::inside) {
    complain(reader, at(object, "solid"), "an open box is a container, solid \"outside\"; remove this key or \"open\"");
  }
  const Spot motion = at(object, "motion");
  if (!motion || !expect_object(reader, motion, kMotionKeys)) return;
  out.has_motion = true;
  out.motion.center = out.position;
  read_vector(reader, motion, "velocity", kVector, out.motion.velocity);
  read_vector(reader, motion, "angularVelocity", kVector, out.motion.angular_velocity);
  read_vector(reader, motion, "center", kVector, out.motion.center);
}

// Of boundaries, those that are no boxes are as drawn only if they say so themselves: water that a wave throws at
// irregular samples comes up to 0.4 h nearer than drawn.
void read_surface(Reader& reader, const Spot& object, Object& out) {
  const bool is_box = out.role == Role::rigid || out.shape.kind == ShapeKind::box;
  if (!is_box) out.surface = SurfaceSetting::sampled;
  if (read_named(reader, object, "surface", kSurfaces, out.surface) && !is_box && out.solid == Solid::outside &&
      out.surface == SurfaceSetting::drawn)
    complain(reader, at(object, "surface"),
             "a container that is no box has its samples on its surface; remove this key");
}

// Copies' names must not be those of other objects.
void check_copy_names(Reader& reader, const Spot& objects, const SceneFile& file) {
  std::map<std::string, const Object*> repeated;
  for (const Object& object : file.objects) {
    if (object.has_repeat) repeated.emplace(object.name, &object);
  }
  for (const Object& object : file.objects) {
    if (object.name.back() != ']') continue;
    const auto twin = repeated.find(object.name.substr(0, object.name.rfind('[')));
    if (twin == repeated.end()) continue;
    const Spot spot = at(objects, index_of(object)), name = at(spot, "name");
    complain(reader, name ? name : spot,
             "the name " + in_quotes(object.name) + " reads like that of a copy of " + twin->second->place +
                 "; give this object another \"name\"");
  }
}

// The last copy has the longest name.
void check_copy_length(Reader& reader, const Spot& object, const Object& out) {
  if (!out.has_repeat) return;
  std::size_t suffix = 4;  // "[", two commas, "]"
  for (const int count : out.repeat.count) suffix += std::to_string(count - 1).size();
  const Spot name = at(object, "name");
  if (const std::string problem = name_too_long(out.name, suffix); !problem.empty())
    complain(reader, name ? name : object, problem);
}

}  // namespace

// Names become parts of file names, on every system.
bool is_good_name(std::string_view name) {
  constexpr std::string_view kForbidden = "\"*/:<>?\\|\x7f";
  const auto at_end = [](char c) { return c == '.' || c == ' '; };
  if (name.empty() || at_end(name.front()) || at_end(name.back())) return false;
  std::size_t points = 0;
  unsigned char before = 0;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || (before == 0xC2 && byte < 0xA0);  // of ASCII, or U+0080 to U+009F
    before = byte;
    if (control || kForbidden.find(c) != std::string_view::npos) return false;
    points += (byte & 0xC0) != 0x80;
  }
  return points <= kMaxName;
}
const char* const kNameRule =
    "; a name is part of file names: 1 to 100 characters, none of / \\ : * ? \" < > |, no dot or space at an end";

std::string name_too_long(std::string_view name, std::size_t suffix) {
  if (name.size() + suffix <= kMaxNameBytes) return "";
  return in_quotes(std::string(name)) + " has " + std::to_string(name.size()) + " bytes in UTF-8" +
         (suffix > 0 ? ", and its copies' names " + std::to_string(name.size() + suffix) : "") +
         "; a name is part of file names: give it at most " + std::to_string(kMaxNameBytes - suffix);
}

void read_name(Reader& reader, const Spot& object, std::string& out) {
  const Spot spot = at(object, "name");
  if (!spot || !expect(reader, spot, JsonKind::string)) return;
  if (!is_good_name(spot.node->string)) {
    return complain(reader, spot, in_quotes(spot.node->string) + " cannot be a name" + kNameRule);
  }
  if (const std::string problem = name_too_long(spot.node->string); !problem.empty())
    return complain(reader, spot, problem);
  out = spot.node->string;
}

std::vector<Copy> copies_of(const Object& object) {
  if (!object.has_repeat) return {{object.name, {}}};
  const auto& [nx, ny, nz] = object.repeat.count;
  const Vec3 step = object.repeat.step;
  std::vector<Copy> copies;
  copies.reserve(static_cast<std::size_t>(nx) * ny * nz);
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        copies.push_back(
            {object.name + "[" + std::to_string(i) + "," + std::to_string(j) + "," + std::to_string(k) + "]",
             {i * step.x, j * step.y, k * step.z}});
  return copies;
}

void read_objects(Reader& reader, const Spot& scene, SceneFile& file) {
  const Spot spot = at(scene, "objects");
  if (!spot || !expect(reader, spot, JsonKind::array, R"( of objects, [{ "role": "fluid", ... }, ...])")) return;
  if (spot.node->children.empty())
    complain(reader, spot, "a scene needs at least one object; add a fluid or a boundary");
  std::map<std::string, std::string> places;  // by object name
  for (std::size_t i = 0; i < spot.node->children.size(); ++i) {
    const Spot object = at(spot, i);
    if (!expect_object(reader, object, kObjectKeys)) continue;
    Object out;
    out.place = object.pointer;
    out.line = object.node->place.line;
    out.column = object.node->place.column;
    out.surface = file.surface;
    if (!read_named(reader, object, "role", kRoles, out.role)) continue;
    out.name = name_of(kRoles, out.role) + std::to_string(i);
    read_name(reader, object, out.name);
    read_shape(reader, object, out.role, file.path.parent_path(), out.shape);
    read_vector(reader, object, "position", kVector, out.position);
    read_rotation(reader, object, out);
    read_repeat(reader, object, out);
    check_copy_length(reader, object, out);
    if (out.role == Role::fluid) read_fluid(reader, object, out);
    if (out.role == Role::boundary) read_boundary(reader, object, out);
    if (out.role != Role::fluid) read_surface(reader, object, out);
    if (out.role == Role::rigid) {
      read_rigid(reader, object, out);
      refuse_keys(reader, object, kNotOfRigid);
    }
    const auto [twin, is_new] = places.emplace(out.name, out.place);
    if (!is_new) {
      const Spot name = at(object, "name");
      complain(reader, name ? name : object,
               "the name " + in_quotes(out.name) + " is already that of " + twin->second +
                   "; give this object another \"name\"");
    }
    file.objects.push_back(std::move(out));
  }
  check_copy_names(reader, spot, file);
}

}  // namespace sluice::io
