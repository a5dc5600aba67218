#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "host/io/atomic_file.h"
#include "host/io/body_files.h"
#include "host/io/particle_files.h"
#include "host/io/run_folder.h"
#include "sluice/scene.h"
#include "tests/folder.h"

#ifndef SLUICE_TEST_DIR
#define SLUICE_TEST_DIR "tests"
#endif

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::io;
using namespace sluice::tests;
using nlohmann::json;

const std::vector<std::string> kAllFields{"velocity", "density", "pressure"};

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

// What read_vtp.py, which needs Debian's python3-vtk9, says about a file.
json read_back(const fs::path& file) {
  const std::string command = "/usr/bin/python3 \"" SLUICE_TEST_DIR "/read_vtp.py\" \"" + file.string() + "\"";
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  char block[4096];
  while (const std::size_t count = std::fread(block, 1, sizeof block, pipe)) text.append(block, count);
  const int status = pclose(pipe);
  INFO(command);
  REQUIRE_MESSAGE(status == 0, "VTK could not read the file; python3-vtk9 must be installed");
  return json::parse(text);
}

ParticleFrame make_frame(std::uint32_t count, double time) {
  ParticleFrame frame;
  frame.time = time;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double x = i;
    frame.position.push_back({0.1 + x, 1e7 - 0.3 * x, -x / 7});
    frame.id.push_back(i % 2 == 0 ? i : 4000000000u + i);
    frame.velocity.push_back({0.1f * static_cast<float>(i), -1.5f, static_cast<float>(i % 13)});
    frame.density.push_back(1000.5f + static_cast<float>(i % 3));
    frame.pressure.push_back(-0.25f * static_cast<float>(i));
  }
  return frame;
}

// The checksum that read_vtp.py describes; the same double operations in the same order, so exactly equal.
struct Checksum {
  double sum = 0;
  int k = 0;
  void take(double value) { sum += (k++ % 9973 + 1) * value; }
};
template <class T>
double checksum(const std::vector<T>& values) {
  Checksum result;
  for (const T value : values) result.take(value);
  return result.sum;
}
template <class T>
double checksum(const std::vector<std::array<T, 3>>& values) {
  Checksum result;
  for (const auto& value : values) {
    for (const T component : value) result.take(component);
  }
  return result.sum;
}

json array_facts(const char* type, int components, std::size_t tuples, double sum) {
  return {{"type", type}, {"components", components}, {"tuples", tuples}, {"checksum", sum}};
}

StatsRow make_row(std::uint64_t step) {
  StatsRow row;
  row.step = step;
  row.time = 0.1 * static_cast<double>(step);
  row.dt = 1.0 / 3;
  row.dt_limit = "cfl";
  row.iterations = 12;
  row.residual = 5e-324;
  row.density_error_avg = 1e-7;
  row.density_error_max = std::nextafter(0.02, 1);
  row.kinetic_energy = 123456.78901234567;
  row.potential_energy = -1.7976931348623157e308;
  row.contacts = 7;
  row.max_speed = std::sqrt(2.0);
  row.lost_particles = 5;
  row.lost_bodies = 2;
  row.gpu_ms = 0.25;
  return row;
}

// Limits the size of files while it lives; the signal that goes with it is ignored, as the program does.
struct SizeLimit {
  rlimit before{};
  sighandler_t handler;
  explicit SizeLimit(rlim_t bytes) : handler(signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit now{bytes, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &now) == 0);
  }
  ~SizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
  }
};

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

TEST_CASE("a particle file comes back from VTK with every value") {
  const TestFolder folder;
  for (const std::uint32_t count : {0u, 1u, 2u, 1365u, 1366u, 100000u}) {
    CAPTURE(count);
    const ParticleFrame frame = make_frame(count, 0.1 + count);
    const fs::path path = folder.path / "water.0000.vtp";
    write_vtp(path, frame, kAllFields);
    const json found = read_back(path);
    CHECK(found["points"] == count);
    CHECK(found["one_cell_a_point"] == true);
    CHECK(found["time"] == 0.1 + count);
    CHECK(found["position"] == array_facts("double", 3, count, checksum(frame.position)));
    CHECK(found["arrays"].size() == 4);
    CHECK(found["arrays"]["id"] == array_facts("unsigned int", 1, count, checksum(frame.id)));
    CHECK(found["arrays"]["velocity"] == array_facts("float", 3, count, checksum(frame.velocity)));
    CHECK(found["arrays"]["density"] == array_facts("float", 1, count, checksum(frame.density)));
    CHECK(found["arrays"]["pressure"] == array_facts("float", 1, count, checksum(frame.pressure)));
    if (count > 0) {
      const double last = count - 1;
      CHECK(found["bounds"] == json({0.1, 0.1 + last, 1e7 - 0.3 * last, 1e7, -last / 7, -0.0}));
    }
  }
  CHECK(names_in(folder.path) == std::set<std::string>{"water.0000.vtp"});
}

