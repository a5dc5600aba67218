// The gates that start the parts of a step, and the clock: slices of a frame, limits of the step, compensated time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/gpu_device.h"
#include "tests/gpu.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

// end_step alone, on sums that the test chooses.
struct Clock {
  explicit Clock(Gpu& gpu) : rig(gpu, shaken_cloud(257)) {
    rig.state.step_partial = vulkan::Buffer<gpu::StepPartial>(device_of(gpu), 300);
    params = rig.state.params_host;
    params.gravity_length = 0;
    params.boundary_speed = 0;
    params.viscous_limit = 1e9f;
    params.cfl = 1e9f;
    params.frame_length = 20;
    control = rig.control();
    control.tau = control.tau_limit = 1;
    control.phase = gpu::kPhaseEnd;
    const std::vector<gpu::StepPartial> still(300, gpu::StepPartial{});
    vulkan::upload<gpu::StepPartial>(rig.device, rig.state.step_partial, still);
  }
  void set_speed(float speed) {
    gpu::StepPartial moving[2]{};
    moving[1].max_speed = speed;
    vulkan::upload<gpu::StepPartial>(rig.device, rig.state.step_partial, moving);
  }
  // One step; the state goes on from the last.
  gpu::Status step() {
    rig.set_params(params);
    control.phase = gpu::kPhaseEnd;
    rig.set_control(control);
    rig.run([&](PassRecorder& passes) { passes.run<Pass::end_step>(); });
    control = rig.control();
    return rig.state.status.mapped()[(control.step - 1) % gpu::kStatusRing];
  }
  Rig rig;
  gpu::Params params;
  gpu::Control control;
};

bool open(const gpu::Control& c, std::uint32_t slot) { return c.dispatches[slot].x > 0; }

bool all_closed(const gpu::Control& c) {
  return std::all_of(std::begin(c.dispatches), std::end(c.dispatches), [](const gpu::uvec4& d) { return d.x == 0; });
}

}  // namespace

TEST_CASE("a frame is hit by equal slices: no sliver, no step over the largest") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    for (const float frame : {20.0f, 20.5f, 0.7f, 1.00005f, 33.333f}) {
      CAPTURE(frame);
      Clock clock(*gpu);
      clock.params.frame_length = frame;
      // The first slice as the host chooses it.
      const int slices = std::max(1, static_cast<int>(std::floor(frame + 0.9999)));
      clock.control.tau = frame / static_cast<float>(slices);
      double time = 0;
      for (int k = 1; k <= slices; ++k) {
        const gpu::Status s = clock.step();
        time += s.tau;
        CHECK(s.step == static_cast<std::uint32_t>(k));
        CHECK(s.tau == doctest::Approx(frame / slices).epsilon(1e-5));
        CHECK(s.phase == (k == slices ? gpu::kPhaseFrame : gpu::kPhaseBegin));
        CHECK(clock.control.last_tau == s.tau);
      }
      CHECK(time == doctest::Approx(frame).epsilon(1e-6));
      CHECK(clock.control.frame == 1);
      CHECK(clock.control.frame_time == 0.0f);
      CHECK(clock.control.frame_time_low == 0.0f);
      CHECK(all_closed(clock.control));
    }
  }
}

TEST_CASE("the step is limited by growth, speed, viscosity and the frame, and says by which") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Clock clock(*gpu);
    clock.params.frame_length = 1000;
    clock.control.tau = clock.control.tau_limit = 0.5f;
    clock.step();
    CHECK(clock.control.limit == gpu::kLimitGrowth);
    CHECK(clock.control.tau_limit == doctest::Approx(0.55));
    CHECK(clock.control.tau <= 0.55f);
    CHECK(clock.control.tau > 0.549f);
    for (int k = 0; k < 8; ++k) clock.step();
    CHECK(clock.control.limit == gpu::kLimitMaxStep);
    CHECK(clock.control.tau_limit == 1.0f);
    CHECK(clock.control.tau > 0.999f);
    CHECK(clock.control.tau <= 1.0f);

    clock.params.viscous_limit = 0.9f;
    clock.step();
    CHECK(clock.control.limit == gpu::kLimitViscosity);
    CHECK(clock.control.tau_limit == 0.9f);

    const double tau = clock.control.tau;
    clock.params.cfl = 0.4f;
    clock.params.gravity_length = 0.1f;
    clock.set_speed(0.5f);
    const gpu::Status slow = clock.step();
    CHECK(clock.control.limit == gpu::kLimitCfl);
    CHECK(clock.control.tau_limit == doctest::Approx(0.4 / (0.5 + 0.1 * tau)).epsilon(1e-6));
    CHECK(slow.max_speed == 0.5f);
    CHECK(slow.limit == gpu::kLimitViscosity);  // a record names what limited its own step

    clock.params.boundary_speed = 2;
    clock.step();
    CHECK(clock.control.tau_limit < 0.2f);
    CHECK(clock.control.max_speed == 0.5f);  // of particles

    // Of ten slices a frame to nine it is more than a tenth: the limit grows all the same, and the slices with it.
    Clock grown(*gpu);
    grown.params.frame_length = 4;
    grown.control.tau = 0.4f;
    grown.control.tau_limit = 0.4211f;
    std::vector<float> taus;
    for (int k = 0; k < 40; ++k) taus.push_back(grown.step().tau);
    CHECK(taus.back() == 1.0f);

    Clock framed(*gpu);
    framed.params.frame_length = 2.2f;
    framed.step();
    CHECK(framed.control.limit == gpu::kLimitFrame);
    CHECK(framed.control.tau == doctest::Approx(0.6));
    CHECK(framed.control.tau_limit == 1.0f);
  }
}

