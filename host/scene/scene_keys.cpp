// Where a key belongs that stands in a wrong place, and what stands for keys that other programs have.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "host/scene/scene_names.h"
#include "host/scene/scene_objects.h"

namespace sluice::io {
namespace {

struct Words {
  std::string_view key, text;
};

// By kind of kKeyGroups: where such keys stand.
constexpr Words kWhere[] = {{"scene", "the scene itself, beside \"objects\""},
                            {"domain", "\"domain\""},
                            {"time", "\"time\""},
                            {"solver", "\"solver\""},
                            {"material", "a material"},
                            {"pair", "an entry of \"pairs\""},
                            {"object", "an object"},
                            {"shape", "\"shape\""},
                            {"sphere", "\"sphere\""},
                            {"round", "\"cylinder\", \"capsule\", \"cone\""},
                            {"torus", "\"torus\""},
                            {"rotation", "\"rotation\""},
                            {"repeat", "\"repeat\""},
                            {"motion", "\"motion\""},
                            {"output", "\"output\""},
                            {"picture", "\"picture\""},
                            {"camera", "\"camera\" of \"picture\""}};

// In lower case: what newcomers ask for by the names of other programs.
constexpr const char* kTurn = "; a rotation is { \"axis\": [0, 0, 1], \"degrees\": 30 }";
constexpr const char* kBounce = "; how bodies rebound is \"restitution\", 0 to 1, of a material, an object or a pair";
constexpr const char* kNoTension = "; there is no surface tension; remove this key";
constexpr const char* kNoColour =
    "; there are no colours; \"picture\": { \"field\": \"material\" } tells materials apart";
constexpr const char* kNoSource = "; fluid comes in at the start only; draw it as a \"box\" of role \"fluid\"";
constexpr const char* kNoJoint = "; there are no joints; \"rotationAxis\" and \"freeTranslation\" hold a rigid object";
constexpr const char* kLengths = "; a box has its lengths itself: \"shape\": { \"box\": [x, y, z] }";
constexpr const char* kMeshFile = "; a mesh file is named by \"shape\": { \"mesh\": \"PATH\" }";
constexpr const char* kFloor = "; a floor is a \"box\" of role \"boundary\", best 3 spacings thick or more";
constexpr const char* kSpacing = "; write \"particleSpacing\", m, beside \"objects\"";
constexpr const char* kStep = "; write \"time\": { \"maxStep\": 0.002 }, or \"step\" for a fixed one";
constexpr const char* kEnd = "; write \"time\": { \"end\": 2 }, s";
constexpr Words kForeign[] = {{"euler", kTurn},
                              {"eulerangles", kTurn},
                              {"quaternion", kTurn},
                              {"angle", kTurn},
                              {"orientation", kTurn},
                              {"bounciness", kBounce},
                              {"elasticity", kBounce},
                              {"surfacetension", kNoTension},
                              {"tension", kNoTension},
                              {"sigma", kNoTension},
                              {"color", kNoColour},
                              {"colour", kNoColour},
                              {"emitter", kNoSource},
                              {"inflow", kNoSource},
                              {"source", kNoSource},
                              {"joint", kNoJoint},
                              {"joints", kNoJoint},
                              {"hinge", kNoJoint},
                              {"spacing", kSpacing},
                              {"particleradius", "; write \"particleSpacing\", twice the radius, beside \"objects\""},
                              {"dt", kStep},
                              {"timestep", kStep},
                              {"duration", kEnd},
                              {"endtime", kEnd},
                              {"fps", "; write \"frameRate\", 1/s, in \"output\""},
                              {"size", kLengths},
                              {"dimensions", kLengths},
                              {"extents", kLengths},
                              {"lengths", kLengths},
                              {"cube", kLengths},
                              {"ball", "; a ball is a \"sphere\": { \"radius\": 0.1 }"},
                              {"file", kMeshFile},
                              {"filename", kMeshFile},
                              {"path", kMeshFile},
                              {"plane", kFloor},
                              {"floor", kFloor},
                              {"ground", kFloor},
                              {"kinematicviscosity", "; write \"viscosity\", which is the kinematic one, m^2/s"},
                              {"dynamicviscosity",
                               "; write \"viscosity\", which is the kinematic one: the dynamic one, Pa s, over the "
                               "density"}};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string_view where(std::string_view kind) {
  for (const Words& words : kWhere)
    if (words.key == kind) return words.text;
  return kind;
}

// "\"time\", \"output\" or an object", of the kinds that have this key.
std::string homes_of(std::string_view key) {
  std::vector<std::string_view> homes;
  for (const KeyGroup& group : kKeyGroups)
    for (const KeyRule& rule : group.keys)
      if (rule.key == key) homes.push_back(where(group.kind));
  std::string text;
  for (std::size_t i = 0; i < homes.size(); ++i)
    text += (i == 0 ? "" : i + 1 == homes.size() ? " or " : ", ") + std::string(homes[i]);
  return text;
}

}  // namespace

std::string key_elsewhere(std::string_view key, bool near) {
  std::vector<std::string> names;
  for (const KeyGroup& group : kKeyGroups)
    for (const KeyRule& rule : group.keys) names.emplace_back(rule.key);
  const std::string small = lower(key);
  if (near) {
    const std::string name = nearest_name(key, names);
    return name.empty() ? "" : "; did you mean " + in_quotes(name) + ", which belongs in " + homes_of(name) + "?";
  }
  for (const std::string& name : names)
    if (name == key) return "; it belongs in " + homes_of(key) + ": move it there";
  for (const Words& words : kForeign)
    if (words.key == small) return std::string(words.text);
  return "";
}

}  // namespace sluice::io
