// Scenes changed at random: whatever is in a file, it is read and sampled, or refused with its place.
//
//   SLUICE_FUZZ_COUNT   how many scenes (default 10000)
//   SLUICE_FUZZ_SEED    the first one's number (default 1); a failure names the one to begin with again
//   SLUICE_FUZZ_FILES   a folder: the scenes are written there instead, for whole programs (tools/fuzz)
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "host/sampling/estimate.h"
#include "host/sampling/sampling.h"
#include "host/scene/scene_file.h"
#include "sluice/sluice.h"
#include "tests/folder.h"

#ifndef SLUICE_SOURCE_DIR
#define SLUICE_SOURCE_DIR "."
#endif

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::io;
using namespace sluice::tests;
using Json = nlohmann::ordered_json;

constexpr double kMostSamples = 4000;  // that a scene may have to be sampled: most take a hundredth of a second
constexpr double kMostSeconds = 10;    // of processor time, for one scene

// SplitMix64: the same scenes everywhere.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : next() % n; }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
};

const std::vector<double> kNumbers = {0,     -0.0,   1,     -1,     2,      0.5,     1e-300,       4.9e-324,
                                      1e300, -1e300, 1e9,   -1e9,   1e-9,   1e10,    1e18,         1e-18,
                                      1e-12, 0.001,  1e-3,  1e6,    65536,  1e5,     4294967296.0, 2147483648.0,
                                      1e15,  0.1,    0.02,  10,     99.999, 3.14159, -0.25,        180,
                                      360.0, 1e39,   1e-45, 0.3333, 7};
const std::vector<std::string> kTokens = {"null",
                                          "true",
                                          "{}",
                                          "[]",
                                          "\"\"",
                                          "1e999",
                                          "-",
                                          "NaN",
                                          "[[[[",
                                          "}",
                                          "]",
                                          ",",
                                          ":",
                                          "//",
                                          "/* ",
                                          "\"",
                                          "\\u0000",
                                          "\\ud800",
                                          "0x10",
                                          "1e5",
                                          "-0",
                                          "{\"objects\":[]}",
                                          "\xEF\xBB\xBF",
                                          "\xC3",
                                          "\xFF\xFE",
                                          "'",
                                          "#",
                                          "\t",
                                          "\r\n",
                                          "0.02 m",
                                          "1,5"};
const std::vector<std::string> kTexts = {"",     "fluid",    "rigid",   "boundary", "water",     "oak",         "top",
                                         "none", "drawn",    "sampled", "inside",   "outside",   "auto",        "paper",
                                         "tank", "cube.obj", "..",      "a/b",      "nul",       "tank[0,0,0]", " x",
                                         "x.",   "\n",       "\x7f",    "水水水",   "/dev/zero", "\\",          "x-"};

