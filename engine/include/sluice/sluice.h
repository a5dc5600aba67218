// Sluice: particle fluids on any Vulkan 1.3 device. SI units, y up.
//
//   sluice::Gpu gpu = sluice::Gpu::create({});
//   sluice::Simulation simulation(gpu, scene);
//   while (!simulation.done()) {
//     for (const sluice::StepRecord& step : simulation.advance()) { ... }
//     if (simulation.frame_ready()) { sluice::Frame frame = simulation.read_frame(); ...; simulation.next_frame(); }
//   }
//
// Functions throw sluice::Error with a sentence; nothing prints or exits.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sluice/device.h"
#include "sluice/scene.h"

struct VkCommandBuffer_T;

namespace sluice {

namespace vulkan {
struct Device;
}

struct ExternalDevice;  // sluice/external_device.h
struct DrawnState;

// A device and its queue. Two of them in one process know nothing of each other.
class Gpu {
 public:
  // Throws Error if nothing matches or a requirement is missing; the text lists what is there.
  static Gpu create(const GpuOptions& options);
  // A device of the caller's, which must outlive the Gpu. Throws Error if it lacks something.
  static Gpu adopt(const ExternalDevice& device);
  Gpu(Gpu&&) noexcept;
  Gpu& operator=(Gpu&&) noexcept;
  ~Gpu();

  const DeviceInfo& info() const;
  // What the validation layers said since the last call; empty in a correct program.
  std::vector<std::string> take_validation_messages();

