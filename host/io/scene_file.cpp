#include "host/io/scene_file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "host/io/json_reader.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxSceneBytes = 16u << 20;  // a mesh given as the scene by mistake is refused before parsing
constexpr int kMaxIterations = 100000;
constexpr int kAutoIterations = 2;        // without rigid contact
constexpr std::size_t kMaxName = 100;     // code points: names become file names
constexpr double kPaperRelaxation = 0.5;  // nu as printed [PT23 eq. 4.4b]
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Every key of a scene file; scenes/scene.schema.json repeats them (a test compares the two).
constexpr KeyRule kSceneKeys[] = {
    {"$schema", ""},
    {"name", ""},
    {"particleSpacing", R"("particleSpacing": 0.02)"},
    {"gravity", ""},
    {"time", ""},
    {"solver", ""},
    {"materials", ""},
    {"objects", R"("objects": [ { "role": "boundary", "shape": { "box": [1, 1, 1] } } ])"},
    {"output", ""}};
constexpr KeyRule kTimeKeys[] = {{"end", ""}, {"maxStep", ""}, {"cfl", ""}, {"step", ""}};
constexpr KeyRule kSolverKeys[] = {
    {"mode", ""},          {"acceleration", ""},    {"tolerance", ""}, {"minIterations", ""},
    {"maxIterations", ""}, {"relaxationFluid", ""}, {"warmStart", ""}, {"boundaryPressure", ""},
    {"overlapSpeed", ""},  {"sampleWeights", ""},   {"gamma", ""}};
constexpr KeyRule kMaterialKeys[] = {{"type", R"("type": "fluid")"}, {"density", ""}, {"viscosity", ""}};
constexpr KeyRule kObjectKeys[] = {{"name", ""},
                                   {"role", R"("role": "boundary")"},
                                   {"shape", R"("shape": { "box": [1, 1, 1] })"},
                                   {"position", ""},
                                   {"rotation", ""},
                                   {"material", ""},
                                   {"velocity", ""},
                                   {"solid", ""},
                                   {"motion", ""}};
constexpr KeyRule kShapeKeys[] = {{"box", ""}, {"open", ""}, {"mesh", ""}, {"scale", ""}};
constexpr KeyRule kRotationKeys[] = {{"axis", R"("axis": [0, 1, 0])"}, {"degrees", R"("degrees": 90)"}};
constexpr KeyRule kMotionKeys[] = {{"velocity", ""}, {"angularVelocity", ""}, {"center", ""}};
constexpr KeyRule kOutputKeys[] = {{"frameRate", ""}, {"fields", ""}};

struct KeyGroup {
  std::string_view kind;
  std::span<const KeyRule> keys;
};
constexpr KeyGroup kKeyGroups[] = {{"scene", kSceneKeys},       {"time", kTimeKeys},     {"solver", kSolverKeys},
                                   {"material", kMaterialKeys}, {"object", kObjectKeys}, {"shape", kShapeKeys},
                                   {"rotation", kRotationKeys}, {"motion", kMotionKeys}, {"output", kOutputKeys}};

constexpr Named<SolverMode> kModes[] = {{"robust", SolverMode::robust}, {"paper", SolverMode::paper}};
constexpr Named<Acceleration> kAccelerations[] = {{"nncg", Acceleration::nncg}, {"none", Acceleration::none}};
constexpr Named<Role> kRoles[] = {{"fluid", Role::fluid}, {"boundary", Role::boundary}};
constexpr Named<Solid> kSolids[] = {{"inside", Solid::inside}, {"outside", Solid::outside}};
constexpr Named<Open> kOpens[] = {{"none", Open::none}, {"top", Open::top},  {"bottom", Open::bottom},
                                  {"x-", Open::x_min},  {"x+", Open::x_max}, {"z-", Open::z_min},
                                  {"z+", Open::z_max}};
constexpr Named<int> kFields[] = {{"velocity", 0}, {"density", 1}, {"pressure", 2}};
constexpr Named<int> kMaterialTypes[] = {{"fluid", 0}};
constexpr Named<int> kBoundaryPressures[] = {{"zero", 0}};

