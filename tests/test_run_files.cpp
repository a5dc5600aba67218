// Which files are a run's: only what its record lists is ever replaced or removed.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/io/run_folder.h"
#include "tests/folder.h"
#include "tests/program.h"

#ifndef SLUICE_SOURCE_DIR
#define SLUICE_SOURCE_DIR "."
#endif

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::io;
using namespace sluice::tests;

const RunFiles kRun{{"run.json", "stats.csv", "surface.0.tank.obj", "water.pvd", "picture.0003.png"},
                    {{"water", "vtp", 3}, {"boundary", "vtp", 1}}};

void write_record(const fs::path& folder, const RunFiles& files) {
  nlohmann::ordered_json json;
  put_files(json, files);
  write_run_json(folder, json);
}

// Names with what they hold; a folder ends in a slash, a link in an @.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_symlink())
      files[name + "@"] = fs::read_symlink(entry.path()).string();
    else if (entry.is_directory())
      files[name + "/"];
    else
      files[name] = read_file(entry.path());
  }
  return files;
}

void fill(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) write_file(folder / name, name);
}

// A scene that `check` takes.
fs::path write_scene(const TestFolder& folder, const std::string& material = "water") {
  const fs::path path = folder.path / "drop.json";
  replace_file(path, R"({ "particleSpacing": 0.02, "materials": { ")" + material + R"(": { "type": "fluid" } },
    "objects": [ { "name": "cube", "role": "fluid", "material": ")" +
                         material + R"(", "shape": { "box": [0.08, 0.08, 0.08] } } ] })");
  return path;
}

}  // namespace

TEST_CASE("a list holds its names, its frames up to the count, and their temporary names") {
  for (const char* name : {"run.json", "run.json.tmp", "stats.csv", "water.0000.vtp", "water.0002.vtp.tmp",
                           "boundary.0000.vtp", "picture.0003.png"})
    CHECK_MESSAGE(lists(kRun, name), name);
  for (const char* name :
       {"bodies.csv", "water.0003.vtp", "boundary.0001.vtp", "water.00001.vtp", "water.1.vtp", "Water.0001.vtp",
        "water.0001.vtp.tmp.tmp", "water.0001.vtu", "water..vtp", "water.vtp", "oil.0000.vtp", "picture.0000.png",
        "water.-001.vtp", "water.99999999999999999999.vtp", ".tmp", ""})
    CHECK_MESSAGE(!lists(kRun, name), name);
  CHECK(claims(kRun, "water.0003.vtp"));
  CHECK(claims(kRun, "water.12345.vtp.tmp"));
  CHECK(!claims(kRun, "water.012345.vtp"));
  CHECK(!claims(kRun, "picture.0004.png"));
  RunFiles files = kRun;
  count_series(files, "water", "vtp", 2);
  CHECK(!lists(files, "water.0003.vtp"));
  count_series(files, "water", "vtp", 20000);
  count_series(files, "oil", "vtp", 1);
  CHECK(lists(files, "water.19999.vtp"));
  CHECK(lists(files, "oil.0000.vtp"));
}

