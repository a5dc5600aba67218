#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/contacts.h"
#include "engine/drawn.h"
#include "engine/edits.h"
#include "engine/frame.h"
#include "engine/gpu_device.h"
#include "engine/step.h"
#include "engine/tickets.h"

namespace sluice {
namespace {

using vulkan::Recorder;
using vulkan::Timer;

// A submit stays well under a GPU's watchdog, and Ctrl-C answers soon.
constexpr double kSubmitSeconds = 0.25;
constexpr std::uint32_t kMaxTicksPerSubmit = 256;
constexpr std::uint32_t kTimestamps = 8192;  // the least maxQueryCount that drivers are known to have
static_assert(Simulation::kMaxTicks == gpu::kStatusRing);

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
      return "something has more than 4095 fluid, 1023 rigid or 1023 boundary neighbours, or bodies have more than 64 "
             "fluid particles around each sample (many bodies lie in one place, the fluid has collapsed, or a surface "
             "is sampled far too densely); move what overlaps apart, or use a smaller time.maxStep";
    case gpu::kFailureTooFast:
      return "a particle moves more than 64 particle spacings a step; use a smaller time.maxStep, or check the scene "
             "for overlaps";
    case gpu::kFailureStalled:
      return "something moves so fast, accelerates so much or is so viscous that a step is shorter than a "
             "ten-millionth of time.maxStep; check velocities, forces, viscosities and edits";
    default:
      return "a velocity or volume error is not a finite number; use a smaller time.maxStep, or check the scene for "
             "overlaps and extreme values";
  }
}

}  // namespace

struct Simulation::Impl {
  Impl(Gpu& gpu, const Scene& scene_in, const SimulationOptions& options_in)
      : device(device_of(gpu)),
        options(resolved(device, options_in)),
        time_settings(scene_in.time),
        gravity(scene_in.gravity),
        materials(scene_in.materials),
        state(device, scene_in, options),
        sources(pipeline_sources(shader_variant(state, options))),
        constants(spec_constants(device.info, {state.sizes.rigid.samples > 0, materials.size() > 1})),
        pipelines(device, sources, constants,
                  options.pipeline_cache_folder.empty() ? vulkan::default_cache_folder()
                                                        : std::filesystem::path(options.pipeline_cache_folder),
                  views_of(shader_variant(state, options))),
        commands(device),
        tickets(device, options_in.profile ? kTimestamps : 2),
        edits(scene_in),
        control(state.control_start),
        pass_times(2 * sources.size()) {
    const Vec3 o = options.drawn_origin;
    if (options.drawn && !(length(o - state.units.origin) <= 1e6 * state.units.length))
      throw Error("drawn_origin is not finite or more than a million particle spacings from the scene");
    if (state.sizes.texels) texels.emplace(texel_views(state));
    if (options.drawn) drawn.emplace(state, scene_in, options.drawn_origin);
    for (const FluidParticle& p : scene_in.fluid) total_mass += materials[p.material].density / state.units.density;
    total_mass *= state.units.mass();
    for (const RigidBody& b : scene_in.rigid) total_mass += b.mass * b.gravity_scale;
  }

  double time_of(std::uint32_t frame, double frame_time) const {
    return frame * time_settings.frame_interval + frame_time * state.units.time;
  }
  TickLimits until(double time) const;
  std::uint32_t iterations_to_record() const;
  std::uint32_t ticks_to_record() const;
  Ticket record(VkCommandBuffer buffer, std::uint32_t ticks, std::uint32_t iterations, TickLimits limits);
  Report retire(Ticket ticket);
  Report run(std::uint32_t ticks, std::uint32_t iterations, TickLimits limits = {});
  void take_times(TicketSlot& slot);
  std::vector<StepRecord> take_steps();
  bool takes_control(Ticket ticket, std::uint32_t ticks, const gpu::Control& found);
  void grow_or_fail();
  void need_idle(const char* call) const;
  StepRecord to_record(const gpu::Status& status, double gpu_ms) const;