// Roles and materials of rigid bodies belong to the format, but this version cannot simulate them.
bool is_rigid(Reader& reader, const Spot& object, std::string_view key, const std::string& remedy) {
  const Spot spot = at(object, key);
  if (!spot || spot.node->kind != JsonKind::string || spot.node->string != "rigid") return false;
  complain(reader, spot, "rigid bodies are not built yet; " + remedy);
  return true;
}

// Names become parts of file names, on every system.
bool is_good_name(std::string_view name) {
  constexpr std::string_view kForbidden = "\"*/:<>?\\|\x7f";
  const auto at_end = [](char c) { return c == '.' || c == ' '; };
  if (name.empty() || at_end(name.front()) || at_end(name.back())) return false;
  std::size_t points = 0;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || kForbidden.find(c) != std::string_view::npos) return false;
    points += (byte & 0xC0) != 0x80;
  }
  return points <= kMaxName;
}
constexpr const char* kNameRule =
    "; a name is part of file names: 1 to 100 characters, none of / \\ : * ? \" < > |, no dot or space at an end";

void read_name(Reader& reader, const Spot& object, std::string& out) {
  const Spot spot = at(object, "name");
  if (!spot || !expect(reader, spot, JsonKind::string)) return;
  if (!is_good_name(spot.node->string)) {
    return complain(reader, spot, in_quotes(spot.node->string) + " cannot be a name" + kNameRule);
  }
  out = spot.node->string;
}

void read_time(Reader& reader, const Spot& scene, TimeSettings& time) {
  const Spot spot = at(scene, "time");
  if (!spot || !expect_object(reader, spot, kTimeKeys)) return;
  read_number(reader, spot, "end", kPositive, time.end);
  read_number(reader, spot, "maxStep", kPositive, time.max_step);
  read_number(reader, spot, "cfl", kPositive, time.cfl);
  const Spot step = at(spot, "step");
  if (!step) return;
  for (const char* other : {"maxStep", "cfl"}) {
    if (!at(spot, other)) continue;
    complain_at_key(
        reader, step,
        "\"step\" fixes the time step, so \"maxStep\" and \"cfl\" mean nothing beside it; remove one or the other");
    return;
  }
  read_number(reader, spot, "step", kPositive, time.max_step);
  time.cfl = kInfinity;
}

void read_solver(Reader& reader, const Spot& scene, SceneFile& file) {
  const Spot spot = at(scene, "solver");
  if (!spot || !expect_object(reader, spot, kSolverKeys)) return;
  SolverSettings& solver = file.solver;
  read_named(reader, spot, "mode", kModes, solver.mode);
  if (solver.mode == SolverMode::paper) {
    solver.relaxation_fluid = kPaperRelaxation;
    solver.overlap_speed = 0;
  }
  read_named(reader, spot, "acceleration", kAccelerations, solver.acceleration);
  read_number(reader, spot, "tolerance", kPositive, solver.tolerance);
  constexpr Range kIterations{1, kMaxIterations};
  read_integer(reader, spot, "maxIterations", kIterations, solver.max_iterations);
  const Spot least = at(spot, "minIterations");
  if (!least || (least.node->kind == JsonKind::string && least.node->string == "auto")) {
    solver.min_iterations = std::min(kAutoIterations, solver.max_iterations);
  } else if (least.node->kind != JsonKind::number) {
    const bool is_text = least.node->kind == JsonKind::string;
    complain(reader, least,
             "must be a whole number or \"auto\", not " +
                 (is_text ? in_quotes(least.node->string) : std::string(kind_name(least.node->kind))));
  } else {
    read_integer(reader, spot, "minIterations", kIterations, solver.min_iterations);
    if (solver.min_iterations > solver.max_iterations) {
      complain(reader, least, "must not be greater than maxIterations, " + std::to_string(solver.max_iterations));
    }
  }
  read_number(reader, spot, "relaxationFluid", {0, 2, false, false}, solver.relaxation_fluid);
  read_number(reader, spot, "warmStart", {0, 1, true, false}, solver.warm_start);
  int pressure = 0;
  read_named(reader, spot, "boundaryPressure", kBoundaryPressures, pressure);
  read_number(reader, spot, "overlapSpeed", {0}, solver.overlap_speed);
  read_bool(reader, spot, "sampleWeights", file.sample_weights);
  read_number(reader, spot, "gamma", {0, 1, false, false}, file.gamma);
}

