// The engine inside a program that owns its device: recorded steps make the bits that the engine's own submits make,
// what is drawn is what a frame reads back, and edits replay.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <utility>

#include "engine/gpu_device.h"
#include "shaders/shared/state.h"
#include "tests/foreign_device.h"
#include "tests/rigid_rig.h"
#include "tests/scene_builders.h"

namespace sluice::tests {
namespace {

constexpr double kFrame = 0.004, kEnd = 2 * kFrame;  // s
constexpr double kForever = std::numeric_limits<double>::infinity();

// Water, two bodies that collide, a floor, and a wall that moves and turns.
Scene small_scene() {
  Scene scene = two_boxes("boxes in fluid", true);
  scene.time = {.end = kEnd, .max_step = 0.001, .cfl = 0.4, .frame_interval = kFrame};
  return scene;
}

// A body in free fall, far from everything.
Scene free_body() {
  Scene scene = small_scene();
  scene.fluid.clear();
  scene.boundary.clear();
  scene.bodies.clear();
  scene.rigid.resize(1);
  RigidBody& body = scene.rigid[0];
  body.velocity = body.angular_velocity = body.force = body.torque = {};
  return scene;
}

// A device of the tests' own, a simulation on it, and silence from the validation layers in the end.
struct Embedded {
  explicit Embedded(const Scene& scene, SimulationOptions options = {}, const std::string& driver = "llvmpipe")
      : foreign({.device = driver}), gpu(Gpu::adopt(foreign.external())), simulation(gpu, scene, options) {}
  ~Embedded() {
    for (const std::string& message : foreign.messages) FAIL_CHECK(message);
  }
  Report step(std::uint32_t ticks, double until, std::uint32_t iterations = 0) {
    const VkCommandBuffer commands = foreign.begin();
    ticket = simulation.record(commands, ticks, until, iterations);
    foreign.submit(commands);
    foreign.wait();
    return simulation.retire(ticket);
  }
  // Tickets of one tick until a step is complete.
  StepRecord one_step() {
    for (int k = 0; k < 50; ++k) {
      const Report report = step(1, kForever);
      REQUIRE(report.failure == "");
      if (!report.steps.empty()) return report.steps[0];
    }
    FAIL("no step ended in 50 ticks");
    return {};
  }
  // Until a time, by tickets of at most `ticks`.
  std::vector<StepRecord> run_until(double until, std::uint32_t ticks = 16) {
    std::vector<StepRecord> steps;
    for (int k = 0; k < 200; ++k) {
      const Report report = step(ticks, until);
      REQUIRE(report.failure == "");
      steps.insert(steps.end(), report.steps.begin(), report.steps.end());
      if (report.time > until - 1e-6) break;
    }
    return steps;
  }