TEST_CASE("time within a frame is compensated: twenty thousand steps end where their sum in double does") {
  MessageGuard guard(lavapipe());
  Clock clock(lavapipe());
  constexpr int kSteps = 20'000, kChunk = 1000;  // a chunk's records fit the ring
  clock.params.frame_length = 12'234.5f;
  clock.params.viscous_limit = 0.537f;
  clock.control.tau = 0.537f;
  clock.rig.set_params(clock.params);
  double time = 0, largest = 0;
  float naive = 0;
  for (int done = 0; done < kSteps; done += kChunk) {
    clock.rig.set_control(clock.control);
    const std::uint32_t phase = gpu::kPhaseEnd;
    clock.rig.run([&](PassRecorder& passes) {
      for (int k = 0; k < kChunk; ++k) {
        clock.rig.device.functions.vkCmdUpdateBuffer(passes.recorder.commands(), passes.control,
                                                     offsetof(gpu::Control, phase), 4, &phase);
        passes.recorder.barrier();
        passes.run<Pass::end_step>();
      }
    });
    clock.control = clock.rig.control();
    clock.control.phase = phase;
    for (int k = done; k < done + kChunk; ++k) {
      const gpu::Status& s = clock.rig.state.status.mapped()[k % gpu::kStatusRing];
      time += s.tau;
      naive += s.tau;
    }
    const double found = double(clock.control.frame_time) + clock.control.frame_time_low;
    largest = std::max(largest, std::fabs(found - time));
  }
  CHECK(clock.control.step == kSteps);
  CHECK(clock.control.frame == 0);
  CHECK(std::fabs(naive - time) > 0.01);
  // Only step and low part together are rounded, each time by half an ulp of a half.
  CHECK(largest < 2e-5);
}

TEST_CASE("a step's record sums all groups, more than there are threads") {
  constexpr std::uint32_t kGroups = 300, kParticles = kGroups * 256 - 100;
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Clock clock(*gpu);
    clock.control.particles = kParticles;
    clock.control.iteration = 17;
    clock.control.active_rows = 99;
    clock.control.residual = 0.25f;
    clock.control.tolerance = 0.5f;
    Random random;
    std::vector<gpu::StepPartial> partials(kGroups);
    double sums[11] = {}, fastest = 0, worst = 0;
    for (gpu::StepPartial& p : partials) {
      float* const values[11] = {&p.kinetic_energy, &p.density_error, &p.mass_moment_x, &p.mass_moment_y,
                                 &p.mass_moment_z,  &p.momentum_x,    &p.momentum_y,    &p.momentum_z,
                                 &p.wall_force_x,   &p.wall_force_y,  &p.wall_force_z};
      for (int k = 0; k < 11; ++k) sums[k] += *values[k] = static_cast<float>(random.next());
      fastest = std::max<double>(fastest, p.max_speed = static_cast<float>(random.next()));
      worst = std::max<double>(worst, p.density_error_max = static_cast<float>(random.next()));
    }
    vulkan::upload<gpu::StepPartial>(clock.rig.device, clock.rig.state.step_partial, partials);
    const gpu::Status s = clock.step();
    const float found[11] = {s.kinetic_energy, s.density_error_avg * kParticles,
                             s.mass_moment_x,  s.mass_moment_y,
                             s.mass_moment_z,  s.momentum_x,
                             s.momentum_y,     s.momentum_z,
                             s.wall_force_x,   s.wall_force_y,
                             s.wall_force_z};
    for (int k = 0; k < 11; ++k) {
      CAPTURE(k);
      CHECK(found[k] == doctest::Approx(sums[k]).epsilon(20 * kHalfUlp));
    }
    CHECK(s.max_speed == fastest);
    CHECK(s.density_error_max == worst);
    CHECK(s.iterations == 17);
    CHECK(s.active_rows == 99);
    CHECK(s.residual == 0.25f);
    CHECK(s.tolerance == 0.5f);
    CHECK(s.failure == gpu::kFailureNone);
  }
}