void read_materials(Reader& reader, const Spot& scene, std::vector<FluidMaterial>& materials) {
  const Spot spot = at(scene, "materials");
  if (!spot || !expect(reader, spot, JsonKind::object)) return;
  refuse_duplicates(reader, spot);
  for (const JsonNode& node : spot.node->children) {
    const Spot material{&node, pointer_to(spot.pointer, node.key)};
    if (!is_good_name(node.key))
      complain_at_key(reader, material, in_quotes(node.key) + " cannot be a name" + kNameRule);
    FluidMaterial& out = materials.emplace_back();
    out.name = node.key;
    if (is_rigid(reader, material, "type", "remove this material")) continue;
    if (!expect_object(reader, material, kMaterialKeys)) continue;
    int type = 0;
    read_named(reader, material, "type", kMaterialTypes, type);
    read_number(reader, material, "density", kPositive, out.density);
    read_number(reader, material, "viscosity", {0}, out.viscosity);
  }
}

void read_mesh(Reader& reader, const Spot& shape, const fs::path& folder, Shape& out) {
  const Spot mesh = at(shape, "mesh");
  out.kind = ShapeKind::mesh;
  if (expect(reader, mesh, JsonKind::string)) {
    const std::string& name = mesh.node->string;
    out.mesh = folder / fs::path(std::u8string(name.begin(), name.end()));
    std::error_code code;
    if (name.find('\0') != std::string::npos || !fs::is_regular_file(out.mesh, code)) {
      complain(reader, mesh,
               "there is no file " + in_quotes(out.mesh.generic_string()) +
                   "; write a mesh file's path, relative to the scene file's folder");
    }
  }
  const Spot scale = at(shape, "scale");
  if (!scale) return;
  if (scale.node->kind == JsonKind::array) {
    read_vector(reader, shape, "scale", kPositive, out.scale);
  } else if (scale.node->kind != JsonKind::number) {
    complain(reader, scale, "must be a number or an array of 3, not " + std::string(kind_name(scale.node->kind)));
  } else if (expect_in(reader, scale, kPositive)) {
    out.scale = {scale.node->number, scale.node->number, scale.node->number};
  }
}

void read_shape(Reader& reader, const Spot& object, Role role, const fs::path& folder, Shape& out) {
  const Spot shape = at(object, "shape");
  if (!shape || !expect_object(reader, shape, kShapeKeys)) return;
  const Spot box = at(shape, "box"), mesh = at(shape, "mesh"), open = at(shape, "open"), scale = at(shape, "scale");
  if (bool(box) == bool(mesh)) {
    return complain(reader, shape,
                    box ? "a shape is a \"box\" or a \"mesh\", not both; remove one"
                        : "a shape needs a \"box\": [x, y, z] or a \"mesh\": \"PATH\"");
  }
  if (mesh && role == Role::fluid) {
    complain_at_key(reader, mesh, "a fluid with the shape of a mesh is not built yet; use a \"box\"");
  } else if (mesh) {
    read_mesh(reader, shape, folder, out);
  }
  if (mesh && open) complain_at_key(reader, open, "only a box has faces to leave open; remove this key");
  if (!box) return;
  read_vector(reader, shape, "box", kPositive, out.box);
  if (scale) complain_at_key(reader, scale, "only a mesh has a scale; change the lengths of the box");
  if (!open) return;
  if (role == Role::fluid) return complain_at_key(reader, open, "only a boundary has an open face; remove this key");
  match(reader, open, kOpens, out.open);
}

void read_rotation(Reader& reader, const Spot& object, Object& out) {
  const Spot spot = at(object, "rotation");
  if (!spot || !expect_object(reader, spot, kRotationKeys)) return;
  if (read_vector(reader, spot, "axis", kAnyNumber, out.axis) && out.axis.x == 0 && out.axis.y == 0 &&
      out.axis.z == 0) {
    return complain(reader, at(spot, "axis"), "must not be zero; write the direction to turn about, such as [0, 1, 0]");
  }
  read_number(reader, spot, "degrees", kAnyNumber, out.degrees);
  out.rotation = rotation_about(out.axis, out.degrees);
}

