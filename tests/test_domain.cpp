// The domain: what leaves it for good is taken out or held, counted with its momentum, and does not limit the step.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include "host/sampling/domain.h"
#include "host/sampling/sampling.h"
#include "tests/gpu.h"
#include "tests/reference/strays.h"
#include "tests/rigid_rig.h"
#include "tests/scene_builders.h"

namespace {

using namespace sluice;
using namespace sluice::tests;

constexpr double kH = 0.02;  // m, the spacing of the scenes from text below

Scene scene_of(const std::string& text) {
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

// A floor of 0.4 m whose top is at y = 0; nothing else.
std::string over_floor(const std::string& objects, const std::string& more) {
  return R"({ "particleSpacing": 0.02, )" + more +
         R"( "materials": { "water": { "type": "fluid", "viscosity": 0 }, "oak": { "type": "rigid", "density": 700 } },
  "objects": [ { "name": "floor", "role": "boundary", "shape": { "box": [0.4, 0.08, 0.4] }, "position": [0, -0.04, 0] },
  )" + objects +
         "] }";
}

Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

template <typename T>
std::vector<T> reordered(const std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> result;
  for (const std::uint32_t i : order) result.push_back(values[i]);
  return result;
}

bool same(const std::vector<gpu::uvec4>& a, const std::vector<gpu::uvec4>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

}  // namespace

TEST_CASE("strays change places with the last that stay, whatever their number, as in the reference") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    for (const int n : {1, 255, 256, 257, 1234, 70000}) {
      if (n > 10000 && gpu != &lavapipe()) continue;
      Rig rig(*gpu, shaken_cloud(n));
      State& s = rig.state;
      const auto position = vulkan::download(rig.device, s.stored_position, n);
      const auto low = vulkan::download(rig.device, s.stored_low, n);
      const auto velocity = vulkan::download(rig.device, s.stored_velocity, n);
      Vec3 lowest{1e30, 1e30, 1e30}, highest{-1e30, -1e30, -1e30};
      for (int i = 0; i < n; ++i) {
        const Vec3 x = position_in_h(position[i], low[i].w);
        lowest = {std::min(lowest.x, x.x), std::min(lowest.y, x.y), std::min(lowest.z, x.z)};
        highest = {std::max(highest.x, x.x), std::max(highest.y, x.y), std::max(highest.z, x.z)};
      }
      // A box that all are in, one that cuts two sides off, and one that none is in.
      for (const double kept : {1.1, 0.8, -0.1}) {
        const Vec3 size = highest - lowest;
        const Domain box{lowest - Vec3{1, 1, 1},
                         lowest + Vec3{size.x + 1, kept > 1 ? size.y + 1 : kept * size.y - 0.1, size.z + 1}};
        gpu::Params params = s.params_host;
        const auto set = [](float& number, double value) { number = static_cast<float>(value); };
        set(params.domain_low_x, box.low.x), set(params.domain_low_y, box.low.y), set(params.domain_low_z, box.low.z);
        set(params.domain_high_x, box.high.x), set(params.domain_high_y, box.high.y);
        set(params.domain_high_z, box.high.z);
        params.gravity_x = params.gravity_z = 0;
        params.gravity_y = 0.25f;
        rig.set_params(params);

        std::vector<bool> left(n);
        std::vector<gpu::StepPartial> partials(rig.groups(), gpu::StepPartial{});
        Vec3 momentum;
        double mass = 0, scale = 0;
        for (int i = 0; i < n; ++i) {
          const Vec3 v{std::bit_cast<float>(velocity[i].x), std::bit_cast<float>(velocity[i].y),
                       std::bit_cast<float>(velocity[i].z)};
          const Vec3 x = position_in_h(position[i], low[i].w);
          const Domain single{{params.domain_low_x, params.domain_low_y, params.domain_low_z},
                              {params.domain_high_x, params.domain_high_y, params.domain_high_z}};
          left[i] = reference::left_for_good(single, x, v, {0, 0.25, 0}, 0);
          if (!left[i]) continue;
          partials[i / gpu::kGroup].strays += 1;
          const double m = params.materials[unpack_material(low[i].w)].mass;
          mass += m;
          momentum = momentum + m * v;
          scale += m * length(v);
        }
        const reference::Removal expected = reference::remove_strays(left);
        if (kept > 1) CHECK(expected.stay == static_cast<std::uint32_t>(n));
        if (kept < 0 && n > 1000) CHECK(expected.stay < 0.75 * n);
        vulkan::upload<gpu::uvec4>(rig.device, s.stored_position, position);
        vulkan::upload<gpu::uvec4>(rig.device, s.stored_low, low);
        vulkan::upload<gpu::uvec4>(rig.device, s.stored_velocity, velocity);
        vulkan::upload<gpu::StepPartial>(rig.device, s.step_partial, partials);
        gpu::Control control = s.control_start;
        control.strays = n - expected.stay;
        control.lost_particles = 3;
        rig.set_control(control);
        rig.run([&](PassRecorder& run) {
          run.run_groups<Pass::list_strays>(1);
          run.run_in<Pass::remove_strays>(gpu::kSlotBeginGaps);
        });
        const gpu::Control after = rig.control();
        CAPTURE(n);
        CAPTURE(kept);
        CHECK(after.particles == expected.stay);
        CHECK(after.lost_particles == 3 + n - expected.stay);
        CHECK(after.strays == 0);
        CHECK(after.dispatches[gpu::kSlotBeginParticles].x == (expected.stay + gpu::kGroup - 1) / gpu::kGroup);
        CHECK(std::fabs(after.lost_mass - mass) <= 64 * kHalfUlp * mass);
        CHECK(after.lost_weight == after.lost_mass);
        CHECK(length(Vec3{after.lost_momentum_x, after.lost_momentum_y, after.lost_momentum_z} - momentum) <=
              64 * kHalfUlp * scale);
        CHECK(same(vulkan::download(rig.device, s.stored_position, n), reordered(position, expected.order)));
        CHECK(same(vulkan::download(rig.device, s.stored_low, n), reordered(low, expected.order)));
        CHECK(same(vulkan::download(rig.device, s.stored_velocity, n), reordered(velocity, expected.order)));
      }
    }
  }
}