// Small scenes with one of everything that objects may have.
const char* const kSmall[] = {
    R"({ "name": "tank", "particleSpacing": 0.1, "time": { "end": 0.1, "maxStep": 0.002, "cfl": 0.4 },
  "materials": { "water": { "type": "fluid", "density": 1000, "viscosity": 1e-6 },
                 "oak": { "type": "rigid", "density": 700, "friction": 0.4 } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [1, 0.6, 0.5], "open": "top" } },
    { "name": "column", "role": "fluid", "material": "water", "shape": { "box": [0.3, 0.4, 0.5] }, "velocity": [1, 0, 0],
      "position": [-0.35, -0.1, 0], "rotation": { "axis": [0, 1, 0], "degrees": 90 } },
    { "name": "log", "role": "rigid", "material": "oak", "shape": { "box": [0.2, 0.2, 0.2] }, "position": [0.2, 0.1, 0],
      "angularVelocity": [0, 1, 0], "mass": 2, "inertia": [1, 1, 1, 0, 0, 0], "force": [1, 0, 0], "torque": [0, 1, 0] } ],
  "output": { "frameRate": 50, "fields": ["velocity", "pressure"] } })",
    R"({ "particleSpacing": 0.1, "gravity": [0, -1, 0], "surface": "sampled",
  "solver": { "mode": "paper", "tolerance": 0.1, "minIterations": 3, "maxIterations": 50, "gamma": 0.6 },
  "materials": { "oak": { "type": "rigid" } },
  "objects": [
    { "role": "boundary", "shape": { "box": [2, 0.2, 2] }, "surface": "drawn", "motion": { "velocity": [0.1, 0, 0],
      "angularVelocity": [0, 1, 0], "center": [0, 0, 0] } },
    { "role": "rigid", "material": "oak", "shape": { "sphere": { "radius": 0.2 } }, "position": [0, 0.4, 0],
      "repeat": { "count": [2, 1, 2], "step": [0.5, 0, 0.5] }, "friction": 0.1, "gravityScale": 2 },
    { "role": "rigid", "material": "oak", "shape": { "cylinder": { "radius": 0.2, "height": 0.3 } }, "position": [0, 1, 0],
      "rotationAxis": [0, 0, 1] },
    { "role": "rigid", "material": "oak", "shape": { "capsule": { "radius": 0.1, "height": 0.3 } }, "position": [0, 2, 0],
      "freeTranslation": [true, false, true] },
    { "role": "rigid", "material": "oak", "shape": { "cone": { "radius": 0.2, "height": 0.3 } }, "position": [0, 3, 0],
      "fixed": true } ],
  "picture": { "camera": { "eye": [1, 1, 1], "target": [0, 0, 0], "degrees": 40 }, "range": [0, 1], "field": "speed" } })",
    R"({ "particleSpacing": 0.1, "materials": { "a": { "type": "fluid" }, "b": { "type": "fluid", "density": 800 },
                 "stone": { "type": "rigid", "density": 2500 } },
  "objects": [
    { "role": "boundary", "shape": { "mesh": "cube.obj", "scale": [2, 1, 2] }, "solid": "outside" },
    { "role": "fluid", "material": "a", "shape": { "box": [0.5, 0.3, 0.5] }, "position": [0, -0.2, 0] },
    { "role": "fluid", "material": "b", "shape": { "box": [0.5, 0.3, 0.5] }, "position": [0, 0.1, 0] },
    { "role": "rigid", "material": "stone", "shape": { "mesh": "cube.obj", "scale": 0.3 }, "position": [0.5, 0, 0] },
    { "role": "rigid", "material": "stone", "shape": { "wedge": [0.3, 0.3, 0.3] }, "position": [-0.5, 0, 0] },
    { "role": "rigid", "material": "stone", "shape": { "pyramid": [0.3, 0.3, 0.3] }, "position": [-0.5, 0, 0.5],
      "freeRotation": false },
    { "role": "rigid", "material": "stone", "shape": { "torus": { "radius": 0.2, "tube": 0.06 } }, "position": [0, 0.3, 0] } ] })"};

constexpr const char* kCube =
    "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5\nv -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0.5 0.5 "
    "0.5\n"
    "v -0.5 0.5 0.5\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

struct Seed {
  fs::path folder;
  std::string text;
};

// The scenes that come with Sluice, and twice as many of the small ones.
std::vector<Seed> read_seeds(const fs::path& folder) {
  std::ofstream(folder / "cube.obj") << kCube;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(SLUICE_SOURCE_DIR) / "scenes"))
    if (entry.path().extension() == ".json" && entry.path().stem().extension() != ".schema")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() > 10);
  std::vector<Seed> seeds;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    seeds.push_back({file.parent_path(), {std::istreambuf_iterator<char>(stream), {}}});
  }
  for (std::size_t i = 0; i < 2 * files.size(); ++i) seeds.push_back({folder, kSmall[i % std::size(kSmall)]});
  return seeds;
}

// All values of a tree.
void list_nodes(Json& node, std::vector<Json*>& all) {
  all.push_back(&node);
  if (node.is_structured())
    for (Json& child : node) list_nodes(child, all);
}