void read_fluid(Reader& reader, const Spot& object, Object& out) {
  read_vector(reader, object, "velocity", kAnyNumber, out.velocity);
  const Spot material = at(object, "material");
  if (!material) complain(reader, object, "a fluid needs a \"material\", the name of one of the scene's \"materials\"");
  if (material && expect(reader, material, JsonKind::string)) out.material = material.node->string;
  for (const char* key : {"solid", "motion"}) {
    const Spot spot = at(object, key);
    if (spot)
      complain_at_key(reader, spot, "only a boundary has this key; remove it (a fluid starts with its \"velocity\")");
  }
}

void read_boundary(Reader& reader, const Spot& object, Object& out) {
  if (const Spot spot = at(object, "material"))
    complain_at_key(reader, spot, "a boundary has no material; remove this key");
  if (const Spot spot = at(object, "velocity")) {
    complain_at_key(reader, spot,
                    "only a fluid has this key; a boundary moves by \"motion\": { \"velocity\": [x, y, z] }");
  }
  const bool is_open = out.shape.open != Open::none;
  if (is_open) out.solid = Solid::outside;
  if (read_named(reader, object, "solid", kSolids, out.solid) && is_open && out.solid == Solid::inside) {
    complain(reader, at(object, "solid"), "an open box is a container, solid \"outside\"; remove this key or \"open\"");
  }
  const Spot motion = at(object, "motion");
  if (!motion || !expect_object(reader, motion, kMotionKeys)) return;
  out.has_motion = true;
  out.motion.center = out.position;
  read_vector(reader, motion, "velocity", kAnyNumber, out.motion.velocity);
  read_vector(reader, motion, "angularVelocity", kAnyNumber, out.motion.angular_velocity);
  read_vector(reader, motion, "center", kAnyNumber, out.motion.center);
}

void read_objects(Reader& reader, const Spot& scene, SceneFile& file) {
  const Spot spot = at(scene, "objects");
  if (!spot || !expect(reader, spot, JsonKind::array)) return;
  if (spot.node->children.empty())
    complain(reader, spot, "a scene needs at least one object; add a fluid or a boundary");
  std::map<std::string, std::string> places;  // by object name
  for (std::size_t i = 0; i < spot.node->children.size(); ++i) {
    const Spot object = at(spot, i);
    if (object.node->kind == JsonKind::object && is_rigid(reader, object, "role", "use \"fluid\" or \"boundary\""))
      continue;
    if (!expect_object(reader, object, kObjectKeys)) continue;
    Object out;
    out.place = object.pointer;
    if (!read_named(reader, object, "role", kRoles, out.role)) continue;
    out.name = name_of(kRoles, out.role) + std::to_string(i);
    read_name(reader, object, out.name);
    read_shape(reader, object, out.role, file.path.parent_path(), out.shape);
    read_vector(reader, object, "position", kAnyNumber, out.position);
    read_rotation(reader, object, out);
    out.role == Role::fluid ? read_fluid(reader, object, out) : read_boundary(reader, object, out);
    const auto [twin, is_new] = places.emplace(out.name, out.place);
    if (!is_new) {
      const Spot name = at(object, "name");
      complain(reader, name ? name : object,
               "the name " + in_quotes(out.name) + " is already that of " + twin->second +
                   "; give this object another \"name\"");
    }
    file.objects.push_back(std::move(out));
  }
}

void check_materials(Reader& reader, const Spot& scene, const SceneFile& file) {
  std::vector<std::string> names;
  for (const FluidMaterial& material : file.materials) names.push_back(material.name);
  const Spot objects = at(scene, "objects");
  for (const Object& object : file.objects) {
    const std::size_t index = std::stoul(object.place.substr(object.place.rfind('/') + 1));
    const Spot material = at(at(objects, index), "material");
    const bool is_text = material && material.node->kind == JsonKind::string;
    if (object.role != Role::fluid || !is_text) continue;  // reported before
    if (std::find(names.begin(), names.end(), object.material) != names.end()) continue;
    complain(reader, material,
             "\"materials\" has no " + in_quotes(object.material) +
                 (names.empty() ? "; add it there" : suggestion(object.material, names, "it has ")));
  }
}