TEST_CASE("end_step does nothing unless the end is due") {
  MessageGuard guard(lavapipe());
  Clock clock(lavapipe());
  clock.rig.set_params(clock.params);
  for (const std::uint32_t phase : {gpu::kPhaseBegin, gpu::kPhaseSolve, gpu::kPhaseFrame, gpu::kPhaseCapacity,
                                    gpu::kPhaseFailed, gpu::kPhaseHeld}) {
    clock.control.phase = phase;
    clock.rig.set_control(clock.control);
    clock.rig.run([&](PassRecorder& passes) { passes.run<Pass::end_step>(); });
    const gpu::Control after = clock.rig.control();
    CHECK(std::memcmp(&after, &clock.control, sizeof after) == 0);
  }
}

TEST_CASE("begin_step opens the passes of a due step, boundaries only if they moved, and nothing else") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Rig rig(*gpu, shaken_cloud(257));
    gpu::Control start = rig.control();
    TickLimits limits;
    const auto after_begin = [&](std::uint32_t phase, std::uint32_t dirty) {
      gpu::Control c = start;
      c.phase = phase;
      c.boundary_dirty = dirty;
      c.spill_needed = 7;
      for (gpu::uvec4& d : c.dispatches) d = {1, 1, 1, 0};
      rig.set_control(c);
      rig.run([&](PassRecorder& passes) { passes.run<Pass::begin_step>(begin_step_args(rig.state, limits)); });
      return rig.control();
    };
    gpu::Control c = after_begin(gpu::kPhaseBegin, 1);
    CHECK(c.dispatches[gpu::kSlotBeginOne].x == 1);
    CHECK(c.dispatches[gpu::kSlotBeginParticles].x == 2);
    CHECK(c.dispatches[gpu::kSlotBeginBlocks].x == 1);
    CHECK(c.dispatches[gpu::kSlotBeginDigits].x == rig.state.params_host.sort_digits);
    CHECK(c.dispatches[gpu::kSlotBeginCells].x == (rig.state.sizes.grid.cells + 255) / 256);
    CHECK(c.dispatches[gpu::kSlotBoundaryParticles].x == (rig.state.sizes.boundary + 255) / 256);
    CHECK(c.dispatches[gpu::kSlotBoundaryCells].x == (rig.state.sizes.boundary_grid.cells + 255) / 256);
    CHECK(c.dispatches[gpu::kSlotBoundaryDigits].x == rig.state.params_host.boundary_sort_digits);
    CHECK_FALSE(open(c, gpu::kSlotSpillParticles));
    CHECK_FALSE(open(c, gpu::kSlotSolveOne));
    CHECK_FALSE(open(c, gpu::kSlotEndParticles));
    CHECK(c.spill_needed == 0);
    c = after_begin(gpu::kPhaseBegin, 0);
    CHECK(open(c, gpu::kSlotBeginParticles));
    CHECK_FALSE(open(c, gpu::kSlotBoundaryParticles));
    CHECK_FALSE(open(c, gpu::kSlotBoundaryBlocks));
    c = after_begin(gpu::kPhaseSolve, 1);
    CHECK(open(c, gpu::kSlotSolveParticles));
    CHECK(open(c, gpu::kSlotSolveOne));
    CHECK_FALSE(open(c, gpu::kSlotBeginParticles));
    CHECK(all_closed(after_begin(gpu::kPhaseFailed, 1)));

    // A complete frame holds the device until it is taken.
    start.frame = 3;
    limits.frames_taken = 2;
    CHECK(all_closed(after_begin(gpu::kPhaseFrame, 1)));
    CHECK(rig.control().phase == gpu::kPhaseFrame);
    limits.frames_taken = 3;
    CHECK(open(after_begin(gpu::kPhaseFrame, 1), gpu::kSlotBeginParticles));
    CHECK(rig.control().phase == gpu::kPhaseBegin);

    // No step begins at the time that was asked for or less than a thousandth of a step before it.
    start.frame_time = 0.5f;
    start.tau = 0.25f;
    limits.until_frame = 3;
    for (const auto& [until, begins] :
         {std::pair{0.4f, false}, {0.5f, false}, {0.5002f, false}, {0.501f, true}, {2.0f, true}}) {
      limits.until_time = until;
      for (const std::uint32_t phase : {gpu::kPhaseBegin, gpu::kPhaseHeld, gpu::kPhaseFrame}) {
        CHECK(open(after_begin(phase, 1), gpu::kSlotBeginParticles) == begins);
        CHECK(rig.control().phase == (begins ? gpu::kPhaseBegin : gpu::kPhaseHeld));
      }
      CHECK(open(after_begin(gpu::kPhaseSolve, 1), gpu::kSlotSolveOne));  // one that has begun goes on
    }
    limits.until_frame = 2;
    CHECK(all_closed(after_begin(gpu::kPhaseBegin, 1)));
    limits.until_frame = 4;
    limits.until_time = 0;
    CHECK(open(after_begin(gpu::kPhaseHeld, 1), gpu::kSlotBeginParticles));
    limits = {};
    start.frame = 0;
    start.frame_time = 0;

    // A pool that is too small holds the step until a tick has a larger one.
    start.spill_capacity = 1;
    rig.state.sizes.spill_blocks = 6;
    CHECK(all_closed(after_begin(gpu::kPhaseCapacity, 1)));
    CHECK(rig.control().spill_capacity == 1);
    rig.state.sizes.spill_blocks = 7;
    CHECK(open(after_begin(gpu::kPhaseCapacity, 1), gpu::kSlotBeginParticles));
    CHECK(rig.control().spill_capacity == 7);
    // More groups than one row of a dispatch may have.
    start.particles = 20'000'000;
    c = after_begin(gpu::kPhaseBegin, 0);
    CHECK(c.dispatches[gpu::kSlotBeginParticles].x == 65535);
    CHECK(c.dispatches[gpu::kSlotBeginParticles].y == 2);
    CHECK(c.dispatches[gpu::kSlotBeginBlocks].x == 19532);
    CHECK(c.dispatches[gpu::kSlotBeginBlocks].y == 1);
  }
}

