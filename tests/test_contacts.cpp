// Forces between touching bodies as read_contacts() reports them: equal to the reference's, in balance with weights and
// with what bodies.csv has, the same bits on every device.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/contacts.h"
#include "host/io/atomic_file.h"
#include "host/io/run_files.h"
#include "host/sampling/sampling.h"
#include "tests/figures.h"
#include "tests/folder.h"
#include "tests/program.h"
#include "tests/reference/contact_forces.h"
#include "tests/rigid_rig.h"
#include "tests/rigid_runs.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

Vec3 force_on_a(const Contact& contact) { return contact.normal_force * contact.normal + contact.friction; }

std::string solid(const std::string& name, const std::string& shape, const std::string& position,
                  const std::string& more = "") {
  return R"({"role": "rigid", "material": "m", "name": ")" + name + R"(", "shape": {)" + shape + R"(}, "position": )" +
         position + more + "}";
}
const std::string kBox = R"("box": [0.12, 0.12, 0.12])", kBall = R"("sphere": {"radius": 0.06})";

// Over a floor; `gravity` leans for slopes. Solved so far that forces are within a share of 0.002.
Scene scene_of(const std::string& objects, const std::string& gravity = "[0, -9.81, 0]") {
  const std::string text =
      R"({"particleSpacing": 0.02, "gravity": )" + gravity +
      R"(, "time": {"end": 10, "maxStep": 0.002}, "solver": {"tolerance": 0.002}, "materials": {"water": {"type": "fluid"},
    "m": {"type": "rigid", "friction": 0.6}}, "objects": [
    {"role": "boundary", "name": "floor", "shape": {"box": [1, 0.1, 0.6]}, "position": [0, -0.05, 0]}, )" +
      objects + "]}";
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

struct Touching {
  Frame frame;
  std::vector<Contact> contacts;
};
Touching touching_at(Gpu& gpu, Scene scene, double time, const SimulationOptions& options = {}) {
  scene.time.end = time;
  scene.time.frame_interval = time;
  Simulation simulation(gpu, scene, options);
  CHECK(simulation.read_contacts().empty());
  simulation.next_frame();
  while (!simulation.frame_ready()) simulation.advance();
  return {simulation.read_frame(), simulation.read_contacts()};
}

// What each body gets of all its contacts.
std::vector<Vec3> sums_by_body(const Touching& t) {
  std::vector<Vec3> sums(t.frame.bodies.size());
  for (const Contact& contact : t.contacts) {
    sums[contact.a] = sums[contact.a] + force_on_a(contact);
    if (!contact.boundary) sums[contact.b] = sums[contact.b] - force_on_a(contact);
  }
  return sums;
}
void check_sums(const Touching& t, double largest) {
  const std::vector<Vec3> sums = sums_by_body(t);
  for (std::size_t b = 0; b < sums.size(); ++b) {
    CAPTURE(b);
    CHECK(length(sums[b] - t.frame.bodies[b].contact_force) < 1e-5 * largest);
  }
}
const Contact& contact_of(const Touching& t, std::uint32_t a, bool boundary, std::uint32_t b) {
  for (const Contact& contact : t.contacts)
    if (contact.a == a && contact.boundary == boundary && contact.b == b) return contact;
  FAIL("bodies " << a << " and " << b << " do not touch");
  return t.contacts.front();
}

const double kWeight = 1000 * 0.12 * 0.12 * 0.12 * kGravity;  // of a box

}  // namespace