TEST_CASE("a record gives back what it lists, and any other file of its name is refused with the reason") {
  const TestFolder folder;
  const fs::path record = folder.path / "run.json";
  write_record(folder.path, kRun);
  const RunFiles read = read_files_of(record);
  CHECK(read.names == kRun.names);
  REQUIRE(read.series.size() == 2);
  CHECK(read.series[0].name == "water");
  CHECK(read.series[0].count == 3);

  const std::string ours = R"("program": "sluice", "format": 1, )";
  for (const auto& [text, reason] : std::map<std::string, std::string>{
           {"", "is no JSON that sluice wrote"},
           {"{", "is no JSON that sluice wrote"},
           {"[]", "is no JSON that sluice wrote"},
           {"{}", "does not say that sluice wrote it (no \"program\": \"sluice\")"},
           {R"({"program": 1, "format": 1})", "does not say that sluice wrote it"},
           {R"({"sluice": "0.1.0", "status": "done"})", "is of an earlier version of sluice, which did not list"},
           {R"({"program": "sluice", "format": 2})", "is of another version of sluice"},
           {R"({"program": "sluice"})", "is of another version of sluice"},
           {"{" + ours + R"("files": 3})", "does not list the files of its run"},
           {"{" + ours + R"("files": {"names": [3], "series": []}})", "does not list the files of its run"},
           {"{" + ours + R"("files": {"names": [], "series": [{"name": "a"}]}})", "does not list the files"},
           {"{" + ours + R"("files": {"names": ["thesis.doc"], "series": []}})", "lists files that no run of sluice"},
           {"{" + ours + R"("files": {"names": ["../stats.csv"], "series": []}})", "lists files that no run"},
           {"{" + ours + R"("files": {"names": ["shape./../../a.obj"], "series": []}})", "lists files that no run"},
           {"{" + ours + R"("files": {"names": [], "series": [{"name": "../a", "extension": "vtp", "count": 1}]}})",
            "lists files that no run"},
           {"{" + ours + R"("files": {"names": [], "series": [{"name": "photo", "extension": "png", "count": 9}]}})",
            "lists files that no run"}}) {
    CAPTURE(text);
    write_file(record, text);
    for (const FolderUse use : {FolderUse::fresh, FolderUse::overwrite}) {
      const std::string error = error_of([&] { open_run_folder(folder.path, use, kRun); });
      CHECK(error.starts_with(record.string() + ": " + reason));
      CHECK(contains(error, "choose another"));
    }
    CHECK(contents(folder.path) == std::map<std::string, std::string>{{"run.json", text}});
  }
  fs::remove(record);
  write_file(folder.path / "elsewhere", R"({)" + ours + R"("files": {"names": [], "series": []}})");
  fs::create_symlink("elsewhere", record);
  CHECK(
      contains(error_of([&] { open_run_folder(folder.path, FolderUse::overwrite, kRun); }), "is no file that sluice"));
  fs::remove(record);
  fs::create_directory(record);
  CHECK(contains(error_of([&] { open_run_folder(folder.path, FolderUse::fresh, kRun); }), "is no file that sluice"));
}

TEST_CASE("overwriting removes what the record lists, and nothing else") {
  const TestFolder root;
  const fs::path folder = root.path / "deep" / "run";
  CHECK(contains(error_of([&] { open_run_folder(folder, FolderUse::resume); }), "holds no run to resume"));
  CHECK(!fs::exists(folder));
  open_run_folder(folder, FolderUse::fresh, kRun);
  CHECK(fs::is_directory(folder));

  const std::vector<std::string> theirs{"notes.txt",      "shape.mymodel.obj", "other.pvd",   "sim.0001.vtp",
                                        "my picture.png", "run.json.bak",      "oil.0000.vtp"};
  fill(folder, theirs);
  fs::create_directory(folder / "boundary.0001.vtp");  // beyond the count
  fs::create_symlink("notes.txt", folder / "surface.1.lid.obj");
  const auto before = contents(folder);
  open_run_folder(folder, FolderUse::fresh, {{"run.json", "stats.csv"}, {}});
  write_record(folder, kRun);
  fill(folder, {"stats.csv", "surface.0.tank.obj", "water.pvd", "water.pvd.tmp", "water.0000.vtp", "water.0002.vtp.tmp",
                "picture.0003.png", "run.json.tmp"});
  const auto with_run = contents(folder);
  CHECK(contains(error_of([&] { open_run_folder(folder, FolderUse::fresh); }),
                 "holds a run; replace it with --overwrite"));
  open_run_folder(folder, FolderUse::resume);
  const RunFiles next{{"run.json", "stats.csv", "oil.pvd"}, {{"water", "vtp", 0}}};
  {
    const FolderLock held(folder);
    CHECK(contains(error_of([&] { open_run_folder(folder, FolderUse::overwrite, next); }), "another run writes into"));
  }
  CHECK(contents(folder) == with_run);
  open_run_folder(folder, FolderUse::overwrite, next);
  CHECK(contents(folder) == before);
}

