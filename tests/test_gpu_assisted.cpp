// GPU-assisted validation finds what a shader reads or writes beyond its buffers. On lavapipe, on a device of its own.
// Whole steps do not run with it here: instrumented passes give wrong values on Mesa 22.3 (layer 1.3.239).
#include <doctest/doctest.h>

#include "engine/passes.h"
#include "host/vulkan/recorder.h"
#include "tests/gpu.h"

namespace sluice::tests {
namespace {

Gpu assisted_gpu() {
  lavapipe();  // shows the drivers to the loader
  return Gpu::create({.device = "llvmpipe", .validation = Validation::gpu_assisted});
}

}  // namespace

TEST_CASE("GPU-assisted validation listens: a write beyond a buffer's end is reported") {
  Gpu gpu = assisted_gpu();
  vulkan::Device& device = gpu.device();
  const vulkan::SpecConstant group{gpu::kSpecGroupSize, gpu::kGroup};
  const vulkan::Pipelines pipelines(device, pipeline_sources(ShaderVariant::strict), {&group, 1}, {});
  vulkan::Buffer<gpu::uvec2> cells(device, 256);
  for (const std::uint32_t count : {256u, 257u}) {
    CAPTURE(count);
    gpu.take_validation_messages();
    vulkan::run_once(device, [&](VkCommandBuffer commands) {
      vulkan::Recorder recorder(device, commands, pipelines);
      PassRecorder run{recorder, VK_NULL_HANDLE};
      run.run_groups<Pass::clear_cells>(2, {cells.ptr(), count});
    });
    CHECK(gpu.take_validation_messages().empty() == (count == 256));
  }
}

}  // namespace sluice::tests
