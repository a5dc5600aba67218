// A run's folder is read back as it was written, and what is no such folder is refused with the reason.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>

#include "host/io/atomic_file.h"
#include "host/io/body_files.h"
#include "host/io/stored_run.h"
#include "tests/folder.h"
#include "tests/fuzz_folders.h"

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::io;
using namespace sluice::tests;

ParticleFrame make_frame(std::uint32_t count) {
  ParticleFrame frame;
  frame.time = 0.1 + count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double x = i;
    const auto f = static_cast<float>(i);
    frame.position.push_back({0.1 + x, 1e7 - 0.3 * x, -x / 7});
    frame.id.push_back(i % 2 == 0 ? i : 4000000000u + i);
    frame.velocity.push_back({0.1f * f, -1.5f, static_cast<float>(i % 13)});
    frame.density.push_back(1000.5f + static_cast<float>(i % 3));
    frame.pressure.push_back(-0.25f * f);
    frame.friction.push_back({f, 2 * f, -f});
    frame.friction_used.push_back(f / static_cast<float>(count));
    frame.body.push_back(i / 7);
  }
  return frame;
}

const std::vector<std::string> kFields{"velocity", "density", "pressure", "friction", "friction_used", "body"};

}  // namespace

TEST_CASE("particle files are read back to the last bit, in any number of blocks and of fields") {
  const TestFolder folder;
  const fs::path path = folder.path / "water.0000.vtp";
  for (const std::uint32_t count : {0u, 1u, 8192u, 30000u}) {
    CAPTURE(count);
    const ParticleFrame frame = make_frame(count);
    write_vtp(path, frame, kFields);
    const ParticleFrame read = read_vtp(path);
    CHECK(read.time == frame.time);
    CHECK(read.position == frame.position);
    CHECK(read.id == frame.id);
    CHECK(read.velocity == frame.velocity);
    CHECK(read.density == frame.density);
    CHECK(read.pressure == frame.pressure);
    CHECK(read.friction == frame.friction);
    CHECK(read.friction_used == frame.friction_used);
    CHECK(read.body == frame.body);
    write_vtp(path, frame, std::vector<std::string>{"density"});
    const ParticleFrame less = read_vtp(path);
    CHECK(less.velocity.empty());
    CHECK(less.density == frame.density);
  }
}

TEST_CASE("a particle file that is cut or changed anywhere is refused or read, and never more") {
  const TestFolder folder;
  const fs::path path = folder.path / "water.0000.vtp";
  write_vtp(path, make_frame(50), kFields);
  const std::string whole = read_file(path);
  for (std::size_t end = 0; end + 40 < whole.size(); ++end) {
    write_file(path, whole.substr(0, end));
    const std::string error = error_of([&] { read_vtp(path); });
    if (!contains(error, path.string())) FAIL("cut at ", end, ": ", error);
  }
  int refused = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    write_file(path, changed);
    const std::string error = error_of([&] { read_vtp(path); });
    if (error == "nothing thrown") continue;
    ++refused;
    if (!contains(error, path.string())) FAIL("changed at ", i, ": ", error);
  }
  CHECK(refused > static_cast<int>(whole.size() / 2));
  CHECK(contains(error_of([&] { read_vtp(folder.path / "absent.vtp"); }), "absent.vtp"));
}

