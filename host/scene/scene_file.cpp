#include "host/scene/scene_file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>

#include "host/scene/file_names.h"
#include "host/scene/scene_names.h"
#include "host/scene/scene_objects.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxSceneBytes = 16u << 20;  // a mesh given as the scene by mistake is refused before parsing
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void read_domain(Reader& reader, const Spot& scene, SceneFile& file) {
  const Spot spot = at(scene, "domain");
  std::optional<Domain>& domain = file.domain;
  if (!spot) return;
  file.domain_line = spot.node->place.line;
  file.domain_column = spot.node->place.column;
  if (spot.node->kind == JsonKind::string && spot.node->string == kUnlimitedDomain) {
    domain.emplace();
    return;
  }
  if (spot.node->kind != JsonKind::object) {
    complain(reader, spot,
             R"(must be two corners, such as { "low": [-1, -1, -1], "high": [1, 2, 1] }, or "unlimited")");
    return;
  }
  Domain box;
  if (!expect_object(reader, spot, kDomainKeys) || !read_vector(reader, spot, "low", kVector, box.low) ||
      !read_vector(reader, spot, "high", kVector, box.high))
    return;
  if (box.low.x < box.high.x && box.low.y < box.high.y && box.low.z < box.high.z)
    domain = box;
  else
    complain(reader, at(spot, "high"), "must be greater than \"low\" along each axis");
}

void read_time(Reader& reader, const Spot& scene, TimeSettings& time) {
  const Spot spot = at(scene, "time");
  if (!spot || !expect_object(reader, spot, kTimeKeys)) return;
  read_number(reader, spot, "end", kTime, time.end);
  read_number(reader, spot, "maxStep", kTime, time.max_step);
  read_number(reader, spot, "cfl", kCfl, time.cfl);
  const Spot step = at(spot, "step");
  if (!step) return;
  for (const char* other : {"maxStep", "cfl"}) {
    if (!at(spot, other)) continue;
    complain_at_key(
        reader, step,
        "\"step\" fixes the time step, so \"maxStep\" and \"cfl\" mean nothing beside it; remove one or the other");
    return;
  }
  read_number(reader, spot, "step", kTime, time.max_step);
  time.cfl = kInfinity;
}

void read_min_iterations(Reader& reader, const Spot& spot, SolverSettings& solver) {
  const Spot least = at(spot, "minIterations");
  if (!least || (least.node->kind == JsonKind::string && least.node->string == "auto")) {
    solver.min_iterations = std::min(solver.min_iterations, solver.max_iterations);
    solver.min_iterations_contact = std::min(solver.min_iterations_contact, solver.max_iterations);
  } else if (least.node->kind != JsonKind::number) {
    const bool is_text = least.node->kind == JsonKind::string;
    complain(reader, least,
             "must be a whole number or \"auto\", not " +
                 (is_text ? in_quotes(least.node->string) : std::string(kind_name(least.node->kind))));
  } else {
    read_integer(reader, spot, "minIterations", {1, kMaxIterations}, solver.min_iterations);
    solver.min_iterations_contact = solver.min_iterations;
    if (solver.min_iterations > solver.max_iterations) {
      complain(reader, least, "must not be greater than maxIterations, " + std::to_string(solver.max_iterations));
    }
  }
}

void read_solver(Reader& reader, const Spot& scene, SceneFile& file) {
  const Spot spot = at(scene, "solver");
  if (!spot || !expect_object(reader, spot, kSolverKeys)) return;
  SolverSettings& solver = file.solver;
  read_named(reader, spot, "mode", kModes, solver.mode);
  if (solver.mode == SolverMode::paper) solver = paper_settings();
  read_named(reader, spot, "acceleration", kAccelerations, solver.acceleration);
  read_number(reader, spot, "tolerance", kTolerance, solver.tolerance);
  read_integer(reader, spot, "maxIterations", {1, kMaxIterations}, solver.max_iterations);
  read_min_iterations(reader, spot, solver);
  read_number(reader, spot, "relaxationFluid", kRelaxation, solver.relaxation_fluid);
  read_number(reader, spot, "relaxationRigid", kRelaxation, solver.relaxation_rigid);
  read_named(reader, spot, "contactScale", kContactScales, solver.contact_scale);
  read_named(reader, spot, "frictionUpdate", kFrictionUpdates, solver.friction_update);
  read_named(reader, spot, "frictionMethod", kFrictionMethods, solver.friction_method);
  read_number(reader, spot, "warmStartFluid", kShare, solver.warm_start_fluid);
  read_number(reader, spot, "warmStartRigid", kShare, solver.warm_start_rigid);
  read_number(reader, spot, "loadSharing", kLoadSharing, solver.load_sharing);
  int pressure = 0;
  read_named(reader, spot, "boundaryPressure", kBoundaryPressures, pressure);
  read_number(reader, spot, "overlapSpeed", kSpeed, solver.overlap_speed);
  read_bool(reader, spot, "sampleWeights", file.sample_weights);
  read_bool(reader, spot, "contactWeights", solver.contact_weights);
  read_named(reader, spot, "slip", kSlips, solver.slip);
  read_number(reader, spot, "gamma", kGamma, solver.gamma);
}