  ForeignDevice foreign;
  Gpu gpu;
  Simulation simulation;
  Ticket ticket;
};

std::uint64_t hash_after(Gpu& gpu, const Scene& scene) {
  Simulation simulation(gpu, scene);
  simulation.next_frame();
  while (!simulation.frame_ready() || simulation.frame_number() < 2) {
    if (simulation.frame_ready()) simulation.next_frame();
    simulation.advance();
  }
  return simulation.state_hash();
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("steps recorded among other work, in odd tickets, one of them dropped, make the bits of a plain run") {
  const Scene scene = small_scene();
  MessageGuard guard(lavapipe());
  const std::uint64_t expected = hash_after(lavapipe(), scene);
  for (const char* driver : {"llvmpipe", "SwiftShader"}) {
    CAPTURE(driver);
    Embedded e(scene, {.drawn = true}, driver);
    // Work of the caller's own before and after: a buffer that is filled, copied, and must keep its numbers.
    vulkan::Buffer<gpu::uint> theirs(device_of(e.gpu), 1024), copy(device_of(e.gpu), 1024);
    const auto record = [&](std::uint32_t ticks, std::uint32_t iterations, VkCommandBuffer commands, std::uint32_t n) {
      // The buffer may still be copied by the submit before.
      VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
      barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
      VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
      dependency.memoryBarrierCount = 1;
      dependency.pMemoryBarriers = &barrier;
      e.foreign.vk.vkCmdPipelineBarrier2(commands, &dependency);
      e.foreign.vk.vkCmdFillBuffer(commands, theirs.raw.handle(), 0, VK_WHOLE_SIZE, n);
      const Ticket ticket = e.simulation.record(commands, ticks, kEnd, iterations);
      const VkBufferCopy all{0, 0, 4096};
      e.foreign.vk.vkCmdCopyBuffer(commands, theirs.raw.handle(), copy.raw.handle(), 1, &all);
      return ticket;
    };
    double time = 0;
    std::uint32_t n = 0;
    std::vector<std::pair<Ticket, std::uint32_t>> waiting;
    const std::uint32_t ticks[] = {1, 3, 2, 5, 7}, iterations[] = {3, 1, 9, 4, 2};
    for (; time < kEnd - 1e-9 && n < 300; ++n) {
      const VkCommandBuffer commands = e.foreign.begin();
      const Ticket ticket = record(ticks[n % 5], iterations[n % 4], commands, n);
      if (n % 4 == 2) {
        REQUIRE(e.foreign.vk.vkEndCommandBuffer(commands) == VK_SUCCESS);
        e.simulation.discard(ticket);  // recorded, never submitted
        continue;
      }
      e.foreign.submit(commands);
      waiting.push_back({ticket, n});
      if (waiting.size() < 3) continue;  // three in flight
      e.foreign.wait();
      for (const auto& [done, number] : waiting) {
        const Report report = e.simulation.retire(done);
        CHECK(report.failure == "");
        time = report.time;
      }
      waiting.clear();
      CHECK(download(device_of(e.gpu), copy, 1024)[1023] == n);
    }
    e.foreign.wait();
    for (const auto& [done, number] : waiting) e.simulation.retire(done);
    CHECK(e.simulation.time() == doctest::Approx(kEnd));
    CHECK(e.simulation.state_hash() == expected);
  }
}

TEST_CASE("no step begins at the time that was asked for, and the last ends within one") {
  Embedded e(small_scene());
  for (const double until : {0.0, 0.0015, 0.0031, kFrame, 0.0093}) {
    CAPTURE(until);
    const std::vector<StepRecord> steps = e.run_until(until);
    CHECK(e.simulation.time() > until - 1e-7);
    if (!steps.empty()) CHECK(e.simulation.time() - steps.back().dt < until - 1e-7);
    CHECK(e.step(4, until).steps.empty());
  }
  CHECK(e.step(4, -1).steps.empty());
  CHECK(e.one_step().dt > 0);
}

TEST_CASE("what is drawn is what a frame reads back, relative to the origin") {
  for (const Vec3 origin : {Vec3{}, Vec3{3, -2, 1}, Vec3{-0.11, 0.05, 0.07}}) {
    const Scene scene = small_scene();
    Embedded e(scene, {.drawn = true, .drawn_origin = origin});
    e.run_until(2 * kFrame, 3);
    const DrawnState drawn = e.simulation.drawn(e.ticket);
    const Frame frame = e.simulation.read_frame();
    CHECK(drawn.time == doctest::Approx(2 * kFrame));
    CHECK(frame.time == doctest::Approx(2 * kFrame));

    const BufferView header_view{drawn.indirect, 0, 0, sizeof(gpu::DrawnHeader), VK_FORMAT_UNDEFINED, 1};
    const auto header = e.foreign.read<gpu::DrawnHeader>(header_view)[0];
    const auto particles = static_cast<std::uint32_t>(scene.fluid.size());
    CHECK(header.points[0] == particles);
    CHECK(header.points[1] == 1);
    CHECK(header.quads[0] == 4);
    CHECK(header.quads[1] == particles);
    CHECK(header.particles == particles);
    CHECK(header.frame == 2);
    CHECK(header.time == doctest::Approx(2 * kFrame));
    CHECK(header.rigid_bodies == 2);
    CHECK(header.boundary_bodies == 2);

    const auto position = e.foreign.read<gpu::vec4>(drawn.position),
               velocity = e.foreign.read<gpu::vec4>(drawn.velocity);
    const auto density = e.foreign.read<float>(drawn.density);
    const auto material = e.foreign.read<std::uint32_t>(drawn.material);
    REQUIRE(position.size() == particles);
    // A float's last place at 4 m is 2.4e-7.
    constexpr double kPlace = 1e-6;
    double far = 0, fast = 0, off_pressure = 0, off_density = 0;
    for (std::uint32_t i = 0; i < particles; ++i) {
      const auto& [x, y, z] = frame.position[i];
      far = std::max(far, length(Vec3{x, y, z} - origin - to_vec(position[i])));
      const auto& v = frame.velocity[i];
      const Vec3 speed{v[0], v[1], v[2]};
      fast = std::max({fast, length(speed - to_vec(velocity[i])), std::fabs(length(speed) - velocity[i].w)});
      off_pressure = std::max<double>(
          off_pressure, std::fabs(position[i].w - frame.pressure[i]) / std::max(std::fabs(frame.pressure[i]), 1.0f));
      off_density = std::max<double>(off_density, std::fabs(density[i] - frame.density[i]) / frame.density[i]);
      CHECK(material[i] == frame.material[i]);
    }
    CHECK(far < kPlace);
    CHECK(fast < kPlace);
    CHECK(off_pressure < 1e-5);
    CHECK(off_density < 1e-6);
    CHECK(*std::max_element(frame.pressure.begin(), frame.pressure.end()) > 0);

    const auto rows = e.foreign.read<gpu::vec4>(drawn.transform);
    REQUIRE(rows.size() == 3 * 4);
    const auto moved = [&](std::size_t b, Vec3 p) {
      const auto row = [&](std::size_t k) {
        const gpu::vec4& r = rows[3 * b + k];
        return r.x * p.x + r.y * p.y + r.z * p.z + r.w;
      };
      return Vec3{row(0), row(1), row(2)};
    };
    for (std::size_t b = 0; b < 2; ++b)
      for (const Vec3 p : {Vec3{}, Vec3{0.1, 0.2, -0.3}})
        CHECK(length(moved(b, p) - (frame.bodies[b].position + rotate(frame.bodies[b].orientation, p) - origin)) <
              kPlace);
    for (std::size_t i = 0; i < scene.boundary.size(); ++i) {
      const std::uint32_t body = scene.boundary[i].body;
      const Vec3 now{frame.boundary[i][0], frame.boundary[i][1], frame.boundary[i][2]};
      CHECK(length(moved(2 + body, scene.boundary[i].position - scene.bodies[body].position) - (now - origin)) <
            kPlace);
    }

    const auto sample = e.foreign.read<gpu::vec4>(drawn.sample_position);
    const auto friction = e.foreign.read<gpu::vec4>(drawn.sample_friction);
    const auto sample_body = e.foreign.read<std::uint32_t>(drawn.sample_body);
    REQUIRE(sample.size() == frame.sample_position.size());
    double largest = 0, used = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
      const auto& [x, y, z] = frame.sample_position[i];
      CHECK(length(Vec3{x, y, z} - origin - to_vec(sample[i])) < kPlace);
      CHECK(sample[i].w == doctest::Approx(frame.sample_pressure[i]).epsilon(1e-5));
      const auto& f = frame.sample_friction[i];
      CHECK(length(Vec3{f[0], f[1], f[2]} - to_vec(friction[i])) <= 1e-5 * length(Vec3{f[0], f[1], f[2]}));
      CHECK(friction[i].w >= 0);
      CHECK(friction[i].w <= 1);
      CHECK(sample_body[i] == frame.sample_body[i]);
      largest = std::max(largest, length(to_vec(friction[i])));
      used = std::max<double>(used, friction[i].w);
    }
    CHECK(largest > 0);  // the bodies do collide
    CHECK(used > 0.5);
  }
}

TEST_CASE("drawn positions keep their digits where coordinates wrap and far from the world's origin") {
  Scene scene = shaken_cloud(40);
  scene.rigid.clear();
  scene.shapes.clear();
  const double cell = 2 * scene.spacing;
  for (const double shift : {0.0, 5000.0 * cell, -7000.0 * cell}) {
    Scene moved = shifted_by_cells(scene, std::round(shift / cell), 0, 0);
    // Away from the scene by more than a wrap of 4096 cells, and close to it.
    for (const double away : {0.0, 0.7, 6000 * cell}) {
      const Vec3 origin = Vec3{shift - away, 0, 0};
      Embedded e(moved, {.drawn = true, .drawn_origin = origin});
      e.step(0 + 1, 0);
      const auto position = e.foreign.read<gpu::vec4>(e.simulation.drawn(e.ticket).position);
      double far = 0;
      for (std::size_t i = 0; i < moved.fluid.size(); ++i)
        far = std::max(far, length(moved.fluid[i].position - origin - to_vec(position[i])));
      CHECK(far < 1e-6 * scene.spacing + 1.2e-7 * (away + 10 * cell));
    }
  }
}

TEST_CASE("drawn particles that have left the domain are out of sight, and the others keep their places") {
  Scene scene;
  scene.spacing = 0.1;
  scene.gravity = {};
  scene.materials = {{"water", 1000, 0}};
  for (int i = 0; i < 5; ++i) scene.fluid.push_back({{0.5 * i, 0, 0}, {0, i % 2 == 0 ? 0.0 : 1.0 * i, 0}, 0});
  scene.domain = {{-1, -1, -1}, {5, 0.5, 1}};
  scene.time = {.end = 10, .max_step = 0.01, .cfl = 0.4, .frame_interval = 1};
  Embedded e(scene, {.drawn = true});
  const StepRecord last = e.run_until(0.9).back();
  CHECK(last.lost_particles == 2);
  const DrawnState state = e.simulation.drawn(e.ticket);
  const auto position = e.foreign.read<gpu::vec4>(state.position);
  const auto density = e.foreign.read<float>(state.density);
  REQUIRE(position.size() == 5);
  for (int i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK((density[i] > 0) == (i % 2 == 0));
    CHECK(position[i].x == doctest::Approx(i % 2 == 0 ? 0.5 * i : 1e30));
  }
}

TEST_CASE("a drawn state holds until the commands of the second next ticket run, also when one is dropped") {
  Embedded e(small_scene(), {.drawn = true});
  e.one_step();
  const DrawnState first = e.simulation.drawn(e.ticket);
  const auto positions = e.foreign.read<gpu::vec4>(first.position);
  const VkCommandBuffer dropped = e.foreign.begin();
  const Ticket lost = e.simulation.record(dropped, 4, kForever);
  CHECK(e.simulation.drawn(lost).position.buffer != first.position.buffer);
  CHECK(std::isnan(e.simulation.drawn(lost).time));
  e.simulation.discard(lost);
  CHECK(has(error_of([&] { e.simulation.drawn(lost); }), "drew is gone"));
  e.step(40, kForever, 30);
  const DrawnState second = e.simulation.drawn(e.ticket);
  CHECK(second.position.buffer != first.position.buffer);
  CHECK(second.time > first.time);
  e.simulation.check_current(first);
  const auto again = e.foreign.read<gpu::vec4>(first.position), later = e.foreign.read<gpu::vec4>(second.position);
  CHECK(std::memcmp(again.data(), positions.data(), positions.size() * sizeof(gpu::vec4)) == 0);
  CHECK(std::memcmp(later.data(), positions.data(), positions.size() * sizeof(gpu::vec4)) != 0);
  e.step(2, kForever);
  CHECK(has(error_of([&] { e.simulation.check_current(first); }), "drew is gone"));
  e.simulation.check_current(second);
  REQUIRE(e.foreign.vk.vkEndCommandBuffer(dropped) == VK_SUCCESS);
}

TEST_CASE("a ticket out of turn, or a device that cannot serve, is an error with a sentence") {
  const Scene scene = small_scene();
  Embedded e(scene);
  const auto record = [&](std::uint32_t ticks) {
    const VkCommandBuffer commands = e.foreign.begin();
    const Ticket ticket = e.simulation.record(commands, ticks, kForever);
    e.foreign.submit(commands);
    return ticket;
  };
  CHECK(has(error_of([&] { e.simulation.retire({1}); }), "was never recorded"));
  const Ticket one = record(1), two = record(1);
  e.foreign.wait();
  CHECK(has(error_of([&] { e.simulation.retire(two); }), "cannot be retired before ticket 1"));
  CHECK(has(error_of([&] { e.simulation.advance(); }), "2 wait"));
  CHECK(has(error_of([&] { e.simulation.state_hash(); }), "2 wait"));
  CHECK(has(error_of([&] { e.simulation.read_frame(); }), "2 wait"));
  e.simulation.retire(one);
  CHECK(has(error_of([&] { e.simulation.retire(one); }), "retired or discarded before"));
  CHECK(has(error_of([&] { e.simulation.discard(one); }), "retired or discarded before"));
  e.simulation.retire(two);
  CHECK(has(error_of([&] { e.simulation.drawn(two); }), "SimulationOptions::drawn"));
  CHECK(has(error_of([&] { e.simulation.record(nullptr, 1, 1); }), "no command buffer"));

  const VkCommandBuffer commands = e.foreign.begin();
  CHECK(has(error_of([&] { e.simulation.record(commands, 0, 1); }), "1 to 1024"));
  CHECK(has(error_of([&] { e.simulation.record(commands, 1025, 1); }), "1 to 1024"));
  CHECK(has(error_of([&] { e.simulation.record(commands, ~0u, 1); }), "1 to 1024"));
  CHECK(has(error_of([&] { e.simulation.record(commands, 1, NAN); }), "not a number"));
  const Ticket unsent = e.simulation.record(commands, 1, kForever);
  CHECK(has(error_of([&] { e.simulation.retire(unsent); }), "have not run"));
  for (int k = 0; k < 3; ++k) e.simulation.record(commands, 1, kForever);
  CHECK(has(error_of([&] { e.simulation.record(commands, 1, kForever); }), "4 recorded tickets wait"));
  for (std::uint64_t serial = unsent.serial; serial < unsent.serial + 4; ++serial) e.simulation.discard({serial});
  REQUIRE(e.foreign.vk.vkEndCommandBuffer(commands) == VK_SUCCESS);
  CHECK(e.one_step().dt > 0);

  const ExternalDevice good = e.foreign.external();
  ExternalDevice bad = good;
  bad.queue_family = 17;
  CHECK(has(error_of([&] { Gpu::adopt(bad); }), "queue family 17 does not exist"));
  CHECK(has(error_of([&] { inspect_device(good.get_instance_proc_addr, good.instance, VK_NULL_HANDLE); }), "null"));
  CHECK(has(error_of([&] { Simulation(e.gpu, scene, {.drawn = true, .drawn_origin = {NAN, 0, 0}}); }), "drawn_origin"));
  bad = good;
  bad.queue = VK_NULL_HANDLE;
  CHECK(has(error_of([&] { Gpu::adopt(bad); }), "null"));
  ForeignDevice forgetful({.synchronization2 = false});
  CHECK(has(error_of([&] { Gpu::adopt(forgetful.external()); }), "without the feature synchronization2"));
  CHECK(inspect_device(good.get_instance_proc_addr, good.instance, good.physical_device).missing.empty());
}

TEST_CASE("a run that fails says so in its report, and records nothing more") {
  Scene scene = small_scene();
  scene.fluid[0].velocity = {1e6, 0, 0};
  scene.time.cfl = 1e9;
  Embedded e(scene);
  Report report;
  for (int k = 0; k < 20 && report.failure.empty(); ++k) report = e.step(4, kForever);
  CHECK(has(report.failure, "failed"));
  const VkCommandBuffer commands = e.foreign.begin();
  CHECK(has(error_of([&] { e.simulation.record(commands, 1, kForever); }), "failed"));
  REQUIRE(e.foreign.vk.vkEndCommandBuffer(commands) == VK_SUCCESS);
}

TEST_CASE("an edit that would stall the run ends it with a sentence, and so do commands that are submitted twice") {
  {
    Embedded e(free_body());
    e.one_step();
    e.simulation.apply_impulse(0, {1e12, 0, 0}, {});
    Report report;
    for (int k = 0; k < 5 && report.failure.empty(); ++k) report = e.step(1, kForever);
    CHECK(has(report.failure, "ten-millionth"));
  }
  Embedded e(free_body());
  const VkCommandBuffer commands = e.foreign.begin();
  const Ticket ticket = e.simulation.record(commands, 1, kForever);
  REQUIRE(e.foreign.vk.vkEndCommandBuffer(commands) == VK_SUCCESS);
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  for (int k = 0; k < 2; ++k) {
    REQUIRE(e.foreign.vk.vkQueueSubmit(e.foreign.queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS);
    e.foreign.wait();
  }
  CHECK(has(e.simulation.retire(ticket).failure, "submitted twice"));
  e.foreign.messages.clear();  // the layers know that it was recorded for one submit
}

TEST_CASE("rows that outgrow their memory are regrown with four tickets in flight, and nothing changes") {
  const Scene scene = small_scene();
  MessageGuard guard(lavapipe());
  const std::uint64_t expected = hash_after(lavapipe(), scene);
  // Commands that were recorded before the pool grew and run after it bring the table of buffers as it was.
  for (const bool submitted_late : {false, true}) {
    for (const Gather gather : {Gather::addresses, Gather::texels}) {
      CAPTURE(submitted_late);
      CAPTURE(static_cast<int>(gather));
      Embedded e(scene, {.row_capacity = 4, .spill_blocks = 1, .gather = gather});
      std::deque<std::pair<VkCommandBuffer, Ticket>> waiting, recorded;
      const auto submit_recorded = [&](std::size_t left) {
        for (; recorded.size() > left; recorded.pop_front()) e.foreign.submit(recorded.front().first);
        e.foreign.wait();
      };
      for (int k = 0; k < 100 && e.simulation.time() < kEnd - 1e-9; ++k) {
        const VkCommandBuffer commands = e.foreign.begin();
        recorded.emplace_back(commands, e.simulation.record(commands, 3, kEnd));
        waiting.push_back(recorded.back());
        if (waiting.size() < 4) continue;
        submit_recorded(submitted_late ? 3 : 0);
        e.simulation.retire(waiting.front().second);  // grows, with three behind it that know the old pool
        waiting.pop_front();
      }
      submit_recorded(0);
      for (const auto& [commands, ticket] : waiting) e.simulation.retire(ticket);
      CHECK(e.simulation.state_hash() == expected);
    }
  }
}

TEST_CASE("two simulations share a device, and a second device knows nothing of it") {
  const Scene scene = small_scene();
  MessageGuard guard(lavapipe());
  const std::uint64_t expected = hash_after(lavapipe(), scene);
  Embedded a(scene), c(scene, {}, "SwiftShader");
  Simulation b(a.gpu, scene);
  for (int k = 0; k < 200 && a.simulation.time() < kEnd - 1e-9; ++k) {
    const VkCommandBuffer commands = a.foreign.begin();
    const Ticket ta = a.simulation.record(commands, 1, kEnd), tb = b.record(commands, 2, kEnd);
    a.foreign.submit(commands);
    c.step(1, kEnd);
    a.foreign.wait();
    a.simulation.retire(ta);
    b.retire(tb);
  }
  CHECK(a.simulation.state_hash() == expected);
  CHECK(b.state_hash() == expected);
  CHECK(c.simulation.state_hash() == expected);
}

TEST_CASE("each edit does what it says, from the next step on") {
  const Scene scene = free_body();
  Embedded e(scene);
  const RigidBody& body = scene.rigid[0];
  e.simulation.set_gravity({0, 0, 0});
  const std::size_t steps = e.run_until(0.002).size();
  CHECK(length(e.simulation.read_frame().bodies[0].velocity) == 0);
  REQUIRE(e.simulation.edit_log().size() == 1);
  CHECK(e.simulation.edit_log()[0].step == 0);

  const Vec3 impulse{0.02, -0.01, 0.03};
  e.simulation.apply_impulse(0, impulse, {});
  e.step(1, kForever);
  CHECK(length(e.simulation.read_frame().bodies[0].velocity - 1 / body.mass * impulse) < 1e-6);
  CHECK(e.simulation.edit_log()[1].step == steps);

  e.simulation.set_force(0, {0, body.mass * 5, 0}, {});
  const double before = e.simulation.time();
  e.run_until(before + 0.004);
  const double along = e.simulation.read_frame().bodies[0].velocity.y - impulse.y / body.mass;
  CHECK(along == doctest::Approx(5 * (e.simulation.time() - before)).epsilon(1e-4));

  const Quat turned{std::sqrt(0.5), 0, std::sqrt(0.5), 0};
  e.simulation.set_force(0, {}, {});
  e.simulation.set_pose(0, {0.5, 0.25, -1}, turned);
  e.simulation.apply_impulse(0, {}, {1e-6, 2e-6, 0});
  const double start = e.simulation.time();
  e.step(1, kForever);
  const BodyRecord now = e.simulation.read_frame().bodies[0];
  const Vec3 went = (e.simulation.time() - start) * now.velocity;
  CHECK(length(now.position - Vec3{0.5, 0.25, -1} - went) < 1e-6);
  CHECK(std::fabs(now.orientation.y - turned.y) < 1e-3);
  // L = I w, in world axes.
  const auto& [xx, yy, zz, xy, xz, yz] = body.inertia;
  const Quat back{now.orientation.w, -now.orientation.x, -now.orientation.y, -now.orientation.z};
  const Vec3 w = rotate(back, now.angular_velocity);
  const Vec3 momentum = rotate(now.orientation, {xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z,
                                                 xz * w.x + yz * w.y + zz * w.z});
  CHECK(length(momentum - Vec3{1e-6, 2e-6, 0}) < 1e-10);

  e.simulation.set_gravity({1, 0, 0});
  const Vec3 v = now.velocity;
  const double from = e.simulation.time();
  e.run_until(from + 0.004);
  const double fell = e.simulation.time() - from;
  CHECK(e.simulation.read_frame().bodies[0].velocity.x ==
        doctest::Approx(v.x + body.gravity_scale * fell).epsilon(1e-4));
}

TEST_CASE("an impulse shortens the step that it begins, as CFL asks") {
  Embedded e(free_body());
  e.step(2, kForever);
  const double h = free_body().spacing, speed = 100;
  e.simulation.apply_impulse(0, {free_body().rigid[0].mass * speed, 0, 0}, {});
  const Report report = e.step(1, kForever);
  REQUIRE(report.steps.size() == 1);
  CHECK(report.steps[0].dt <= 1.001 * 0.4 * h / speed);
}

TEST_CASE("a boundary that stood still is set in motion") {
  Scene scene = small_scene();
  scene.rigid.clear();
  scene.shapes.clear();
  scene.bodies[1].velocity = scene.bodies[1].angular_velocity = {};
  {
    Embedded still(scene);
    CHECK(has(error_of([&] { still.simulation.set_motion(1, {1, 0, 0}, {}); }), "moving_boundaries"));
  }
  Embedded e(scene, {.moving_boundaries = true});
  e.run_until(0.002);
  e.simulation.set_motion(1, {0.2, 0, 0}, {});
  const double from = e.simulation.time();
  e.run_until(2 * kFrame);
  const double moved = 0.2 * (e.simulation.time() - from);
  const Frame frame = e.simulation.read_frame();
  for (std::size_t i = 0; i < scene.boundary.size(); ++i) {
    const double along = frame.boundary[i][0] - scene.boundary[i].position.x;
    CHECK(along == doctest::Approx(scene.boundary[i].body == 1 ? moved : 0).epsilon(1e-5));
  }
}

TEST_CASE("the log of a run's edits makes the same bits again, whatever the tickets") {
  const Scene scene = small_scene();
  const SimulationOptions options{.moving_boundaries = true};
  Embedded first(scene, options);
  const auto act = [&](int k) {
    Simulation& s = first.simulation;
    if (k == 1) s.set_gravity({2, -5, 1});
    if (k == 2) s.apply_impulse(0, {0.01, 0.02, 0}, {1e-5, 0, 2e-5});
    if (k == 2) s.set_motion(1, {0.1, 0, 0.3}, {0, 5, 0});
    if (k == 4) s.set_pose(1, scene.rigid[1].position + Vec3{0.01, 0.02, 0}, {0.8, 0, 0.6, 0});
    if (k == 4) s.set_force(0, {0, 0.1, 0}, {0, 0, 1e-4});
  };
  for (int k = 0; k < 6; ++k) {
    act(k);
    first.step(2, kForever, 20);
  }
  first.run_until(3 * kFrame);
  const std::vector<Edit> log = first.simulation.edit_log();
  REQUIRE(log.size() == 5);
  const std::uint64_t expected = first.simulation.state_hash();
  CHECK(expected != hash_after(lavapipe(), scene));

  for (const char* driver : {"llvmpipe", "SwiftShader"}) {
    Embedded again(scene, options, driver);
    for (const Edit& edit : log) again.simulation.edit(edit);
    again.run_until(3 * kFrame, 7);
    CHECK(again.simulation.state_hash() == expected);
    REQUIRE(again.simulation.edit_log().size() == 5);
    for (std::size_t k = 0; k < 5; ++k) CHECK(again.simulation.edit_log()[k].step == log[k].step);
  }
}

TEST_CASE("more edits than the device holds wait for room, in order") {
  Embedded e(free_body());
  for (int k = 0; k < 700; ++k) e.simulation.set_gravity({0, -0.01 * k, 0});
  // No step begins before all that are due have been applied.
  for (int k = 0; k < 2; ++k) CHECK(e.step(3, kForever, 20).steps.empty());
  CHECK(!e.step(3, kForever, 20).steps.empty());
  REQUIRE(e.simulation.edit_log().size() == 700);
  CHECK(e.simulation.edit_log()[699].linear.y == -0.01 * 699);
  CHECK(e.simulation.edit_log()[699].step == 0);
}

TEST_CASE("an edit of what is not there, or of no number, is an error") {
  Embedded e(free_body());
  Simulation& s = e.simulation;
  CHECK(has(error_of([&] { s.set_force(1, {}, {}); }), "rigid body 1, but the scene has 1"));
  CHECK(has(error_of([&] { s.set_motion(0, {}, {}); }), "boundary 0, but the scene has 0"));
  CHECK(has(error_of([&] { s.set_gravity({NAN, 0, 0}); }), "not finite"));
  CHECK(has(error_of([&] { s.set_pose(0, {}, {2, 0, 0, 0}); }), "unit quaternion"));
  CHECK(has(error_of([&] { s.set_pose(0, {1e9, 0, 0}, {}); }), "2 million particle spacings"));
  e.step(3, kForever);
  CHECK(has(error_of([&] { s.edit({Edit::Kind::gravity, 0, {}, {}, {}, 1}); }), "3 steps are complete"));
  s.edit({Edit::Kind::gravity, 0, {}, {}, {}, 9});
  CHECK(has(error_of([&] { s.edit({Edit::Kind::gravity, 0, {}, {}, {}, 8}); }), "in the order of their steps"));
  CHECK(has(error_of([&] { s.edit({static_cast<Edit::Kind>(9), 0}); }), "kind 9"));
}

}  // namespace
}  // namespace sluice::tests