  vulkan::Device& device;
  SimulationOptions options;
  TimeSettings time_settings;
  Vec3 gravity;
  std::vector<FluidMaterial> materials;
  double total_mass = 0;  // kg, as gravity sees it
  State state;
  std::optional<vulkan::TexelViews> texels;
  std::optional<Drawn> drawn;
  ContactBuffers contacts;
  std::vector<vulkan::PipelineSource> sources;
  std::vector<vulkan::SpecConstant> constants;
  vulkan::Pipelines pipelines;
  vulkan::Commands commands;
  Tickets tickets;
  Edits edits;

  gpu::Control control;                 // as the last retired ticket left it
  bool frame_taken = false;             // of the frame that is ready; false at the start: frame 0
  std::string failure;                  // a sentence, once the run has failed
  std::uint32_t reported = 0;           // steps handed out
  std::uint32_t recent_iterations = 8;  // a decaying maximum
  double tick_seconds = 0;              // of the last submit; 0: not known
  double carried_ms = 0;                // device time of submits that finished no step
  std::vector<PassTime> pass_times;     // outside of iterations, then within
  // Pools that were outgrown, until the commands recorded by then, up to a ticket, are done.
  struct Outgrown {
    std::uint64_t ticket;
    State::Outgrown buffers;
    std::optional<vulkan::TexelViews> texels;  // destroyed before the buffers that they show
  };
  std::vector<Outgrown> outgrown;
};

std::uint32_t Simulation::Impl::iterations_to_record() const {
  if (options.iterations_per_tick > 0) return std::min(options.iterations_per_tick, state.params_host.max_iterations);
  return std::clamp((recent_iterations + 2 + 3) / 4 * 4, 4u, 64u);
}

std::uint32_t Simulation::Impl::ticks_to_record() const {
  if (options.ticks_per_submit > 0) return std::min(options.ticks_per_submit, gpu::kStatusRing);
  if (tick_seconds <= 0) return 1;
  // No more than the steps to the next frame, where the device stops anyway.
  const double remaining = state.params_host.frame_length - control.frame_time;
  const double steps = std::ceil(remaining / std::max(control.tau, 1e-9f) - 1e-3);
  double affordable = kSubmitSeconds / tick_seconds;
  // A profile needs two timestamps a dispatch; passes past the pool's end would go unmeasured.
  if (options.profile) affordable = std::min(affordable, kTimestamps / (2.0 * (70 + 14 * iterations_to_record())));
  return static_cast<std::uint32_t>(std::clamp(std::min(steps, affordable), 1.0, double(kMaxTicksPerSubmit)));
}

// As the device counts: whole frames, and what is left.
TickLimits Simulation::Impl::until(double time) const {
  TickLimits limits;
  if (std::isnan(time)) throw Error("record() was asked to run until a time that is not a number");
  const double interval = time_settings.frame_interval;
  const double frame = std::floor(std::max(time, 0.0) / interval + 1e-9);
  if (frame >= limits.until_frame) return limits;
  limits.until_frame = static_cast<std::uint32_t>(frame);
  limits.until_time = static_cast<float>(std::max(time - frame * interval, 0.0) / state.units.time);
  return limits;
}

void Simulation::Impl::need_idle(const char* call) const {
  if (!tickets.waiting.empty())
    throw Error(std::string(call) + " needs all recorded tickets to be retired or discarded; " +
                std::to_string(tickets.waiting.size()) + " wait");
}

Ticket Simulation::Impl::record(VkCommandBuffer buffer, std::uint32_t ticks, std::uint32_t iterations,
                                TickLimits limits) {
  if (!failure.empty()) throw Error(failure);
  send_edits(edits, state);
  limits.edits = edits.sent;
  limits.edits_wait = edits.waiting.empty() ? 0 : 1;
  TicketSlot& slot = open_ticket(tickets, ticks);
  slot.timer.reset(buffer);
  Recorder recorder(device, buffer, pipelines, options.profile ? &slot.timer : nullptr,
                    texels ? texels->set() : VK_NULL_HANDLE);
  PassRecorder run{recorder, state.control.raw.handle(), state.table.ptr(), closed_slots(state)};
  recorder.full_barrier();
  record_table(recorder, state);
  slot.begin = slot.timer.mark(buffer);
  for (std::uint32_t tick = 0; tick < ticks; ++tick) record_tick(run, state, iterations, limits);
  slot.end = options.profile ? slot.begin : slot.timer.mark(buffer);
  if (drawn) record_drawn(run, state, *drawn, slot.side);
  const VkBufferCopy all{0, 0, sizeof(gpu::Control)};
  device.functions.vkCmdCopyBuffer(buffer, state.control.raw.handle(), slot.control.raw.handle(), 1, &all);
  const auto number = static_cast<std::uint32_t>(slot.serial);
  device.functions.vkCmdUpdateBuffer(buffer, slot.done.raw.handle(), 0, sizeof number, &number);
  recorder.full_barrier();
  slot.timed = std::move(recorder.timed);
  return {slot.serial};
}