 private:
  friend vulkan::Device& device_of(const Gpu& gpu);  // of the library itself
  explicit Gpu(std::unique_ptr<vulkan::Device> device);
  std::unique_ptr<vulkan::Device> device_;
};

// Runs about a million float operations and conversions with ties, signed zeros and tiny values, and
// compares them with the CPU's. Empty: certified, the device gives the same bits as every other certified
// one. Else a sentence about the first difference.
std::string certify_arithmetic(Gpu& gpu);

// How shaders load by an index that differs from thread to thread; never changes a result.
enum class Gather { automatic, addresses, texels };

// Throws Error that names the field and its range where a value lies outside.
struct SimulationOptions {
  static constexpr std::uint32_t kMaxRowCapacity = 4096;
  static constexpr std::uint64_t kMinPageBytes = 65536, kMaxPageBytes = std::uint64_t{1} << 30;
  static constexpr std::uint32_t kMaxSpillBlocks = 1u << 26;
  // How much one submit records. 0: chosen from recent steps; more than the solver or kMaxTicks allows means that much.
  // Never changes a result.
  std::uint32_t iterations_per_tick = 0;
  std::uint32_t ticks_per_submit = 0;
  std::uint32_t row_capacity = 40;  // neighbours of a particle before its row spills: 1 to kMaxRowCapacity
  // Bytes of neighbour rows, at most: kMinPageBytes to kMaxPageBytes, and 64 rows or more.
  std::uint64_t page_bytes = std::uint64_t{256} << 20;
  std::uint32_t spill_blocks = 0;     // of 16 entries, up to kMaxSpillBlocks; 0: an eighth of the particles
  Gather gather = Gather::automatic;  // texels on Mesa's CPU driver, where all fits one page
  bool row_order = false;             // cells by rows instead of along the Morton curve
  bool fast_arithmetic = false;       // the driver's division and roots: not the same bits
  bool profile = false;               // time every pass
  std::string pipeline_cache_folder;  // empty: the user's cache folder
  bool moving_boundaries = false;     // set_motion() may move boundaries that the scene leaves at rest
  bool drawn = false;                 // keep drawn state, for Simulation::drawn()
  Vec3 drawn_origin;                  // m, finite; what is drawn is relative to it, a million spacings from it at most
};

// What a step reports, in SI units. Energies and momentum are sums over fluid particles and rigid bodies.
struct StepRecord {
  std::uint32_t step = 0;       // 1 for the first
  double time = 0;              // s, after the step
  double dt = 0;                // s
  double dt_limit = 0;          // s; the largest step that the limits allowed
  const char* limited_by = "";  // maxStep, cfl, viscosity, growth or frame
  std::uint32_t iterations = 0;
  double residual = 0, tolerance = 0;  // mean Fischer-Burmeister volume error over active particles: the larger
                                       // of those of fluid particles and of rigid samples
  double residual_friction = 0;        // mean error of the friction condition over active rigid samples
  std::uint32_t contacts = 0;          // rigid samples with a foreign rigid or boundary neighbour
  double density_error_avg = 0, density_error_max = 0;  // max(0, V0/V - 1)
  double kinetic_energy = 0, potential_energy = 0;      // J; potential is zero at the world's origin
  double max_speed = 0;                                 // m/s
  std::array<double, 3> momentum{};                     // kg m/s
  std::array<double, 3> wall_force{};                   // N, of fluid and bodies on all boundaries
  double gpu_ms = 0;                                    // device time; 0 if the queue has no timestamps
  // Taken out of the domain since the start (Scene::domain), and what they took along; not part of the sums above.
  std::uint32_t lost_particles = 0, lost_bodies = 0;
  double lost_mass = 0;                   // kg
  std::array<double, 3> lost_momentum{};  // kg m/s, as they left
};

// A rigid body's state and what acted on it in the last step. World axes; torques about the centre of mass.
struct BodyRecord {
  Vec3 position;  // m, of the centre of mass
  Quat orientation;
  Vec3 velocity;                       // m/s
  Vec3 angular_velocity;               // rad/s
  Vec3 contact_force, contact_torque;  // N, N m; of bodies and boundaries, friction included
  Vec3 fluid_force, fluid_torque;      // N, N m; pressure and viscosity
  std::uint32_t contacts = 0;          // samples with a foreign rigid or boundary neighbour
  bool left = false;                   // it left the domain, and is held where it did
};

// The force between a touching pair of bodies, or a body and a boundary, in the last completed step. World axes.
// The force on `a` is normal_force * normal + friction, that on `b` its exact opposite; fluid takes no part. Of a solve
// that ended within its tolerance: what rests carries its weight to about a hundredth.
struct Contact {
  std::uint32_t a = 0;  // of Scene::rigid
  std::uint32_t b = 0;  // of Scene::bodies if `boundary`, else of Scene::rigid and larger than a
  bool boundary = false;
  Vec3 point;   // m; mean place of the pair's samples by their normal forces, moved with their bodies to the
                // end of the step; about it, the normal forces have no torque where they are parallel
  Vec3 normal;  // the direction in which b pushes a, unit; 0 if normal_force is
  double normal_force = 0;    // N, of the vector sum: those on opposite sides of a pin in a hole cancel
  Vec3 friction;              // N, on a
  std::uint32_t samples = 0;  // of both bodies, with a share in it
};

struct Frame {
  std::uint32_t number = 0;  // 0 is the start
  double time = 0;           // s
  // By ascending id; particles that left the domain are missing.
  std::vector<std::array<double, 3>> position;  // m
  std::vector<std::array<float, 3>> velocity;   // m/s
  // kg/m^3, as the last step found it at its start. At rest where no step has searched for neighbours yet, as at a
  // start from which none can begin, or where a search has failed for want of room.
  std::vector<float> density;
  std::vector<float> pressure;  // Pa, of the last completed step; 0 before the first
  std::vector<std::uint32_t> id;
  std::vector<std::uint32_t> material;
  std::vector<std::array<double, 3>> boundary;  // m; all boundary samples where their bodies are now
  std::vector<BodyRecord> bodies;               // of Scene::rigid
  // Samples of all rigid bodies, body by body, in the order of their shapes.
  std::vector<std::array<double, 3>> sample_position;  // m
  std::vector<float> sample_pressure;                  // Pa
  std::vector<std::array<float, 3>> sample_friction;   // N: the multiplier lambda_r [PT23 eq. 3.17]
  std::vector<float> sample_friction_used;             // share of the friction cone, 0 to 1
  std::vector<std::uint32_t> sample_body;
  std::uint64_t state_hash = 0;
};

// A change to a running simulation. Edits are applied in the order of the calls, as a step begins; one that names a
// step holds those after it until then. The log of a run, given to another run of the scene, makes the same bits.
struct Edit {
  enum class Kind { motion, force, impulse, pose, gravity };
  static constexpr std::uint32_t kNextStep = ~std::uint32_t{0};
  Kind kind = Kind::gravity;
  std::uint32_t body = 0;          // of Scene::bodies for a motion, else of Scene::rigid
  Vec3 linear;                     // m/s of a motion; N; N s; m (of the centre of mass); m/s^2
  Vec3 angular;                    // rad/s; N m; N m s; world axes, about the centre of mass
  Quat orientation;                // of a pose
  std::uint32_t step = kNextStep;  // completed steps before it is applied
};

// Commands that Simulation::record() made.
struct Ticket {
  std::uint64_t serial = 0;  // 1 for the first
};

struct Report {
  std::vector<StepRecord> steps;  // that the ticket completed
  double time = 0;                // s, of the last completed step
  std::string failure;            // a sentence if the run has failed, else empty
};

struct PassTime {
  std::string pass;
  std::uint64_t dispatches = 0;  // recorded, gated ones included
  double milliseconds = 0;
  bool iterated = false;  // those in the iterations of solves; a pass may be in them and outside, too
};

struct MemoryPart {
  std::string name;
  std::uint64_t bytes = 0;
};

// Device memory that a scene needs. Knows no device. Throws Error on an unusable scene or option, as Simulation does.
std::vector<MemoryPart> estimate_memory(const Scene& scene, const SimulationOptions& options = {});

class Simulation {
 public:
  // Throws Error on a scene or option beyond the limits of scene.h and SimulationOptions, or if the device has too
  // little memory. The Gpu must outlive it.
  Simulation(Gpu& gpu, const Scene& scene, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // One submit: some steps, or a part of one. Stops at a frame. Throws Error if the run failed (a value
  // is not a number, the device is lost, the row pool cannot grow); the last completed step's state
  // can still be read (with edits applied since), except after a lost device. So can a start from which no step begins.
  std::vector<StepRecord> advance();

  bool frame_ready() const;  // frame n's state is complete; advance() does nothing before next_frame()
  void next_frame();
  bool done() const;  // the scene's end is reached
  std::uint32_t frame_number() const;
  double time() const;  // s, of the last completed step

  Frame read_frame();
  // By a, then rigid bodies before boundaries, then b; none before the first step. Found when asked for, by one pass on
  // the device: a simulation that is never asked computes and keeps nothing of it. The same bits on every device.
  // Throws Error while the solve of a later step goes on (in tickets that hold few iterations), or has failed.
  std::vector<Contact> read_contacts();
  std::uint64_t state_hash();
  std::uint64_t neighbor_pairs();            // of the last step's neighbour lists: two particles count from each side
  std::vector<PassTime> pass_times() const;  // with options.profile
  std::vector<MemoryPart> memory() const;

  // --- In a renderer of the caller's: see sluice/embed.h ---

  // Records up to `ticks` steps into a command buffer outside of a render pass, and only that. No step begins at or
  // after `until_time` (s; infinity: no end); complete frames do not hold it. The caller submits recorded commands in
  // order, once, or discards them. At most kMaxTickets tickets may wait, with kMaxTicks ticks in all. `iterations` is
  // how many of a solve a tick holds (0: as recent steps needed; never changes a result): a step whose solve needs more
  // goes on in the next tick. A tick with nothing to do costs its closed dispatches, about 70 and 14 an iteration.
  static constexpr std::uint32_t kMaxTickets = 4;
  static constexpr std::uint32_t kMaxTicks = 1024;
  Ticket record(VkCommandBuffer_T* commands, std::uint32_t ticks, double until_time, std::uint32_t iterations = 0);
  // After the caller's fence says that the commands have run; in the order of recording. Reports, and is the one place
  // that allocates. Throws Error for a ticket that is not the oldest that waits, or has not run.
  Report retire(Ticket ticket);
  // Commands that were not submitted and never will be.
  void discard(Ticket ticket);

  // What the ticket's commands draw, valid until the commands of the second next ticket run.
  DrawnState drawn(Ticket ticket) const;
  // The same of the last steps that advance() or read_frame() made.
  DrawnState drawn();
  // Throws Error if a later ticket has been recorded that overwrites it.
  void check_current(const DrawnState& state) const;

  // Seen by commands recorded after the call. Throws Error if the body does not exist, or a number is not finite or
  // beyond the limits of scene.h.
  void edit(const Edit& edit);
  void set_motion(std::uint32_t boundary, Vec3 velocity, Vec3 angular_velocity);
  void set_force(std::uint32_t body, Vec3 force, Vec3 torque);  // in place of RigidBody::force, torque
  void apply_impulse(std::uint32_t body, Vec3 impulse, Vec3 angular_impulse);
  void set_pose(std::uint32_t body, Vec3 center_of_mass, Quat orientation);
  void set_gravity(Vec3 gravity);
  const std::vector<Edit>& edit_log() const;  // applied so far, with their steps

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice
