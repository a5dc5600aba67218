// Bodies of revolution: their passes against the double-precision reference, momentum of what they do to each other,
// and that nothing in a contact or in water turns them about their axis but friction.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "host/sampling/sampling.h"
#include "tests/body_momentum.h"
#include "tests/figures.h"
#include "tests/folder.h"
#include "tests/reference/rigid_simulation.h"
#include "tests/rigid_rig.h"
#include "tests/rigid_runs.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr double kH = 0.02;

Scene built(const std::string& objects, const std::string& gravity = "[0, 0, 0]") {
  const std::string text = R"({"particleSpacing": 0.02, "time": {"end": 1, "maxStep": 0.001}, "gravity": )" + gravity +
                           R"(, "materials": {"m": {"type": "rigid", "density": 1000, "friction": 0.4},
    "w": {"type": "fluid", "density": 1000, "viscosity": 0.001}}, "objects": [)" +
                           objects + "]}";
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

std::string rigid(const std::string& name, const std::string& shape, const std::string& rest) {
  return R"({"role": "rigid", "material": "m", "name": ")" + name + R"(", "shape": {)" + shape + "}, " + rest + "}";
}

const std::string kBall = R"("sphere": {"radius": 0.08})", kWheel = R"("cylinder": {"radius": 0.08, "height": 0.12})",
                  kBlock = R"("box": [0.16, 0.1, 0.16])";

// Balls, a wheel, a ring and a box, pressed together on a roller that turns, about its axis and across.
Scene heap() {
  return built(R"({"role": "boundary", "name": "roller", "shape": {"cylinder": {"radius": 0.16, "height": 0.6}},
      "rotation": {"axis": [1, 0, 0], "degrees": 90}, "position": [0, -0.16, 0], "solid": "inside",
      "motion": {"angularVelocity": [1, 2, 6], "velocity": [0.1, 0, 0]}},)" +
                   rigid("wheel", kWheel,
                         R"("position": [0, 0.0795, 0], "rotation": {"axis": [1, 0, 0.3], "degrees": 84},
      "velocity": [0.3, -0.2, 0.1], "angularVelocity": [3, -4, 9])") +
                   "," + rigid("ball", kBall, R"("position": [0.157, 0.06, 0.02], "velocity": [-0.4, 0, 0.1],
      "angularVelocity": [5, 2, -7])") +
                   "," + rigid("second", kBall, R"("position": [0.3, 0.09, 0.06], "velocity": [-0.5, 0.2, 0])") + "," +
                   rigid("box", kBlock, R"("position": [0.0, 0.21, 0.01], "velocity": [0, -0.4, 0],
      "angularVelocity": [1, 2, 3])") +
                   "," +
                   rigid("ring", R"("torus": {"radius": 0.06, "tube": 0.03})",
                         R"("position": [-0.112, 0.075, 0], "rotation": {"axis": [0.2, 0.1, 1], "degrees": 80},
      "velocity": [0.4, 0, 0], "angularVelocity": [0, 8, 2])") +
                   R"(,{"role": "fluid", "material": "w", "name": "water", "shape": {"box": [0.3, 0.16, 0.2]},
      "position": [0.15, 0.2, 0.16]})",
               "[0, -9.81, 0]");
}

double largest(const std::vector<Vec3>& values) {
  double most = 0;
  for (const Vec3& v : values) most = std::max(most, length(v));
  return most;
}

}  // namespace

TEST_CASE("rows of round bodies, their forces and errors equal the reference") {
  const Scene scene = heap();
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    RigidRig rig(*gpu, scene);
    reference::RigidSystem& s = rig.system;
    const auto steps = steps_of(rig);
    const auto records = by_sample(rig, rig.state.sample_row);
    const auto velocity = by_sample(rig, rig.state.sample_velocity);
    REQUIRE(rig.begun.contacts > 50);
    REQUIRE(rig.begun.coupled > 50);

    // Gradients, sources and sliding of v* and omega*.
    const double tau = rig.tau();
    std::vector<reference::Displacement> moved(s.position.size()), walls(rig.walls.velocity.size());
    for (std::size_t r = 0; r < moved.size(); ++r) {
      const gpu::RigidStep& step = steps[s.samples.body[r]];
      moved[r] = reference::displacement_at(s.arm[r], tau * to_vec(step.velocity), tau * to_vec(step.spin));
    }
    for (std::size_t b = 0; b < walls.size(); ++b) walls[b] = reference::boundary_displacement(rig.walls, b, tau);
    const gpu::Params& p = rig.state.params_host;
    reference::compute_sources(s, moved, walls, std::max(10.0 * rig.begun.tolerance, 0.1 * p.overlap_speed * tau));
    std::vector<Vec3> contact(s.position.size()), slide(s.position.size());
    double worst_source = 0, worst_place = 0;
    int round_rows = 0;
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      if (!has_row(s, r)) continue;
      const gpu::SampleRow& record = records[rig.lane[r]];
      const double v0 = s.samples.rest_volume[r];
      contact[r] = to_vec(record.contact) + 1 / (v0 * v0) * s.normal_force[r];
      const Vec3 n = s.normal[r], found = to_vec(record.slide);
      slide[r] = found - dot(found, n) * n - s.friction_source[r];
      worst_source = std::max(worst_source, std::abs(record.slide.w - s.pressure_source[r]));
      worst_place = std::max(worst_place, std::abs(velocity[rig.lane[r]].w - s.volume[r]));
      round_rows += s.bodies[s.samples.body[r]].round.kind != Roundness::none;
    }
    CHECK(round_rows > 30);
    CHECK(largest(contact) < 2e-5);
    CHECK(largest(slide) < 2e-6);
    CHECK(worst_source < 5e-6);
    CHECK(worst_place < 1e-5);

    // The parts of the diagonals.
    rig.take_device_volumes();
    reference::compute_diagonals(s);
    reference::share_loads(s, reference::no_past(s), 0);
    double worst_part = 0;
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      if (!has_row(s, r)) continue;
      const gpu::SampleRow& record = records[rig.lane[r]];
      double pressure = 0, friction = 0, found_pressure = 0, found_friction = 0;
      for (auto m = s.rigid_diagonal.start[r]; m < s.rigid_diagonal.start[r + 1]; ++m) {
        pressure += s.rigid_diagonal.part[m].pressure;
        friction += s.rigid_diagonal.part[m].friction;
      }
      for (const float part : {record.pressure.x, record.pressure.y, record.pressure.z, record.pressure.w})
        found_pressure += part;
      for (const float part : {record.friction.x, record.friction.y, record.friction.z, record.friction.w})
        found_friction += part;
      worst_part = std::max(worst_part, std::abs(found_friction - friction) / friction);
      if (length(s.normal_force[r]) < 0.01) continue;  // of a weak contact the gradient itself is rounded
      worst_part = std::max(worst_part, std::abs(found_pressure - pressure) / pressure);
    }
    CHECK(worst_part < 1e-3);

    // An iteration from multipliers of all rows.
    const reference::Multipliers x = random_multipliers(rig, 7);
    rig.set_multipliers(x);
    rig.iterate();
    REQUIRE(rig.control().failure == 0);
    const auto sums = vulkan::download(rig.device, rig.state.body_sum, s.bodies.size());
    const auto moves = steps_of(rig);
    reference::Motion motion = reference::motion_of(s, x);
    double force_error = 0, torque_error = 0;
    for (std::size_t b = 0; b < s.bodies.size(); ++b) {
      const Vec3 force = to_vec(sums[b].contact_force) + to_vec(sums[b].fluid_force);
      const Vec3 torque = to_vec(sums[b].contact_torque) + to_vec(sums[b].fluid_torque);
      force_error = std::max(force_error, length(force - motion.force[b]) / largest(motion.force));
      torque_error = std::max(torque_error, length(torque - motion.torque[b]) / largest(motion.torque));
      motion.translation[b] = to_vec(moves[b].shift);
      motion.rotation[b] = to_vec(moves[b].turn);
    }
    CHECK(force_error < 2e-5);
    CHECK(torque_error < 2e-5);
    motion.fluid.clear();
    for (const gpu::vec4& a : vulkan::download(rig.device, rig.state.acceleration, rig.particles()))
      motion.fluid.push_back(to_vec(a));
    const reference::Errors errors = reference::errors_of(s, motion, x);
    const auto solve = by_sample(rig, rig.state.sample_solve);
    const auto fluid = vulkan::download(rig.device, rig.state.solve, rig.particles());
    double error = 0, size = 0, sliding = 0, fluid_error = 0, fluid_size = 0;
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      if (!has_row(s, r)) continue;
      error = std::max(error, std::abs(solve[rig.lane[r]].error.w - errors.rigid[r]));
      sliding = std::max(sliding, length(to_vec(solve[rig.lane[r]].error) - errors.tangential[r]));
      size = std::max(size, std::abs(errors.rigid[r]));
    }
    CHECK(size > 0.01);
    CHECK(error < 1e-4 * size);
    CHECK(sliding < 1e-4 * size);
    const auto touching = vulkan::download(rig.device, rig.state.touching_rows, s.bodies.size());
    const auto coupled = vulkan::download(rig.device, rig.state.coupled_particle, rig.begun.coupled);
    for (const std::uint32_t f : coupled) {
      fluid_size = std::max(fluid_size, std::abs(errors.fluid[f]));
      // Where the error was, solve_coupled.comp has left the projected Jacobi step.
      const double p0 = x.fluid_pressure[f];
      double diagonal = s.fluid.diagonal[f];
      for (auto m = s.fluid_diagonal.start[f]; m < s.fluid_diagonal.start[f + 1]; ++m)
        diagonal += std::max(touching[s.fluid_diagonal.part[m].body], 1u) * s.fluid_diagonal.part[m].pressure;
      const double next = std::max(p0 - p.relaxation * errors.fluid[f] / diagonal, 0.0);
      fluid_error = std::max(fluid_error, std::abs(fluid[f].w - next) * diagonal);
    }
    CHECK(fluid_error < 2e-4 * fluid_size);
  }
}

TEST_CASE("pressure turns no round body about its axis") {
  const Scene scene = heap();
  MessageGuard guard(lavapipe());
  RigidRig rig(lavapipe(), scene);
  reference::RigidSystem& s = rig.system;
  rig.take_device_volumes();
  reference::compute_diagonals(s);
  reference::Multipliers x = random_multipliers(rig, 3);
  std::fill(x.friction.begin(), x.friction.end(), Vec3{});
  rig.set_multipliers(x);
  rig.iterate();
  const auto sums = vulkan::download(rig.device, rig.state.body_sum, s.bodies.size());
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const reference::BodyState& body = s.bodies[b];
    const Vec3 axis = rotate(body.orientation, body.round.axis);
    for (const Vec3 torque : {to_vec(sums[b].contact_torque), to_vec(sums[b].fluid_torque)}) {
      const double force = length(to_vec(sums[b].contact_force)) + length(to_vec(sums[b].fluid_force));
      CAPTURE(scene.rigid[b].name);
      REQUIRE(force > 0);
      if (body.round.kind == Roundness::ball) CHECK(length(torque) < 1e-5 * force);
      if (body.round.kind == Roundness::axis) CHECK(std::abs(dot(torque, axis)) < 1e-2 * force);
    }
  }
}

TEST_CASE("primitives know what they are round about, a mesh says it") {
  const Scene scene = built(
      rigid("ball", kBall, R"("position": [1, 0, 0])") + "," + rigid("wheel", kWheel, R"("position": [2, 0, 0])") +
      "," + rigid("cone", R"("cone": {"radius": 0.08, "height": 0.12})", R"("position": [3, 0, 0])") + "," +
      rigid("box", kBlock, R"("position": [4, 0, 0])") +
      R"(,{"role": "boundary", "name": "roller", "shape": {"cylinder": {"radius": 0.1, "height": 0.2}},
      "rotation": {"axis": [1, 0, 0], "degrees": 90}, "position": [0, 2, 0]})");
  CHECK(scene.shapes[0].round.kind == Roundness::ball);
  CHECK(scene.shapes[1].round.kind == Roundness::axis);
  CHECK(scene.shapes[2].round.kind == Roundness::axis);
  CHECK(scene.shapes[3].round.kind == Roundness::none);
  CHECK(length(cross(scene.shapes[2].round.axis, scene.shapes[2].round.center)) < 1e-12);
  CHECK(length(scene.bodies[0].round.axis - Vec3{0, 0, 1}) < 1e-9);
  CHECK(length(scene.bodies[0].round.center - Vec3{0, 2, 0}) < 1e-12);
  CHECK_THROWS_WITH_AS(
      built(rigid("wheel", R"("cylinder": {"radius": 0.08, "height": 0.12}, "roundAbout": [0, 1, 0])",
                  R"("friction": 1)")),
      doctest::Contains("/objects/0/shape/roundAbout: only a mesh must say what it is round about; remove this key"),
      Error);
}

TEST_CASE("a mesh that is round about an axis off its origin has that axis, whatever its direction's length") {
  const TestFolder folder;
  std::ofstream file(folder.path / "drum.obj");
  // A drum of 12 sides about the line x = 0.3, z = -0.1.
  constexpr int kSides = 12;
  for (const double y : {-0.1, 0.1})
    for (int k = 0; k < kSides; ++k)
      file << "v " << 0.3 + 0.1 * std::cos(k * 6.283185307 / kSides) << ' ' << y << ' '
           << -0.1 + 0.1 * std::sin(k * 6.283185307 / kSides) << '\n';
  for (int k = 0; k < kSides; ++k) {
    const int a = k + 1, b = (k + 1) % kSides + 1;
    file << "f " << a << ' ' << a + kSides << ' ' << b + kSides << ' ' << b << '\n';
  }
  for (const int first : {1, kSides + 1}) {
    file << 'f';
    for (int k = 0; k < kSides; ++k) file << ' ' << (first == 1 ? first + k : first + kSides - 1 - k);
    file << '\n';
  }
  file.close();
  const auto drum = [&](const std::string& axis, const std::string& scale) {
    return built(rigid(
        "drum",
        R"("mesh": ")" + (folder.path / "drum.obj").string() + R"(", "roundAbout": )" + axis + R"(, "scale": )" + scale,
        R"("position": [0, 0, 0])"));
  };
  const Scene scene = drum("[0, -7, 0]", "1");
  for (const char* axis : {"[1, 0, 0]", "[0.2, 1, 0]"})
    CHECK_THROWS_WITH_AS(drum(axis, "1"), doctest::Contains("/objects/0"), Error);
  CHECK_THROWS_WITH_AS(
      drum("[0, 1, 0]", "[1.1, 1, 1]"),
      doctest::Contains("is not round about its \"roundAbout\": turned about that, it reaches 0.0985 to "
                        "0.11 m out from the middle of its volume; write the direction of its axis"),
      Error);
  CHECK(scene.shapes[0].round.kind == Roundness::axis);
  CHECK(length(scene.shapes[0].round.axis - Vec3{0, -1, 0}) < 1e-12);
  CHECK(length(scene.shapes[0].round.center) < 1e-9);  // from the centre of mass
  CHECK(length(scene.rigid[0].position - Vec3{0.3, 0, -0.1}) < 1e-6);
}

TEST_CASE(
    "samples of a ball stay as they are while it turns, those of a wheel follow its axis; a new pose takes both") {
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    Scene scene = built(rigid("ball", kBall, R"("angularVelocity": [9, 20, -5])") + "," +
                        rigid("wheel", kWheel, R"("position": [1, 0, 0], "angularVelocity": [6, 25, 3])"));
    scene = with_fixed_steps(scene, 0.001, 100);
    Simulation simulation(*gpu, scene);
    const auto next = [&] {
      simulation.next_frame();
      while (!simulation.frame_ready()) simulation.advance();
      return simulation.read_frame();
    };
    const Frame start = simulation.read_frame();
    const Frame end = next();
    const std::size_t count = scene.shapes[0].samples.size();
    double of_ball = 0, of_axis = 0, of_wheel = 0;
    const auto at = [](const Frame& frame, std::size_t k) {
      const auto& p = frame.sample_position[k];
      return Vec3{p[0], p[1], p[2]};
    };
    for (std::size_t k = 0; k < start.sample_position.size(); ++k) {
      const BodyRecord &a = start.bodies[k >= count], &b = end.bodies[k >= count];
      const Vec3 before = at(start, k) - a.position, after = at(end, k) - b.position;
      if (k < count) {
        of_ball = std::max(of_ball, length(after - before));
      } else {
        // Along the axis the samples are where those of the body are; across, they have not turned as far.
        const Vec3 axis = rotate(b.orientation, {0, 1, 0});
        of_axis = std::max(of_axis, std::abs(dot(axis, after) - before.y));
        of_wheel = std::max(of_wheel, length(after - rotate(b.orientation, before)));
      }
    }
    CHECK(of_ball < 1e-6);
    CHECK(of_axis < 1e-6);
    CHECK(of_wheel > 0.05);
    CHECK(std::abs(end.bodies[0].orientation.w) < 0.9);

    // A new pose is one of the samples, too.
    for (RigidBody& body : scene.rigid) body.angular_velocity = {};
    scene.time.frame_interval = 0.002;
    scene.time.end = 0.004;
    Simulation posed(*gpu, scene);
    const Quat turn = reference::turn_by({0.4, 1.1, -0.3});
    for (const std::uint32_t b : {0u, 1u}) posed.set_pose(b, scene.rigid[b].position, turn);
    Frame there;
    while (!posed.done()) {
      posed.advance();
      if (!posed.frame_ready()) continue;
      there = posed.read_frame();
      posed.next_frame();
    }
    double off = 0;
    for (std::size_t k = 0; k < start.sample_position.size(); ++k) {
      const Vec3 x = scene.rigid[k >= count].position;
      off = std::max(off, length(at(there, k) - x - rotate(turn, at(start, k) - x)));
    }
    CHECK(off < 1e-6);
  }
}

namespace {

// A ball of 4 h that spins in more than half a shell, with the clearance at which nothing presses it: a hollow this
// curved acts nearer than a plane. One 0.06 h tighter would squeeze a ball that cannot leave, by rows whose pressure
// grows to some hundred times its momentum a step; then rounding of that pressure moves the sum by 3e-5.
Scene socket() {
  Scene scene = built(rigid("ball", kBall, R"("velocity": [0.3, 0, 0.1], "angularVelocity": [30, -20, 40])"));
  RigidShape shape{.name = "socket", .samples = {}, .round = {}};
  const double radius = 0.08 - 0.5 * kH + 1.08 * kH;
  const int count = static_cast<int>(4 * 3.14159 * radius * radius / (kH * kH));
  for (int i = 0; i < count; ++i) {
    const double y = 1 - (2 * i + 1.0) / count, rho = std::sqrt(1 - y * y), angle = 2.39996322972865 * i;
    if (y < 0.3) shape.samples.push_back({radius * Vec3{rho * std::cos(angle), y, rho * std::sin(angle)}, 1});
  }
  scene.shapes.push_back(shape);
  RigidBody body = scene.rigid[0];
  body.name = "socket";
  body.shape = 1;
  body.mass *= 0.6;
  body.inertia = {0.9 * body.inertia[0], 1.1 * body.inertia[0], 0.8 * body.inertia[0], 0, 0, 0};
  body.velocity = {-0.2, 0.5, 0};
  body.angular_velocity = {0, 3, 0};
  scene.rigid.push_back(body);
  return scene;
}

void check_momentum(const std::string& name, Scene scene, int cap) {
  scene = with_fixed_steps(scene, 0.001, 75);
  scene.solver.min_iterations_contact = 2;
  scene.solver.max_iterations = cap;
  Simulation simulation(quiet_lavapipe(), scene);
  const BodyMomentum start = momentum_of(scene, simulation.read_frame());
  simulation.next_frame();
  std::uint32_t contacts = 0;
  while (!simulation.frame_ready()) {
    for (const StepRecord& step : simulation.advance()) contacts += step.contacts;
  }
  const BodyMomentum end = momentum_of(scene, simulation.read_frame());
  CHECK(contacts > 50);
  const std::string text = name + ", at most " + std::to_string(cap) + " iterations: change of ";
  report_figure({.name = text + "momentum / sum of m abs(v)",
                 .value = length(end.linear - start.linear) / start.linear_scale,
                 .most = 2e-6,
                 .source = "Newton"});
  report_figure({.name = text + "angular momentum / sum of abs(L)",
                 .value = length(end.angular - start.angular) / start.angular_scale,
                 .most = 3e-5,
                 .source = "Newton"});
}

}  // namespace

TEST_CASE("round bodies that meet in free flight keep momentum and angular momentum" * doctest::test_suite("figures")) {
  const std::string first = R"("position": [0, 0, 0], "velocity": [0.6, 0.1, 0], "angularVelocity": [10, -20, 15],
                               "rotation": {"axis": [1, 0, 0.2], "degrees": 80})";
  const auto meets = [&](const std::string& shape, const std::string& rest) {
    return built(rigid("a", kBall, first) + "," +
                 rigid("b", shape, R"("velocity": [-0.6, 0, 0.1], "angularVelocity": [3, 8, -9], )" + rest));
  };
  const auto wheel_meets = [&](const std::string& shape, const std::string& rest) {
    return built(rigid("a", kWheel, first) + "," +
                 rigid("b", shape, R"("velocity": [-0.6, 0, 0.1], "angularVelocity": [3, 8, -9], )" + rest));
  };
  for (const int cap : {3, 500}) {
    check_momentum("ball on ball", meets(kBall, R"("position": [0.18, 0.03, 0.02])"), cap);
    check_momentum("ball on block", meets(kBlock, R"("position": [0.18, 0.03, 0.02])"), cap);
    check_momentum("spinning ball in a socket", socket(), cap);
    if (cap < 500) continue;
    check_momentum("ball on wheel", meets(kWheel, R"("position": [0.18, 0.03, 0.02])"), cap);
    check_momentum("wheel on block", wheel_meets(kBlock, R"("position": [0.18, 0.03, 0.02])"), cap);
    check_momentum("wheel on a wheel across", wheel_meets(kWheel, R"("position": [0.18, 0.03, 0.02])"), cap);
  }
}
