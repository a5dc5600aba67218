// The Vulkan layer: choice of devices, several at once, copies, folded dispatches, times, and that validation listens.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "engine/gpu_device.h"
#include "tests/folder.h"
#include "tests/gpu.h"
#include "tests/reference/scenes.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

std::string choice_error(const std::string& device) {
  try {
    Gpu::create({.device = device});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Scene short_scene() {
  Scene scene = stirred_column();
  scene.time.frame_interval = 0.01;
  scene.time.end = 0.01;
  return scene;
}

std::uint64_t hash_alone(Gpu& gpu, const Scene& scene, const SimulationOptions& options = {}) {
  Simulation simulation(gpu, scene, options);
  simulation.next_frame();
  while (!simulation.frame_ready()) simulation.advance();
  return simulation.state_hash();
}

}  // namespace

TEST_CASE("a device is chosen by index or by part of its name, and a wrong choice lists what there is") {
  MessageGuard guard(lavapipe());  // so that both drivers are in the loader's list
  const std::vector<DeviceInfo> devices = list_devices();
  for (const char* name : {"llvmpipe", "SwiftShader"}) {
    const auto found =
        std::find_if(devices.begin(), devices.end(), [&](const DeviceInfo& d) { return contains(d.name, name); });
    REQUIRE(found != devices.end());
    CHECK(found->missing.empty());
    CHECK(found->type == DeviceType::cpu);
    CHECK(found->memory > (1u << 28));
    CHECK(Gpu::create({.device = std::to_string(found->index)}).info().name == found->name);
  }
  CHECK(contains(Gpu::create({.device = "swiftSHADER"}).info().name, "SwiftShader"));
  for (const std::string wrong : {"Voodoo 2", "99"}) {
    CAPTURE(wrong);
    const std::string error = choice_error(wrong);
    CHECK(contains(error, wrong));
    CHECK(contains(error, "llvmpipe"));
    CHECK(contains(error, "SwiftShader"));
  }
}

TEST_CASE("two devices in one process, taking turns, end where each ends alone") {
  MessageGuard guard(lavapipe()), guard2(swiftshader());
  const Scene scene = short_scene();
  Simulation a(lavapipe(), scene, {.ticks_per_submit = 1}), b(swiftshader(), scene, {.ticks_per_submit = 2});
  a.next_frame();
  b.next_frame();
  while (!a.frame_ready() || !b.frame_ready()) {
    a.advance();
    b.advance();
  }
  const std::uint64_t hash = hash_alone(lavapipe(), scene);
  CHECK(a.state_hash() == hash);
  CHECK(b.state_hash() == hash);
}

TEST_CASE("a device that comes and goes leaves the others alone") {
  MessageGuard guard(lavapipe());
  const Scene scene = short_scene();
  Simulation lasting(lavapipe(), scene);
  lasting.next_frame();
  std::uint64_t passing = 0;
  {
    Gpu second = Gpu::create({.device = "llvmpipe"});
    passing = hash_alone(second, scene);
  }
  while (!lasting.frame_ready()) lasting.advance();
  CHECK(lasting.state_hash() == passing);
}

TEST_CASE("a dispatch of more than 65535 groups reaches every thread once it is folded") {
  constexpr std::uint32_t kGroups = 65537, kCount = kGroups * 256 - 100;
  MessageGuard guard(lavapipe());
  vulkan::Device& device = device_of(lavapipe());
  vulkan::Buffer<gpu::uvec2> cells(device, kCount);
  const std::vector<gpu::uvec2> full(kCount, gpu::uvec2{7, 7});
  vulkan::upload<gpu::uvec2>(device, cells, full);
  vulkan::Buffer<gpu::Control> control(device, 1);
  gpu::Control c{};
  c.dispatches[0] = {65535, 2, 1, 0};
  vulkan::upload<gpu::Control>(device, control, {&c, 1});
  const gpu::uint spared = kCount - 1;  // the last element is not asked for
  for (const bool indirect : {false, true}) {
    CAPTURE(indirect);
    vulkan::run_once(device, [&](VkCommandBuffer commands) {
      vulkan::Recorder recorder(device, commands, shared_pipelines(lavapipe()));
      PassRecorder run{recorder, control.raw.handle()};
      if (indirect)
        run.run_in<Pass::clear_cells>(0, {cells.ptr(), spared});
      else
        run.run_groups<Pass::clear_cells>(kGroups, {cells.ptr(), spared});
    });
    const auto found = vulkan::download(device, cells, kCount);
    CHECK(std::all_of(found.begin(), found.end() - 1, [](const gpu::uvec2& x) { return x.x == 0 && x.y == 0; }));
    CHECK(found.back().x == 7);
    vulkan::upload<gpu::uvec2>(device, cells, full);
  }
}

TEST_CASE("copies longer than a staging slice keep every byte, at any offset") {
  constexpr std::uint64_t kSlice = std::uint64_t{64} << 20, kBytes = 2 * kSlice + 4096 + 12;
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    vulkan::Device& device = device_of(*gpu);
    vulkan::RawBuffer buffer(device, kBytes, vulkan::Where::device);
    std::vector<std::uint32_t> data(kBytes / 4), found(kBytes / 4, 0);
    for (std::uint32_t i = 0; i < data.size(); ++i) data[i] = i * 2654435761u;
    vulkan::upload(device, buffer, data.data(), kBytes);
    vulkan::download(device, buffer, found.data(), kBytes);
    CHECK((found == data));
    const std::uint32_t patch[3] = {1, 2, 3};
    vulkan::upload(device, buffer, patch, sizeof patch, kSlice - 4);
    std::copy(patch, patch + 3, data.begin() + kSlice / 4 - 1);
    std::uint32_t back[4];
    vulkan::download(device, buffer, back, sizeof back, kSlice - 8);
    CHECK(std::equal(back, back + 4, data.begin() + kSlice / 4 - 2));
    vulkan::upload(device, buffer, nullptr, 0);
    vulkan::download(device, buffer, found.data(), kBytes);
    CHECK((found == data));
  }
}

