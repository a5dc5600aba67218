// How a run ends when something goes wrong around it: a sentence, an exit code, and what run.json says.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "host/io/atomic_file.h"
#include "host/io/run_files.h"
#include "tests/folder.h"
#include "tests/program.h"

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::tests;
using nlohmann::json;

// A die falls beside a few particles; a frame a step.
fs::path write_scene(const TestFolder& folder, const std::string& end) {
  const fs::path path = folder.path / "die.json";
  io::write_file(path, R"({ "particleSpacing": 0.02, "time": { "end": )" + end + R"(, "step": 0.001 },
  "materials": { "water": { "type": "fluid" }, "oak": { "type": "rigid" } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [0.16, 0.2, 0.16], "open": "top" },
      "position": [0, 0.1, 0] },
    { "name": "die", "role": "rigid", "material": "oak", "shape": { "box": [0.06, 0.06, 0.06] },
      "position": [0.03, 0.1, 0] },
    { "name": "cube", "role": "fluid", "material": "water", "shape": { "box": [0.04, 0.04, 0.04] },
      "position": [-0.04, 0.03, 0] } ],
  "output": { "frameRate": 1000 } })");
  return path;
}

std::vector<std::string> run_words(const fs::path& scene, const fs::path& output) {
  return {"run", scene.string(), "-o", output.string(), "--no-picture", "--device", "llvmpipe"};
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("what a killed run left is known and replaced, its half written files included, and nothing else") {
  const TestFolder folder;
  const fs::path output = folder.path / "run", scene = write_scene(folder, "1000");
  const pid_t pid = start_program(folder, run_words(scene, output));
  // One that it was about to write has its temporary name when the program is killed, or not.
  CHECK(wait_until(pid, [&] { return fs::exists(output / "water.0003.vtp"); }));
  kill(pid, SIGKILL);
  CHECK(wait_for(folder, pid).code == -1);
  CHECK(read_json(output / "run.json")["status"] == "running");
  const io::RunFiles files = io::read_files_of(output / "run.json");
  for (const std::string& name : names_in(output)) CHECK_MESSAGE(io::lists(files, name), name);

  io::write_file(output / "bodies.0002.vtp.tmp", "half");
  io::write_file(output / "shape.mymodel.obj", "mine");
  io::write_file(output / "sim.0001.vtp", "mine");
  std::vector<std::string> again = run_words(scene, output);
  again.insert(again.end(), {"--overwrite", "--until", "0.001"});
  const Result result = run_program(folder, again);
  INFO(result.err);
  CHECK(result.code == 0);
  CHECK(names_in(output) ==
        std::set<std::string>{"run.json", "stats.csv", "bodies.csv", "bodies.pvd", "bodies.0000.vtp", "bodies.0001.vtp",
                              "boundary.pvd", "boundary.0000.vtp", "water.pvd", "water.0000.vtp", "water.0001.vtp",
                              "shape.0.die.obj", "surface.0.tank.obj", "shape.mymodel.obj", "sim.0001.vtp"});
  const io::RunFiles now = io::read_files_of(output / "run.json");
  CHECK(!io::lists(now, "water.0002.vtp"));
  CHECK(!io::lists(now, "boundary.0001.vtp"));
  CHECK(!io::lists(now, "picture.png"));
}

TEST_CASE("a file that somebody puts in a run's way stays, then and when the run is replaced") {
  const TestFolder folder;
  const fs::path output = folder.path / "run", theirs = output / "water.0004.vtp";
  const pid_t pid = start_program(folder, run_words(write_scene(folder, "1000"), output));
  CHECK(wait_until(pid, [&] { return fs::exists(output / "run.json"); }));
  io::write_file(theirs, "thesis");
  const Result result = wait_for(folder, pid);
  INFO(result.err);
  CHECK(result.code == 1);
  CHECK(contains(result.err, "water.0004.vtp: is there already, and is not of this run"));
  CHECK(io::read_file(theirs) == "thesis");
  CHECK(!io::lists(io::read_files_of(output / "run.json"), "water.0004.vtp"));
  CHECK(io::lists(io::read_files_of(output / "run.json"), "water.0003.vtp"));
  std::vector<std::string> again = run_words(write_scene(folder, "0.01"), output);
  again.push_back("--overwrite");
  const Result refused = run_program(folder, again);
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "water.0004.vtp"));
  CHECK(io::read_file(theirs) == "thesis");
}