TEST_CASE("poses are read back from bodies.csv, frame by frame, without what was cut off") {
  const TestFolder folder;
  std::vector<RigidBody> bodies(2);
  bodies[0].name = "a, b";
  bodies[1].name = "plain";
  bodies[1].center_of_mass = {0.1, -0.2, 0.3};
  BodyWriter writer = open_bodies(folder.path);
  std::vector<Frame> frames(3);
  for (std::uint32_t n = 0; n < 3; ++n) {
    frames[n].number = 2 * n;
    frames[n].time = 0.1 * n;
    frames[n].bodies.resize(2);
    for (int b = 0; b < 2; ++b) {
      BodyRecord& body = frames[n].bodies[b];
      body.position = {1.0 / 3 + n, 1e-9 * b, -7};
      const double c = std::cos(0.3 * n + b), s = std::sin(0.3 * n + b);
      body.orientation = {c, 0, s, 0};
      body.velocity = {n + 0.1, 2, 3};
      body.angular_velocity = {-1, 0, b + 0.7};
    }
    append_bodies(writer, frames[n], bodies);
  }
  close_bodies(writer);
  const fs::path path = folder.path / "bodies.csv";
  const auto check = [&](std::size_t expected) {
    const auto read = read_bodies(path, bodies);
    REQUIRE(read.size() == expected);
    for (std::size_t n = 0; n < expected; ++n)
      for (int b = 0; b < 2; ++b) {
        const BodyRecord &now = read.at(static_cast<std::uint32_t>(2 * n))[b], &then = frames[n].bodies[b];
        CHECK(length(now.position - then.position) < 1e-14);
        CHECK(now.orientation.y == then.orientation.y);
        CHECK(now.velocity.x == then.velocity.x);
        CHECK(now.angular_velocity.z == then.angular_velocity.z);
      }
  };
  check(3);
  const std::string text = read_file(path);
  write_file(path, text.substr(0, text.size() - 5));
  check(2);
  write_file(path, text + "nonsense\n");
  CHECK(contains(error_of([&] { read_bodies(path, bodies); }), "bodies.csv:8: not a row of these bodies"));
  write_file(path, "x,y\n");
  CHECK(contains(error_of([&] { read_bodies(path, bodies); }), "bodies.csv:1: these are not the columns"));
}

TEST_CASE("a folder that holds no run, or no frame, is refused with the reason") {
  const TestFolder folder;
  const auto error = [&] { return error_of([&] { open_run(folder.path); }); };
  CHECK(contains(error_of([&] { open_run(folder.path / "absent"); }), "there is no such folder"));
  CHECK(contains(error(), "the folder is empty; name one that sluice run wrote"));
  write_file(folder.path / "notes.txt", "");
  CHECK(contains(error(), "holds no run (no run.json)"));
  for (const std::string text : {"", "{", "[]", "{}", "{\"scene\": {\"particleSpacing\": 1, \"objects\": []}}"}) {
    CAPTURE(text);
    write_file(folder.path / "run.json", text);
    CHECK(contains(error(), "run.json: "));
    CHECK(contains(error(), "run the scene again"));
  }
  write_file(folder.path / "run.json",
             R"({"scene": {"particleSpacing": 1, "objects": [], "materials": {"water": {"type": "fluid"}}},
                 "fluid_particles": 3, "series": {"fluids": ["water"], "bodies": "", "boundary": ""}})");
  CHECK(contains(error(), "water.pvd: lists no frame; run the scene again"));
  ParticleSeries water{folder.path, "water", {}};
  ParticleFrame frame = make_frame(3);
  frame.time = 0;
  add_frame(water, 0, frame, kFields);
  CHECK(error() == "nothing thrown");
  CHECK(open_run(folder.path).warnings.size() == 1);  // not done
  const StoredRun run = open_run(folder.path);
  CHECK(contains(error_of([&] { read_frame(run, {0, 0.5}); }), "water.0000.vtp: is of t = 0.0"));
  frame = make_frame(4);
  frame.time = 1;
  add_frame(water, 1, frame, kFields);
  CHECK(contains(error_of([&] { read_frame(run, {1, 1}); }), "frame 1 has 4 fluid particles, the first one 3"));
  fs::remove(folder.path / "water.0000.vtp");
  CHECK(contains(error(), "the folder is not as the run left it: run the scene again"));
  write_file(folder.path / "run.json", "{\"scene\": 3}");
  CHECK(contains(error(), "run.json, scene:1:1: must be an object"));
  write_file(folder.path / "run.json",
             R"({"scene": {"particleSpacing": -1, "objects": []},
                 "series": {"fluids": [], "bodies": "", "boundary": ""}})");
  CHECK(contains(error(), "run.json, scene:2:"));
}

TEST_CASE("a few damaged folders; -ts=fuzz has hundreds") { read_damaged_folders(20, 1); }