// Returns the names of those whose type or keys are wrong, which are reported then: what uses them is not.
std::vector<std::string> read_materials(Reader& reader, const Spot& scene, SceneFile& file) {
  std::vector<std::string> unclear;
  const Spot spot = at(scene, "materials");
  if (!spot || !expect(reader, spot, JsonKind::object, R"( of materials by name, { "water": { "type": "fluid" } })"))
    return unclear;
  refuse_duplicates(reader, spot);
  for (const JsonNode& node : spot.node->children) {
    const Spot material{&node, pointer_to(spot.pointer, node.key)};
    if (!is_good_name(node.key))
      complain_at_key(reader, material, in_quotes(node.key) + " cannot be a name" + kNameRule);
    if (const std::string problem = name_too_long(node.key); !problem.empty())
      complain_at_key(reader, material, problem);
    for (const JsonNode& other : spot.node->children) {
      if (&other == &node) break;
      if (other.key != node.key && is_same_file_name(other.key, node.key))
        complain_at_key(reader, material,
                        in_quotes(node.key) + " differs from " + in_quotes(other.key) +
                            " in capitals alone, and some systems take their files for the same; give it another name");
    }
    MaterialType type = MaterialType::fluid;
    const std::size_t problems = reader.problems.size();
    const bool has_keys = expect_object(reader, material, kMaterialKeys);
    if (has_keys) read_named(reader, material, "type", kMaterialTypes, type);
    const bool is_object = node.kind == JsonKind::object;
    if (reader.problems.size() > problems) unclear.push_back(node.key);
    if (type == MaterialType::rigid) {
      RigidMaterial& out = file.rigid_materials.emplace_back();
      out.name = node.key;
      read_number(reader, material, "density", kDensity, out.density);
      read_number(reader, material, "friction", kFriction, out.friction);
      read_number(reader, material, "restitution", kRestitution, out.restitution);
      if (const Spot key = at(material, "viscosity"))
        complain_at_key(reader, key, "only a fluid has a viscosity; remove this key");
    } else {
      FluidMaterial& out = file.materials.emplace_back();
      out.name = node.key;
      if (file.materials.size() == kMaxFluidMaterials + 1)
        complain_at_key(reader, material,
                        "a scene has at most " + std::to_string(kMaxFluidMaterials) +
                            " materials of type \"fluid\"; remove those that no object needs");
      if (!is_object) continue;
      read_number(reader, material, "density", kDensity, out.density);
      read_number(reader, material, "viscosity", kViscosity, out.viscosity);
      if (const Spot key = at(material, "friction"))
        complain_at_key(reader, key, "only a material of type \"rigid\" has friction; remove this key");
      if (const Spot key = at(material, "restitution"))
        complain_at_key(reader, key, "only a material of type \"rigid\" has a restitution; remove this key");
    }
  }
  return unclear;
}

void check_materials(Reader& reader, const Spot& scene, const SceneFile& file,
                     const std::vector<std::string>& unclear) {
  std::vector<std::string> fluids, solids;
  for (const FluidMaterial& material : file.materials) fluids.push_back(material.name);
  for (const RigidMaterial& material : file.rigid_materials) solids.push_back(material.name);
  const std::set<std::string> all_fluids(fluids.begin(), fluids.end()), all_solids(solids.begin(), solids.end()),
      all_unclear(unclear.begin(), unclear.end());
  const Spot objects = at(scene, "objects");
  for (const Object& object : file.objects) {
    const Spot material = at(at(objects, index_of(object)), "material");
    const bool is_text = material && material.node->kind == JsonKind::string;
    if (!is_text) continue;  // reported before
    const bool rigid = object.role != Role::fluid;
    const std::vector<std::string>& names = rigid ? solids : fluids;
    if ((rigid ? all_solids : all_fluids).contains(object.material) || all_unclear.contains(object.material)) continue;
    if ((rigid ? all_fluids : all_solids).contains(object.material)) {
      complain(reader, material,
               in_quotes(object.material) + " is of type " + (rigid ? "\"fluid\"" : "\"rigid\"") + ", and " +
                   (!rigid                       ? "a fluid"
                    : object.role == Role::rigid ? "a rigid object"
                                                 : "a boundary") +
                   " needs one of type " + (rigid ? "\"rigid\"" : "\"fluid\"") +
                   (names.empty() ? "; add one to \"materials\"" : suggestion(object.material, names, "there is ")));
      continue;
    }
    complain(reader, material,
             "\"materials\" has no " + in_quotes(object.material) +
                 (names.empty() ? "; add it there" : suggestion(object.material, names, "it has ")));
  }
}

