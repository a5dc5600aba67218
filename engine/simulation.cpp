#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "engine/frame.h"
#include "engine/state.h"
#include "engine/step.h"
#include "sluice/sluice.h"

namespace sluice {
namespace {

using vulkan::Recorder;
using vulkan::Timer;

// A submit stays well under a GPU's watchdog, and Ctrl-C answers soon.
constexpr double kSubmitSeconds = 0.25;
constexpr std::uint32_t kMaxTicks = 256;
constexpr std::uint32_t kTimestamps = 8192;  // the least maxQueryCount that drivers are known to have

const char* limit_name(std::uint32_t limit) {
  switch (limit) {
    case gpu::kLimitCfl:
      return "cfl";
    case gpu::kLimitViscosity:
      return "viscosity";
    case gpu::kLimitGrowth:
      return "growth";
    case gpu::kLimitFrame:
      return "frame";
    default:
      return "maxStep";
  }
}

const char* failure_sentence(std::uint32_t failure) {
  switch (failure) {
    case gpu::kFailureCrowded:
      return "a particle has more than 4095 fluid or 1023 boundary neighbours (the fluid has collapsed, or a surface "
             "is sampled far too densely); use a smaller time.maxStep, or check the scene for overlaps";
    case gpu::kFailureTooFast:
      return "a particle moves more than 64 particle spacings a step; use a smaller time.maxStep, or check the scene "
             "for overlaps";
    default:
      return "a velocity or volume error is not a finite number; use a smaller time.maxStep, or check the scene for "
             "overlaps and extreme values";
  }
}

std::vector<vulkan::SpecConstant> spec_constants(const DeviceInfo& info) {
  // One row's entries side by side suit a CPU's cache lines; a subgroup's lanes read alternating rows.
  const std::uint32_t interleave = info.type == DeviceType::cpu ? 1 : std::clamp(info.subgroup_size, 1u, 64u);
  return {{gpu::kSpecGroupSize, gpu::kGroup}, {gpu::kSpecRowInterleave, std::bit_floor(interleave)}};
}

}  // namespace

struct Simulation::Impl {
  Impl(Gpu& gpu, const Scene& scene_in, const SimulationOptions& options_in)
      : device(gpu.device()),
        options(options_in),
        time_settings(scene_in.time),
        gravity(scene_in.gravity),
        materials(scene_in.materials),
        state(device, scene_in, options_in),
        sources(pipeline_sources(options_in.fast_arithmetic)),
        constants(spec_constants(device.info)),
        pipelines(device, sources, constants,
                  options_in.pipeline_cache_folder.empty() ? vulkan::default_cache_folder()
                                                           : std::filesystem::path(options_in.pipeline_cache_folder)),
        commands(device),
        timer(device, kTimestamps),
        pass_times(sources.size()) {
    for (const FluidParticle& p : scene_in.fluid) total_mass += materials[p.material].density / state.units.density;
    total_mass *= state.units.mass();
    for (const RigidBody& b : scene_in.rigid) total_mass += b.mass * b.gravity_scale;
  }

  const gpu::Control& control() const { return *state.control_copy.mapped(); }
  double time_of(std::uint32_t frame, double frame_time) const {
    return frame * time_settings.frame_interval + frame_time * state.units.time;
  }
  void submit(std::uint32_t ticks, std::uint32_t iterations);
  std::uint32_t iterations_to_record() const;
  std::uint32_t ticks_to_record() const;
  StepRecord to_record(const gpu::Status& status, double gpu_ms) const;

  vulkan::Device& device;
  SimulationOptions options;
  TimeSettings time_settings;
  Vec3 gravity;
  std::vector<FluidMaterial> materials;
  double total_mass = 0;  // kg, as gravity sees it
  State state;
  std::vector<vulkan::PipelineSource> sources;
  std::vector<vulkan::SpecConstant> constants;
  vulkan::Pipelines pipelines;
  vulkan::Commands commands;
  Timer timer;