TEST_CASE("water that falls past a floor takes its momentum along, and the frames list only what is left") {
  const std::string drops =
      R"({ "name": "drops", "role": "fluid", "material": "water", "shape": { "box": [0.2, 0.08, 0.08] },
    "position": [0.2, 0.2, 0] })";
  const Scene scene = scene_of(over_floor(
      drops,
      R"("domain": { "low": [-0.5, -0.3, -0.5], "high": [0.6, 0.5, 0.5] }, "time": { "end": 0.4, "maxStep": 0.002 },)"));
  REQUIRE(scene.fluid.size() == 160);
  std::set<std::uint64_t> hashes;
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    std::size_t fewest = scene.fluid.size();
    bool partly = false;
    const Run run = run_scene(*gpu, scene, {}, [&](const Frame& frame) {
      CHECK(frame.position.size() <= fewest);
      CHECK(frame.id.size() == frame.position.size());
      CHECK(std::is_sorted(frame.id.begin(), frame.id.end()));
      CHECK(std::adjacent_find(frame.id.begin(), frame.id.end()) == frame.id.end());
      for (const auto& x : frame.position) CHECK(x[1] > -0.3 - 2.5 * 0.006);  // a step beyond, at most
      for (const float density : frame.density) CHECK(density > 0);
      partly |= !frame.id.empty() && frame.id.size() < scene.fluid.size();
      fewest = frame.id.size();
    });
    CHECK(partly);
    CHECK(run.last.position.size() + run.steps.back().lost_particles == scene.fluid.size());
    CHECK(run.last.position.size() > 20);
    CHECK(run.steps.back().lost_particles > 20);
    const double mass = particle_mass(scene, 0);
    CHECK(run.steps.back().lost_mass == doctest::Approx(run.steps.back().lost_particles * mass).epsilon(1e-6));
    // All momentum is gravity's and the floor's, wherever it is now.
    double live = 160 * mass, worst = 0, largest = 0;
    for (std::size_t k = 1; k < run.steps.size(); ++k) {
      const StepRecord &before = run.steps[k - 1], &now = run.steps[k];
      live = (160.0 - now.lost_particles) * mass;
      const Vec3 change = vec(now.momentum) + vec(now.lost_momentum) - vec(before.momentum) - vec(before.lost_momentum);
      const Vec3 impulse = now.dt * (live * scene.gravity - vec(now.wall_force));
      worst = std::max(worst, length(change - impulse));
      largest = std::max(largest, length(vec(now.momentum)));
    }
    CHECK(worst < 1e-5 * largest);
    CHECK(vec(run.steps.back().lost_momentum).y < -1.5 * run.steps.back().lost_mass);
    hashes.insert(run.last.state_hash);
  }
  for (const std::uint32_t iterations : {1u, 16u})
    hashes.insert(
        run_scene(lavapipe(), scene, {.iterations_per_tick = iterations, .ticks_per_submit = 50}).last.state_hash);
  CHECK(hashes.size() == 1);
}

