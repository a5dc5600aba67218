// Keys and names of the scene format, shared by its reader and its writer.
#pragma once

#include "host/scene/json_reader.h"
#include "host/scene/scene_file.h"
#include "host/scene/scene_limits.h"

namespace sluice::io {

// Every key of a scene file; scenes/scene.schema.json repeats them (a test compares the two).
constexpr KeyRule kSceneKeys[] = {
    {"$schema", ""},
    {"name", ""},
    {"particleSpacing", R"("particleSpacing": 0.02)"},
    {"gravity", ""},
    {"surface", ""},
    {"domain", ""},
    {"time", ""},
    {"solver", ""},
    {"materials", ""},
    {"pairs", ""},
    {"objects", R"("objects": [ { "role": "boundary", "shape": { "box": [1, 1, 1] } } ])"},
    {"output", ""},
    {"picture", ""}};
constexpr KeyRule kDomainKeys[] = {{"low", R"("low": [-1, -1, -1])"}, {"high", R"("high": [1, 1, 1])"}};
constexpr KeyRule kTimeKeys[] = {{"end", ""}, {"maxStep", ""}, {"cfl", ""}, {"step", ""}};
constexpr KeyRule kSolverKeys[] = {{"mode", ""},
                                   {"acceleration", ""},
                                   {"tolerance", ""},
                                   {"minIterations", ""},
                                   {"maxIterations", ""},
                                   {"relaxationFluid", ""},
                                   {"relaxationRigid", ""},
                                   {"contactScale", ""},
                                   {"frictionUpdate", ""},
                                   {"frictionMethod", ""},
                                   {"contactWeights", ""},
                                   {"slip", ""},
                                   {"warmStartFluid", ""},
                                   {"warmStartRigid", ""},
                                   {"loadSharing", ""},
                                   {"boundaryPressure", ""},
                                   {"overlapSpeed", ""},
                                   {"sampleWeights", ""},
                                   {"gamma", ""}};
constexpr KeyRule kMaterialKeys[] = {
    {"type", R"("type": "fluid")"}, {"density", ""}, {"viscosity", ""}, {"friction", ""}, {"restitution", ""}};
constexpr KeyRule kPairKeys[] = {
    {"a", R"("a": "rubber")"}, {"b", R"("b": "ice")"}, {"friction", R"("friction": 0.1)"}, {"restitution", ""}};
constexpr KeyRule kObjectKeys[] = {{"name", ""},
                                   {"role", R"("role": "boundary")"},
                                   {"shape", R"("shape": { "box": [1, 1, 1] })"},
                                   {"position", ""},
                                   {"rotation", ""},
                                   {"repeat", ""},
                                   {"surface", ""},
                                   {"material", ""},
                                   {"velocity", ""},
                                   {"angularVelocity", ""},
                                   {"friction", ""},
                                   {"restitution", ""},
                                   {"mass", ""},
                                   {"inertia", ""},
                                   {"gravityScale", ""},
                                   {"force", ""},
                                   {"torque", ""},
                                   {"fixed", ""},
                                   {"freeTranslation", ""},
                                   {"freeRotation", ""},
                                   {"rotationAxis", ""},
                                   {"solid", ""},
                                   {"motion", ""}};
constexpr KeyRule kShapeKeys[] = {{"box", ""},  {"sphere", ""}, {"cylinder", ""}, {"capsule", ""},
                                  {"cone", ""}, {"wedge", ""},  {"pyramid", ""},  {"torus", ""},
                                  {"mesh", ""}, {"open", ""},   {"scale", ""},    {"roundAbout", ""}};
constexpr KeyRule kSphereKeys[] = {{"radius", R"("radius": 0.1)"}};
constexpr KeyRule kRoundKeys[] = {{"radius", R"("radius": 0.1)"}, {"height", R"("height": 0.2)"}};
constexpr KeyRule kTorusKeys[] = {{"radius", R"("radius": 0.1)"}, {"tube", R"("tube": 0.03)"}};
constexpr KeyRule kRepeatKeys[] = {{"count", R"("count": [2, 2, 2])"}, {"step", R"("step": [0.1, 0.1, 0.1])"}};
constexpr KeyRule kRotationKeys[] = {{"axis", R"("axis": [0, 1, 0])"}, {"degrees", R"("degrees": 90)"}};
constexpr KeyRule kMotionKeys[] = {{"velocity", ""}, {"angularVelocity", ""}, {"center", ""}};
constexpr KeyRule kOutputKeys[] = {{"frameRate", ""}, {"fields", ""}, {"contacts", ""}};
constexpr KeyRule kPictureKeys[] = {{"camera", ""}, {"field", ""}, {"range", ""}, {"boundaries", ""}};
constexpr KeyRule kCameraKeys[] = {
    {"eye", R"("eye": [2, 1.5, 3])"}, {"target", R"("target": [0, 0.5, 0])"}, {"degrees", ""}};

struct KeyGroup {
  std::string_view kind;
  std::span<const KeyRule> keys;
};
constexpr KeyGroup kKeyGroups[] = {{"scene", kSceneKeys},     {"domain", kDomainKeys},     {"time", kTimeKeys},
                                   {"solver", kSolverKeys},   {"material", kMaterialKeys}, {"pair", kPairKeys},
                                   {"object", kObjectKeys},   {"shape", kShapeKeys},       {"sphere", kSphereKeys},
                                   {"round", kRoundKeys},     {"torus", kTorusKeys},       {"rotation", kRotationKeys},
                                   {"repeat", kRepeatKeys},   {"motion", kMotionKeys},     {"output", kOutputKeys},
                                   {"picture", kPictureKeys}, {"camera", kCameraKeys}};

constexpr std::string_view kUnlimitedDomain = "unlimited";

enum class MaterialType { fluid, rigid };

constexpr Named<SolverMode> kModes[] = {{"robust", SolverMode::robust}, {"paper", SolverMode::paper}};
constexpr Named<Acceleration> kAccelerations[] = {{"nncg", Acceleration::nncg}, {"none", Acceleration::none}};
constexpr Named<ContactScale> kContactScales[] = {{"own-body", ContactScale::own_body},
                                                  {"per-body", ContactScale::per_body}};
constexpr Named<Slip> kSlips[] = {{"midpoint", Slip::midpoint}, {"sample", Slip::sample}};
constexpr Named<FrictionUpdate> kFrictionUpdates[] = {{"velocity", FrictionUpdate::velocity},
                                                      {"target", FrictionUpdate::target}};
constexpr Named<FrictionMethod> kFrictionMethods[] = {{"implicit", FrictionMethod::coupled},
                                                      {"explicit", FrictionMethod::staggered}};
constexpr Named<SurfaceSetting> kSurfaces[] = {{"drawn", SurfaceSetting::drawn}, {"sampled", SurfaceSetting::sampled}};
constexpr Named<Role> kRoles[] = {{"fluid", Role::fluid}, {"rigid", Role::rigid}, {"boundary", Role::boundary}};
// Meshes stand apart: their value is a path.
constexpr Named<ShapeKind> kShapes[] = {
    {"box", ShapeKind::box},         {"sphere", ShapeKind::sphere}, {"cylinder", ShapeKind::cylinder},
    {"capsule", ShapeKind::capsule}, {"cone", ShapeKind::cone},     {"wedge", ShapeKind::wedge},
    {"pyramid", ShapeKind::pyramid}, {"torus", ShapeKind::torus},   {"mesh", ShapeKind::mesh}};
constexpr Named<Solid> kSolids[] = {{"inside", Solid::inside}, {"outside", Solid::outside}};
constexpr Named<Open> kOpens[] = {{"none", Open::none}, {"top", Open::top},  {"bottom", Open::bottom},
                                  {"x-", Open::x_min},  {"x+", Open::x_max}, {"z-", Open::z_min},
                                  {"z+", Open::z_max}};
constexpr Named<int> kFields[] = {{"velocity", 0}, {"density", 1}, {"pressure", 2}};
constexpr Named<PictureField> kPictureFields[] = {{"speed", PictureField::speed},
                                                  {"pressure", PictureField::pressure},
                                                  {"density", PictureField::density_error},
                                                  {"material", PictureField::material},
                                                  {"friction", PictureField::friction}};
constexpr Named<BoundaryLook> kBoundaryLooks[] = {
    {"cut", BoundaryLook::cut}, {"wires", BoundaryLook::wires}, {"hidden", BoundaryLook::hidden}};
constexpr Named<MaterialType> kMaterialTypes[] = {{"fluid", MaterialType::fluid}, {"rigid", MaterialType::rigid}};
constexpr Named<int> kBoundaryPressures[] = {{"zero", 0}};

}  // namespace sluice::io