void read_output(Reader& reader, const Spot& scene, SceneFile& file) {
  const Spot spot = at(scene, "output");
  if (!spot || !expect_object(reader, spot, kOutputKeys)) return;
  read_number(reader, spot, "frameRate", kPositive, file.output.frame_rate);
  const Spot fields = at(spot, "fields");
  if (!fields || !expect(reader, fields, JsonKind::array)) return;
  file.output.fields.clear();
  for (std::size_t i = 0; i < fields.node->children.size(); ++i) {
    const Spot field = at(fields, i);
    int index = 0;
    if (!match(reader, field, kFields, index)) continue;
    const std::string name = name_of(kFields, index);
    if (std::find(file.output.fields.begin(), file.output.fields.end(), name) != file.output.fields.end()) {
      complain(reader, field, in_quotes(name) + " stands here a second time; remove one");
    }
    file.output.fields.push_back(name);
  }
}

nlohmann::ordered_json to_json(Vec3 v) { return {v.x, v.y, v.z}; }

// A path as it may stand in the scene file: without the scene's folder.
std::string path_text(const fs::path& path, const fs::path& folder) {
  fs::path written = path;
  const auto [rest, end] = std::mismatch(path.begin(), path.end(), folder.begin(), folder.end());
  if (end == folder.end()) {
    written.clear();
    for (auto part = rest; part != path.end(); ++part) written /= *part;
  }
  const std::u8string text = written.generic_u8string();
  return {text.begin(), text.end()};
}

nlohmann::ordered_json to_json(const Object& object, const fs::path& folder) {
  nlohmann::ordered_json out, shape;
  if (object.shape.kind == ShapeKind::box) {
    shape["box"] = to_json(object.shape.box);
    if (object.role == Role::boundary) shape["open"] = name_of(kOpens, object.shape.open);
  } else {
    shape["mesh"] = path_text(object.shape.mesh, folder);
    shape["scale"] = to_json(object.shape.scale);
  }
  out["name"] = object.name;
  out["role"] = name_of(kRoles, object.role);
  out["shape"] = shape;
  out["position"] = to_json(object.position);
  out["rotation"] = {{"axis", to_json(object.axis)}, {"degrees", object.degrees}};
  if (object.role == Role::fluid) {
    out["material"] = object.material;
    out["velocity"] = to_json(object.velocity);
  } else {
    out["solid"] = name_of(kSolids, object.solid);
  }
  if (object.has_motion) {
    out["motion"] = {{"velocity", to_json(object.motion.velocity)},
                     {"angularVelocity", to_json(object.motion.angular_velocity)},
                     {"center", to_json(object.motion.center)}};
  }
  return out;
}

std::string read_text(const fs::path& path) {
  const std::string file = path.string();
  std::error_code code;
  if (fs::is_directory(path, code)) throw Error(file + ": this is a folder; name a scene file in it");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Error(file + ": the scene file cannot be opened; check that it exists and may be read");
  std::string text(kMaxSceneBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) throw Error(file + ": reading the scene file failed; check the disk");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMaxSceneBytes) {
    throw Error(file + ": larger than 16 MiB, so not a scene file; a scene names its meshes by path");
  }
  return text;
}

}  // namespace

SceneFile read_scene_file(const fs::path& path) { return parse_scene(read_text(path), path); }

SceneFile parse_scene(const std::string& text, const fs::path& path) {
  Reader reader{path.string(), {}};
  const JsonNode root = parse_json(text, reader.file);
  const Spot scene{&root, ""};
  SceneFile file;
  file.path = path;
  if (!expect_object(reader, scene, kSceneKeys)) throw_problems(reader);
  const std::u8string stem = (path.extension() == ".json" ? path.stem() : path.filename()).u8string();
  file.name.assign(stem.begin(), stem.end());
  if (!is_good_name(file.name)) file.name = "scene";
  if (const Spot spot = at(scene, "$schema")) expect(reader, spot, JsonKind::string);
  read_name(reader, scene, file.name);
  read_number(reader, scene, "particleSpacing", kPositive, file.spacing);
  read_vector(reader, scene, "gravity", kAnyNumber, file.gravity);
  read_time(reader, scene, file.time);
  read_solver(reader, scene, file);
  read_materials(reader, scene, file.materials);
  read_objects(reader, scene, file);
  check_materials(reader, scene, file);
  read_output(reader, scene, file);
  if (!reader.problems.empty()) throw_problems(reader);
  file.time.frame_interval = 1 / file.output.frame_rate;
  return file;
}