TEST_CASE("a particle file holds only the fields that were asked for") {
  const TestFolder folder;
  ParticleFrame frame = make_frame(5, 0);
  frame.velocity.clear();
  frame.pressure.clear();
  write_vtp(folder.path / "a.vtp", frame, std::vector<std::string>{"density"});
  const json arrays = read_back(folder.path / "a.vtp")["arrays"];
  CHECK(arrays.size() == 2);
  CHECK(arrays["density"]["checksum"] == checksum(frame.density));
}

TEST_CASE("a frame with a missing array or an unknown field is refused before anything is written") {
  const TestFolder folder;
  const fs::path path = folder.path / "a.vtp";
  ParticleFrame frame = make_frame(5, 0);
  CHECK(contains(error_of([&] { write_vtp(path, frame, std::vector<std::string>{"speed"}); }),
                 "unknown field \"speed\""));
  frame.velocity.pop_back();
  CHECK(contains(error_of([&] { write_vtp(path, frame, kAllFields); }), "4 values of velocity"));
  frame.id.pop_back();
  CHECK(contains(error_of([&] { write_vtp(path, frame, {}); }), "4 values of id"));
  CHECK(names_in(folder.path).empty());
}

TEST_CASE("the index of frames is well formed after every frame and reads back") {
  const TestFolder folder;
  ParticleSeries series = open_series(folder.path, "water");
  CHECK(series.frames.empty());
  json expected = json::array();
  for (const std::uint32_t number : {0u, 1u, 2u, 10000u}) {
    const double time = number / 30.0;
    add_frame(series, number, make_frame(3, time), kAllFields);
    expected.push_back({time, number == 10000 ? "water.10000.vtp" : "water.000" + std::to_string(number) + ".vtp"});
    CHECK(read_back(folder.path / "water.pvd") == expected);
  }
  CHECK(names_in(folder.path) ==
        std::set<std::string>{"water.pvd", "water.0000.vtp", "water.0001.vtp", "water.0002.vtp", "water.10000.vtp"});

  ParticleSeries again = open_series(folder.path, "water");
  REQUIRE(again.frames.size() == 4);
  CHECK(again.frames[3].number == 10000);
  CHECK(again.frames[1].time == 1 / 30.0);

  add_frame(again, 1, make_frame(3, 0.5), kAllFields);
  CHECK(read_back(folder.path / "water.pvd") == json({{0.0, "water.0000.vtp"}, {0.5, "water.0001.vtp"}}));
}

TEST_CASE("a frame that cannot be written leaves the index of the frames before") {
  const TestFolder folder;
  ParticleSeries series{folder.path, "water", {}};
  add_frame(series, 0, make_frame(3, 0), kAllFields);
  fs::create_directories(folder.path / "water.0001.vtp" / "in the way");
  const std::string text = error_of([&] { add_frame(series, 1, make_frame(3, 1), kAllFields); });
  CHECK(contains(text, "water.0001.vtp: is no regular file"));
  CHECK(series.frames.size() == 1);
  CHECK(read_back(folder.path / "water.pvd") == json({{0.0, "water.0000.vtp"}}));
  CHECK(names_in(folder.path) == std::set<std::string>{"water.pvd", "water.0000.vtp", "water.0001.vtp"});
}

TEST_CASE("names that leave the folder or are not portable do not name particle files") {
  const TestFolder folder;
  for (const char* name : {"", "../up", "a/b", "a\\b", ".hidden", "a\"b", "a<b", "a\nb"}) {
    ParticleSeries series{folder.path, name, {}};
    CHECK(contains(error_of([&] { add_frame(series, 0, make_frame(1, 0), {}); }), "cannot name particle files"));
  }
  CHECK(names_in(folder.path).empty());
}

TEST_CASE("a name with an ampersand, which XML keeps for itself, is read by VTK and read back") {
  const TestFolder folder;
  ParticleSeries series{folder.path, "oil & water", {}};
  add_frame(series, 0, make_frame(1, 0.5), {});
  CHECK(read_back(folder.path / "oil & water.pvd") == json({{0.5, "oil & water.0000.vtp"}}));
  CHECK(open_series(folder.path, "oil & water").frames.size() == 1);
}

TEST_CASE("an index that something else wrote is named with its line") {
  const TestFolder folder;
  write_file(folder.path / "water.pvd", "<VTKFile>\n<DataSet timestep=\"1\" file=\"other.vtp\"/>\n");
  CHECK(contains(error_of([&] { open_series(folder.path, "water"); }), "water.pvd:2: not an index"));
}

