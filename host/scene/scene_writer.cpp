#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "host/scene/scene_names.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

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

nlohmann::ordered_json to_json(const Shape& shape, Role role, const fs::path& folder) {
  nlohmann::ordered_json out;
  nlohmann::ordered_json& value = out[name_of(kShapes, shape.kind)];
  switch (shape.kind) {
    case ShapeKind::box:
      value = to_json(shape.box);
      if (role == Role::boundary) out["open"] = name_of(kOpens, shape.open);
      break;
    case ShapeKind::wedge:
    case ShapeKind::pyramid:
      value = to_json(shape.box);
      break;
    case ShapeKind::sphere:
      value = {{"radius", shape.radius}};
      break;
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
    case ShapeKind::cone:
      value = {{"radius", shape.radius}, {"height", shape.height}};
      break;
    case ShapeKind::torus:
      value = {{"radius", shape.radius}, {"tube", shape.tube}};
      break;
    case ShapeKind::mesh:
      value = path_text(shape.mesh, folder);
      out["scale"] = to_json(shape.scale);
      if (shape.round_about) out["roundAbout"] = to_json(*shape.round_about);
      break;
  }
  return out;
}

void add_rigid(nlohmann::ordered_json& out, const Object& object) {
  const RigidSettings& rigid = object.rigid;
  out["angularVelocity"] = to_json(rigid.angular_velocity);
  if (object.friction) out["friction"] = *object.friction;
  if (object.restitution) out["restitution"] = *object.restitution;
  if (rigid.mass) out["mass"] = *rigid.mass;
  if (rigid.inertia) out["inertia"] = *rigid.inertia;
  out["gravityScale"] = rigid.gravity_scale;
  out["force"] = to_json(rigid.force);
  out["torque"] = to_json(rigid.torque);
  out["freeTranslation"] = rigid.free_translation;
  if (rigid.turning == Turning::about_axis) {
    out["rotationAxis"] = to_json(rigid.axis);
  } else {
    out["freeRotation"] = rigid.turning == Turning::free;
  }
}

nlohmann::ordered_json to_json(const Object& object, const fs::path& folder) {
  nlohmann::ordered_json out;
  out["name"] = object.name;
  out["role"] = name_of(kRoles, object.role);
  out["shape"] = to_json(object.shape, object.role, folder);
  out["position"] = to_json(object.position);
  out["rotation"] = {{"axis", to_json(object.axis)}, {"degrees", object.degrees}};
  if (object.has_repeat) out["repeat"] = {{"count", object.repeat.count}, {"step", to_json(object.repeat.step)}};
  if (object.role != Role::fluid) out["surface"] = name_of(kSurfaces, object.surface);
  if (object.role != Role::boundary) {
    out["material"] = object.material;
    out["velocity"] = to_json(object.velocity);
  } else {
    out["solid"] = name_of(kSolids, object.solid);
  }
  if (object.role == Role::boundary && !object.material.empty()) out["material"] = object.material;
  if (object.role == Role::boundary && object.friction) out["friction"] = *object.friction;
  if (object.role == Role::boundary && object.restitution) out["restitution"] = *object.restitution;
  if (object.role == Role::rigid) add_rigid(out, object);
  if (object.has_motion) {
    out["motion"] = {{"velocity", to_json(object.motion.velocity)},
                     {"angularVelocity", to_json(object.motion.angular_velocity)},
                     {"center", to_json(object.motion.center)}};
  }
  return out;
}

}  // namespace

std::string scene_to_json(const SceneFile& scene) {
  nlohmann::ordered_json out;
  out["name"] = scene.name;
  out["particleSpacing"] = scene.spacing;
  out["gravity"] = to_json(scene.gravity);
  out["surface"] = name_of(kSurfaces, scene.surface);
  if (scene.domain && std::isfinite(scene.domain->low.x))
    out["domain"] = {{"low", to_json(scene.domain->low)}, {"high", to_json(scene.domain->high)}};
  else if (scene.domain)
    out["domain"] = kUnlimitedDomain;
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
                   {"minIterations", "auto"},
                   {"maxIterations", solver.max_iterations},
                   {"relaxationFluid", solver.relaxation_fluid},
                   {"relaxationRigid", solver.relaxation_rigid},
                   {"contactScale", name_of(kContactScales, solver.contact_scale)},
                   {"frictionUpdate", name_of(kFrictionUpdates, solver.friction_update)},
                   {"frictionMethod", name_of(kFrictionMethods, solver.friction_method)},
                   {"warmStartFluid", solver.warm_start_fluid},
                   {"warmStartRigid", solver.warm_start_rigid},
                   {"loadSharing", solver.load_sharing},
                   {"boundaryPressure", name_of(kBoundaryPressures, 0)},
                   {"overlapSpeed", std::max(solver.overlap_speed, 0.0)},
                   {"sampleWeights", scene.sample_weights},
                   {"contactWeights", solver.contact_weights},
                   {"slip", name_of(kSlips, solver.slip)},
                   {"gamma", solver.gamma}};
  // Two different numbers only ever come from "auto".
  if (solver.min_iterations == solver.min_iterations_contact) out["solver"]["minIterations"] = solver.min_iterations;
  out["materials"] = nlohmann::ordered_json::object();
  for (const FluidMaterial& material : scene.materials) {
    out["materials"][material.name] = {{"type", name_of(kMaterialTypes, MaterialType::fluid)},
                                       {"density", material.density},
                                       {"viscosity", material.viscosity}};
  }
  for (const RigidMaterial& material : scene.rigid_materials) {
    out["materials"][material.name] = {{"type", name_of(kMaterialTypes, MaterialType::rigid)},
                                       {"density", material.density},
                                       {"friction", material.friction},
                                       {"restitution", material.restitution}};
  }
  for (const MaterialPair& pair : scene.pairs) {
    nlohmann::ordered_json& entry = out["pairs"].emplace_back();
    entry = {{"a", pair.a}, {"b", pair.b}, {"friction", pair.friction}};
    if (pair.restitution) entry["restitution"] = *pair.restitution;
  }
  out["objects"] = nlohmann::ordered_json::array();
  const fs::path folder = scene.path.parent_path();
  for (const Object& object : scene.objects) out["objects"].push_back(to_json(object, folder));
  out["output"] = {
      {"frameRate", scene.output.frame_rate}, {"fields", scene.output.fields}, {"contacts", scene.output.contacts}};
  const PictureSettings& picture = scene.picture;
  out["picture"] = {{"field", name_of(kPictureFields, picture.field)},
                    {"boundaries", name_of(kBoundaryLooks, picture.boundaries)}};
  if (picture.camera) {
    out["picture"]["camera"] = {{"eye", to_json(picture.camera->eye)},
                                {"target", to_json(picture.camera->target)},
                                {"degrees", picture.camera->degrees}};
  }
  if (picture.range) out["picture"]["range"] = {picture.range->min, picture.range->max};
  return out.dump(2) + "\n";
}

}  // namespace sluice::io
