// What the host does with values that the device never computed, or hands back wrong.
#include <doctest/doctest.h>
#include <malloc.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "engine/frame.h"
#include "tests/folder.h"
#include "tests/gpu.h"
#include "tests/scene_builders.h"

namespace sluice::tests {
namespace {

// Memory that the C library hands out is filled: a CPU driver's buffers, too. MALLOC_PERTURB_ does so for a process.
struct FilledMemory {
  FilledMemory() { mallopt(M_PERTURB, 165); }
  ~FilledMemory() { mallopt(M_PERTURB, 0); }
};

// Two materials beside a body and a wall, so fast that the first step is too short to begin.
Scene stalled_scene() {
  Scene scene = shaken_cloud(200);
  scene.shapes = {{"bar", {{{-0.01, 0, 0}, 0.9}, {{0.01, 0, 0}, 0.9}}}};
  RigidBody body;
  body.name = "bar 1";
  body.mass = 0.02;
  body.inertia = {1e-5, 2e-5, 2e-5, 0, 0, 0};
  body.position = {0.05, 0.3, 0.05};
  scene.rigid = {body};
  scene.fluid[17].velocity = {kMaxSpeed, 0, 0};
  scene = with_fixed_steps(scene, 0.001, 4);
  scene.time.cfl = 0.4;
  return scene;
}

bool near(const std::array<double, 3>& found, Vec3 expected) {
  return length(Vec3{found[0], found[1], found[2]} - expected) < 1e-7;
}

void check_start(const Frame& frame, const Scene& scene) {
  REQUIRE(frame.position.size() == scene.fluid.size());
  for (std::size_t i = 0; i < scene.fluid.size(); ++i) {
    const FluidParticle& p = scene.fluid[i];
    REQUIRE(frame.id[i] == i);
    REQUIRE(frame.material[i] == p.material);
    REQUIRE(near(frame.position[i], p.position));
    REQUIRE(frame.velocity[i][0] == doctest::Approx(p.velocity.x).epsilon(1e-6));
    REQUIRE(frame.density[i] == static_cast<float>(scene.materials[p.material].density));
    REQUIRE(frame.pressure[i] == 0);
  }
  REQUIRE(frame.bodies.size() == 1);
  const BodyRecord& body = frame.bodies[0];
  CHECK(length(body.position - scene.rigid[0].position) < 1e-7);
  for (const Vec3& v : {body.velocity, body.contact_force, body.contact_torque, body.fluid_force, body.fluid_torque})
    CHECK(length(v) == 0);
  CHECK(body.contacts == 0);
  REQUIRE(frame.sample_position.size() == 2);
  for (const float value : frame.sample_pressure) CHECK(value == 0);
  for (const float value : frame.sample_friction_used) CHECK(value == 0);
  for (const auto& friction : frame.sample_friction) CHECK(friction == std::array<float, 3>{});
}

TEST_CASE("a start from which no step can begin is a frame at rest density, and the run says why it failed") {
  const FilledMemory filled;
  const Scene scene = stalled_scene();
  std::uint64_t hash = 0;
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    Simulation simulation(*gpu, scene);
    CHECK(simulation.neighbor_pairs() == 0);
    const std::uint64_t start = simulation.state_hash();
    const Frame frame = simulation.read_frame();
    check_start(frame, scene);
    CHECK(frame.number == 0);
    CHECK(frame.time == 0);
    CHECK(frame.state_hash == start);
    if (hash == 0) hash = start;
    CHECK(start == hash);
    CHECK(simulation.neighbor_pairs() == 0);
    simulation.next_frame();
    const std::string sentence = error_of([&] { simulation.advance(); });
    CHECK(contains(sentence, "step 1 "));
    CHECK(contains(sentence, "a ten-millionth of time.maxStep"));
    check_start(simulation.read_frame(), scene);
  }
}

TEST_CASE("a step that fails keeps the last one's pressures, and tells no density that it did not find") {
  const FilledMemory filled;
  MessageGuard guard(lavapipe());
  // More fluid in one place than a row can count.
  Scene scene = shaken_cloud(4200);
  for (FluidParticle& p : scene.fluid) p.position = 1e-6 * p.position, p.velocity = {};
  scene.bodies.clear();
  scene.boundary.clear();
  Simulation simulation(lavapipe(), with_fixed_steps(scene, 0.001, 4));
  const Frame frame = simulation.read_frame();
  for (std::size_t i = 0; i < scene.fluid.size(); ++i) {
    REQUIRE(frame.density[i] == static_cast<float>(scene.materials[scene.fluid[i].material].density));
    REQUIRE(frame.pressure[i] == 0);
  }
  simulation.next_frame();
  CHECK(contains(error_of([&] { simulation.advance(); }), "more than 4095 fluid"));
}

// Its gradients cancel but for 1e-4: its own pressure could mend its error only by a push of hundreds of spacings,
// which no solve outlives.
TEST_CASE("a particle between the layers of a wall is pushed out no farther than a spacing a step") {
  Scene scene;
  scene.spacing = 0.02;
  scene.materials = {{"water", 1000, 0}};
  const double h = scene.spacing;
  std::vector<Vec3> layer;
  for (int x = -3; x <= 3; ++x)
    for (int z = -3; z <= 3; ++z) layer.push_back({double(x), 0, double(z)});
  for (const double y : {-0.5, 0.5}) add_body(scene, layer, {0, y, 0}, {}, {}, "wall");
  scene.fluid = {{h * Vec3{0, 1e-4, 0}, {}, 0}};
  scene = with_fixed_steps(scene, 0.001, 1);
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    const Run run = run_scene(*gpu, scene);
    REQUIRE(run.last.position.size() == 1);
    const double moved = std::fabs(run.last.position[0][1]) / h;
    CHECK(moved > 0.02);
    CHECK(moved < 1.1);
  }
}