TEST_CASE("a file is replaced as a whole or not at all") {
  const TestFolder folder;
  const fs::path path = folder.path / "run.json";
  write_file(path, "old");
  write_file(path, "new");
  CHECK(read_file(path) == "new");

  {
    const SizeLimit limit(1000);
    const std::string text = error_of([&] { write_file(path, std::string(1 << 20, 'x')); });
    CHECK(text == path.string() + ": cannot write: File too large; raise the limit on the size of files (ulimit -f)");
  }
  {
    // Few enough bytes that only closing the file meets the limit.
    const SizeLimit limit(0);
    CHECK(contains(error_of([&] { write_file(path, "y"); }), "File too large"));
  }
  CHECK(read_file(path) == "new");
  CHECK(
      contains(error_of([&] { write_file(path, "y", Existing::refuse); }), "is there already, and is not of this run"));
  CHECK(read_file(path) == "new");
  CHECK(names_in(folder.path) == std::set<std::string>{"run.json"});
}

TEST_CASE("no link is followed in a folder, but that of a file which the user names is") {
  const TestFolder folder;
  const fs::path mine = folder.path / "mine.txt", path = folder.path / "stats.csv";
  write_file(mine, "precious");
  const auto is_kept = [&] { return read_file(mine) == "precious"; };
  fs::create_symlink("mine.txt", temporary_name(path));
  CHECK(contains(error_of([&] { write_file(path, "rows"); }),
                 "stats.csv.tmp: cannot write: File exists; it is not of this run: move it away"));
  CHECK(is_kept());
  CHECK(fs::is_symlink(temporary_name(path)));
  fs::remove(temporary_name(path));
  fs::create_symlink("mine.txt", path);
  CHECK(contains(error_of([&] { write_file(path, "rows"); }), "stats.csv: is no regular file"));
  CHECK(contains(error_of([&] { open_stats(folder.path); }), "stats.csv: cannot write: File exists"));
  fs::create_symlink("mine.txt", folder.path / "bodies.csv");
  CHECK(contains(error_of([&] { open_bodies(folder.path); }), "bodies.csv: cannot write: File exists"));
  CHECK(is_kept());

  write_file(folder.path / "stats.csv-1.tmp", "");
  check_replaceable(path);
  replace_file(path, "result");
  CHECK(fs::is_symlink(path));
  CHECK(read_file(mine) == "result");
  CHECK(names_in(folder.path) == std::set<std::string>{"mine.txt", "stats.csv", "stats.csv-1.tmp", "bodies.csv"});
  fs::create_directory(folder.path / "folder");
  CHECK(contains(error_of([&] { check_replaceable(folder.path / "folder"); }), "folder: is no regular file"));
  CHECK(contains(error_of([&] { check_replaceable(folder.path / "absent" / "a"); }), "cannot write: No such file"));
}

TEST_CASE("a table that is removed or replaced while it is written is an error, and so is one that was never opened") {
  const TestFolder folder;
  StatsRow row = make_row(1);
  row.frame = 0;
  StatsWriter stats = open_stats(folder.path);
  append_stats(stats, row);
  fs::rename(folder.path / "stats.csv", folder.path / "other.csv");
  write_file(folder.path / "stats.csv", "");
  CHECK(contains(error_of([&] { append_stats(stats, row); }), "stats.csv: was removed or replaced"));
  fs::remove(folder.path / "stats.csv");
  CHECK(contains(error_of([&] { close_stats(stats); }), "stats.csv: was removed or replaced"));
  BodyWriter bodies = open_bodies(folder.path);
  fs::remove(folder.path / "bodies.csv");
  CHECK(contains(error_of([&] { append_bodies(bodies, {}, {}); }), "bodies.csv: was removed or replaced"));
  StatsWriter closed{folder.path / "stats.csv", nullptr};
  CHECK(contains(error_of([&] { append_stats(closed, row); }), "stats.csv: cannot write: it was never opened"));
  BodyWriter none{folder.path / "bodies.csv", nullptr};
  CHECK(contains(error_of([&] { append_bodies(none, {}, {}); }), "bodies.csv: cannot write: it was never opened"));
}

TEST_CASE("a folder that cannot be written to is an error that names it") {
  const TestFolder folder;
  CHECK(contains(error_of([&] { write_file(folder.path / "no" / "a.csv", ""); }),
                 "a.csv.tmp: cannot write: No such file"));
  write_file(folder.path / "file", "");
  CHECK(contains(error_of([&] { open_run_folder(folder.path / "file", FolderUse::fresh); }), "file: is not a folder"));
  CHECK(contains(error_of([&] { open_run_folder(folder.path / "file" / "x", FolderUse::fresh); }), "cannot make"));
  CHECK(contains(error_of([&] { read_file(folder.path); }), "cannot read: Is a directory"));
  CHECK(names_in(folder.path) == std::set<std::string>{"file"});
}