  bool frame_taken = false;                // of the frame that is ready; false at the start: frame 0
  std::optional<std::uint32_t> set_phase;  // what the next submit writes into the phase word first
  std::uint32_t reported = 0;              // steps handed out
  std::uint32_t recent_iterations = 8;     // a decaying maximum
  double tick_seconds = 0;                 // of the last submit; 0: not known
  double carried_ms = 0;                   // device time of submits that finished no step
  std::vector<PassTime> pass_times;
};

std::uint32_t Simulation::Impl::iterations_to_record() const {
  if (options.iterations_per_tick > 0) return options.iterations_per_tick;
  return std::clamp((recent_iterations + 2 + 3) / 4 * 4, 4u, 64u);
}

std::uint32_t Simulation::Impl::ticks_to_record() const {
  if (options.ticks_per_submit > 0) return std::min(options.ticks_per_submit, gpu::kStatusRing);
  if (tick_seconds <= 0) return 1;
  // No more than the steps to the next frame, where the device stops anyway.
  const double remaining = state.params_host.frame_length - control().frame_time;
  const double steps = std::ceil(remaining / std::max(control().tau, 1e-9f) - 1e-3);
  double affordable = kSubmitSeconds / tick_seconds;
  // A profile needs two timestamps a dispatch; passes past the pool's end would go unmeasured.
  if (options.profile) affordable = std::min(affordable, kTimestamps / (2.0 * (70 + 14 * iterations_to_record())));
  return static_cast<std::uint32_t>(std::clamp(std::min(steps, affordable), 1.0, double(kMaxTicks)));
}

void Simulation::Impl::submit(std::uint32_t ticks, std::uint32_t iterations) {
  const VkCommandBuffer buffer = commands.begin();
  timer.reset(buffer);
  Recorder recorder(device, buffer, pipelines, options.profile ? &timer : nullptr);
  PassRecorder run{recorder, state.control.raw.handle()};
  if (set_phase) {
    device.functions.vkCmdUpdateBuffer(buffer, state.control.raw.handle(), offsetof(gpu::Control, phase), 4,
                                       &*set_phase);
    const auto blocks = static_cast<std::uint32_t>(state.sizes.spill_blocks);
    device.functions.vkCmdUpdateBuffer(buffer, state.control.raw.handle(), offsetof(gpu::Control, spill_capacity), 4,
                                       &blocks);
    recorder.barrier();
    set_phase.reset();
  }
  const std::uint32_t begin = timer.mark(buffer);
  for (std::uint32_t tick = 0; tick < ticks; ++tick) record_tick(run, state, iterations);
  const std::uint32_t end = options.profile ? begin : timer.mark(buffer);
  const VkBufferCopy all{0, 0, sizeof(gpu::Control)};
  device.functions.vkCmdCopyBuffer(buffer, state.control.raw.handle(), state.control_copy.raw.handle(), 1, &all);
  recorder.barrier();
  commands.submit_and_wait();
  timer.read();
  double total = timer.milliseconds(begin, end);
  for (const vulkan::TimedDispatch& dispatch : recorder.timed) {
    if (dispatch.from == Timer::none() || dispatch.to == Timer::none()) continue;
    PassTime& pass = pass_times[dispatch.pass];
    pass.pass = sources[dispatch.pass].name;
    ++pass.dispatches;
    const double ms = timer.milliseconds(dispatch.from, dispatch.to);
    pass.milliseconds += ms;
    total += ms;
  }
  carried_ms += total;
  if (total > 0) tick_seconds = total * 1e-3 / ticks;
}

StepRecord Simulation::Impl::to_record(const gpu::Status& s, double gpu_ms) const {
  const Units& u = state.units;
  StepRecord r;
  r.step = s.step;
  r.time = time_of(s.frame, s.frame_time);
  r.dt = s.tau * u.time;
  r.dt_limit = s.tau_limit * u.time;
  r.limited_by = limit_name(s.limit);
  r.iterations = s.iterations;
  r.residual = s.residual;
  r.tolerance = s.tolerance;
  r.residual_friction = s.residual_friction;
  r.contacts = s.contacts;
  r.density_error_avg = s.density_error_avg;
  r.density_error_max = s.density_error_max;
  r.kinetic_energy = s.kinetic_energy * u.energy();
  const double moment = u.mass() * u.length;
  const Vec3 mass_moment =
      Vec3{s.mass_moment_x * moment, s.mass_moment_y * moment, s.mass_moment_z * moment} + total_mass * u.origin;
  r.potential_energy = -dot(gravity, mass_moment);
  r.max_speed = s.max_speed * u.velocity();
  const double p = u.mass() * u.velocity();
  r.momentum = {s.momentum_x * p, s.momentum_y * p, s.momentum_z * p};
  r.wall_force = {s.wall_force_x * u.force(), s.wall_force_y * u.force(), s.wall_force_z * u.force()};
  r.gpu_ms = gpu_ms;
  return r;
}

Simulation::Simulation(Gpu& gpu, const Scene& scene, const SimulationOptions& options)
    : impl_(std::make_unique<Impl>(gpu, scene, options)) {}
Simulation::~Simulation() = default;

bool Simulation::frame_ready() const {
  const Impl& s = *impl_;
  return !s.frame_taken && (s.control().phase == gpu::kPhaseFrame || s.control().step == 0);
}

void Simulation::next_frame() {
  if (!frame_ready()) return;
  impl_->frame_taken = true;
  if (impl_->control().phase == gpu::kPhaseFrame && !done()) impl_->set_phase = gpu::kPhaseBegin;
}

bool Simulation::done() const {
  return impl_->frame_taken && impl_->control().frame >= impl_->state.params_host.last_frame;
}
std::uint32_t Simulation::frame_number() const { return impl_->control().frame; }
double Simulation::time() const { return impl_->time_of(impl_->control().frame, impl_->control().frame_time); }

std::vector<StepRecord> Simulation::advance() {
  Impl& s = *impl_;
  if (frame_ready() || done()) return {};
  s.submit(s.ticks_to_record(), s.iterations_to_record());
  const gpu::Control& control = s.control();

  std::vector<StepRecord> records;
  const std::uint32_t finished = control.step - s.reported;
  for (; s.reported < control.step; ++s.reported) {
    const gpu::Status& status = s.state.status.mapped()[s.reported % gpu::kStatusRing];
    records.push_back(s.to_record(status, s.carried_ms / finished));
    s.recent_iterations = std::max(status.iterations, s.recent_iterations - s.recent_iterations / 16);
  }
  if (finished > 0) {
    s.carried_ms = 0;
    s.frame_taken = false;
  }
  if (control.phase == gpu::kPhaseCapacity) {
    // Half as much again, so that a growing crowd does not regrow the pool every step.
    const std::uint64_t blocks = std::uint64_t{control.spill_needed} + control.spill_needed / 2;
    if (blocks * gpu::kSpillBlock * 4 > s.options.page_bytes) {
      throw Error("step " + std::to_string(control.step + 1) + ": the rows of crowded particles need " +
                  std::to_string(blocks * gpu::kSpillBlock * 4 >> 20) +
                  " MiB, more than a page holds; the fluid has collapsed, or rowCapacity is far too small");
    }
    s.state.grow_spill_pool(blocks);
    s.set_phase = gpu::kPhaseBegin;
  }
  // Steps that were completed before the failure are handed out first; the next call throws.
  if (control.phase == gpu::kPhaseFailed && records.empty()) {
    throw Error("step " + std::to_string(control.step + 1) + " at t = " + std::to_string(time()) +
                " s failed: " + failure_sentence(control.failure));
  }
  return records;
}

std::uint64_t Simulation::state_hash() { return hash_of(impl_->state); }

Frame Simulation::read_frame() {
  Impl& s = *impl_;
  // At the start nothing has been computed: the begin-of-step passes find densities, a solve of no
  // iterations leaves the state alone.
  const auto due = [&] { return s.control().phase == gpu::kPhaseBegin || s.set_phase.has_value(); };
  for (int attempt = 0; s.control().step == 0 && due() && attempt < 4; ++attempt) {
    s.submit(1, 0);
    if (s.control().phase == gpu::kPhaseCapacity) {
      s.state.grow_spill_pool(std::uint64_t{s.control().spill_needed} + s.control().spill_needed / 2);
      s.set_phase = gpu::kPhaseBegin;
    }
  }
  Frame frame = frame_of(s.state, s.materials, s.control().last_tau);
  frame.number = s.control().frame;
  frame.time = time();
  return frame;
}

std::vector<PassTime> Simulation::pass_times() const {
  std::vector<PassTime> times;
  for (const PassTime& pass : impl_->pass_times) {
    if (pass.dispatches > 0) times.push_back(pass);
  }
  return times;
}

std::vector<MemoryPart> Simulation::memory() const { return memory_parts(impl_->state.sizes); }

std::vector<MemoryPart> estimate_memory(const Scene& scene, const SimulationOptions& options) {
  return memory_parts(sizes_of(scene, options));
}

}  // namespace sluice