TEST_CASE("what is in the way and not of the run that is there is named, and nothing is touched") {
  for (const bool with_run : {false, true})
    for (const std::string name : {"stats.csv", "water.pvd", "water.0003.vtp", "water.0000.vtp.tmp", "stats.csv.tmp"}) {
      CAPTURE(name);
      const TestFolder folder;
      if (with_run) write_record(folder.path, {{"run.json"}, {{"water", "vtp", 3}}});
      if (with_run && name == "water.0000.vtp.tmp") continue;  // listed
      write_file(folder.path / name, "mine");
      write_file(folder.path / "notes.txt", "");
      const auto before = contents(folder.path);
      for (const FolderUse use : {FolderUse::fresh, FolderUse::overwrite}) {
        if (with_run && use == FolderUse::fresh) continue;
        CHECK(error_of([&] { open_run_folder(folder.path, use, kRun); }) ==
              (folder.path / name).string() +
                  ": is there already, and no run that run.json tells of wrote it; move it away, "
                  "or choose another folder with -o");
      }
      CHECK(contents(folder.path) == before);
    }
  const TestFolder folder;
  fill(folder.path, {"water.pvd", "water.0001.vtp"});
  fs::create_symlink("nowhere", folder.path / "stats.csv");
  fs::create_directory(folder.path / "surface.0.tank.obj");
  CHECK(error_of([&] { open_run_folder(folder.path, FolderUse::overwrite, kRun); }) ==
        (folder.path / "stats.csv").string() +
            ": is there already, and no run that run.json tells of wrote it, as are 3 more "
            "files; move them away, or choose another folder with -o");
  // A link or a folder under a listed name is not what the run wrote.
  write_record(folder.path, kRun);
  CHECK(contains(error_of([&] { open_run_folder(folder.path, FolderUse::overwrite, kRun); }),
                 "stats.csv: is there already"));
  CHECK(contents(folder.path).size() == 5);
}

TEST_CASE("a folder that was removed, renamed or replaced is noticed") {
  const TestFolder root;
  const fs::path folder = root.path / "run", link = root.path / "link";
  const FolderLock lock = open_run_folder(folder, FolderUse::fresh);
  lock.check_in_place();
  fs::rename(folder, root.path / "moved");
  const auto error = [&] { return error_of([&] { lock.check_in_place(); }); };
  CHECK(error() == folder.string() +
                       ": the folder was removed or renamed while it was written to; leave it where it is "
                       "until the run ends");
  fs::create_directory(folder);
  CHECK(contains(error(), "removed or renamed"));
  fs::remove(folder);
  fs::create_directory_symlink("moved", folder);
  CHECK(error() == "nothing thrown");
}

TEST_CASE("the program refuses a folder with somebody's files before it looks for a device") {
  const TestFolder folder;
  const fs::path scene = write_scene(folder), output = folder.path / "out";
  for (const std::string name : {"stats.csv", "bodies.csv", "contacts.csv", "water.pvd", "water.0003.vtp",
                                 "picture.png", "film.mp4", "picture.0002.png", "run.json", "run.json.tmp"}) {
    CAPTURE(name);
    fs::remove_all(output);
    fs::create_directory(output);
    write_file(output / name, "mine");
    const auto before = contents(output);
    for (const bool overwrite : {false, true}) {
      std::vector<std::string> run{"run", scene.string(), "-o", output.string()};
      if (overwrite) run.push_back("--overwrite");
      const Result result = run_program(folder, run);
      CHECK(result.code == 2);
      CHECK(result.err.starts_with("sluice: " + (output / name).string() + ": is "));
      CHECK(contents(output) == before);
    }
  }
  for (const std::string name : {"picture.0007.png", "film.mp4", "pictures.json"}) {
    CAPTURE(name);
    fs::remove_all(output);
    fs::create_directory(output);
    write_file(output / name, "mine");
    const auto before = contents(output);
    const Result result = run_program(folder, {"render", scene.string(), "-o", output.string(), "--overwrite"});
    CHECK(result.code == 2);
    CHECK(result.err.starts_with("sluice: " + (output / name).string() + ": is "));
    CHECK(contents(output) == before);
  }
}