TEST_CASE("an empty buffer has an address, and mapped memory starts as zeros") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    vulkan::Buffer<gpu::uint> empty(device_of(*gpu), 0);
    CHECK(empty.ptr().address != 0);
    vulkan::Buffer<gpu::uint> mapped(device_of(*gpu), 1000, vulkan::Where::host);
    CHECK(std::count(mapped.mapped(), mapped.mapped() + 1000, 0u) == 1000);
    const vulkan::Buffer<gpu::uint> moved = std::move(mapped);
    CHECK(moved.count == 1000);
    CHECK(moved.mapped() != nullptr);
  }
}

TEST_CASE("marks measure time in order, and a full timer says so") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    vulkan::Device& device = device_of(*gpu);
    constexpr std::uint32_t kCount = 1 << 20;
    vulkan::Buffer<gpu::uvec2> cells(device, kCount);
    vulkan::Timer timer(device, 3);
    std::uint32_t marks[4];
    std::vector<vulkan::TimedDispatch> timed;
    vulkan::run_once(device, [&](VkCommandBuffer commands) {
      timer.reset(commands);
      vulkan::Recorder recorder(device, commands, shared_pipelines(*gpu), &timer);
      PassRecorder run{recorder, VK_NULL_HANDLE};
      run.run_groups<Pass::clear_cells>(kCount / 256, {cells.ptr(), kCount});
      timed = recorder.timed;
      for (std::uint32_t& mark : marks) mark = timer.mark(commands);
    });
    timer.read();
    REQUIRE(timed.size() == 1);
    CHECK(timed[0].pass == static_cast<std::size_t>(Pass::clear_cells));
    if (device.timestamp_period > 0) {
      CHECK(timer.milliseconds(timed[0].from, timed[0].to) > 0);
      CHECK(timer.milliseconds(timed[0].from, timed[0].to) < 10000);
      CHECK(timer.milliseconds(timed[0].from, marks[0]) >= timer.milliseconds(timed[0].from, timed[0].to));
      CHECK(marks[0] == 2);
    }
    CHECK(marks[3] == vulkan::Timer::none());
    CHECK(timer.milliseconds(marks[3], timed[0].to) == 0);
  }
}

TEST_CASE("the validation layers listen: a missing barrier between two fills is reported on both drivers") {
  for (Gpu* gpu : drivers()) {
    vulkan::Device& device = device_of(*gpu);
    gpu->take_validation_messages();
    vulkan::Buffer<gpu::uint> buffer(device, 1024);
    vulkan::run_once(device, [&](VkCommandBuffer commands) {
      device.functions.vkCmdFillBuffer(commands, buffer.raw.handle(), 0, VK_WHOLE_SIZE, 1);
      device.functions.vkCmdFillBuffer(commands, buffer.raw.handle(), 0, VK_WHOLE_SIZE, 2);
    });
    CHECK_FALSE(gpu->take_validation_messages().empty());
  }
}