std::string scene_to_json(const SceneFile& scene) {
  nlohmann::ordered_json out;
  out["name"] = scene.name;
  out["particleSpacing"] = scene.spacing;
  out["gravity"] = to_json(scene.gravity);
  out["time"]["end"] = scene.time.end;
  if (std::isinf(scene.time.cfl)) {
    out["time"]["step"] = scene.time.max_step;
  } else {
    out["time"]["maxStep"] = scene.time.max_step;
    out["time"]["cfl"] = scene.time.cfl;
  }
  const SolverSettings& solver = scene.solver;
  out["solver"] = {{"mode", name_of(kModes, solver.mode)},
                   {"acceleration", name_of(kAccelerations, solver.acceleration)},
                   {"tolerance", solver.tolerance},
                   {"minIterations", solver.min_iterations},
                   {"maxIterations", solver.max_iterations},
                   {"relaxationFluid", solver.relaxation_fluid},
                   {"warmStart", solver.warm_start},
                   {"boundaryPressure", name_of(kBoundaryPressures, 0)},
                   {"overlapSpeed", std::max(solver.overlap_speed, 0.0)},
                   {"sampleWeights", scene.sample_weights},
                   {"gamma", scene.gamma}};
  out["materials"] = nlohmann::ordered_json::object();
  for (const FluidMaterial& material : scene.materials) {
    out["materials"][material.name] = {
        {"type", name_of(kMaterialTypes, 0)}, {"density", material.density}, {"viscosity", material.viscosity}};
  }
  out["objects"] = nlohmann::ordered_json::array();
  const fs::path folder = scene.path.parent_path();
  for (const Object& object : scene.objects) out["objects"].push_back(to_json(object, folder));
  out["output"] = {{"frameRate", scene.output.frame_rate}, {"fields", scene.output.fields}};
  return out.dump(2) + "\n";
}

Quat rotation_about(Vec3 axis, double degrees) {
  // The half angle is brought into a quarter turn of [-45, 45] degrees; both steps are exact in floating point.
  const double half = std::fmod(degrees, 720) / 2;
  const double quarter = std::floor(half / 90 + 0.5);
  const double rest = half - 90 * quarter;
  const double x = rest * (3.14159265358979323846 / 180);
  // Taylor series: the first term left out is below 1e-19 of the sum.
  double sine = 1, cosine = 1;
  for (int k = 9; k >= 1; --k) {
    sine = 1 - x * x / (2 * k * (2 * k + 1)) * sine;
    cosine = 1 - x * x / ((2 * k - 1) * 2 * k) * cosine;
  }
  sine *= x;
  if (rest == 45 || rest == -45) {  // the two series may differ in the last bit
    cosine = std::sqrt(0.5);
    sine = rest > 0 ? cosine : -cosine;
  }
  const int turns = ((static_cast<int>(quarter) % 4) + 4) % 4;
  const double s = turns == 0 ? sine : turns == 1 ? cosine : turns == 2 ? -sine : -cosine;
  const double c = turns == 0 ? cosine : turns == 1 ? -sine : turns == 2 ? -cosine : sine;
  const double largest = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
  const Vec3 scaled{axis.x / largest, axis.y / largest, axis.z / largest};  // squares neither overflow nor vanish
  const double factor = s / length(scaled);
  return {c, factor * scaled.x, factor * scaled.y, factor * scaled.z};
}

std::vector<SceneKeys> scene_keys() {
  std::vector<SceneKeys> all;
  for (const KeyGroup& group : kKeyGroups) {
    SceneKeys& keys = all.emplace_back();
    keys.kind = group.kind;
    for (const KeyRule& rule : group.keys)
      (rule.example.empty() ? keys.optional : keys.required).emplace_back(rule.key);
  }
  return all;
}

}  // namespace sluice::io