TEST_CASE("a ball that is thrown above the domain comes back in its time, and takes long steps on its way") {
  const std::string ball =
      R"({ "name": "ball", "role": "rigid", "material": "oak", "shape": { "sphere": { "radius": 0.06 } },
    "position": [0, 0.06, 0], "velocity": [0, 5, 0] })";
  const Scene scene = scene_of(over_floor(
      ball,
      R"("domain": { "low": [-0.5, -0.5, -0.5], "high": [0.5, 0.5, 0.5] }, "time": { "end": 1.2, "maxStep": 0.004 },)"));
  MessageGuard guard(lavapipe());
  double highest = 0, landed = 0;
  const Run run = run_scene(lavapipe(), scene, {}, [&](const Frame& frame) {
    highest = std::max(highest, frame.bodies[0].position.y);
    if (landed == 0 && frame.time > 0.9 && frame.bodies[0].position.y < 0.075) landed = frame.time;
  });
  CHECK(run.steps.back().lost_bodies == 0);
  CHECK(!run.last.bodies[0].left);
  CHECK(highest == doctest::Approx(0.06 + 5 * 5 / (2 * 9.81)).epsilon(0.02));
  CHECK(landed == doctest::Approx(2 * 5 / 9.81).epsilon(0.03));
  CHECK(run.last.bodies[0].position.y == doctest::Approx(0.06).epsilon(0.1));
  // From 0.56 m, the domain's top and the ball's radius, to the apex and back it takes two times 0.39 s.
  const auto flies = [&](const StepRecord& s) { return s.time > 0.16 && s.time < 0.85; };
  for (const StepRecord& s : run.steps)
    if (flies(s)) CHECK(s.dt > 0.0033);  // six slices of a frame
}

TEST_CASE("a ball that leaves for good is held where it did, and a new pose brings it back") {
  const std::string ball =
      R"({ "name": "ball", "role": "rigid", "material": "oak", "shape": { "sphere": { "radius": 0.06 } },
    "position": [0.1, 0.3, 0], "velocity": [3, 0, 0], "angularVelocity": [0, 5, 0] })";
  const Scene scene = scene_of(over_floor(
      ball,
      R"("domain": { "low": [-0.5, -0.5, -0.5], "high": [0.5, 0.5, 0.5] }, "time": { "end": 0.5, "maxStep": 0.002 },)"));
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Simulation simulation(*gpu, scene);
    const auto run_until = [&](std::uint32_t frame) {
      StepRecord last;
      while (simulation.frame_number() < frame) {
        for (const StepRecord& step : simulation.advance()) last = step;
        if (simulation.frame_ready()) simulation.next_frame();
      }
      return last;
    };
    const StepRecord gone = run_until(12);
    const BodyRecord held = simulation.read_frame().bodies[0];
    CHECK(gone.lost_bodies == 1);
    CHECK(gone.lost_mass == doctest::Approx(scene.rigid[0].mass).epsilon(1e-6));
    CHECK(gone.lost_momentum[0] == doctest::Approx(3 * scene.rigid[0].mass).epsilon(1e-6));
    CHECK(gone.lost_momentum[1] < 0);
    CHECK(length(vec(gone.momentum)) == 0);
    CHECK(gone.kinetic_energy == 0);
    CHECK(std::fabs(gone.potential_energy) < 1e-6 * gone.lost_mass);
    CHECK(held.left);
    CHECK(length(held.velocity) == 0);
    CHECK(length(held.angular_velocity) == 0);
    // Samples of a body lie half a spacing inside it; the domain ends at whole spacings of the device.
    CHECK(held.position.x - 0.05 > 0.5);
    CHECK(held.position.x - 0.05 < 0.5 + kH + 2 * 3 * 0.002);
    simulation.apply_impulse(0, {0, 1, 0}, {});
    run_until(14);
    CHECK(length(simulation.read_frame().bodies[0].position - held.position) == 0);

    simulation.set_pose(0, {0, 0.4, 0}, {});
    const StepRecord back = run_until(20);
    const BodyRecord falling = simulation.read_frame().bodies[0];
    CHECK(!falling.left);
    CHECK(falling.velocity.y == doctest::Approx(-9.81 * 6 * 0.02).epsilon(1e-3));
    CHECK(falling.position.x == doctest::Approx(0).scale(1e-6));
    CHECK(back.max_speed == doctest::Approx(9.81 * 6 * 0.02).epsilon(0.02));
  }
}

