// Scenes that the pages show, and the page that is made from the schema.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/scene/scene_file.h"
#include "tests/json_schema.h"

namespace sluice::tests {
namespace {

namespace fs = std::filesystem;
using io::parse_scene;
using nlohmann::json;

// Scenes that a page shows, as they stand in it: indented, or between lines of ```.
std::vector<std::string> shown_scenes(const fs::path& page) {
  std::ifstream stream(page);
  REQUIRE(stream);
  std::vector<std::string> scenes;
  std::string line, scene;
  while (std::getline(stream, line)) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (scene.empty() && (indent == std::string::npos || line.substr(indent) != "{")) continue;
    scene += line + '\n';
    if (indent == std::string::npos || line.substr(indent) != "}") continue;
    if (scene.find("particleSpacing") != std::string::npos) scenes.push_back(scene);
    scene.clear();
  }
  return scenes;
}

}  // namespace

TEST_CASE("the pages' scenes can be read, and the page of the format is the schema's") {
  const fs::path root = fs::path(__FILE__).parent_path().parent_path();
  std::ifstream stream(root / "scenes/scene.schema.json");
  const json schema = json::parse(stream);
  for (const char* page : {"README.md", "scenes/FORMAT.md"}) {
    const std::vector<std::string> scenes = shown_scenes(root / page);
    REQUIRE(scenes.size() == 1);
    CHECK(parse_scene(scenes[0], root / "scenes" / "shown.json").objects.size() >= 3);
    CHECK(accepts_json(schema, schema, json::parse(scenes[0])));
  }
  std::string command = "/usr/bin/python3 '";
  command += (root / "tools/schema_table").string();
  command += "' --check";
  CHECK(std::system(command.c_str()) == 0);
}

}  // namespace sluice::tests
