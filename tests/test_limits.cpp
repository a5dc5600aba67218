// What the engine refuses: every field of a scene, of its options and of edits, one bad value at a time.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/folder.h"
#include "tests/gpu.h"
#include "tests/scene_builders.h"

#include "sluice/embed.h"  // after the headers of Vulkan without prototypes

namespace sluice::tests {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two materials, a tank, a paddle that turns, and a body of two samples.
Scene good_scene() {
  Scene scene = stirred_moving_tank(4, 4);
  scene.materials.push_back({"oil", 800, 0.001});
  scene.shapes = {{"bar", {{{-0.01, 0, 0}, 0.9}, {{0.01, 0, 0}, 0.9}}}};
  RigidBody body;
  body.name = "bar 1";
  body.mass = 0.02;
  body.inertia = {1e-5, 2e-5, 2e-5, 1e-6, 0, 0};
  body.position = {0.05, 0.3, 0.05};
  scene.rigid = {body};
  return scene;
}

struct Bad {
  std::string field;  // in the sentence
  std::function<void(Scene&)> spoil;
};

// A field that must be a number within a range.
void add_numbers(std::vector<Bad>& all, const std::string& field, const std::function<double&(Scene&)>& at,
                 std::vector<double> values) {
  values.insert(values.end(), {kNan, kInfinity, -kInfinity});
  for (const double value : values) all.push_back({field, [at, value](Scene& s) { at(s) = value; }});
}

// Each axis of a vector.
void add_vector(std::vector<Bad>& all, const std::string& field, const std::function<Vec3&(Scene&)>& at,
                const std::vector<double>& values) {
  add_numbers(
      all, field, [at](Scene& s) -> double& { return at(s).x; }, values);
  add_numbers(
      all, field, [at](Scene& s) -> double& { return at(s).y; }, values);
  add_numbers(
      all, field, [at](Scene& s) -> double& { return at(s).z; }, values);
}

std::vector<Bad> bad_settings() {
  std::vector<Bad> all;
  add_numbers(all, "particleSpacing", [](Scene& s) -> double& { return s.spacing; }, {0, -1, 1e-300, 1e300});
  add_vector(all, "gravity", [](Scene& s) -> Vec3& { return s.gravity; }, {1e300, -1e300, 1.01e9});
  add_numbers(all, "end", [](Scene& s) -> double& { return s.time.end; }, {0, -1, 1e300});
  add_numbers(all, "maxStep", [](Scene& s) -> double& { return s.time.max_step; }, {0, -1, 1e-300, 1e6, 1e300});
  add_numbers(all, "frame", [](Scene& s) -> double& { return s.time.frame_interval; }, {0, -1, 1e-300, 1e300});
  all.push_back({"frames", [](Scene& s) { s.time.end = 1e9, s.time.frame_interval = 0.01; }});
  all.push_back({"steps", [](Scene& s) { s.time.end = 1e9, s.time.frame_interval = 1e8; }});
  for (const double cfl : {kNan, 0.0, -1.0, 1e-9, -kInfinity})
    all.push_back({"cfl", [cfl](Scene& s) { s.time.cfl = cfl; }});
  const auto solver = [&](const std::string& field, double SolverSettings::*member, std::vector<double> values) {
    add_numbers(
        all, field, [member](Scene& s) -> double& { return s.solver.*member; }, std::move(values));
  };
  solver("tolerance", &SolverSettings::tolerance, {0, -1, 1e300});
  solver("relaxationFluid", &SolverSettings::relaxation_fluid, {0, 2, -1});
  solver("relaxationRigid", &SolverSettings::relaxation_rigid, {0, 2, -1});
  solver("gamma", &SolverSettings::gamma, {0, 1, -1});
  solver("warmStartFluid", &SolverSettings::warm_start_fluid, {-0.1, 1});
  solver("warmStartRigid", &SolverSettings::warm_start_rigid, {-0.1, 1});
  solver("loadSharing", &SolverSettings::load_sharing, {-0.1, 1.1});
  solver("overlapSpeed", &SolverSettings::overlap_speed, {1e300, -1e300});
  for (const int bad : {0, -1, 2147483647, -2147483647 - 1}) {
    all.push_back({"minIterations", [bad](Scene& s) { s.solver.min_iterations = bad; }});
    all.push_back({"minIterations", [bad](Scene& s) { s.solver.min_iterations_contact = bad; }});
    all.push_back({"maxIterations", [bad](Scene& s) { s.solver.max_iterations = bad; }});
  }
  for (const int bad : {-1, 2, 99}) {
    all.push_back({"mode", [bad](Scene& s) { s.solver.mode = static_cast<SolverMode>(bad); }});
    all.push_back({"acceleration", [bad](Scene& s) { s.solver.acceleration = static_cast<Acceleration>(bad); }});
    all.push_back({"contactScale", [bad](Scene& s) { s.solver.contact_scale = static_cast<ContactScale>(bad); }});
    all.push_back({"frictionUpdate", [bad](Scene& s) { s.solver.friction_update = static_cast<FrictionUpdate>(bad); }});
    all.push_back({"frictionMethod", [bad](Scene& s) { s.solver.friction_method = static_cast<FrictionMethod>(bad); }});
    all.push_back({"slip", [bad](Scene& s) { s.solver.slip = static_cast<Slip>(bad); }});
  }
  return all;
}

std::vector<Bad> bad_particles() {
  std::vector<Bad> all;
  add_numbers(all, "density of \"oil\"", [](Scene& s) -> double& { return s.materials[1].density; }, {0, -1, 1e300});
  add_numbers(all, "viscosity of \"oil\"", [](Scene& s) -> double& { return s.materials[1].viscosity; }, {-1, 1e300});
  all.push_back({"fluid materials", [](Scene& s) { s.materials.resize(33, {"more", 1000, 0}); }});
  add_vector(all, "fluid particle 3", [](Scene& s) -> Vec3& { return s.fluid[3].position; }, {1e300, -1e300, 1e9});
  add_vector(all, "velocity of fluid particle 3", [](Scene& s) -> Vec3& { return s.fluid[3].velocity; },
             {1e300, 1.1e9});
  for (const std::uint32_t bad : {2u, 0xffffffffu})
    all.push_back({"fluid particle 3 names material", [bad](Scene& s) { s.fluid[3].material = bad; }});
  add_vector(all, "the boundary \"paddle\"", [](Scene& s) -> Vec3& { return s.bodies[1].position; }, {1e300, 1e9});
  add_vector(all, "velocity of the boundary \"paddle\"", [](Scene& s) -> Vec3& { return s.bodies[1].velocity; },
             {1e300, 1.1e9});
  add_vector(all, "the boundary \"paddle\"", [](Scene& s) -> Vec3& { return s.bodies[1].angular_velocity; },
             {1e300, 1.1e9});
  all.push_back({"boundary objects", [](Scene& s) { s.bodies.resize(65536); }});
  add_vector(all, "boundary sample 5", [](Scene& s) -> Vec3& { return s.boundary[5].position; }, {1e300, 1e9});
  add_numbers(all, "weight of boundary sample 5", [](Scene& s) -> double& { return s.boundary[5].weight; },
              {0, -1, 1.3, 1e300});
  for (const std::uint32_t bad : {2u, 65535u, 0xffffffffu})
    all.push_back({"boundary sample 5 names boundary", [bad](Scene& s) { s.boundary[5].body = bad; }});
  return all;
}

std::vector<Bad> bad_bodies() {
  std::vector<Bad> all;
  const std::string name = "\"bar 1\"";
  add_vector(all, "sample of the shape \"bar\"", [](Scene& s) -> Vec3& { return s.shapes[0].samples[1].position; },
             {1e300, 1e9});
  add_numbers(all, "rest volume", [](Scene& s) -> double& { return s.shapes[0].samples[1].rest_volume; },
              {0, -1, 1001, 1e300});
  all.push_back({"\"bar\" has no samples", [](Scene& s) { s.shapes[0].samples.clear(); }});
  all.push_back({"has no samples", [](Scene& s) { s.shapes.push_back({"never used", {}}); }});
  for (const std::uint32_t bad : {1u, 0xffffffffu})
    all.push_back({name + " names shape", [bad](Scene& s) { s.rigid[0].shape = bad; }});
  add_numbers(all, name, [](Scene& s) -> double& { return s.rigid[0].mass; }, {0, -1, 1e-300, 1e300});
  for (std::size_t k = 0; k < 6; ++k)
    add_numbers(all, name, [k](Scene& s) -> double& { return s.rigid[0].inertia[k]; }, {-1, 1e300});
  for (std::size_t k = 0; k < 3; ++k)
    add_numbers(all, name, [k](Scene& s) -> double& { return s.rigid[0].inertia[k]; }, {0, 1e-300});
  all.push_back({"positive definite", [](Scene& s) { s.rigid[0].inertia = {1, 1, 1, 1, 1, 1}; }});
  add_vector(all, name, [](Scene& s) -> Vec3& { return s.rigid[0].center_of_mass; }, {1e300});
  add_vector(all, name, [](Scene& s) -> Vec3& { return s.rigid[0].position; }, {1e300, 1e9});
  add_vector(all, name, [](Scene& s) -> Vec3& { return s.rigid[0].velocity; }, {1e300, 1.1e9});
  add_vector(all, name, [](Scene& s) -> Vec3& { return s.rigid[0].angular_velocity; }, {1e300, 1.1e9});
  add_vector(all, name, [](Scene& s) -> Vec3& { return s.rigid[0].force; }, {1e300});
  add_vector(all, name, [](Scene& s) -> Vec3& { return s.rigid[0].torque; }, {1e300});
  add_numbers(all, name, [](Scene& s) -> double& { return s.rigid[0].orientation.w; }, {0, 2});
  add_numbers(all, name, [](Scene& s) -> double& { return s.rigid[0].orientation.y; }, {1});
  add_numbers(all, name, [](Scene& s) -> double& { return s.rigid[0].friction; }, {-0.1, 1e300});
  add_numbers(all, name, [](Scene& s) -> double& { return s.rigid[0].gravity_scale; }, {1e300, -1e300});
  for (const int bad : {-1, 3, 99})
    all.push_back(
        {"turning of the rigid body " + name, [bad](Scene& s) { s.rigid[0].turning = static_cast<Turning>(bad); }});
  for (const Vec3 bad : {Vec3{0, 0, 0}, Vec3{kNan, 1, 0}, Vec3{kInfinity, 1, 0}, Vec3{1e300, 0, 0}, Vec3{1e-300, 0, 0}})
    all.push_back({"axis", [bad](Scene& s) { s.rigid[0].turning = Turning::about_axis, s.rigid[0].axis = bad; }});
  all.push_back({"rigid bodies", [](Scene& s) { s.rigid.resize(1048576, s.rigid[0]); }});
  return all;
}

void check_refused(const std::vector<Bad>& all) {
  REQUIRE(error_of([] { estimate_memory(good_scene()); }) == "nothing thrown");
  for (std::size_t i = 0; i < all.size(); ++i) {
    Scene scene = good_scene();
    all[i].spoil(scene);
    const std::string sentence = error_of([&] { estimate_memory(scene); });
    CAPTURE(i);
    CAPTURE(all[i].field);
    CAPTURE(sentence);
    CHECK(contains(sentence, all[i].field));
  }
}

TEST_CASE("settings beyond their range are refused with a sentence that names them") { check_refused(bad_settings()); }

TEST_CASE("fluids and boundaries beyond their range are refused with a sentence that names them") {
  check_refused(bad_particles());
}

TEST_CASE("rigid bodies beyond their range are refused with a sentence that names them") {
  check_refused(bad_bodies());
}

TEST_CASE("the limits themselves are possible") {
  const auto possible = [](auto change) {
    Scene scene = good_scene();
    change(scene);
    CHECK(error_of([&] { estimate_memory(scene); }) == "nothing thrown");
  };
  possible([](Scene& s) { s.gravity = {0, -kMaxGravity, 0}; });
  possible([](Scene& s) { s.time.cfl = kMinCfl; });
  possible([](Scene& s) { s.time.cfl = kInfinity; });
  possible([](Scene& s) { s.boundary[5].weight = kMaxSampleWeight; });
  possible([](Scene& s) { s.fluid[3].velocity = {kMaxSpeed, 0, 0}; });
  possible([](Scene& s) { s.solver.max_iterations = kMaxIterations; });
  possible([](Scene& s) { s.solver.overlap_speed = -1; });
  possible([](Scene& s) { s.materials.resize(kMaxFluidMaterials, {"more", 1000, 0}); });
  possible([](Scene& s) { s.rigid[0].axis = {}; });  // which a free body does not have
  possible([](Scene& s) { s.spacing = 1e-3; });
}

TEST_CASE("options that no device can have are refused with the field and its range") {
  const Scene scene = good_scene();
  const auto refused = [&](const SimulationOptions& options, const std::string& field) {
    const std::string sentence = error_of([&] { estimate_memory(scene, options); });
    CAPTURE(sentence);
    CHECK(contains(sentence, "SimulationOptions::" + field));
    CHECK(error_of([&] { Simulation simulation(lavapipe(), scene, options); }) == sentence);
  };
  for (const std::uint32_t bad : {0u, 4097u, 0x7fffffffu, 0xfffffffdu, 0xffffffffu})
    refused({.row_capacity = bad}, "row_capacity must be from 1 to 4096");
  for (const std::uint64_t bad : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{65535}, ~std::uint64_t{0}})
    refused({.page_bytes = bad}, "page_bytes must be from 65536 to 1073741824");
  refused({.row_capacity = 4096, .page_bytes = 65536}, "page_bytes must hold 64 rows");
  refused({.spill_blocks = 0xffffffffu}, "spill_blocks must be at most");
  for (const int bad : {-1, 3, 99}) refused({.gather = static_cast<Gather>(bad)}, "gather");
  refused({.drawn_origin = {kNan, 0, 0}}, "drawn_origin");
  refused({.drawn_origin = {0, kInfinity, 0}}, "drawn_origin");
  for (const SimulationOptions& good : std::vector<SimulationOptions>{{.row_capacity = 1},
                                                                      {.row_capacity = 4096},
                                                                      {.page_bytes = 65536},
                                                                      {.page_bytes = std::uint64_t{1} << 30},
                                                                      {.spill_blocks = 1u << 26}})
    CHECK(error_of([&] { estimate_memory(scene, good); }) == "nothing thrown");
  CHECK(
      contains(error_of([&] { Gpu::create({.validation = static_cast<Validation>(99)}); }), "GpuOptions::validation"));
}