void Simulation::Impl::take_times(TicketSlot& slot) {
  slot.timer.read();
  double total = slot.timer.milliseconds(slot.begin, slot.end);
  bool iterates = false;  // iterations lie between the start of a solve and the end of a step
  for (const vulkan::TimedDispatch& dispatch : slot.timed) {
    const auto kind = static_cast<Pass>(dispatch.pass);
    const bool ends = kind == Pass::integrate || kind == Pass::integrate_bodies || kind == Pass::move_bodies ||
                      kind == Pass::end_step;
    iterates = (iterates || kind == Pass::begin_solve) && !ends;
    const bool iterated = iterates && kind != Pass::begin_solve;
    if (dispatch.from == Timer::none() || dispatch.to == Timer::none()) continue;
    PassTime& pass = pass_times[dispatch.pass + (iterated ? sources.size() : 0)];
    pass.pass = sources[dispatch.pass].name;
    pass.iterated = iterated;
    ++pass.dispatches;
    const double ms = slot.timer.milliseconds(dispatch.from, dispatch.to);
    pass.milliseconds += ms;
    total += ms;
  }
  carried_ms += total;
  if (total > 0) tick_seconds = total * 1e-3 / slot.ticks;
}

std::vector<StepRecord> Simulation::Impl::take_steps() {
  std::vector<StepRecord> records;
  const std::uint32_t finished = control.step - reported;
  std::size_t edit = edits.log.size();
  log_edits(edits, state, control.edits);
  for (; reported < control.step; ++reported) {
    for (; edit < edits.log.size() && edits.log[edit].step <= reported; ++edit)
      if (edits.log[edit].kind == Edit::Kind::gravity) gravity = edits.log[edit].linear;
    const gpu::Status& status = state.status.mapped()[reported % gpu::kStatusRing];
    records.push_back(to_record(status, carried_ms / finished));
    recent_iterations = std::max(status.iterations, recent_iterations - recent_iterations / 16);
  }
  if (finished > 0) {
    carried_ms = 0;
    frame_taken = false;
  }
  return records;
}

void Simulation::Impl::grow_or_fail() {
  const std::string step = "step " + std::to_string(control.step + 1);
  if (control.phase == gpu::kPhaseFailed)
    failure = step + " at t = " + std::to_string(time_of(control.frame, control.frame_time)) +
              " s failed: " + failure_sentence(control.failure);
  // Tickets that were recorded before the pool grew report the same lack again.
  if (control.phase != gpu::kPhaseCapacity || control.spill_needed <= state.sizes.spill_blocks) return;
  // Half as much again, so that a growing crowd does not regrow the pool every step.
  const std::uint64_t blocks = std::uint64_t{control.spill_needed} + control.spill_needed / 2;
  const std::uint64_t bytes = blocks * gpu::kSpillBlock * 4;
  if (bytes > options.page_bytes) {
    failure = step + ": the rows of crowded particles need " + std::to_string(bytes >> 20) +
              " MiB, more than a page holds; the fluid has collapsed, or rowCapacity is far too small";
    return;
  }
  outgrown.push_back({tickets.last, state.grow_spill_pool(blocks), std::nullopt});
  if (texels) outgrown.back().texels = std::exchange(*texels, texel_views(state));
}