TEST_CASE("bodies that leave one after the other are not in each other's way") {
  const auto ball = [](const char* name, const char* x) {
    return std::string(R"({ "name": ")") + name + R"(", "role": "rigid", "material": "oak", "velocity": [2, 0, 0],
      "shape": { "sphere": { "radius": 0.05 } }, "position": [)" +
           x + R"(, 0.3, 0] })";
  };
  const Scene scene = scene_of(over_floor(
      ball("first", "0.2") + ", " + ball("second", "-0.1"),
      R"("gravity": [0, 0, 0], "domain": { "low": [-0.5, -0.5, -0.5], "high": [0.5, 0.5, 0.5] }, "time": { "end": 0.5, "maxStep": 0.002 },)"));
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    const Run run = run_scene(*gpu, scene);
    CHECK(run.steps.back().lost_bodies == 2);
    CHECK(run.steps.back().lost_momentum[0] ==
          doctest::Approx(2 * (scene.rigid[0].mass + scene.rigid[1].mass)).epsilon(1e-5));
    CHECK(std::fabs(run.last.bodies[0].position.x - run.last.bodies[1].position.x) < 0.01);
    CHECK(run.last.bodies[0].contacts + run.last.bodies[1].contacts == 0);
  }
}

TEST_CASE("the domain is the scene's extent, on the way of what moves, grown by its diagonal") {
  const std::string tank = R"({ "name": "tank", "role": "boundary", "shape": { "box": [0.2, 0.3, 0.08], "open": "top" },
    "position": [0, 0.15, 0] })";
  const auto text = [](const std::string& objects) {
    return R"({ "particleSpacing": 0.02, "time": { "end": 2 }, "gravity": [0, 0, 0],
      "materials": { "oak": { "type": "rigid" } }, "objects": [)" +
           objects + "] }";
  };
  const Scene still = scene_of(text(tank));
  // Samples of the tank and of the layer behind them.
  double half = 0;
  for (const BoundarySample& s : still.boundary) half = std::max(half, std::fabs(s.position.x));
  CHECK(half > 0.1);
  CHECK(half < 0.14);
  const Domain d = still.domain;
  const double diagonal = d.high.x - half;
  CHECK(diagonal == doctest::Approx(std::sqrt(0.2 * 0.2 + 0.3 * 0.3 + 0.08 * 0.08)).epsilon(0.25));
  CHECK(d.low.x == doctest::Approx(-half - diagonal));

  // A paddle that turns with a reach of 0.5 m about its centre, which goes 2 m.
  const std::string paddle = R"(, { "name": "paddle", "role": "boundary", "shape": { "box": [1, 0.04, 0.04] },
    "position": [0, 1, 0], "motion": { "velocity": [1, 0, 0], "angularVelocity": [0, 0, 1] } })";
  const Domain swept = scene_of(text(tank + paddle)).domain;
  const double swept_diagonal = -(swept.low.x + 0.5);
  CHECK(swept.high.x == doctest::Approx(2.5 + swept_diagonal).epsilon(0.01));
  CHECK(swept.high.y == doctest::Approx(1.5 + swept_diagonal).epsilon(0.01));

  // A run that ends sooner has the same domain, so that it makes the same bits.
  io::SceneFile shorter = io::parse_scene(text(tank + paddle), "scene.json");
  shorter.time.end = 0.1;
  io::SamplingReport report;
  CHECK(io::build_scene(shorter, report).domain.high.x == swept.high.x);

  // A flat sheet has room on both sides.
  Scene flat;
  flat.spacing = kH;
  flat.bodies.emplace_back();
  for (const double x : {0.0, 0.1}) flat.boundary.push_back({{x, 0, 0}, 1, 0});
  CHECK(io::extent_of(flat, 1).low.y == doctest::Approx(-kH));
  CHECK(io::extent_of(flat, 1).high.x == doctest::Approx(0.1 + kH));

  // Bodies in free space have nothing to stray from; beside a held one they have.
  const std::string ball =
      R"({ "name": "a", "role": "rigid", "material": "oak", "shape": { "sphere": { "radius": 0.1 } } })";
  CHECK(std::isinf(scene_of(text(ball)).domain.high.x));
  const std::string held = R"(, { "name": "b", "role": "rigid", "material": "oak", "shape": { "box": [0.1, 0.1, 0.1] },
    "position": [1, 0, 0], "fixed": true })";
  CHECK(std::isfinite(scene_of(text(ball + held)).domain.high.x));
}

