#include <doctest/doctest.h>
#include <signal.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "host/io/atomic_file.h"
#include "host/io/particle_files.h"
#include "tests/folder.h"
#include "tests/program.h"

#ifndef SLUICE_SOURCE_DIR
#define SLUICE_SOURCE_DIR "."
#endif

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::tests;
using nlohmann::json;

// A cube of 216 particles falls in a small tank; 10 steps a frame.
fs::path write_scene(const TestFolder& folder, const std::string& end) {
  const fs::path path = folder.path / "drop.json";
  io::write_file(path, R"({
  "particleSpacing": 0.02,
  "time": { "end": )" + end +
                           R"(, "step": 0.001 },
  "materials": { "water": { "type": "fluid" } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [0.16, 0.2, 0.16], "open": "top" }, "position": [0, 0.1, 0] },
    { "name": "cube", "role": "fluid", "material": "water", "shape": { "box": [0.12, 0.12, 0.12] }, "position": [0, 0.08, 0] }
  ],
  "output": { "frameRate": 100 }
})");
  return path;
}

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    files[entry.path().filename().string()] = io::read_file(entry.path());
  }
  return files;
}

// How many pixels of two pictures of one size differ by more than a few levels.
int different_pixels(const fs::path& a, const fs::path& b) {
  const std::string command =
      "/usr/bin/python3 -c 'import sys; from vtkmodules.vtkIOImage import vtkPNGReader as R; "
      "from vtkmodules.util.numpy_support import vtk_to_numpy as n\n"
      "def read(f):\n r = R(); r.SetFileName(f); r.Update()\n "
      "return n(r.GetOutput().GetPointData().GetScalars()).astype(int)\n"
      "print(int((abs(read(sys.argv[1]) - read(sys.argv[2])).sum(axis=1) > 12).sum()))' ";
  std::FILE* pipe = popen((command + "'" + a.string() + "' '" + b.string() + "'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  int count = -1;
  CHECK(std::fscanf(pipe, "%d", &count) == 1);
  REQUIRE(pclose(pipe) == 0);
  return count;
}

std::vector<std::vector<std::string>> read_rows(const fs::path& csv) {
  std::istringstream text(io::read_file(csv));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string> row;
    for (std::size_t start = 0; start <= line.size();) {
      const std::size_t end = std::min(line.find(',', start), line.size());
      row.push_back(line.substr(start, end - start));
      start = end + 1;
    }
    rows.push_back(row);
  }
  return rows;
}

// How many frames the series' index lists; each must be a whole file of 216 points.
std::size_t whole_frames(const fs::path& folder) {
  const io::ParticleSeries series = io::open_series(folder, "water");
  for (const io::SeriesFrame& frame : series.frames) {
    const std::string text = io::read_file(folder / io::frame_file_name("water", frame.number));
    CHECK(contains(text, "NumberOfPoints=\"216\""));
    CHECK(text.ends_with("</VTKFile>\n"));
  }
  return series.frames.size();
}

std::size_t temporary_files(const fs::path& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) count += entry.path().extension() == ".tmp";
  return count;
}

}  // namespace

TEST_CASE("every command's help has an example and lists nothing that is not built") {
  const TestFolder folder;
  for (const std::string command : {"devices", "check", "run", "render", "bench", "compare"}) {
    const Result result = run_program(folder, {command, "--help"});
    CHECK(result.code == 0);
    CHECK(contains(result.out, "Example: sluice " + command));
    CHECK(!contains(result.out, "--resume"));
  }
  const Result all = run_program(folder, {"--help"});
  CHECK(all.code == 0);
  // The first example needs nothing but the repository.
  const std::string before = "Example: sluice run ";
  const std::size_t at = all.out.find(before), end = all.out.find_first_of(" \n", at + before.size());
  REQUIRE(at != std::string::npos);
  const fs::path example = all.out.substr(at + before.size(), end - at - before.size());
  CHECK(run_program(folder, {"check", (fs::path(__FILE__).parent_path().parent_path() / example).string()}).code == 0);
  CHECK(contains(all.out, "devices"));
  for (const char* absent : {"view", "resume"}) CHECK(!contains(all.out, absent));
}

