#include "host/scene/scene_pairs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "host/scene/object_place.h"
#include "host/scene/scene_names.h"
#include "host/scene/scene_objects.h"

namespace sluice::io {
namespace {

// Empty, and a problem, unless the value names a rigid material.
std::string read_material(Reader& reader, const Spot& spot, const SceneFile& file,
                          const std::vector<std::string>& unclear) {
  if (!spot || !expect(reader, spot, JsonKind::string)) return "";
  const std::string& name = spot.node->string;
  std::vector<std::string> names;
  for (const RigidMaterial& material : file.rigid_materials) names.push_back(material.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  if (std::find(unclear.begin(), unclear.end(), name) != unclear.end()) return "";  // reported before
  const bool fluid = std::any_of(file.materials.begin(), file.materials.end(),
                                 [&](const FluidMaterial& material) { return material.name == name; });
  const std::string said = fluid ? in_quotes(name) + " is of type \"fluid\", and a pair needs two of type \"rigid\""
                                 : "\"materials\" has no " + in_quotes(name);
  complain(reader, spot,
           said + (names.empty() ? "; add one of type \"rigid\" there"
                                 : suggestion(name, names, fluid ? "there is " : "it has ")));
  return "";
}

}  // namespace

void read_pairs(Reader& reader, const Spot& scene, SceneFile& file, const std::vector<std::string>& unclear) {
  const Spot spot = at(scene, "pairs");
  if (!spot || !expect(reader, spot, JsonKind::array)) return;
  std::map<std::pair<std::string, std::string>, std::string> places;
  std::set<std::string> named;
  for (std::size_t i = 0; i < spot.node->children.size(); ++i) {
    const Spot entry = at(spot, i);
    if (!expect_object(reader, entry, kPairKeys)) continue;
    MaterialPair pair;
    pair.a = read_material(reader, at(entry, "a"), file, unclear);
    pair.b = read_material(reader, at(entry, "b"), file, unclear);
    read_number(reader, entry, "friction", kFriction, pair.friction);
    read_optional(reader, entry, "restitution", kRestitution, pair.restitution);
    if (pair.a.empty() || pair.b.empty()) continue;
    const auto [twin, is_new] = places.emplace(std::minmax(pair.a, pair.b), entry.pointer);
    if (!is_new)
      complain(reader, entry,
               "the pair of " + in_quotes(pair.a) + " and " + in_quotes(pair.b) + " is already that of " +
                   twin->second + "; remove one of the two");
    const bool had_room = named.size() < kFrictionClasses;
    named.insert({pair.a, pair.b});
    if (had_room && named.size() >= kFrictionClasses)
      complain(reader, entry,
               "\"pairs\" names more than " + std::to_string(kFrictionClasses - 1) +
                   " materials up to here; remove entries, or let materials that are alike share a name");
    file.pairs.push_back(std::move(pair));
  }
}

std::uint32_t friction_class_of(const SceneFile& file, const std::string& material) {
  if (material.empty()) return 0;
  std::set<std::string> named;
  for (const MaterialPair& pair : file.pairs) named.insert({pair.a, pair.b});
  const auto found = named.find(material);
  return found == named.end() ? 0 : 1 + static_cast<std::uint32_t>(std::distance(named.begin(), found));
}

std::vector<FrictionPair> friction_pairs(const SceneFile& file) {
  std::vector<FrictionPair> pairs;
  for (const MaterialPair& pair : file.pairs)
    pairs.push_back(
        {friction_class_of(file, pair.a), friction_class_of(file, pair.b), pair.friction, pair.restitution});
  return pairs;
}

const RigidMaterial& rigid_material_of(const SceneFile& file, const Object& object) {
  for (const RigidMaterial& material : file.rigid_materials)
    if (material.name == object.material) return material;
  throw Error(place_of(file, object) + "no material of type \"rigid\" is named \"" + object.material +
              "\"; add it to \"materials\" or name another");
}

void set_surface(const SceneFile& file, const Object& boundary, Body& body) {
  body.friction = boundary.friction;
  if (!body.friction && !boundary.material.empty()) body.friction = rigid_material_of(file, boundary).friction;
  body.friction_class = friction_class_of(file, boundary.material);
  const double of_material = boundary.material.empty() ? 0 : rigid_material_of(file, boundary).restitution;
  body.restitution = boundary.restitution.value_or(of_material);
}

}  // namespace sluice::io
