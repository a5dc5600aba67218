// Damaged run folders, read in this process and drawn by the program: a sentence or a picture, never a crash.
// `sluice_tests -ts=fuzz --no-skip` does 500 each; SLUICE_FUZZ_COUNT and SLUICE_FUZZ_SEED choose others.
#include "tests/fuzz_folders.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "host/io/body_files.h"
#include "host/io/run_folder.h"
#include "host/io/stored_run.h"
#include "tests/folder.h"
#include "tests/program.h"

namespace sluice::tests {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kMostSeconds = 10;  // of processor time, in silence

// SplitMix64 [Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014].
struct Dice {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return n > 0 ? static_cast<std::size_t>(next() % n) : 0; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }
};

// Not io::write_file, which would refuse what an earlier damage left.
void put(const fs::path& path, const std::string& text) {
  fs::remove_all(path);
  std::ofstream(path, std::ios::binary) << text;
}

void flip_bytes(std::string& text, Dice& dice) {
  for (std::size_t k = 1 + dice.below(8); k > 0 && !text.empty(); --k)
    text[dice.below(text.size())] = static_cast<char>(dice.next());
}

// A number in the text becomes one that no file should have.
void change_number(std::string& text, Dice& dice) {
  static const std::vector<std::string> kNumbers{
      "0",        "-1",       "4294967295", "2147483647", "1e308",   "nan", "inf",   "18446744073709551615",
      "1e-320",   "99999999", "",           "0.1.2",      "1000000", "-0",  "1e999", "7",
      "\"text\"", "33554432"};
  std::vector<std::size_t> starts;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < std::min<std::size_t>(text.size(), 20000); ++i)
    if (is_digit(text[i]) && (i == 0 || !is_digit(text[i - 1]))) starts.push_back(i);
  if (starts.empty()) return;
  const std::size_t start = dice.pick(starts);
  std::size_t end = start;
  while (end < text.size() && is_digit(text[end])) ++end;
  text.replace(start, end - start, dice.pick(kNumbers));
}

// A value of a JSON text becomes another, of any type, or goes.
void change_value(std::string& text, Dice& dice) {
  const Json parsed = Json::parse(text, nullptr, false);
  if (!parsed.is_object()) return flip_bytes(text, dice);
  static const std::vector<Json> kValues{nullptr,
                                         -1,
                                         1e308,
                                         18446744073709551615ull,
                                         "text",
                                         "../../etc/passwd",
                                         true,
                                         0,
                                         Json::array(),
                                         Json::object(),
                                         Json::array({1, 2}),
                                         4294967296,
                                         0.5,
                                         "",
                                         1000000000,
                                         "water",
                                         std::string(300, 'n')};
  Json json = parsed;
  Json* at = &json;
  for (;;) {
    if (at->empty()) break;
    auto child = at->begin();
    std::advance(child, static_cast<std::ptrdiff_t>(dice.below(at->size())));
    if (child->is_structured() && !child->empty() && dice.below(4) > 0) {
      at = &*child;
      continue;
    }
    if (dice.below(5) == 0)
      at->erase(child);
    else
      *child = dice.pick(kValues);
    break;
  }
  text = json.dump(1);
}

// A word of the packed part of a particle file: counts, sizes of blocks, packed bytes.
void change_word(std::string& text, Dice& dice) {
  const std::size_t start = text.find("_", std::min(text.find("<AppendedData"), text.size()));
  if (start == std::string::npos || text.size() < start + 20) return flip_bytes(text, dice);
  static const std::vector<std::uint32_t> kWords{0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x01000000, 32768, 3};
  const std::size_t words = (text.size() - start - 5) / 4;
  // Mostly the first array's header.
  const std::uint32_t word = dice.pick(kWords);
  std::memcpy(text.data() + start + 1 + 4 * dice.below(dice.below(2) ? 4 : words), &word, sizeof word);
}