TEST_CASE("a run whose fluid ends compressed says so, and what helps") {
  const TestFolder folder;
  const fs::path scene = folder.path / "column.json";
  const auto run = [&](const std::string& time, const std::string& solver) {
    io::write_file(scene, R"({ "particleSpacing": 0.02, "time": { "end": 0.1, )" + time + R"( }, "solver": {)" + solver + R"( },
  "materials": { "water": { "type": "fluid" } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [0.12, 0.4, 0.12], "open": "top" } },
    { "name": "column", "role": "fluid", "material": "water", "shape": { "box": [0.12, 0.3, 0.12] },
      "position": [0, -0.05, 0] } ] })");
    std::vector<std::string> words = run_words(scene, folder.path / "run");
    words.push_back("--overwrite");
    const Result result = run_program(folder, words);
    CHECK(result.code == 0);
    return result.err;
  };
  const std::string squeezed = run(R"("step": 0.01)", R"("maxIterations": 1, "tolerance": 1e6)");
  CAPTURE(squeezed);
  CHECK(contains(squeezed, "in the last tenth of the run fluid was compressed by "));
  CHECK(contains(squeezed, "a smaller \"maxStep\", a larger \"maxIterations\" or a smaller \"tolerance\" helps"));
  CHECK(!contains(run(R"("maxStep": 0.002)", ""), "compressed"));
}

TEST_CASE("a folder or a table that is taken away during a run ends it with code 1 and a sentence") {
  for (const std::string what : {"removed", "renamed", "stats.csv", "bodies.csv", "stats.csv is a folder"}) {
    CAPTURE(what);
    const TestFolder folder;
    const fs::path output = folder.path / "run", moved = folder.path / "moved";
    const pid_t pid = start_program(folder, run_words(write_scene(folder, "1000"), output));
    CHECK(wait_until(pid, [&] { return fs::exists(output / "water.0001.vtp"); }));
    if (what == "removed") {
      // In one step: while files are removed one by one, the first that is missed could be another.
      fs::rename(output, moved);
      fs::remove_all(moved);
    } else if (what == "renamed") {
      fs::rename(output, moved);
      fs::create_directory(output);
    } else if (what == "stats.csv is a folder") {
      fs::remove(output / "stats.csv");
      fs::create_directory(output / "stats.csv");
    } else {
      fs::remove(output / what);
    }
    const Result result = wait_for(folder, pid);
    INFO(result.err);
    CHECK(result.code == 1);
    if (what == "removed" || what == "renamed") {
      CHECK(contains(result.err, "removed or renamed while it was written to"));
      CHECK(!contains(result.err, "is complete"));
      // Another folder of its name gets the files of the frame under way, at most.
      CHECK(!fs::exists(output / "run.json"));
      CHECK(!fs::exists(output / "water.0003.vtp"));
    } else {
      CHECK(contains(result.err, (output / what.substr(0, what.find(' '))).string() + ": was removed or replaced"));
      CHECK(read_json(output / "run.json")["status"] == "failed");
    }
  }
}

TEST_CASE("a file that cannot be written fails the run with a sentence, also before its tables are open") {
  const TestFolder folder;
  const fs::path output = folder.path / "run", scene = write_scene(folder, "0.002");
  // No file may grow, from the first one on.
  const Result none = run_in_shell(folder, "ulimit -f 0; exec \"$0\" \"$@\" >/dev/null 2>&1", run_words(scene, output));
  CHECK(none.code == 1);
  CHECK(fs::is_empty(output));
  // run.json is 5 KiB, and the surface of a fine mesh more.
  std::string mesh;
  for (int i = 0; i <= 400; ++i)
    for (const char* y : {" 0 ", " 0.01 "})
      mesh += "v " + std::to_string(0.001 * i) + y + std::to_string(0.0001 * (i % 2)) + "\n";
  mesh += "v 0.2 0.005 -0.1\n";
  std::string faces;
  for (int i = 0; i < 400; ++i) {
    const int a = 2 * i + 1;
    faces += "f " + std::to_string(a) + " " + std::to_string(a + 2) + " " + std::to_string(a + 3) + " " +
             std::to_string(a + 1) + "\n";
  }
  io::write_file(folder.path / "strip.obj", mesh + faces);
  std::string text = io::read_file(scene);
  text.insert(text.find("{ \"name\": \"die\""),
              R"({ "name": "strip", "role": "boundary", "shape": { "mesh": "strip.obj" }, "position": [1, 0, 1] },)");
  io::write_file(scene, text);
  std::vector<std::string> again = run_words(scene, output);
  again.push_back("--quiet");
  const Result result = run_in_shell(folder, "ulimit -f 24; exec \"$0\" \"$@\"", again);
  INFO(result.err);
  CHECK(result.code == 1);
  CHECK(contains(result.err, "surface.1.strip.obj: cannot write: File too large"));
  const json record = read_json(output / "run.json");
  CHECK(record["status"] == "failed");
  CHECK(contains(record["error"], "surface.1.strip.obj: cannot write: File too large"));
  CHECK(!fs::exists(output / "bodies.csv"));
}