void read_output(Reader& reader, const Spot& scene, SceneFile& file) {
  const Spot spot = at(scene, "output");
  if (!spot || !expect_object(reader, spot, kOutputKeys)) return;
  read_number(reader, spot, "frameRate", kFrameRate, file.output.frame_rate);
  read_bool(reader, spot, "contacts", file.output.contacts);
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

void read_camera(Reader& reader, const Spot& picture, PictureSettings& settings) {
  const Spot spot = at(picture, "camera");
  Camera camera;
  if (!spot || !expect_object(reader, spot, kCameraKeys)) return;
  const bool placed = read_vector(reader, spot, "eye", kVector, camera.eye) &
                      read_vector(reader, spot, "target", kVector, camera.target);
  read_number(reader, spot, "degrees", kDegreesOfView, camera.degrees);
  if (!placed) return;
  if (length(camera.eye - camera.target) > 0)
    settings.camera = camera;
  else
    complain(reader, at(spot, "target"), "must not be where the eye is; a camera looks from one to the other");
}

void read_picture(Reader& reader, const Spot& scene, PictureSettings& settings) {
  const Spot spot = at(scene, "picture");
  if (!spot || !expect_object(reader, spot, kPictureKeys)) return;
  read_camera(reader, spot, settings);
  read_named(reader, spot, "field", kPictureFields, settings.field);
  read_named(reader, spot, "boundaries", kBoundaryLooks, settings.boundaries);
  const Spot range = at(spot, "range");
  if (!range || !expect(reader, range, JsonKind::array)) return;
  const auto is_number = [](const JsonNode& node) { return node.kind == JsonKind::number; };
  const std::vector<JsonNode>& ends = range.node->children;
  if (ends.size() == 2 && std::all_of(ends.begin(), ends.end(), is_number)) {
    // As the device has them, so that they still differ.
    const ValueRange values{static_cast<float>(ends[0].number), static_cast<float>(ends[1].number)};
    if (values.min < values.max && std::isfinite(values.max - values.min)) settings.range = values;
  }
  if (!settings.range)
    complain(reader, range, "must be two numbers that grow, such as [0, 2]: the values at the ends of the colour bar");
}

std::string read_text(const fs::path& path) {
  const std::string file = path.string();
  std::error_code code;
  if (fs::is_directory(path, code)) throw Error(file + ": this is a folder; name a scene file in it");
  // Opening a pipe waits for who writes into it, for ever if nobody does; what a shell passes is open already.
  const bool passed = file.starts_with("/dev/fd/") || file == "/dev/stdin";
  if (!passed && fs::exists(path, code) && !fs::is_regular_file(path, code))
    throw Error(file + ": this is a device or a pipe; name a scene file");
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

SceneFile parse_scene(const std::string& text, const fs::path& path, SceneParts parts) {
  Reader reader{path.string(), {}, key_elsewhere};
  const JsonNode root = parse_json(text, reader.file);
  const Spot scene{&root, ""};
  SceneFile file;
  file.path = path;
  if (!expect_object(reader, scene, kSceneKeys)) throw_problems(reader);
  const std::u8string stem = (path.extension() == ".json" ? path.stem() : path.filename()).u8string();
  file.name.assign(stem.begin(), stem.end());
  if (!is_good_name(file.name) || !name_too_long(file.name).empty()) file.name = "scene";
  if (const Spot spot = at(scene, "$schema")) expect(reader, spot, JsonKind::string);
  read_name(reader, scene, file.name);
  read_number(reader, scene, "particleSpacing", kLength, file.spacing);
  read_vector(reader, scene, "gravity", kVector, file.gravity);
  read_named(reader, scene, "surface", kSurfaces, file.surface);
  read_domain(reader, scene, file);
  read_time(reader, scene, file.time);
  read_solver(reader, scene, file);
  const std::vector<std::string> unclear = read_materials(reader, scene, file);
  if (parts == SceneParts::all) read_objects(reader, scene, file);
  check_materials(reader, scene, file, unclear);
  read_pairs(reader, scene, file, unclear);
  read_output(reader, scene, file);
  read_picture(reader, scene, file.picture);
  // Numbers that are wrong by themselves would be told of twice.
  if (reader.problems.empty()) check_together(reader, scene, file);
  if (!reader.problems.empty()) throw_problems(reader);
  file.time.frame_interval = 1 / file.output.frame_rate;
  file.drawn_end = file.time.end;
  return file;
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