TEST_CASE("check refuses names that no file could have, by their bytes, with the place") {
  const TestFolder folder;
  const auto repeated = [](std::string text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  const std::string water = "\xE6\xB0\xB4";  // three bytes
  const auto err = [&](const std::string& scene) {
    const fs::path path = folder.path / "scene.json";
    replace_file(path, scene);
    const Result result = run_program(folder, {"check", path.string()});
    CHECK(result.code == (result.err.empty() ? 0 : 2));
    return result.err;
  };
  const auto scene = [](const std::string& name, const std::string& material, const std::string& object,
                        const std::string& more = "") {
    return "{ \"particleSpacing\": 0.02, \"name\": \"" + name + "\", \"materials\": {\n\"" + material +
           "\": { \"type\": \"fluid\" }" + more +
           " },\n\"objects\": [ { \"role\": \"boundary\", \"shape\": { \"box\": [0.2, 0.2, 0.2] },\n\"name\": \"" +
           object + "\" } ] }";
  };
  CHECK(err(scene(repeated(water, 76), repeated(water, 76), repeated(water, 76))) == "");  // 228 bytes each
  CHECK(contains(err(scene(repeated(water, 77), "w", "t")), "scene.json:1:36: /name: \"" + water));
  CHECK(contains(err(scene("s", repeated(water, 77), "t")),
                 "has 231 bytes in UTF-8; a name is part of file names: give it at most 228"));
  CHECK(contains(err(scene("s", repeated(water, 77), "t")), "scene.json:2:1: /materials/"));
  CHECK(contains(err(scene("s", "w", repeated(water, 77))), "scene.json:4:9: /objects/0/name: \"" + water));
  CHECK(contains(err(scene("s", "w",
                           repeated(water, 75) + "\", \"repeat\": { \"count\": [1, 11, 1], \"step\": [1, 1, 1] "
                                                 "}, \"position\": [0, 0, 0], \"solid\": \"inside")),
                 "and its copies' names 233; a name is part of file names: give it at most 220"));
  CHECK(contains(err(scene("s", "water", "t", ",\n\"Water\": { \"type\": \"fluid\" }")),
                 "scene.json:3:1: /materials/Water: \"Water\" differs from \"water\" in capitals alone"));
  for (const std::string bad : {"..", ".", "a/b", "a\\u0000b", "a\\u0007b", "a\\u0085b"}) {
    CAPTURE(bad);
    CHECK(contains(err(scene("s", bad, "t")), "cannot be a name"));
    CHECK(contains(err(scene(bad, "w", "t")), "cannot be a name"));
    CHECK(contains(err(scene("s", "w", bad)), "cannot be a name"));
  }
}

TEST_CASE("make_scene replaces the scene that it is told to write, and no mesh of somebody's") {
  const TestFolder folder;
  const fs::path models = folder.path / "models", scene = folder.path / "a.json";
  const auto make = [&] {
    return std::system(
        ("\"" SLUICE_SOURCE_DIR "/scenes/make_scene\" erleben spike_hole -o \"" + scene.string() + "\" 2>/dev/null")
            .c_str());
  };
  write_file(scene, "old");
  CHECK(make() == 0);
  CHECK(contents(models).contains("hole.obj"));
  CHECK(contains(read_file(scene), "models/hole.obj"));
  CHECK(make() == 0);
  write_file(models / "hole.obj", "mine");
  write_file(scene, "old");
  CHECK(make() != 0);
  CHECK(read_file(models / "hole.obj") == "mine");
  CHECK(contents(folder.path) == std::map<std::string, std::string>{{"a.json", "old"}, {"models/", ""}});
}