TEST_CASE("render draws a picture a frame, every n-th on request, and refuses to mix them with earlier ones") {
  const TestFolder folder;
  const fs::path scene = write_scene(folder, "0.04"), out = folder.path / "pictures";
  const std::vector<std::string> command{"render", scene.string(), "-o",      out.string(), "--device", "llvmpipe",
                                         "--size", "160x90",       "--field", "pressure",   "--no-film"};
  const Result first = run_program(folder, command);
  CAPTURE(first.err);
  CHECK(first.code == 0);
  const auto pictures = [&] {
    std::size_t count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(out)) count += entry.path().extension() == ".png";
    return count;
  };
  const std::size_t all = pictures();
  CHECK(all >= 3);
  CHECK(fs::exists(out / "picture.0000.png"));
  CHECK(contains(first.err, std::to_string(all) + " pictures: "));
  CHECK(!fs::exists(out / "film.mp4"));
  const Result again = run_program(folder, command);
  CHECK(again.code == 2);
  CHECK(contains(again.err, "--overwrite"));
  std::vector<std::string> fewer = command;
  fewer.insert(fewer.end(), {"--overwrite", "--every", "2"});
  CHECK(run_program(folder, fewer).code == 0);
  CHECK(pictures() == (all + 1) / 2);

  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--size", "huge"},
                                                {"--size", "20x20"},
                                                {"--field", "taste"},
                                                {"--range", "2", "1"},
                                                {"--every", "0"},
                                                {"--range", "0", "inf"},
                                                {"--eye", "0", "0", "1"}}) {
    std::vector<std::string> bad = command;
    bad.push_back("--overwrite");
    bad.insert(bad.end(), wrong.begin(), wrong.end());
    const Result result = run_program(folder, bad);
    CAPTURE(result.err);
    CHECK(result.code == 2);
    CHECK(contains(result.err, "sluice: "));
  }
  CHECK(run_program(folder, {"run", scene.string(), "--every", "2"}).code == 2);  // without --render
  CHECK(run_program(folder, {"run", scene.string(), "--render", "--no-picture"}).code == 2);
}