TEST_CASE("more fluid around a body than its lists hold fails the step instead of writing past them") {
  const FilledMemory filled;
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    // One chunk of 16 samples has room for 1024 particles.
    Scene scene = shaken_cloud(2000);
    for (FluidParticle& p : scene.fluid) p.position = 0.02 * p.position, p.velocity = {};
    scene.bodies.clear();
    scene.boundary.clear();
    scene.shapes = {{"bar", {{{-0.01, 0, 0}, 0.9}, {{0.01, 0, 0}, 0.9}}}};
    RigidBody body;
    body.mass = 0.02;
    body.inertia = {1e-5, 2e-5, 2e-5, 0, 0, 0};
    scene.rigid = {body};
    Simulation simulation(*gpu, with_fixed_steps(scene, 0.001, 4));
    simulation.next_frame();
    CHECK(contains(error_of([&] { simulation.advance(); }), "around each sample"));
    CHECK(simulation.read_frame().position.size() == 2000);
  }
}

TEST_CASE("an index from the device that does not exist is an error, and nothing is read by it") {
  Scene scene = stalled_scene();
  scene.fluid[17].velocity = {};
  Rig rig(lavapipe(), scene);
  rig.tick(0);
  const std::uint32_t n = rig.particles();
  const auto frame_error = [&] { return error_of([&] { frame_of(rig.state, scene.materials, rig.control()); }); };
  REQUIRE(frame_error() == "nothing thrown");
  const auto refused = [&](auto& buffer, std::uint64_t count, auto spoil, const std::string& part, bool hashed) {
    const auto good = vulkan::download(rig.device, buffer, count);
    auto bad = good;
    spoil(bad);
    using Record = typename std::decay_t<decltype(bad)>::value_type;
    vulkan::upload<Record>(rig.device, buffer, bad);
    CAPTURE(part);
    CHECK(contains(frame_error(), part));
    CHECK(contains(frame_error(), "use another device"));
    if (hashed) CHECK(contains(error_of([&] { hash_of(rig.state); }), part));
    vulkan::upload<Record>(rig.device, buffer, good);
    CHECK(frame_error() == "nothing thrown");
  };
  for (const std::uint32_t id : {n, 0xa5a5a5a5u, 0xffffffffu}) {
    const std::string part = "particle " + std::to_string(id) + " of " + std::to_string(n);
    refused(
        rig.state.stored_velocity, n, [&](auto& v) { v[3].w = id; }, part, true);
    refused(
        rig.state.velocity, n, [&](auto& v) { v[3].w = id; }, part, false);
  }
  refused(
      rig.state.stored_velocity, n, [](auto& v) { v[3].w = v[4].w; }, "twice", true);
  refused(
      rig.state.stored_low, n, [](auto& v) { v[3].w |= 31u << 27; }, "material 31 of 2", false);
  refused(
      rig.state.boundary_source, scene.boundary.size(), [](auto& v) { v[0].w |= 9u << 16; }, "boundary 9 of 2", false);
  refused(
      rig.state.chunk, 1, [](auto& v) { v[0].body = 1; }, "rigid body 1 of 1", false);
  refused(
      rig.state.chunk, 1, [](auto& v) { v[0].count = 17; }, "samples, 17", false);
  refused(
      rig.state.chunk, 1, [](auto& v) { v[0].first = 0xffffffff; }, "run of samples", false);
  // A count that is no number is none.
  auto steps = vulkan::download(rig.device, rig.state.rigid_step, 1);
  for (const float bad : {-1.0f, 1e30f, std::nanf("")}) {
    steps[0].spin.w = bad;
    vulkan::upload<gpu::RigidStep>(rig.device, rig.state.rigid_step, steps);
    CHECK(frame_of(rig.state, scene.materials, rig.control()).bodies[0].contacts == 0);
  }
}

}  // namespace
}  // namespace sluice::tests