Json nasty_value(Random& random) {
  switch (random.below(6)) {
    case 0:
      return random.of(kTexts);
    case 1:
      return random.chance(50);
    case 2:
      return Json::array({random.of(kNumbers), random.of(kNumbers), random.of(kNumbers)});
    case 3:
      return random.chance(50) ? Json(nullptr) : random.chance(50) ? Json::object() : Json::array();
    default:
      return random.of(kNumbers);
  }
}

std::string any_key(Random& random, const std::vector<Json*>& all) {
  static const std::vector<SceneKeys> groups = scene_keys();
  if (random.chance(50)) {
    const SceneKeys& group = random.of(groups);
    return !group.optional.empty() ? random.of(group.optional) : random.of(group.required);
  }
  const Json& node = *random.of(all);
  if (!node.is_object() || node.empty()) return random.of(kTexts);
  auto key = node.begin();
  std::advance(key, static_cast<long>(random.below(node.size())));
  return key.key();
}

// One change of the tree: a number, a value, a key, or two subtrees.
void change_tree(Random& random, Json& root) {
  std::vector<Json*> all;
  list_nodes(root, all);
  Json& node = *random.of(all);
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2: {  // any number
      std::vector<Json*> numbers;
      for (Json* one : all)
        if (one->is_number()) numbers.push_back(one);
      if (numbers.empty()) return;
      Json& number = *random.of(numbers);
      number = random.chance(60) ? random.of(kNumbers) : number.get<double>() * random.of(kNumbers);
      return;
    }
    case 3:
      node = nasty_value(random);
      return;
    case 4: {  // a copy of one subtree in place of another
      const Json copy = *random.of(all);
      node = copy;
      return;
    }
    case 5:
    case 6: {  // a key is renamed, removed or moved to another object
      std::vector<Json*> objects;
      for (Json* one : all)
        if (one->is_object() && !one->empty()) objects.push_back(one);
      if (objects.empty()) return;
      Json& from = *random.of(objects);
      auto at = from.begin();
      std::advance(at, static_cast<long>(random.below(from.size())));
      const std::string key = at.key();
      const Json value = at.value();
      const std::string other = any_key(random, all);
      from.erase(key);
      if (random.chance(40)) {
        std::vector<Json*> left;  // what the change has left of them
        list_nodes(root, left);
        std::erase_if(left, [](const Json* one) { return !one->is_object(); });
        if (!left.empty()) (*random.of(left))[key] = value;
      } else if (random.chance(60)) {
        from[other] = value;
      }
      return;
    }
    case 7:  // a key more
      if (node.is_object())
        node[any_key(random, all)] = nasty_value(random);
      else if (node.is_array())
        node.push_back(nasty_value(random));
      return;
    default:  // an element twice, or one less
      if (!node.is_array() || node.empty()) return;
      if (random.chance(50)) {
        const Json copy = node[random.below(node.size())];
        node.push_back(copy);
      } else {
        node.erase(node.begin() + static_cast<long>(random.below(node.size())));
      }
  }
}

void change_text(Random& random, std::string& text) {
  if (text.empty()) return;
  const std::size_t at = random.below(text.size()), count = 1 + random.below(random.chance(50) ? 3 : 60);
  switch (random.below(5)) {
    case 0:
      text[at] = static_cast<char>(random.next());
      return;
    case 1:
      text.erase(at, count);
      return;
    case 2:
      text.insert(random.below(text.size()), text.substr(at, count));  // keys twice, brackets unequal
      return;
    case 3:
      text.insert(at, random.of(kTokens));
      return;
    default:
      text.resize(at);
  }
}

std::string changed(Random& random, const std::string& seed) {
  std::string text = seed;
  if (random.chance(85)) {
    Json tree = Json::parse(seed, nullptr, true, true);
    for (std::size_t n = 1 + random.below(3); n > 0; --n) change_tree(random, tree);
    text = tree.dump(random.chance(50) ? 1 : -1, ' ', false, Json::error_handler_t::replace);
  }
  if (random.chance(25))
    for (std::size_t n = 1 + random.below(3); n > 0; --n) change_text(random, text);
  return text;
}