TEST_CASE("the pictures of a run's folder are those of the run, without its scene's files") {
  const TestFolder folder;
  const fs::path scene = folder.path / "mill.json", out = folder.path / "run", again = folder.path / "again";
  io::write_file(folder.path / "slab.obj",
                 "v -0.05 -0.02 -0.05\nv 0.05 -0.02 -0.05\nv 0.05 -0.02 0.05\nv -0.05 -0.02 0.05\nv 0 0.06 0\n"
                 "f 1 2 3 4\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n");
  io::write_file(scene, R"({ "particleSpacing": 0.02, "time": { "end": 0.02, "maxStep": 0.002 },
    "materials": { "water": { "type": "fluid" }, "oil": { "type": "fluid", "density": 900 }, "oak": { "type": "rigid" } },
    "objects": [
      { "name": "tank", "role": "boundary", "shape": { "box": [0.4, 0.3, 0.2], "open": "top" }, "position": [0, 0.15, 0] },
      { "name": "mill", "role": "boundary", "shape": { "mesh": "slab.obj" }, "position": [0.1, 0.25, 0],
        "motion": { "angularVelocity": [0, 0, 20] } },
      { "name": "drop", "role": "fluid", "material": "water", "shape": { "box": [0.08, 0.08, 0.08] }, "position": [-0.1, 0.06, 0] },
      { "name": "cap", "role": "fluid", "material": "oil", "shape": { "box": [0.08, 0.04, 0.08] }, "position": [-0.1, 0.12, 0] },
      { "name": "die, loaded", "role": "rigid", "material": "oak", "shape": { "box": [0.08, 0.06, 0.08] },
        "position": [0.05, 0.1, 0], "angularVelocity": [0, 5, 9] } ],
    "output": { "frameRate": 100 }, "picture": { "field": "pressure", "boundaries": "wires" } })");
  const std::vector<std::string> size{"--device", "llvmpipe", "--size", "320x180", "--no-film"};
  std::vector<std::string> run{"run", scene.string(), "-o", out.string(), "--render"};
  run.insert(run.end(), size.begin(), size.end());
  const Result first = run_program(folder, run);
  CAPTURE(first.err);
  REQUIRE(first.code == 0);
  const io::ParticleFrame samples = io::read_vtp(out / "bodies.0000.vtp");
  REQUIRE(samples.velocity.size() == samples.position.size());
  double off = 0;
  for (std::size_t i = 0; i < samples.position.size(); ++i) {
    const auto& x = samples.position[i];
    const Vec3 turning = cross({0, 5, 9}, Vec3{x[0], x[1], x[2]} - Vec3{0.05, 0.1, 0});
    off = std::max(off, length(turning - Vec3{samples.velocity[i][0], samples.velocity[i][1], samples.velocity[i][2]}));
  }
  CHECK(off < 1e-5);  // m/s
  fs::remove(scene);
  fs::remove(folder.path / "slab.obj");
  std::vector<std::string> draw{"render", out.string(), "-o", again.string()};
  draw.insert(draw.end(), size.begin(), size.end());
  const Result second = run_program(folder, draw);
  CAPTURE(second.err);
  REQUIRE(second.code == 0);
  for (const char* name : {"picture.0000.png", "picture.0001.png", "picture.0002.png"}) {
    CAPTURE(name);
    CHECK(different_pixels(out / name, again / name) < 320 * 180 / 500);
  }
  CHECK(!fs::exists(again / "picture.0003.png"));
  CHECK(different_pixels(out / "picture.0000.png", out / "picture.0002.png") > 100);
  // By default beside the folder.
  draw.erase(draw.begin() + 2, draw.begin() + 4);
  draw.insert(draw.end(), {"--every", "2", "--quiet"});
  const Result third = run_program(folder, draw);
  CHECK(third.code == 0);
  CHECK(third.err.empty());
  CHECK(fs::exists(folder.path / "run_pictures" / "picture.0001.png"));
  CHECK(!fs::exists(folder.path / "run_pictures" / "picture.0002.png"));

  const Result mixed = run_program(folder, {"render", out.string(), "-o", out.string(), "--overwrite"});
  CHECK(mixed.code == 2);
  CHECK(contains(mixed.err, "holds a run, whose pictures these would mix with"));
  CHECK(contains(run_program(folder, {"render", "nowhere"}).err, "nowhere: there is no such scene file"));
  const fs::path drop = write_scene(folder, "0.01"), few = folder.path / "few";
  std::string text = io::read_file(drop);
  io::write_file(drop, text.replace(text.find("\"frameRate\""), 0, "\"fields\": [\"density\"], "));
  REQUIRE(run_program(folder, {"run", drop.string(), "-o", few.string(), "--no-picture"}).code == 0);
  const Result blind = run_program(folder, {"render", few.string(), "--field", "pressure"});
  CHECK(blind.code == 2);
  CHECK(contains(blind.err, "the run wrote no pressure"));
  fs::create_directory(folder.path / "empty");
  const Result none = run_program(folder, {"render", (folder.path / "empty").string()});
  CHECK(none.code == 2);
  CHECK(none.err == (folder.path / "empty").string() + ": the folder is empty; name one that sluice run wrote\n");
  fs::resize_file(out / "water.0001.vtp", 400);
  draw.push_back("--overwrite");
  draw[draw.size() - 3] = "1";
  const Result broken = run_program(folder, draw);
  CHECK(broken.code == 1);
  CHECK(contains(broken.err, "water.0001.vtp: "));
}

TEST_CASE("run --render draws every frame beside the particle files") {
  const TestFolder folder;
  const fs::path scene = write_scene(folder, "0.04"), out = folder.path / "run";
  const Result result = run_program(folder, {"run", scene.string(), "-o", out.string(), "--device", "llvmpipe",
                                             "--render", "--size", "160x90", "--no-film"});
  CAPTURE(result.err);
  CHECK(result.code == 0);
  CHECK(fs::exists(out / "picture.0002.png"));
  CHECK(!fs::exists(out / "picture.png"));
  CHECK(fs::exists(out / "run.json"));
}