std::string damage_once(const fs::path& folder, Dice& dice) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  if (names.empty()) return "nothing left";
  // Half of the damage is done to the record.
  const bool record = dice.below(2) == 0 && std::find(names.begin(), names.end(), "run.json") != names.end();
  const std::string name = record ? "run.json" : dice.pick(names), other = dice.pick(names);
  const fs::path path = folder / name;
  std::error_code ignored;
  const bool is_file = fs::is_regular_file(fs::symlink_status(path, ignored));
  std::string text = is_file ? io::read_file(path) : "";
  const auto edit = [&](const char* what, auto change) {
    change(text, dice);
    put(path, text);
    return what + name;
  };
  switch (dice.below(14)) {
    case 0:
      return edit("bytes of ", flip_bytes);
    case 1:
      return edit("cut ", [](std::string& t, Dice& d) { t.resize(d.below(t.size() + 1)); });
    case 2:
      fs::remove_all(path);
      return "without " + name;
    case 3: {
      const fs::path aside = folder / "aside";
      fs::rename(path, aside, ignored);
      fs::rename(folder / other, path, ignored);
      fs::rename(aside, folder / other, ignored);
      return "swapped " + name + " and " + other;
    }
    case 4:
      fs::remove_all(path);
      fs::create_directory(path);
      return "a folder for " + name;
    case 5:
      fs::remove_all(path);
      fs::create_symlink(name, path);
      return "a link to itself for " + name;
    case 6:
      fs::remove_all(path);
      CHECK(mkfifo(path.c_str(), 0600) == 0);
      return "a pipe for " + name;
    case 7:
      return edit("empty ", [](std::string& t, Dice&) { t.clear(); });
    case 8:
      return edit("noise in ", [](std::string& t, Dice& d) {
        t.insert(d.below(t.size() + 1), std::string(1 + d.below(3000), static_cast<char>(d.next())));
      });
    case 9:
      return edit("twice a part of ", [](std::string& t, Dice& d) {
        const std::size_t from = d.below(t.size() + 1);
        t.insert(d.below(t.size() + 1), t.substr(from, d.below(2000)));
      });
    case 10:
    case 11:
      return edit("a number of ", change_number);
    case 12:
      return name.ends_with(".vtp") ? edit("a word of ", change_word) : edit("a value of ", change_value);
    default:
      return name.ends_with(".json") ? edit("a value of ", change_value) : edit("a word of ", change_word);
  }
}

io::ParticleFrame make_part(double time, std::uint32_t count, std::uint32_t first) {
  io::ParticleFrame part;
  part.time = time;
  for (std::uint32_t i = 0; i < count; ++i) {
    part.position.push_back({0.02 * i, 0.1 + 0.01 * (i % 5), 0.03 * (i % 3) + time});
    part.id.push_back(first + i);
    part.velocity.push_back({0.5f, 0, 0.25f * static_cast<float>(i % 4)});
    part.density.push_back(1000);
    part.pressure.push_back(10.0f * static_cast<float>(i));
    part.friction.push_back({0, 1, 0});
    part.friction_used.push_back(0.5f);
    part.body.push_back(0);
  }
  return part;
}

int fuzz_count() {
  const char* text = std::getenv("SLUICE_FUZZ_COUNT");
  return text ? std::atoi(text) : 500;
}
std::uint64_t fuzz_seed() {
  const char* text = std::getenv("SLUICE_FUZZ_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 1;
}

}  // namespace