// False, with the failure told, where no ticket can end so: its counts are not taken then.
bool Simulation::Impl::takes_control(Ticket ticket, std::uint32_t ticks, const gpu::Control& found) {
  const std::string name = "ticket " + std::to_string(ticket.serial) + " of " + std::to_string(ticks) + " ticks ended ";
  if (found.step < reported || found.step - reported > ticks) {
    failure = name + "at step " + std::to_string(found.step) + ", but step " + std::to_string(reported) +
              " was complete before: its commands, or discarded ones, were submitted twice or out of order";
    control = found;  // what the device has, as far as it can be read
    return false;
  }
  if (found.frame < control.frame || found.frame - control.frame > found.step - reported) {
    failure = name + "in frame " + std::to_string(found.frame) + ", but frame " + std::to_string(control.frame) +
              " was complete before: the device's memory or driver is faulty; use another device";
  } else if (found.edits < edits.applied || found.edits > edits.sent) {
    failure = name + "with " + std::to_string(found.edits) + " edits, but " + std::to_string(edits.applied) + " to " +
              std::to_string(edits.sent) +
              " were possible: the device's memory or driver is faulty; use another device";
  } else {
    control = found;
    return true;
  }
  control.phase = gpu::kPhaseFailed;
  return false;
}

Report Simulation::Impl::retire(Ticket ticket) {
  TicketSlot& slot = oldest_ticket(tickets, ticket);
  take_times(slot);
  const std::uint32_t ticks = slot.ticks;
  const bool taken = takes_control(ticket, ticks, *slot.control.mapped());
  tickets.sides[slot.side].time = time_of(control.frame, control.frame_time);
  close_ticket(tickets, slot);
  Report report;
  if (!taken) {
    report.time = time_of(control.frame, control.frame_time);
    report.failure = failure;
    return report;
  }
  report.steps = take_steps();
  report.time = time_of(control.frame, control.frame_time);
  std::erase_if(outgrown, [&](const auto& pool) {
    return tickets.waiting.empty() || tickets.waiting.front()->serial > pool.ticket;
  });
  grow_or_fail();
  report.failure = failure;
  return report;
}

// Records, submits and waits; stops at the next frame.
Report Simulation::Impl::run(std::uint32_t ticks, std::uint32_t iterations, TickLimits limits) {
  limits.frames_taken = control.frame;
  const Ticket ticket = record(commands.begin(), ticks, iterations, limits);
  try {
    commands.submit_and_wait();
    return retire(ticket);
  } catch (const Error& error) {  // a lost device, mostly; no later call is to find a ticket that waits for it
    failure = error.what();
    if (!tickets.waiting.empty()) discard_ticket(tickets, ticket);
    throw;
  }
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
  const Vec3 mass_moment = Vec3{s.mass_moment_x * moment, s.mass_moment_y * moment, s.mass_moment_z * moment} +
                           (total_mass - s.lost_weight * u.mass()) * u.origin;
  r.potential_energy = -dot(gravity, mass_moment);
  r.max_speed = s.max_speed * u.velocity();
  const double p = u.mass() * u.velocity();
  r.momentum = {s.momentum_x * p, s.momentum_y * p, s.momentum_z * p};
  r.wall_force = {s.wall_force_x * u.force(), s.wall_force_y * u.force(), s.wall_force_z * u.force()};
  r.gpu_ms = gpu_ms;
  r.lost_particles = s.lost_particles;
  r.lost_bodies = s.lost_bodies;
  r.lost_mass = s.lost_mass * u.mass();
  r.lost_momentum = {s.lost_momentum_x * p, s.lost_momentum_y * p, s.lost_momentum_z * p};
  return r;
}

Simulation::Simulation(Gpu& gpu, const Scene& scene, const SimulationOptions& options)
    : impl_(std::make_unique<Impl>(gpu, scene, options)) {}
Simulation::~Simulation() = default;

bool Simulation::frame_ready() const {
  const Impl& s = *impl_;
  return !s.frame_taken && (s.control.phase == gpu::kPhaseFrame || s.control.step == 0);
}

void Simulation::next_frame() {
  if (frame_ready()) impl_->frame_taken = true;
}

bool Simulation::done() const {
  return impl_->frame_taken && impl_->control.frame >= impl_->state.params_host.last_frame;
}
std::uint32_t Simulation::frame_number() const { return impl_->control.frame; }
double Simulation::time() const { return impl_->time_of(impl_->control.frame, impl_->control.frame_time); }

std::vector<StepRecord> Simulation::advance() {
  Impl& s = *impl_;
  s.need_idle("advance()");
  if (frame_ready() || done()) return {};
  // Steps that were completed before a failure are handed out first; the next call throws.
  Report report = s.run(s.ticks_to_record(), s.iterations_to_record());
  if (report.steps.empty() && !report.failure.empty()) throw Error(report.failure);
  return std::move(report.steps);
}