// Whether the message begins with the file and a place in it: a line, or a JSON pointer.
bool names_place(const std::string& error, const std::string& file) {
  if (!error.starts_with(file + ":")) return false;
  const std::string rest = error.substr(file.size() + 1);
  return rest.size() > 1 && (std::isdigit(static_cast<unsigned char>(rest[0])) != 0 || rest.starts_with(" /"));
}

// Primitives are estimated; the cube of the mesh file may be scaled.
bool is_small(const SceneFile& file) {
  const std::vector<double> samples = expected_samples(file);
  double sum = std::accumulate(samples.begin(), samples.end(), 0.0), objects = 0;
  for (const Object& object : file.objects) {
    const double copies = static_cast<double>(object.repeat.count[0]) * object.repeat.count[1] * object.repeat.count[2];
    objects += copies;
    const Vec3 s = (1 / file.spacing) * object.shape.scale;
    if (object.shape.kind == ShapeKind::mesh) sum += 4 * (s.x * s.y + s.y * s.z + s.z * s.x) * copies;
  }
  return sum < kMostSamples && objects < 200;
}

struct Counts {
  int refused = 0, sampled = 0, accepted = 0;
};

void try_scene(const std::string& text, const fs::path& path, std::uint64_t number, Counts& counts) {
  CAPTURE(number);
  const std::clock_t start = std::clock();
  std::string stage = "reading";
  try {
    const SceneFile file = parse_scene(text, path);
    ++counts.accepted;
    stage = "writing";
    const std::string written = scene_to_json(file);
    if (scene_to_json(parse_scene(written, path)) != written)
      FAIL_CHECK("not the same scene when written and read:\n", text);
    stage = "sampling";
    SamplingReport report;
    if (is_small(file)) {
      const Scene scene = build_scene(file, report);
      ++counts.sampled;
      stage = "checking";
      if (estimate_memory(scene).empty()) FAIL_CHECK("no memory is needed");
    } else {
      check_expected(file, expected_samples(file));
    }
  } catch (const Error& error) {
    ++counts.refused;
    const std::string said = error.what();
    // What was accepted once must be accepted by the writer's reader and the engine.
    if (!names_place(said, path.string()) || stage == "writing" || stage == "checking")
      FAIL_CHECK(stage, ": ", said, "\n", text);
  } catch (const std::exception& error) {
    FAIL_CHECK(stage, " threw ", error.what(), "\n", text);
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (seconds > kMostSeconds) FAIL_CHECK(stage, " took ", seconds, " s of processor time:\n", text);
}

std::uint64_t number_of(const char* name, std::uint64_t standard) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : standard;
}

Counts fuzz(std::uint64_t count, std::uint64_t first) {
  const char* files = std::getenv("SLUICE_FUZZ_FILES");
  const TestFolder folder;
  const std::vector<Seed> seeds = read_seeds(files ? fs::path(files) : folder.path);
  Counts counts;
  for (std::uint64_t number = first; number < first + count; ++number) {
    Random random{number * 0x2545F4914F6CDD1Du};
    const Seed& seed = random.of(seeds);
    const std::string text = changed(random, seed.text);
    if (files)
      std::ofstream(fs::path(files) / (std::to_string(number) + ".json"), std::ios::binary) << text;
    else
      try_scene(text, seed.folder / "scene.json", number, counts);
  }
  return counts;
}

}  // namespace

TEST_CASE("scenes changed at random are sampled or refused with a place: a few") {
  if (std::getenv("SLUICE_FUZZ_FILES")) return;
  const Counts counts = fuzz(200, 1);
  CHECK(counts.refused > 50);
  CHECK(counts.sampled > 20);
}

TEST_CASE("scenes changed at random are sampled or refused with a place" * doctest::test_suite("fuzz") *
          doctest::skip()) {
  const Counts counts = fuzz(number_of("SLUICE_FUZZ_COUNT", 10000), number_of("SLUICE_FUZZ_SEED", 1));
  MESSAGE(counts.accepted << " read, " << counts.sampled << " sampled, " << counts.refused << " refused");
}