FolderText make_run_text() {
  const TestFolder folder;
  const std::vector<std::string> fields{"velocity", "density", "pressure"},
      all{"body", "velocity", "pressure", "friction", "friction_used"};
  io::ParticleSeries water{folder.path, "water", {}}, oil{folder.path, "oil & lye", {}},
      samples{folder.path, "bodies", {}}, boundary{folder.path, "boundary", {}};
  const io::TriangleMesh mesh{{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}},
                              {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  io::write_obj(folder.path / "shape.0.die.obj", mesh);
  io::write_obj(folder.path / "surface.0.tank.obj", mesh);
  std::vector<RigidBody> bodies(1);
  bodies[0].name = "die";
  io::BodyWriter table = io::open_bodies(folder.path);
  io::StatsWriter stats = io::open_stats(folder.path);
  for (std::uint32_t n = 0; n < 3; ++n) {
    const double time = 0.01 * n;
    io::add_frame(water, n, make_part(time, 30, 0), fields);
    io::add_frame(oil, n, make_part(time, 5, 30), fields);
    io::add_frame(samples, n, make_part(time, 8, 0), all);
    Frame frame;
    frame.number = n;
    frame.time = time;
    frame.bodies.resize(1);
    frame.bodies[0].orientation = {1, 0, 0, 0};
    io::append_bodies(table, frame, bodies);
    io::StatsRow row;
    row.step = n + 1;
    row.frame = n;
    io::append_stats(stats, row);
  }
  io::add_frame(boundary, 0, make_part(0, 12, 0), {});
  io::close_bodies(table);
  io::close_stats(stats);
  Json record;
  io::put_files(record, {{"run.json", "stats.csv", "bodies.csv", "shape.0.die.obj", "surface.0.tank.obj", "water.pvd",
                          "oil & lye.pvd", "bodies.pvd", "boundary.pvd"},
                         {{"water", "vtp", 3}, {"oil & lye", "vtp", 3}, {"bodies", "vtp", 3}, {"boundary", "vtp", 1}}});
  record.update(Json::parse(R"({ "status": "done", "frames": 3, "fluid_particles": 35, "boundary_samples": 12,
    "bodies": [ { "name": "die", "shape": "shape.0.die.obj", "mass": 1, "center_of_mass": [0.02, 0.02, 0.02],
                  "inertia": [1, 1, 1], "friction": 0.5 } ],
    "boundaries": [ { "name": "tank", "surface": "surface.0.tank.obj", "container": true, "position": [0, 0, 0],
                      "velocity": [0, 0, 0], "angular_velocity": [0, 1, 0] } ],
    "series": { "fluids": ["water", "oil & lye"], "bodies": "bodies", "boundary": "boundary" },
    "warnings": ["none"],
    "scene": { "name": "damaged", "particleSpacing": 0.02, "gravity": [0, -9.81, 0],
      "time": { "end": 0.02, "maxStep": 0.002 },
      "materials": { "water": { "type": "fluid" }, "oil & lye": { "type": "fluid", "density": 900 },
        "oak": { "type": "rigid" } },
      "objects": [], "output": { "frameRate": 100, "fields": ["velocity", "density", "pressure"] },
      "picture": { "camera": { "eye": [1, 1, 1], "target": [0, 0, 0], "degrees": 30 }, "field": "speed" } } })"));
  io::write_run_json(folder.path, record);
  FolderText text;
  for (const auto& entry : fs::directory_iterator(folder.path))
    text[entry.path().filename().string()] = io::read_file(entry.path());
  return text;
}

void write_folder(const fs::path& folder, const FolderText& text) {
  fs::remove_all(folder);
  fs::create_directory(folder);
  for (const auto& [name, bytes] : text) put(folder / name, bytes);
}

std::string damage_folder(const fs::path& folder, std::uint64_t seed) {
  Dice dice{seed};
  std::string done;
  for (std::size_t k = 1 + dice.below(3); k > 0; --k) done += (done.empty() ? "" : "; ") + damage_once(folder, dice);
  return done;
}

void read_damaged_folders(int count, std::uint64_t seed) {
  const FolderText text = make_run_text();
  const TestFolder root;
  const fs::path folder = root.path / "run";
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    write_folder(folder, text);
    const std::uint64_t number = seed + static_cast<std::uint64_t>(i);
    const std::string damage = damage_folder(folder, number);
    CAPTURE(number);
    CAPTURE(damage);
    const std::clock_t start = std::clock();
    std::string error;
    try {
      const io::StoredRun run = io::open_run(folder);
      for (const io::SeriesFrame& frame : run.frames) io::read_frame(run, frame);
    } catch (const Error& refusal) {
      error = refusal.what();
      ++refused;
      CHECK_MESSAGE(contains(error, folder.string()), error);
    } catch (const std::exception& other) {
      FAIL_CHECK("not a sentence: ", other.what());
    }
    CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < kMostSeconds);
  }
  MESSAGE(count << " folders, " << refused << " refused");
  CHECK(refused > count / 3);
  CHECK(refused < count);
}

}  // namespace sluice::tests

using namespace sluice::tests;

TEST_SUITE_BEGIN("fuzz");

TEST_CASE("damaged folders are read, or refused by a sentence" * doctest::skip()) {
  read_damaged_folders(fuzz_count(), fuzz_seed());
}

TEST_CASE("the program draws damaged folders, or refuses them by a sentence" * doctest::skip()) {
  const FolderText text = make_run_text();
  const TestFolder folder;
  const std::filesystem::path run = folder.path / "run", pictures = folder.path / "pictures";
  const std::vector<std::string> words{"render",   run.string(), "-o",     pictures.string(), "--device",
                                       "llvmpipe", "--size",     "160x90", "--no-film",       "--overwrite"};
  write_folder(run, text);
  const Result whole = run_program(folder, words);  // also compiles the shaders, which takes longest
  CAPTURE(whole.err);
  REQUIRE(whole.code == 0);
  std::map<int, int> ends;
  for (int i = 0; i < fuzz_count(); ++i) {
    write_folder(run, text);
    const std::uint64_t number = fuzz_seed() + static_cast<std::uint64_t>(i);
    const std::string damage = damage_folder(run, number);
    const Result result = run_in_shell(folder, "ulimit -t 10; exec \"$0\" \"$@\"", words);
    CAPTURE(number);
    CAPTURE(damage);
    CAPTURE(result.err);
    ++ends[result.code];
    CHECK((result.code == 0 || result.code == 1 || result.code == 2));
    if (result.code != 0) CHECK(contains(result.err, run.string()));
    CHECK(!contains(result.err, "json.exception"));
  }
  for (const auto& [code, count] : ends) MESSAGE(count << " ended with code " << code);
}

TEST_SUITE_END();