TEST_CASE("a scene's domain is read, checked and written") {
  const auto text = [](const std::string& domain) {
    return "{ \"particleSpacing\": 0.1,\n\"domain\": " + domain +
           ",\n\"objects\": [ { \"name\": \"t\", \"role\": \"boundary\", \"shape\": { \"box\": [1, 1, 1] } } ] }";
  };
  const auto error_of = [](const std::string& scene) -> std::string {
    try {
      scene_of(scene);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const io::SceneFile file = io::parse_scene(text(R"({ "low": [-1, -2, -3], "high": [4, 5, 6] })"), "scene.json");
  REQUIRE(file.domain);
  CHECK(file.domain->low.z == -3);
  CHECK(file.domain->high.x == 4);
  const io::SceneFile again = io::parse_scene(io::scene_to_json(file), "scene.json");
  REQUIRE(again.domain);
  CHECK(again.domain->high.y == 5);
  const io::SceneFile unlimited = io::parse_scene(text("\"unlimited\""), "scene.json");
  REQUIRE(unlimited.domain);
  CHECK(std::isinf(unlimited.domain->low.x));
  CHECK(std::isinf(io::parse_scene(io::scene_to_json(unlimited), "scene.json").domain->high.y));

  CHECK(error_of(text("3")) ==
        "scene.json:2:11: /domain: must be two corners, such as { \"low\": [-1, -1, -1], \"high\": "
        "[1, 2, 1] }, or \"unlimited\"");
  CHECK(error_of(text(R"({ "low": [0, 0, 0], "high": [1, 0, 1] })")) ==
        "scene.json:2:39: /domain/high: must be greater than \"low\" along each axis");
  CHECK(error_of(text(R"({ "low": [0, 0, 0] })")).find("high") != std::string::npos);
  const std::string outside = over_floor(
      R"({ "name": "ball", "role": "rigid", "material": "oak", "shape": { "sphere": { "radius": 0.06 } }, "position": [3, 1, 0] })",
      R"("domain": { "low": [-1, -1, -1], "high": [1, 1, 1] },)");
  CHECK(error_of(outside) ==
        "scene.json:1:38: /domain: \"ball\" starts outside of it; make it larger, or leave it out");
}

TEST_CASE("what strays beside a tank does not shrink everybody's step") {
  const std::string tank =
      R"({ "name": "tank", "role": "boundary", "shape": { "box": [0.16, 0.2, 0.16], "open": "top" } },
    { "name": "water", "role": "fluid", "material": "water", "shape": { "box": [0.16, 0.08, 0.16] }, "position": [0, -0.06, 0] })";
  const std::string pebble =
      R"(, { "name": "pebble", "role": "rigid", "material": "stone", "shape": { "box": [0.06, 0.06, 0.06] },
    "position": [0.3, 0, 0] })";
  const auto steps_of = [&](const std::string& objects) {
    const Scene scene = scene_of(
        R"({ "particleSpacing": 0.02, "time": { "end": 2, "maxStep": 0.004 }, "output": { "frameRate": 10 },
        "materials": { "water": { "type": "fluid", "viscosity": 1e-6 }, "stone": { "type": "rigid" } }, "objects": [)" +
        objects + "] }");
    return run_scene(lavapipe(), scene).steps.back();
  };
  MessageGuard guard(lavapipe());
  const StepRecord alone = steps_of(tank), beside = steps_of(tank + pebble);
  CHECK(beside.lost_bodies == 1);
  CHECK(alone.lost_particles == 0);
  CHECK(beside.step <= 1.1 * alone.step);
}

TEST_CASE("drops that spill over a rim do not shrink everybody's step") {
  // Water on oil ten times lighter comes down and throws some of it out.
  const Scene scene =
      scene_of(R"({ "particleSpacing": 0.02, "time": { "end": 3, "maxStep": 0.004 }, "output": { "frameRate": 10 },
    "materials": { "water": { "type": "fluid", "viscosity": 1e-6 },
                   "oil": { "type": "fluid", "density": 100, "viscosity": 1e-6 } },
    "objects": [
      { "name": "tank", "role": "boundary", "shape": { "box": [0.2, 0.3, 0.08], "open": "top" }, "position": [0, 0.15, 0] },
      { "name": "oil", "role": "fluid", "material": "oil", "shape": { "box": [0.2, 0.1, 0.08] }, "position": [0, 0.05, 0] },
      { "name": "water", "role": "fluid", "material": "water", "shape": { "box": [0.2, 0.1, 0.08] },
        "position": [0, 0.15, 0] } ] })");
  MessageGuard guard(lavapipe());
  const StepRecord last = run_scene(lavapipe(), scene).steps.back();
  CHECK(last.lost_particles > 0);
  CHECK(last.step <= 1.1 * 750);  // 3 s in steps of 4 ms
}