TEST_CASE("a row of one neighbour and submits of any length run, to the same bits") {
  const Scene scene = with_fixed_steps(stirred_moving_tank(4, 4), 0.001, 4);
  const std::uint64_t hash = run_scene(lavapipe(), scene).last.state_hash;
  CHECK(run_scene(lavapipe(), scene, {.row_capacity = 1}).last.state_hash == hash);
  CHECK(run_scene(lavapipe(), scene, {.iterations_per_tick = 0xffffffffu, .ticks_per_submit = 1}).last.state_hash ==
        hash);
}

TEST_CASE("edits beyond their range are refused with a sentence") {
  Simulation simulation(lavapipe(), good_scene(), {.moving_boundaries = true});
  const auto refused = [&](const Edit& edit, const std::string& part) {
    const std::string sentence = error_of([&] { simulation.edit(edit); });
    CAPTURE(sentence);
    CHECK(contains(sentence, part));
  };
  using Kind = Edit::Kind;
  for (const Kind kind : {Kind::motion, Kind::force, Kind::impulse, Kind::pose, Kind::gravity}) {
    for (const double bad : {kNan, kInfinity, 1e300}) {
      refused({.kind = kind, .linear = {0, bad, 0}}, "not finite");
      refused({.kind = kind, .angular = {0, 0, bad}}, "not finite");
    }
    if (kind != Kind::gravity) refused({.kind = kind, .body = 0xffffffffu}, "4294967295");
  }
  for (const int bad : {-1, 5, 99}) refused({.kind = static_cast<Kind>(bad)}, "kind " + std::to_string(bad));
  refused({.kind = Kind::motion, .linear = {1.1e9, 0, 0}}, "velocity");
  refused({.kind = Kind::motion, .angular = {1.1e9, 0, 0}}, "velocity");
  refused({.kind = Kind::motion, .body = 1, .angular = {1e9, 0, 1e9}}, "velocity");
  refused({.kind = Kind::gravity, .linear = {1.1e9, 0, 0}}, "gravity");
  refused({.kind = Kind::force, .linear = {1e100, 0, 0}}, "force");
  refused({.kind = Kind::force, .angular = {1e100, 0, 0}}, "torque");
  refused({.kind = Kind::impulse, .linear = {1e100, 0, 0}}, "impulse");
  refused({.kind = Kind::impulse, .angular = {1e100, 0, 0}}, "angular impulse");
  refused({.kind = Kind::pose, .linear = {1e9, 0, 0}}, "2 million");
  refused({.kind = Kind::pose, .orientation = {2, 0, 0, 0}}, "unit quaternion");
  refused({.kind = Kind::pose, .orientation = {kNan, 0, 0, 0}}, "unit quaternion");
  CHECK(simulation.edit_log().empty());
}

TEST_CASE("calls of an embedding program with nothing in them are refused") {
  Simulation simulation(lavapipe(), good_scene());
  CHECK(contains(error_of([&] { simulation.record(nullptr, 1, 1); }), "no command buffer"));
  CHECK(contains(error_of([&] { simulation.retire({}); }), "never recorded"));
  CHECK(contains(error_of([&] { simulation.retire({~std::uint64_t{0}}); }), "never recorded"));
  CHECK(contains(error_of([&] { simulation.discard({7}); }), "never recorded"));
  CHECK(contains(error_of([&] { simulation.drawn(); }), "SimulationOptions::drawn"));
  CHECK(contains(error_of([&] { Gpu::adopt({}); }), "null"));
  CHECK(contains(error_of([&] { inspect_device(nullptr, VK_NULL_HANDLE, VK_NULL_HANDLE); }), "null"));
}

}  // namespace
}  // namespace sluice::tests