TEST_CASE("wrong arguments end with code 2 and point to the help") {
  const TestFolder folder;
  const fs::path scene = write_scene(folder, "0.02");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"fly"},
                                                    {"run"},
                                                    {"check"},
                                                    {"run", scene.string(), "--until", "-1"},
                                                    {"run", scene.string(), "--until", "soon"},
                                                    {"run", scene.string(), "--resume"}}) {
    const Result result = run_program(folder, arguments);
    CHECK(result.code == 2);
    CHECK(result.err.starts_with("sluice: "));
    CHECK(contains(result.err, "--help"));
  }
}

TEST_CASE("devices lists a device that can run and whether its arithmetic is certified") {
  const TestFolder folder;
  const Result result = run_program(folder, {"devices"});
  CHECK(result.code == 0);
  CHECK(contains(result.out, "status      can run"));
  CHECK(contains(result.out, "certified"));
}

TEST_CASE("check prints particles, cut particles, memory and limits") {
  const TestFolder folder;
  const Result result = run_program(folder, {"check", write_scene(folder, "0.02").string()});
  CHECK(result.code == 0);
  CHECK(contains(result.out, "216 fluid particles"));
  CHECK(contains(result.out, "bytes per fluid particle"));
  CHECK(contains(result.out, "particle radius     0.01 m (spacing 0.02 m, kernel support 0.04 m)"));
  CHECK(contains(result.out, "1 ms by maxStep"));
}

TEST_CASE("a device that is not there and a wrong scene end with code 2 and leave everything as it was") {
  const TestFolder folder;
  const fs::path scene = write_scene(folder, "0.02"), output = folder.path / "run";
  const Result device = run_program(folder, {"run", scene.string(), "-o", output.string(), "--device", "abacus"});
  CHECK(device.code == 2);
  CHECK(device.err.starts_with("sluice: no Vulkan device matches \"abacus\"; there are:"));
  CHECK(!fs::exists(output));

  fs::create_directory(output);
  io::write_file(output / "run.json", "{}\n");
  io::write_file(output / "water.0000.vtp", "old");
  const auto before = contents(output);
  const fs::path wrong = folder.path / "wrong.json";
  io::write_file(wrong, "{\n  \"particleSpacing\": 0.02,\n  \"objcts\": []\n}\n");
  for (const std::string command : {"run", "check"}) {
    std::vector<std::string> arguments{command, wrong.string()};
    if (command == "run") arguments.insert(arguments.end(), {"-o", output.string(), "--overwrite"});
    const Result result = run_program(folder, arguments);
    CHECK(result.code == 2);
    CHECK(contains(result.err, wrong.string() + ":3:3: "));
    CHECK(contains(result.err, "did you mean \"objects\"?"));
  }
  CHECK(contents(output) == before);
  CHECK(run_program(folder, {"run", (folder.path / "absent.json").string()}).code == 2);
}

TEST_CASE("a run leaves its files and the same hash twice, and a folder with a run is refused") {
  const TestFolder folder;
  const fs::path scene = write_scene(folder, "0.5"), output = folder.path / "run";
  const std::vector<std::string> arguments{"run", scene.string(), "-o", output.string(), "--until", "0.02"};
  const Result first = run_program(folder, arguments);
  INFO(first.err);
  REQUIRE(first.code == 0);
  CHECK(contains(first.err, (output / "picture.png").string()));

  const auto files = contents(output);
  std::set<std::string> names;
  for (const auto& [name, text] : files) names.insert(name);
  CHECK(names == std::set<std::string>{"run.json", "stats.csv", "water.0000.vtp", "water.0001.vtp", "water.0002.vtp",
                                       "water.pvd", "boundary.0000.vtp", "boundary.pvd", "picture.png",
                                       "picture.0001.png", "surface.0.tank.obj"});
  CHECK(whole_frames(output) == 3);
  CHECK(files.at("picture.png").starts_with("\x89PNG"));

  const json record = read_json(output / "run.json");
  CHECK(record["status"] == "done");
  CHECK(record["frames"] == 3);
  CHECK(record["steps"] == 20);
  CHECK(record["scene"]["time"]["end"] == 0.02);
  CHECK(record["scene_hash"].get<std::string>().size() == 16);
  CHECK(record["mean_iterations"].get<double>() >= 2);
  CHECK(record["start_state_hash"] != record["state_hash"]);
  const auto rows = read_rows(output / "stats.csv");
  REQUIRE(rows.size() == 21);
  for (std::size_t row = 1; row < rows.size(); ++row) {
    REQUIRE(rows[row].size() == rows[0].size());
    CHECK(rows[row].back().size() == (row % 10 == 0 ? 16 : 0));
  }
  CHECK(rows[20].back() == record["state_hash"].get<std::string>());
  CHECK(rows[10][rows[10].size() - 2] == "1");

  const Result refused = run_program(folder, arguments);
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "holds a run; replace it with --overwrite"));
  CHECK(contents(output) == files);

  std::vector<std::string> again = arguments;
  again.insert(again.end(), {"--overwrite", "--no-picture", "--quiet", "--profile"});
  const Result second = run_program(folder, again);
  CHECK(second.code == 0);
  CHECK(second.err.empty());
  CHECK(contains(second.out, "solve_forces"));
  CHECK(!fs::exists(output / "picture.png"));
  const json repeated = read_json(output / "run.json");
  CHECK(repeated["state_hash"] == record["state_hash"]);
  CHECK(repeated["start_state_hash"] == record["start_state_hash"]);
}