TEST_CASE("a run that nobody listens to goes on to its end, and prints into none of its files") {
  for (const std::string script : {"\"$0\" \"$@\" 2>&1 | true", "exec \"$0\" \"$@\" 2>&- >&- <&-"}) {
    CAPTURE(script);
    const TestFolder folder;
    const fs::path output = folder.path / "run";
    const Result result = run_in_shell(folder, script, run_words(write_scene(folder, "0.003"), output));
    CHECK(result.code == 0);
    const json record = read_json(output / "run.json");
    CHECK(record["status"] == "done");
    CHECK(record["frames"] == 4);
    const std::string stats = io::read_file(output / "stats.csv");
    CHECK(stats.starts_with("step,"));
    CHECK(!contains(stats, "llvmpipe"));
  }
  // A table that was asked for is missed.
  const TestFolder folder;
  const Result check = run_in_shell(folder, "exec \"$0\" \"$@\" >&-", {"check", write_scene(folder, "1").string()});
  CHECK(check.code == 1);
  CHECK(check.err == "sluice: standard output cannot be written\n");
}

TEST_CASE("a closed terminal and a polite kill are interruptions, and nohup's run outlives the terminal") {
  for (const int number : {SIGHUP, SIGTERM}) {
    CAPTURE(number);
    const TestFolder folder;
    const fs::path output = folder.path / "run";
    const pid_t pid = start_program(folder, run_words(write_scene(folder, "1000"), output));
    CHECK(wait_until(pid, [&] { return fs::exists(output / "water.0001.vtp"); }));
    kill(pid, number);
    CHECK(wait_for(folder, pid).code == 130);
    CHECK(read_json(output / "run.json")["status"] == "interrupted");
  }
  const TestFolder folder;
  const fs::path output = folder.path / "run";
  const pid_t pid =
      start_in_shell(folder, "trap '' HUP; exec \"$0\" \"$@\"", run_words(write_scene(folder, "0.03"), output));
  CHECK(wait_until(pid, [&] { return fs::exists(output / "run.json"); }));
  kill(pid, SIGHUP);
  CHECK(wait_for(folder, pid).code == 0);
  CHECK(read_json(output / "run.json")["status"] == "done");
}

TEST_CASE("an ffmpeg that dies costs the film, not the run") {
  const TestFolder folder;
  const fs::path output = folder.path / "run", tools = folder.path / "tools";
  fs::create_directory(tools);
  for (const char* name : {"ffmpeg", "ffprobe"}) {
    io::write_file(tools / name, "#!/bin/sh\nkill -PIPE $$\nexit 1\n");
    REQUIRE(chmod((tools / name).c_str(), 0755) == 0);
  }
  const Result result = run_in_shell(folder, "PATH='" + tools.string() + "':$PATH; exec \"$0\" \"$@\"",
                                     {"run", write_scene(folder, "0.002").string(), "-o", output.string(), "--render",
                                      "--size", "160x90", "--device", "llvmpipe"});
  INFO(result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.err, "no film: ffmpeg could not write it; the pictures are whole"));
  CHECK(read_json(output / "run.json")["status"] == "done");
  CHECK(io::lists(io::read_files_of(output / "run.json"), "picture.0002.png"));
  CHECK(!fs::exists(output / "film.partial.mp4"));
  CHECK(!io::lists(io::read_files_of(output / "run.json"), "film.mp4"));
  for (const std::string& name : names_in(output))
    CHECK_MESSAGE(io::lists(io::read_files_of(output / "run.json"), name), name);
}