TEST_CASE("begin_solve starts a solve, or stops for a failure or a full pool") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Rig rig(*gpu, shaken_cloud(257));
    const gpu::Control start = rig.control();
    const auto after = [&](gpu::Control c) {
      for (gpu::uvec4& d : c.dispatches) d = {1, 1, 1, 0};
      c.iteration = 9;
      c.restore_best = 1;
      c.best_residual = 0;
      rig.set_control(c);
      rig.run([&](PassRecorder& passes) { passes.run<Pass::begin_solve>(); });
      return rig.control();
    };
    gpu::Control c = after(start);
    CHECK(c.phase == gpu::kPhaseSolve);
    CHECK(c.iteration == 0);
    CHECK(c.restore_best == 0);
    CHECK(c.best_residual == 1e30f);
    CHECK(c.boundary_dirty == 0);
    const double scale = rig.state.params_host.tolerance_scale;
    CHECK(c.tolerance == doctest::Approx(std::max(2e-6, scale * start.tau * start.tau)).epsilon(1e-6));
    CHECK(c.dispatches[gpu::kSlotSolveParticles].x == 2);
    CHECK_FALSE(open(c, gpu::kSlotBeginParticles));

    gpu::Control small = start;
    small.tau = 1e-4f;
    CHECK(after(small).tolerance == 2e-6f);

    gpu::Control failed = start;
    failed.failure = gpu::kFailureCrowded;
    failed.spill_needed = failed.spill_capacity + 1;
    c = after(failed);
    CHECK(c.phase == gpu::kPhaseFailed);
    CHECK(c.failure == gpu::kFailureCrowded);
    CHECK(all_closed(c));

    gpu::Control full = start;
    full.spill_needed = full.spill_capacity + 1;
    c = after(full);
    CHECK(c.phase == gpu::kPhaseCapacity);
    CHECK(all_closed(c));
    full.spill_needed = full.spill_capacity;
    CHECK(after(full).phase == gpu::kPhaseSolve);

    gpu::Control later = start;
    later.phase = gpu::kPhaseSolve;
    CHECK(after(later).iteration == 9);  // a solve that goes on is left alone
  }
}