TEST_CASE("run.json keeps its order and survives text that is not UTF-8") {
  const TestFolder folder;
  nlohmann::ordered_json run;
  run["version"] = "0.1";
  run["device"] = "GPU\xff";
  run["a"] = 0.1;
  write_run_json(folder.path, run);
  const auto found = nlohmann::ordered_json::parse(read_file(folder.path / "run.json"));
  CHECK(found.begin().key() == "version");
  CHECK(found["device"] == "GPU\xEF\xBF\xBD");
  CHECK(found["a"] == 0.1);
  CHECK(names_in(folder.path) == std::set<std::string>{"run.json"});
}

TEST_CASE("statistics come back with the same bits, and frame and hash are empty between frames") {
  const TestFolder folder;
  StatsWriter writer = open_stats(folder.path);
  StatsRow row = make_row(1);
  append_stats(writer, row);
  row = make_row(2);
  row.frame = 3;
  row.state_hash = 0xabcull;
  append_stats(writer, row);
  // The frame has flushed: a program killed here loses nothing.
  const std::vector<std::string> lines = split(read_file(folder.path / "stats.csv"), '\n');
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] ==
        "step,time,dt,dt_limit,iterations,residual,residual_friction,density_error_avg,density_error_max,"
        "kinetic_energy,potential_energy,contacts,max_speed,lost_particles,lost_bodies,gpu_ms,frame,state_hash");
  for (int i = 1; i <= 2; ++i) {
    const std::vector<std::string> cells = split(lines[static_cast<std::size_t>(i)], ',');
    REQUIRE(cells.size() == 18);
    const StatsRow expected = make_row(static_cast<std::uint64_t>(i));
    const std::vector<std::pair<int, double>> numbers{{1, expected.time},
                                                      {2, expected.dt},
                                                      {5, expected.residual},
                                                      {6, expected.residual_friction},
                                                      {7, expected.density_error_avg},
                                                      {8, expected.density_error_max},
                                                      {9, expected.kinetic_energy},
                                                      {10, expected.potential_energy},
                                                      {12, expected.max_speed},
                                                      {15, expected.gpu_ms}};
    for (const auto& [column, value] : numbers) {
      const std::string& cell = cells[static_cast<std::size_t>(column)];
      double found = -1;
      REQUIRE(std::from_chars(cell.data(), cell.data() + cell.size(), found).ec == std::errc());
      CHECK(std::memcmp(&found, &value, sizeof found) == 0);
    }
    CHECK(cells[0] == std::to_string(i));
    CHECK(cells[3] == "cfl");
    CHECK(cells[4] == "12");
    CHECK(cells[11] == "7");
    CHECK(cells[13] == "5");
    CHECK(cells[14] == "2");
    CHECK(cells[16] == (i == 2 ? "3" : ""));
    CHECK(cells[17] == (i == 2 ? "0000000000000abc" : ""));
  }
  close_stats(writer);
}

TEST_CASE("statistics of a resumed run go on after the checkpoint's step") {
  const TestFolder folder;
  StatsWriter writer = open_stats(folder.path);
  for (std::uint64_t step = 1; step <= 20; ++step) append_stats(writer, make_row(step));
  close_stats(writer);
  const fs::path path = folder.path / "stats.csv";
  const std::string whole = read_file(path);

  for (const std::string& before : {whole, whole.substr(0, whole.size() - 9)}) {
    write_file(path, before);
    StatsWriter resumed = open_stats(folder.path, 10);
    for (std::uint64_t step = 11; step <= 20; ++step) append_stats(resumed, make_row(step));
    close_stats(resumed);
    CHECK(read_file(path) == whole);
  }

  write_file(path, whole.substr(0, whole.find('\n') + 1) + "rubbish\n");
  CHECK(contains(error_of([&] { open_stats(folder.path, 10); }), "stats.csv:2: not a row"));
  write_file(path, "step,time\n");
  CHECK(contains(error_of([&] { open_stats(folder.path, 10); }), "stats.csv:1: these are not the columns"));
}

TEST_CASE("a full disk under the statistics is an error that names the file") {
  StatsWriter writer{"/dev/full", open_file("/dev/full", "ab")};
  StatsRow row = make_row(1);
  append_stats(writer, row);
  row.frame = 1;
  CHECK(contains(error_of([&] { append_stats(writer, row); }), "/dev/full: cannot write: No space left on device"));

  StatsWriter closing{"/dev/full", open_file("/dev/full", "ab")};
  append_stats(closing, make_row(1));
  CHECK(contains(error_of([&] { close_stats(closing); }), "/dev/full: cannot write: No space left"));
}
