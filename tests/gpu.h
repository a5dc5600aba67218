// What GPU tests share: both software drivers with validation on, a rig that runs single passes on the state of a
// scene, and the state as plain double-precision arrays for the reference.
//
//   for (Gpu* gpu : drivers()) {
//     MessageGuard guard(*gpu);                       // a validation message fails the test
//     Rig rig(*gpu, shaken_cloud(1234));
//     rig.tick(0);                                    // the begin-of-step passes
//     rig.run([&](PassRecorder& run) { run.run_groups<Pass::volumes>(rig.groups(), ...); });
//   }
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/step.h"
#include "tests/reference/passes.h"

namespace sluice::tests {

// Created on first use and kept for all tests of the process. A driver that is missing throws Error, so that a test
// fails and is never skipped. VK_ADD_DRIVER_FILES is set if the environment lacks it.
Gpu& kept_gpu(const GpuOptions& options);
// Before main() ends: later the loader's and the layers' own statics are gone.
void release_gpus();

// With core and synchronization validation.
Gpu& lavapipe();
Gpu& swiftshader();
std::vector<Gpu*> drivers();  // lavapipe, SwiftShader

// Fails the test in whose scope it lies if the validation layers said anything in the meantime.
struct MessageGuard {
  explicit MessageGuard(Gpu& gpu);
  ~MessageGuard();
  MessageGuard(const MessageGuard&) = delete;
  Gpu& gpu;
};

// All passes, compiled once for each device, interleave of rows and way to scatter in the sort.
const vulkan::Pipelines& shared_pipelines(Gpu& gpu, std::uint32_t row_interleave = 1, bool sort_by_runs = false);

// Numbers in [0, 1) that are the same on every machine (PCG-XSH-RR 64/32) [O'Neill 2014].
struct Random {
  std::uint64_t state = 1;
  std::uint32_t word();
  double next() { return word() / 4294967296.0; }
  Vec3 next_vec();  // each in [-0.5, 0.5)
};

// One row as the solver reads it: indices of fluid particles and boundary samples in sorted order, of rigid samples
// body by body.
struct FoundRow {
  std::vector<std::uint32_t> fluid, boundary, rigid;
  friend bool operator==(const FoundRow&, const FoundRow&) = default;
};

// The state of a scene, and single passes on it.
struct Rig {
  Rig(Gpu& gpu, const Scene& scene, const SimulationOptions& options = {}, std::uint32_t row_interleave = 1);

  template <typename Record>
  void run(Record record) {
    vulkan::run_once(device, [&](VkCommandBuffer commands) {
      vulkan::Recorder recorder(device, commands, pipelines);
      record_table(recorder, state);
      PassRecorder passes{recorder, state.control.raw.handle(), state.table.ptr()};
      record(passes);
    });
  }
  void tick(std::uint32_t iterations) {
    run([&](PassRecorder& passes) { record_tick(passes, state, iterations); });
  }

  gpu::Control control();
  void set_control(const gpu::Control& control);
  void set_params(const gpu::Params& params);  // params_host as well
  std::uint32_t particles() const { return static_cast<std::uint32_t>(state.sizes.particles); }
  std::uint32_t groups() const { return static_cast<std::uint32_t>(state.sizes.particle_groups); }

  std::vector<FoundRow> rows();         // of fluid particles
  std::vector<FoundRow> sample_rows();  // of rigid samples, padding included
  std::vector<FoundRow> found_rows(std::uint64_t first, std::uint64_t count);
  // In sorted order, velocities of before the step; positions with their wraps, from the device's origin.
  reference::Fluid fluid();
  // In sorted order, moving with their bodies; right for samples within 4096 cells of the origin.
  reference::Boundary boundary();
  reference::Neighbors neighbors();  // from rows(), in the device's order of summation

  vulkan::Device& device;
  std::uint32_t row_interleave;
  const vulkan::Pipelines& pipelines;
  State state;
};

Vec3 position_in_h(const gpu::uvec4& position, std::uint32_t packed_wraps);
inline Vec3 to_vec(const gpu::vec4& v) { return {v.x, v.y, v.z}; }

// A jittered, moving block of `count` particles of two viscous materials over a floor, beside a wall that moves and
// turns. Everything acts at once; each axis starts at a few h from the origin.
Scene shaken_cloud(int count);

// A column of water in a tank, with a paddle that moves and turns above its floor.
Scene stirred_column();

// Floats carry 24 bits: a correctly rounded operation errs by at most this share of its result.
inline constexpr double kHalfUlp = 5.9604644775390625e-8;

}  // namespace sluice::tests
