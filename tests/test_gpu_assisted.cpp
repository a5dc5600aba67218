// GPU-assisted validation finds what a shader reads or writes beyond its buffers. On lavapipe, on a device of its own.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/gpu_device.h"
#include "engine/passes.h"
#include "host/vulkan/recorder.h"
#include "tests/gpu.h"
#include "tests/reference/rigid_scenes.h"
#include "tests/reference/scenes.h"
#include "tests/scene_builders.h"

namespace sluice::tests {
namespace {

Gpu& assisted_gpu() { return kept_gpu({.device = "llvmpipe", .validation = Validation::gpu_assisted}); }

// But for what the layer says of its own settings.
std::vector<std::string> messages(Gpu& gpu) {
  std::vector<std::string> found;
  for (std::string& message : gpu.take_validation_messages())
    if (message.find("Internal Warning") == std::string::npos) found.push_back(std::move(message));
  return found;
}

}  // namespace

TEST_CASE("GPU-assisted validation listens: a write beyond a buffer's end is reported") {
  Gpu& gpu = assisted_gpu();
  vulkan::Device& device = device_of(gpu);
  const vulkan::SpecConstant group{gpu::kSpecGroupSize, gpu::kGroup};
  const vulkan::Pipelines pipelines(device, pipeline_sources(ShaderVariant::strict), {&group, 1}, {});
  vulkan::Buffer<gpu::uvec2> cells(device, 256);
  for (const std::uint32_t count : {256u, 257u}) {
    CAPTURE(count);
    messages(gpu);
    vulkan::run_once(device, [&](VkCommandBuffer commands) {
      vulkan::Recorder recorder(device, commands, pipelines);
      PassRecorder run{recorder, VK_NULL_HANDLE};
      run.run_groups<Pass::clear_cells>(2, {cells.ptr(), count});
    });
    CHECK(messages(gpu).empty() == (count == 256));
  }
}

// With the layer of Debian 13 (1.4.309): instrumented by that of Debian 12 (1.3.239), passes give wrong values. The
// first run compiles instrumented passes for 8 minutes.
TEST_CASE("whole steps read and write nothing beyond their buffers, by GPU-assisted validation" *
          doctest::test_suite("assisted") * doctest::skip()) {
  Gpu& gpu = assisted_gpu();
  for (const Scene& scene : {with_fixed_steps(reference::water_column(6, 8, 0.01), 0.001, 10),
                             with_fixed_steps(reference::pillar_with_box(6), 0.001, 10),
                             with_fixed_steps(reference::stack(3, 0.3), 0.001, 10)}) {
    CAPTURE(scene.name);
    messages(gpu);
    const Run run = run_scene(gpu, scene);
    for (const std::string& message : messages(gpu)) FAIL_CHECK(message);
    CHECK(run.last.state_hash == run_scene(lavapipe(), scene).last.state_hash);
  }
}

}  // namespace sluice::tests