std::uint64_t Simulation::state_hash() {
  impl_->need_idle("state_hash()");
  return hash_of(impl_->state);
}

std::uint64_t Simulation::neighbor_pairs() {
  impl_->need_idle("neighbor_pairs()");
  return row_entries(impl_->state);
}

std::vector<Contact> Simulation::read_contacts() {
  Impl& s = *impl_;
  s.need_idle("read_contacts()");
  if (s.control.step == 0) return {};
  need_contacts(s.control, !s.failure.empty());
  return contacts_of(
      s.state, s.control,
      read_shares(s.state, s.pipelines, s.texels ? s.texels->set() : VK_NULL_HANDLE, s.control, s.contacts));
}

Frame Simulation::read_frame() {
  Impl& s = *impl_;
  s.need_idle("read_frame()");
  // At the start nothing has been computed: the begin-of-step passes find densities, a solve of no
  // iterations leaves the state alone.
  const auto due = [&] {
    const std::uint32_t phase = s.control.phase;
    return phase == gpu::kPhaseBegin || phase == gpu::kPhaseHeld || phase == gpu::kPhaseCapacity;
  };
  for (int attempt = 0; s.control.step == 0 && due() && s.failure.empty() && attempt < 4; ++attempt) s.run(1, 0);
  Frame frame = frame_of(s.state, s.materials, s.control);
  frame.number = s.control.frame;
  frame.time = time();
  return frame;
}

Ticket Simulation::record(VkCommandBuffer commands, std::uint32_t ticks, double until_time, std::uint32_t iterations) {
  Impl& s = *impl_;
  if (!commands) throw Error("record() was given no command buffer");
  TickLimits limits = s.until(until_time);
  limits.frames_taken = ~std::uint32_t{0};
  return s.record(commands, ticks,
                  iterations > 0 ? std::min(iterations, s.state.params_host.max_iterations) : s.iterations_to_record(),
                  limits);
}

Report Simulation::retire(Ticket ticket) {
  Report report = impl_->retire(ticket);
  impl_->frame_taken = true;  // frames do not hold recorded commands
  return report;
}

void Simulation::discard(Ticket ticket) { discard_ticket(impl_->tickets, ticket); }

DrawnState Simulation::drawn(Ticket ticket) const {
  const Impl& s = *impl_;
  if (!s.drawn) throw Error("drawn() needs a simulation that was made with SimulationOptions::drawn");
  const int side = side_of(s.tickets, ticket);
  DrawnState state = views_of(s.state, *s.drawn, side);
  state.ticket = ticket;
  state.generation = ticket.serial;
  state.time = s.tickets.sides[side].time;
  return state;
}

DrawnState Simulation::drawn() {
  Impl& s = *impl_;
  s.need_idle("drawn() without a ticket");
  if (s.tickets.last == 0) {
    // Nothing has been drawn yet: a tick that may not begin a step draws the start.
    TickLimits start;
    start.until_frame = 0;
    s.run(1, 0, start);
  }
  return drawn({s.tickets.sides[s.tickets.retired_side].serial});
}

void Simulation::check_current(const DrawnState& state) const { side_of(impl_->tickets, {state.generation}); }

void Simulation::edit(const Edit& edit) { add_edit(impl_->edits, impl_->state, impl_->control.step, edit); }
void Simulation::set_motion(std::uint32_t boundary, Vec3 velocity, Vec3 angular_velocity) {
  edit({Edit::Kind::motion, boundary, velocity, angular_velocity});
}
void Simulation::set_force(std::uint32_t body, Vec3 force, Vec3 torque) {
  edit({Edit::Kind::force, body, force, torque});
}
void Simulation::apply_impulse(std::uint32_t body, Vec3 impulse, Vec3 angular_impulse) {
  edit({Edit::Kind::impulse, body, impulse, angular_impulse});
}
void Simulation::set_pose(std::uint32_t body, Vec3 center_of_mass, Quat orientation) {
  edit({Edit::Kind::pose, body, center_of_mass, {}, orientation});
}
void Simulation::set_gravity(Vec3 gravity) { edit({Edit::Kind::gravity, 0, gravity}); }
const std::vector<Edit>& Simulation::edit_log() const { return impl_->edits.log; }

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