TEST_CASE("an interrupted run ends with code 130 and readable files") {
  const TestFolder folder;
  const fs::path output = folder.path / "run";
  const pid_t pid = start_program(folder, {"run", write_scene(folder, "500").string(), "-o", output.string()});
  CHECK(wait_until(pid, [&] { return fs::exists(output / "water.pvd") && whole_frames(output) >= 2; }));
  kill(pid, SIGINT);
  // Hours before the run's own end.
  const Result result = wait_for(folder, pid);
  INFO(result.err);
  CHECK(result.code == 130);
  const json record = read_json(output / "run.json");
  CHECK(record["status"] == "interrupted");
  CHECK(whole_frames(output) >= 2);
  // On a machine so busy that a submit takes longer than the program waits, it ends in the middle of one.
  if (contains(result.err, "interrupted; what was complete is kept")) return;
  CHECK(record["frames"] == whole_frames(output));
  CHECK(record["steps"] == read_rows(output / "stats.csv").size() - 1);
  CHECK(temporary_files(output) == 0);
}

TEST_CASE(
    "a file that the system does not let grow ends the run with code 1 and a sentence, and earlier frames stay whole") {
  const TestFolder folder;
  const fs::path output = folder.path / "run";
  // Statistics outgrow it after some 170 steps, in blocks of 512 bytes; other files are smaller.
  const Result result = run_in_shell(folder, "ulimit -f 40; exec \"$0\" \"$@\"",
                                     {"run", write_scene(folder, "2").string(), "-o", output.string(), "--no-picture",
                                      "--device", "llvmpipe"});
  CHECK(result.code == 1);
  CHECK(contains(result.err, "stats.csv: cannot write: File too large; raise the limit on the size of files"));
  CHECK(contains(result.err, "sluice: after step "));
  const json record = read_json(output / "run.json");
  CHECK(record["status"] == "failed");
  CHECK(contains(record["error"], "stats.csv: cannot write: File too large"));
  CHECK(whole_frames(output) >= 2);
  CHECK(record["frames"] == whole_frames(output));
  CHECK(temporary_files(output) == 0);
}

TEST_CASE("a run that fails names step and cause, and keeps what is complete") {
  const TestFolder folder;
  const fs::path scene = folder.path / "bullet.json", output = folder.path / "run";
  io::write_file(scene, R"({
  "particleSpacing": 0.02,
  "time": { "end": 0.1, "step": 0.001 },
  "materials": { "water": { "type": "fluid" } },
  "objects": [ { "role": "fluid", "material": "water", "shape": { "box": [0.12, 0.12, 0.12] }, "velocity": [2000, 0, 0] } ]
})");
  const Result result = run_program(folder, {"run", scene.string(), "-o", output.string(), "--quiet", "--no-picture"});
  CHECK(result.code == 1);
  CHECK(contains(result.err, "sluice: step 1 "));
  CHECK(contains(result.err, "particle spacings a step"));
  CHECK(whole_frames(output) >= 1);
  const json record = read_json(output / "run.json");
  CHECK(record["status"] == "failed");
  CHECK(contains(record["error"], "particle spacings a step"));
}