TEST_CASE("shares of contacts, added up by pairs, equal the reference's") {
  on_every_rigid_scene(true, [](Gpu& gpu, const Scene& scene) {
    RigidRig rig(gpu, scene);
    rig.take_device_volumes();
    reference::compute_diagonals(rig.system);
    const reference::Multipliers x = random_multipliers(rig, 3);
    rig.set_multipliers(x);
    gpu::Control control = rig.begun;
    control.last_tau = 1;
    ContactBuffers buffers;
    const std::vector<Contact> found =
        contacts_of(rig.state, control, read_shares(rig.state, rig.pipelines, VK_NULL_HANDLE, control, buffers));
    std::vector<std::uint32_t> boundary_body;
    for (const gpu::uvec4& sample : vulkan::download(rig.device, rig.state.boundary, rig.state.sizes.boundary))
      boundary_body.push_back(sample.w >> 16);
    std::vector<std::uint32_t> carried;
    for (const Carriers& carriers : rig.state.sizes.rigid.carriers) carried.push_back(carriers.boundary);
    const auto expected = reference::contact_forces(rig.system, x, boundary_body, carried);
    REQUIRE(found.size() == expected.size());
    double largest = 0;
    for (const auto& e : expected) largest = std::max({largest, length(e.pressure), length(e.friction)});
    const Units& units = rig.state.units;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Contact& f = found[k];
      const reference::ContactForce& e = expected[k];
      CAPTURE(k);
      CHECK((f.a == e.a && f.b == e.b && f.boundary == e.boundary));
      CHECK(f.samples == e.samples);
      const Vec3 pressure = f.normal_force / units.force() * f.normal;
      CHECK(length(pressure - e.pressure) < 2e-5 * largest);
      CHECK(length(1 / units.force() * f.friction - e.friction) < 2e-5 * largest);
      if (length(e.pressure) > 0.01 * largest)
        CHECK(length(1 / units.length * (f.point - units.origin) - e.point) < 1e-3);
    }
  });
}

TEST_CASE("a box, a ball: the floor carries the weight, under the middle" * doctest::test_suite("figures")) {
  const Touching t = touching_at(
      quiet_lavapipe(),
      scene_of(solid("box", kBox, "[0.003, 0.06, 0.005]") + ", " + solid("ball", kBall, "[0.3, 0.06, 0.007]")), 0.5);
  REQUIRE(t.contacts.size() == 2);
  check_sums(t, kWeight);
  const double ball = 1000 * 4.0 / 3 * 3.14159265358979 * 0.06 * 0.06 * 0.06 * kGravity;
  for (std::uint32_t b = 0; b < 2; ++b) {
    CAPTURE(b);
    const Contact& contact = contact_of(t, b, true, 0);
    const Vec3 foot = t.frame.bodies[b].position - Vec3{0, 0.06, 0};
    report_figure({.name = std::string(b == 0 ? "box" : "ball") + " at rest: reported normal force over its weight",
                   .value = contact.normal_force / (b == 0 ? kWeight : ball),
                   .exact = 1,
                   .within = 0.02,
                   .source = "balance"});
    CHECK(contact.normal.y > 0.9999);
    CHECK(length(contact.friction) < 0.01 * kWeight);
    CHECK(length(contact.point - foot) < 0.1 * kSpacing);
    CHECK(contact.samples > (b == 0 ? 20u : 0u));
  }
}

TEST_CASE("a box on a slope: m g cos, m g sin, and no torque about its middle" * doctest::test_suite("figures")) {
  const double angle = 20 * kDegree, sine = std::sin(angle), cosine = std::cos(angle);
  Scene scene = scene_of(solid("box", kBox, "[0.003, 0.06, 0.005]"),
                         std::string("[") + text_of(kGravity * sine) + ", " + text_of(-kGravity * cosine) + ", 0]");
  scene.time.end = 0.5;
  scene.time.frame_interval = 0.02;
  // Friction differs by some percent from step to step, within the solver's tolerance: the mean of ten frames.
  Vec3 force, place;
  double frames = 0;
  Simulation simulation(quiet_lavapipe(), scene);
  for (; !simulation.done(); simulation.next_frame()) {
    while (!simulation.frame_ready()) simulation.advance();
    if (simulation.frame_number() < 16) continue;
    const Touching t{simulation.read_frame(), simulation.read_contacts()};
    REQUIRE(t.contacts.size() == 1);
    check_sums(t, kWeight);
    const Vec3 arm = t.contacts[0].point - t.frame.bodies[0].position, of_frame = force_on_a(t.contacts[0]);
    CHECK(length(cross(arm, of_frame)) < 0.1 * kWeight * 0.06);
    force = force + of_frame;
    place = place + arm;
    ++frames;
  }
  force = 1 / frames * force;
  place = 1 / frames * place;
  report_figure({.name = "box on a slope of 20 degrees: reported force at right angles to it over m g cos",
                 .value = force.y / (kWeight * cosine),
                 .exact = 1,
                 .within = 0.02,
                 .source = "balance"});
  report_figure({.name = "box on a slope of 20 degrees: reported force along it over m g sin",
                 .value = -force.x / (kWeight * sine),
                 .exact = 1,
                 .within = 0.02,
                 .source = "balance"});
  // Friction at the foot turns the box by m g sin times half its height, which the normal force's place balances.
  report_figure({.name = "box on a slope of 20 degrees: reported place off that of no torque",
                 .value = length(place - Vec3{0.06 * sine / cosine, -0.06, 0}) / kSpacing,
                 .unit = "h",
                 .most = 0.25,
                 .source = "balance"});
}

