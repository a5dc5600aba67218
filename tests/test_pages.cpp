// The pages: their scenes can be read, their links lead somewhere, what tools write in them is what the tools would
// write, and the front page is short and quotes figures as they were measured.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "host/scene/scene_file.h"
#include "tests/json_schema.h"

namespace sluice::tests {
namespace {

namespace fs = std::filesystem;
using io::parse_scene;
using nlohmann::json;

const fs::path kRoot = SLUICE_SOURCE_DIR;

std::string text_of(const fs::path& page) {
  std::ifstream stream(page);
  REQUIRE_MESSAGE(stream, page.string());
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// All pages of the repository, not those of build folders, results of runs and hidden folders.
std::vector<fs::path> all_pages() {
  std::vector<fs::path> pages;
  for (fs::recursive_directory_iterator entry(kRoot), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && (name.starts_with(".") || name == "build" || name == "output" || name == "shared"))
      entry.disable_recursion_pending();
    else if (entry->path().extension() == ".md")
      pages.push_back(entry->path());
  }
  return pages;
}

// Lines that are neither indented code nor between lines of ```, without what stands between backticks if `plain`.
std::vector<std::string> prose_of(const fs::path& page, bool plain) {
  static const std::regex code("`[^`]*`");
  std::vector<std::string> prose;
  bool fenced = false;
  for (const std::string& line : lines_of(text_of(page))) {
    const bool fence = line.starts_with("```");
    fenced ^= fence;
    if (fenced || fence || line.starts_with("    ")) continue;
    prose.push_back(plain ? std::regex_replace(line, code, "") : line);
  }
  return prose;
}

// What a heading is called in links: small letters, words joined by dashes, without other marks.
std::set<std::string> anchors_of(const fs::path& page) {
  std::set<std::string> anchors;
  std::map<std::string, int> times;
  for (const std::string& line : prose_of(page, false)) {
    const std::size_t level = line.find_first_not_of('#');
    if (level == 0 || level == std::string::npos || line[level] != ' ') continue;
    std::string anchor;
    for (const char c : line.substr(level + 1)) {
      const auto letter = static_cast<unsigned char>(c);
      if (c == ' ') anchor += '-';
      if (std::isalnum(letter) || c == '-' || c == '_' || letter >= 0x80)
        anchor += static_cast<char>(std::tolower(letter));
    }
    const int before = times[anchor]++;
    anchors.insert(before == 0 ? anchor : anchor + "-" + std::to_string(before));
  }
  return anchors;
}

std::vector<std::string> links_of(const fs::path& page) {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  std::vector<std::string> links;
  for (const std::string& line : prose_of(page, true)) {
    for (std::sregex_iterator found(line.begin(), line.end(), link), end; found != end; ++found)
      if (!(*found)[1].str().starts_with("http")) links.push_back((*found)[1]);
  }
  return links;
}

// The cells of each row of a page's tables; no cells for lines between tables.
std::vector<std::vector<std::string>> rows_of(const fs::path& page) {
  std::vector<std::vector<std::string>> rows;
  for (std::string line : lines_of(text_of(page))) {
    std::vector<std::string> cells;
    if (!line.starts_with("|")) line.clear();
    std::size_t from = 1;
    for (std::size_t bar; (bar = line.find('|', from)) != std::string::npos; from = bar + 1) {
      const std::string cell = line.substr(from, bar - from);
      const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
      cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    rows.push_back(cells);
  }
  return rows;
}

bool runs(const std::string& tool) {
  std::string command = "/usr/bin/python3 '";
  command += (kRoot / "tools").string() + "'/" + tool;
  return std::system(command.c_str()) == 0;
}

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

TEST_CASE("the pages' scenes can be read, and what tools write in pages is what they would write") {
  const json schema = json::parse(text_of(kRoot / "scenes/scene.schema.json"));
  for (const char* page : {"README.md", "scenes/FORMAT.md"}) {
    const std::vector<std::string> scenes = shown_scenes(kRoot / page);
    REQUIRE(scenes.size() == 1);
    CHECK(parse_scene(scenes[0], kRoot / "scenes" / "shown.json").objects.size() >= 3);
    CHECK(accepts_json(schema, schema, json::parse(scenes[0])));
  }
  CHECK(runs("schema_table --check"));
  CHECK(runs("bench_table --check '" + (kRoot / "tools/results/lavapipe_epyc_zen5_2cores.json").string() + "'"));
}

TEST_CASE("links between pages lead to files and headings that exist, and README.md leads to every page") {
  std::map<fs::path, std::set<fs::path>> leads_to;
  for (const fs::path& page : all_pages()) {
    CAPTURE(page.string());
    for (const std::string& link : links_of(page)) {
      CAPTURE(link);
      const std::size_t hash = link.find('#');
      const fs::path target = hash == 0 ? page : (page.parent_path() / link.substr(0, hash)).lexically_normal();
      CHECK(fs::exists(target));
      if (!fs::exists(target) || target.extension() != ".md") {
        CHECK(hash == std::string::npos);
        continue;
      }
      leads_to[page].insert(target);
      if (hash != std::string::npos) CHECK(anchors_of(target).contains(link.substr(hash + 1)));
    }
  }
  std::set<fs::path> reached{kRoot / "README.md"};
  for (std::vector<fs::path> next(reached.begin(), reached.end()); !next.empty();) {
    const fs::path page = next.back();
    next.pop_back();
    for (const fs::path& target : leads_to[page])
      if (reached.insert(target).second) next.push_back(target);
  }
  for (const fs::path& page : all_pages()) CHECK_MESSAGE(reached.contains(page), page.string());
}

TEST_CASE("the front page is short: at most 120 lines and 9 KiB") {
  const std::string text = text_of(kRoot / "README.md");
  CHECK(text.size() <= 9 * 1024);
  CHECK(lines_of(text).size() <= 120);
  for (const std::string& line : lines_of(text)) CHECK_MESSAGE((line.size() <= 125 || line.starts_with("| ")), line);
}

// Its table says of each figure what is required and what was measured, as tools/results/validation.md has both in one
// row. What nothing is required of is a time, as tools/results/bench.md has it.
TEST_CASE("the front page quotes figures as they were measured") {
  const std::vector<std::vector<std::string>> physics = rows_of(kRoot / "tools/results/validation.md");
  const std::vector<std::vector<std::string>> times = rows_of(kRoot / "tools/results/bench.md");
  int figures = 0;
  bool in_table = false;
  for (const std::vector<std::string>& row : rows_of(kRoot / "README.md")) {
    if (row.size() != 3) {
      in_table = false;
    } else if (row == std::vector<std::string>{"figure", "required", "measured"}) {
      in_table = true;
    } else if (in_table && row[0] != "---") {
      CAPTURE(row[0]);
      ++figures;
      const bool found = std::any_of(physics.begin(), physics.end(), [&](const std::vector<std::string>& other) {
        return other.size() == 6 && other[1] == row[1] && other[3] == row[2];
      });
      const bool timed = std::any_of(times.begin(), times.end(), [&](const std::vector<std::string>& other) {
        return other.size() == 4 && row[1].empty() && other[1] == row[2];
      });
      CHECK((found || timed));
    }
  }
  CHECK(figures == 10);
  static const std::regex summary(R"((\d+ of|All) \d+ figures hold)");
  const std::string front = text_of(kRoot / "README.md"), page = text_of(kRoot / "tools/results/validation.md");
  std::smatch quoted, measured;
  REQUIRE(std::regex_search(front, quoted, summary));
  REQUIRE(std::regex_search(page, measured, summary));
  CHECK(quoted.str() == measured.str());
}

}  // namespace sluice::tests