TEST_CASE("a beam on two boxes shares its load, and balls touch on the line between their middles") {
  const Touching t =
      touching_at(quiet_lavapipe(),
                  scene_of(solid("left", kBox, "[-0.1, 0.06, 0]") + ", " + solid("right", kBox, "[0.1, 0.06, 0]") +
                           ", " + solid("beam", R"("box": [0.36, 0.06, 0.12])", "[0.02, 0.15, 0]") + ", " +
                           solid("low", kBall, "[0.35, 0.06, 0]", R"(, "fixed": true)") + ", " +
                           solid("high", kBall, "[0.35, 0.18, 0]", R"(, "freeTranslation": [false, true, false])")),
                  0.6);
  check_sums(t, kWeight);
  const double beam = 1000 * 0.36 * 0.06 * 0.12 * kGravity;
  const Contact &left = contact_of(t, 0, false, 2), &right = contact_of(t, 1, false, 2);
  CHECK(left.normal.y < -0.999);  // the later body presses the earlier one down
  CHECK(left.normal_force + right.normal_force == doctest::Approx(beam).epsilon(0.02));
  // About the left one's place: the beam's weight at its middle, the right one's force at its own place.
  const double lever = t.frame.bodies[2].position.x - left.point.x, span = right.point.x - left.point.x;
  CHECK(right.normal_force == doctest::Approx(beam * lever / span).epsilon(0.03));
  CHECK(right.normal_force > 1.1 * left.normal_force);
  CHECK(contact_of(t, 0, true, 0).normal_force == doctest::Approx(kWeight + left.normal_force).epsilon(0.02));
  const Contact& balls = contact_of(t, 3, false, 4);
  const Vec3 low = t.frame.bodies[3].position, high = t.frame.bodies[4].position;
  CHECK(length(balls.point - 0.5 * (low + high)) < 0.1 * kSpacing);
  CHECK(balls.normal.y < -0.9999);
}

TEST_CASE("fluid is no contact, and contacts are the same bits on every device") {
  const Scene scene = scene_of(
      R"({"role": "boundary", "name": "tank", "shape": {"box": [0.3, 0.3, 0.2], "open": "top"}, "position": [0, 0.15, 0]},
         {"role": "fluid", "material": "water", "shape": {"box": [0.3, 0.16, 0.2]}, "position": [0, 0.08, 0]}, )" +
      solid("float", R"("box": [0.1, 0.06, 0.1])", "[0, 0.2, 0]", R"(, "mass": 0.3)") + ", " +
      solid("sunk", R"("box": [0.06, 0.06, 0.06])", "[0.1, 0.03, 0.05]", R"(, "mass": 1)"));
  std::vector<Touching> runs;
  for (Gpu* gpu : drivers())
    for (const Gather gather : {Gather::addresses, Gather::automatic})
      runs.push_back(touching_at(*gpu, scene, 0.03, {.gather = gather}));
  REQUIRE(!runs[0].contacts.empty());
  for (const Touching& t : runs) {
    REQUIRE(t.contacts.size() == runs[0].contacts.size());
    for (std::size_t k = 0; k < t.contacts.size(); ++k) {
      const Contact &a = t.contacts[k], &b = runs[0].contacts[k];
      CHECK(a.a == 1);  // the one that floats touches water alone
      CHECK(length(a.point - b.point) == 0);
      CHECK(length(a.normal - b.normal) == 0);
      CHECK(length(a.friction - b.friction) == 0);
      CHECK(a.normal_force == b.normal_force);
      CHECK(a.samples == b.samples);
    }
  }
}

TEST_CASE("contacts of a step that is under way are refused, and reading them changes no bit") {
  Scene scene = scene_of(solid("box", kBox, "[0, 0.06, 0]") + ", " + solid("top", kBox, "[0, 0.18, 0]"));
  scene.time.end = scene.time.frame_interval = 0.01;
  Simulation read(quiet_lavapipe(), scene, {.iterations_per_tick = 1, .ticks_per_submit = 3}),
      plain(quiet_lavapipe(), scene);
  std::size_t refused = 0, given = 0;
  read.next_frame();
  while (!read.frame_ready()) {
    read.advance();
    try {
      given += read.read_contacts().size();
    } catch (const Error& error) {
      CHECK(std::string(error.what()).find("under way") != std::string::npos);
      ++refused;
    }
  }
  CHECK(refused > 0);
  CHECK(given + read.read_contacts().size() > 0);
  plain.next_frame();
  while (!plain.frame_ready()) plain.advance();
  CHECK(read.state_hash() == plain.state_hash());
}

TEST_CASE("contacts.csv has a row a pair a frame, where a scene asks for it") {
  const TestFolder folder;
  const auto write = [&](const std::string& contacts) {
    const std::filesystem::path path = folder.path / "die.json";
    io::write_file(path, R"({"particleSpacing": 0.02, "time": {"end": 0.02, "step": 0.001},
      "materials": {"oak": {"type": "rigid"}}, "objects": [
      {"role": "boundary", "name": "the floor", "shape": {"box": [0.2, 0.1, 0.2]}, "position": [0, -0.05, 0]},
      {"role": "rigid", "name": "die", "material": "oak", "shape": {"box": [0.06, 0.06, 0.06]},
       "position": [0, 0.03, 0], "repeat": {"count": [1, 2, 1], "step": [0, 0.06, 0]}}],
      "output": {"frameRate": 200)" +
                             contacts + "}}");
    return path.string();
  };
  const std::filesystem::path output = folder.path / "out", file = output / "contacts.csv";
  const auto run = [&](const std::string& scene) {
    const Result result = run_program(
        folder, {"run", scene, "-o", output.string(), "--overwrite", "--no-picture", "--device", "llvmpipe"});
    CHECK_MESSAGE(result.code == 0, result.err);
  };
  run(write(R"(, "contacts": true)"));
  CHECK(io::lists(io::read_files_of(output / "run.json"), "contacts.csv"));
  const std::string text = io::read_file(file);
  const std::string header = "frame,time,a,b,x,y,z,nx,ny,nz,normal_force,friction_fx,friction_fy,friction_fz,samples\n";
  REQUIRE(text.starts_with(header));
  for (const int frame : {1, 2, 3, 4}) {
    const std::string start = "\n" + std::to_string(frame) + ",0.0";
    CHECK(text.find(start) != std::string::npos);
  }
  CHECK(text.find("\n0,") == std::string::npos);  // nothing has been computed at the start
  CHECK(text.find(",\"die[0,0,0]\",\"die[0,1,0]\",") != std::string::npos);
  CHECK(text.find(",\"die[0,0,0]\",\"the floor\",") != std::string::npos);
  CHECK(text.find(",\"die[0,1,0]\",\"the floor\",") == std::string::npos);
  run(write(""));  // replaces that run
  CHECK(!std::filesystem::exists(file));
}
