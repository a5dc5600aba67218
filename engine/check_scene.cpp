#include "engine/check_scene.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "engine/tensor.h"
#include "engine/units.h"

namespace sluice {
namespace {

static_assert(kMaxFluidMaterials == gpu::kMaxMaterials && kMaxRigidBodies == gpu::kMaxRigid &&
              kFrictionClasses == gpu::kFrictionClasses);
// Wraps of 8192 h are counted in kWrapBits signed bits.
static_assert(kMaxSpacingsAcross <= 8192.0 * ((1 << (gpu::kWrapBits - 1)) - 2));
// A boundary sample names its body in 16 bits, its weight in 2 bits before the point.
static_assert(kMaxBoundaries < 65536 && kMaxSampleWeight < 4);

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

// False for what is not a number.
bool within(double value, double least, double most) { return value >= least && value <= most; }

void need(bool holds, const std::string& sentence) {
  if (!holds) throw Error(sentence);
}

void need_within(double value, double least, double most, const std::string& name, const char* unit) {
  if (within(value, least, most)) return;
  throw Error(name + " must be from " + text_of(least) + " to " + text_of(most) + unit + ", not " + text_of(value));
}

void need_length(Vec3 v, double most, const std::string& name, const char* unit) {
  if (within(length(v), 0, most)) return;
  throw Error(name + " must be three finite numbers, together no longer than " + text_of(most) + unit + ", not (" +
              text_of(v.x) + ", " + text_of(v.y) + ", " + text_of(v.z) + ")");
}

// `value` in the solver's units, as 32-bit floats must hold it and its square.
void need_solvable(double value, const std::string& name) {
  if (within(value, 0, kMaxSolverValue)) return;
  throw Error(name + " is " + text_of(value) +
              " in the solver's units, which a particle, particleSpacing and time.maxStep make; at most " +
              text_of(kMaxSolverValue) + " is possible");
}

template <typename Enum>
void need_named(Enum value, Enum last, const std::string& name) {
  const int number = static_cast<int>(value);
  if (number < 0 || number > static_cast<int>(last))
    throw Error(name + " is " + std::to_string(number) + ", which names nothing; the last is " +
                std::to_string(static_cast<int>(last)));
}

void need_index(std::uint32_t index, std::size_t count, const std::string& name, const char* kind) {
  if (index >= count)
    throw Error(name + " names " + kind + " " + std::to_string(index) + ", but the scene has " + std::to_string(count));
}

void need_count(std::uint64_t count, std::uint64_t most, const char* kind, const char* remedy) {
  if (count > most)
    throw Error("at most " + std::to_string(most) + " " + kind + " are possible, not " + std::to_string(count) +
                remedy);
}

void check_time(const TimeSettings& time) {
  need_within(time.max_step, kMinStep, kMaxTime, "the time's maxStep", " s");
  need_within(time.frame_interval, kMinStep, kMaxTime, "the time between frames, 1 / frameRate,", " s");
  need(time.end > 0 && time.end <= kMaxTime,
       "the time's end must be above 0 and at most " + text_of(kMaxTime) + " s, not " + text_of(time.end));
  need(time.cfl >= kMinCfl, "the time's cfl must be at least " + text_of(kMinCfl) + ", not " + text_of(time.cfl));
  need(time.end / time.frame_interval < kMaxFrames,
       "a run has fewer than " + text_of(kMaxFrames) + " frames; use a smaller end or frameRate");
  need(time.frame_interval / time.max_step < kMaxStepsPerFrame,
       "a frame has fewer than " + text_of(kMaxStepsPerFrame) + " steps; use a larger maxStep or frameRate");
  need(time.max_step / time.frame_interval <= kMaxFramesPerStep,
       "the time's maxStep, or step, is more than " + text_of(kMaxFramesPerStep) +
           " times as long as a frame; use a smaller one, or a smaller frameRate");
}

void check_solver(const SolverSettings& solver) {
  need_named(solver.mode, SolverMode::paper, "the solver's mode");
  need_named(solver.acceleration, Acceleration::none, "the solver's acceleration");
  need_named(solver.contact_scale, ContactScale::per_body, "the solver's contactScale");
  need_named(solver.friction_update, FrictionUpdate::target, "the solver's frictionUpdate");
  need_named(solver.friction_method, FrictionMethod::staggered, "the solver's frictionMethod");
  need_named(solver.slip, Slip::sample, "the solver's slip");
  need(solver.tolerance > 0 && solver.tolerance <= kMaxTolerance,
       "the solver's tolerance must be above 0 and at most " + text_of(kMaxTolerance));
  need(solver.relaxation_fluid > 0 && solver.relaxation_fluid < 2, "the solver's relaxationFluid must lie in (0, 2)");
  need(solver.relaxation_rigid > 0 && solver.relaxation_rigid < 2, "the solver's relaxationRigid must lie in (0, 2)");
  need(solver.gamma > 0 && solver.gamma < 1, "the solver's gamma must lie in (0, 1)");
  need(solver.warm_start_fluid >= 0 && solver.warm_start_fluid < 1, "the solver's warmStartFluid must lie in [0, 1)");
  need(solver.warm_start_rigid >= 0 && solver.warm_start_rigid < 1, "the solver's warmStartRigid must lie in [0, 1)");
  need(solver.load_sharing >= 0 && solver.load_sharing <= 1, "the solver's loadSharing must lie in [0, 1]");
  need(within(solver.overlap_speed, -kMaxSpeed, kMaxSpeed),
       "the solver's overlapSpeed must be finite and at most " + text_of(kMaxSpeed) + " m/s");
  for (const int least : {solver.min_iterations, solver.min_iterations_contact})
    need(least >= 1 && solver.max_iterations >= least && solver.max_iterations <= kMaxIterations,
         "the solver's iterations must satisfy 1 <= minIterations <= maxIterations <= " +
             std::to_string(kMaxIterations));
}

void need_class(std::uint32_t number, std::uint32_t least, const std::string& name) {
  if (number < least || number >= kFrictionClasses)
    throw Error("the friction class of " + name + " must be from " + std::to_string(least) + " to " +
                std::to_string(kFrictionClasses - 1) + ", not " + std::to_string(number));
}

// How far a place may lie, and from where.
struct Reach {
  Vec3 origin;
  double length = 0;  // m
  bool holds(Vec3 p, double radius = 0) const { return sluice::length(p - origin) + radius < length; }
};

void need_near(const Reach& reach, Vec3 p, double radius, const std::string& name) {
  if (reach.holds(p, radius)) return;
  throw Error(name + " lies at (" + text_of(p.x) + ", " + text_of(p.y) + ", " + text_of(p.z) +
              "), too far from the rest; a scene may be 2 million particle spacings wide");
}

bool is_place(Vec3 p) {
  return within(p.x, -kMaxCoordinate, kMaxCoordinate) && within(p.y, -kMaxCoordinate, kMaxCoordinate) &&
         within(p.z, -kMaxCoordinate, kMaxCoordinate);
}

// Before any is measured from the lowest of all.
void check_places(const Scene& scene) {
  const auto refuse = [](const std::string& name, Vec3 p) {
    throw Error(name + " lies at (" + text_of(p.x) + ", " + text_of(p.y) + ", " + text_of(p.z) +
                "); coordinates must be finite and at most " + text_of(kMaxCoordinate) + " m");
  };
  for (std::size_t i = 0; i < scene.fluid.size(); ++i)
    if (!is_place(scene.fluid[i].position)) refuse("fluid particle " + std::to_string(i), scene.fluid[i].position);
  for (std::size_t i = 0; i < scene.boundary.size(); ++i)
    if (!is_place(scene.boundary[i].position))
      refuse("boundary sample " + std::to_string(i), scene.boundary[i].position);
  for (const Body& b : scene.bodies)
    if (!is_place(b.position)) refuse("the boundary \"" + b.name + "\"", b.position);
  for (const RigidBody& b : scene.rigid)
    if (!is_place(b.position)) refuse("the rigid body \"" + b.name + "\"", b.position);
}

void check_materials(const Scene& scene, const Units& units) {
  need_count(scene.materials.size(), kMaxFluidMaterials, "fluid materials", "");
  for (const FluidMaterial& m : scene.materials) {
    need_within(m.density, kMinDensity, kMaxDensity, "the density of \"" + m.name + "\"", " kg/m^3");
    need_within(m.viscosity, 0, kMaxViscosity, "the viscosity of \"" + m.name + "\"", " m^2/s");
  }
  need_solvable(largest_viscosity(scene.materials) * units.time / (units.length * units.length),
                "the largest viscosity");
}

void check_fluid(const Scene& scene, const Units& units, const Reach& reach) {
  for (std::size_t i = 0; i < scene.fluid.size(); ++i) {
    const FluidParticle& p = scene.fluid[i];
    const double speed = length(p.velocity);
    if (p.material < scene.materials.size() && reach.holds(p.position) && within(speed, 0, kMaxSpeed) &&
        speed <= kMaxSolverValue * units.velocity())
      continue;
    const std::string name = "fluid particle " + std::to_string(i);
    need_index(p.material, scene.materials.size(), name, "material");
    need_near(reach, p.position, 0, name);
    need_length(p.velocity, kMaxSpeed, "the velocity of " + name, " m/s");
    need_solvable(speed / units.velocity(), "the speed of " + name);
  }
}

void check_boundaries(const Scene& scene, const Units& units, const Reach& reach) {
  for (const Body& b : scene.bodies) {
    const std::string name = "the boundary \"" + b.name + "\"";
    need_near(reach, b.position, 0, name);
    need_length(b.velocity, kMaxSpeed, "the velocity of " + name, " m/s");
    need_length(b.angular_velocity, kMaxSpin, "the angular velocity of " + name, " rad/s");
    need_within(b.friction.value_or(0), 0, kMaxFriction, "the friction of " + name, "");
    need_within(b.restitution, 0, 1, "the restitution of " + name, "");
    need_class(b.friction_class, 0, name);
  }
  for (std::size_t i = 0; i < scene.boundary.size(); ++i) {
    const BoundarySample& s = scene.boundary[i];
    if (s.body < scene.bodies.size() && s.weight > 0 && s.weight <= kMaxSampleWeight && reach.holds(s.position)) {
      const Body& body = scene.bodies[s.body];
      const double speed = length(body.velocity) + length(body.angular_velocity) * length(s.position - body.position);
      if (speed <= kMaxSpeed && speed <= kMaxSolverValue * units.velocity()) continue;
    }
    const std::string name = "boundary sample " + std::to_string(i);
    need_index(s.body, scene.bodies.size(), name, "boundary");
    need(s.weight > 0 && s.weight <= kMaxSampleWeight, "the weight of " + name + " must be above 0 and at most " +
                                                           text_of(kMaxSampleWeight) + ", not " + text_of(s.weight));
    need_near(reach, s.position, 0, name);
    throw Error("the boundary \"" + scene.bodies[s.body].name + "\" moves or turns so fast that its samples exceed " +
                text_of(kMaxSpeed) + " m/s, or " + text_of(kMaxSolverValue) + " particle spacings in time.maxStep");
  }
}

void check_shapes(const Scene& scene) {
  for (const RigidShape& shape : scene.shapes) {
    need(!shape.samples.empty(), "the shape \"" + shape.name + "\" has no samples");
    for (const RigidSample& s : shape.samples) {
      if (length(s.position) <= kMaxSpacingsAcross * scene.spacing && s.rest_volume > 0 &&
          s.rest_volume <= kMaxRestVolume)
        continue;
      const std::string name = "a sample of the shape \"" + shape.name + "\"";
      need_length(s.position, kMaxSpacingsAcross * scene.spacing, "the position of " + name, " m");
      throw Error("the rest volume of " + name + " must be above 0 and at most " + text_of(kMaxRestVolume) +
                  " of h^3, not " + text_of(s.rest_volume));
    }
  }
}

void check_inertia(const RigidBody& b, const Units& units, const std::string& name) {
  const Tensor inertia = scaled(b.inertia, 1 / (units.mass() * units.length * units.length));
  const std::string sentence = name + " must have a positive definite inertia tensor";
  for (const double moment : {inertia.xx, inertia.yy, inertia.zz}) {
    need(moment > 0, sentence);
    need_solvable(moment, "a moment of inertia of " + name);
  }
  need(positive_definite(inertia), sentence);
  const Tensor inverted = inverse(inertia);
  for (const double response : {inverted.xx, inverted.yy, inverted.zz})
    need_solvable(response, "the inverse of a moment of inertia of " + name);
}

void check_body(const RigidBody& b, const Units& units, const Reach& reach, double radius) {
  const std::string name = "the rigid body \"" + b.name + "\"";
  need_named(b.turning, Turning::none, "the turning of " + name);
  need(b.mass > 0, name + " must have a positive, finite mass");
  need_solvable(b.mass / units.mass(), "the mass of " + name);
  need_solvable(units.mass() / b.mass, "the inverse of the mass of " + name);
  check_inertia(b, units, name);
  const Quat q = b.orientation;
  const double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  need(std::abs(norm - 1) < 1e-6, name + " must have a unit quaternion as its orientation");
  need_near(reach, b.position, radius, name);
  need_length(b.center_of_mass, kMaxSpacingsAcross * units.length, "the centre of mass of " + name, " m");
  need_length(b.velocity, kMaxSpeed, "the velocity of " + name, " m/s");
  need_length(b.angular_velocity, kMaxSpin, "the angular velocity of " + name, " rad/s");
  const double speed = length(b.velocity) + length(b.angular_velocity) * radius;
  need(speed <= kMaxSpeed, name + " turns so fast that its samples exceed " + text_of(kMaxSpeed) + " m/s");
  need_solvable(speed / units.velocity(), "the speed of " + name);
  need_solvable(length(b.force) / units.force(), "the force on " + name);
  need_solvable(length(b.torque) / (units.force() * units.length), "the torque on " + name);
  need_within(b.friction, 0, kMaxFriction, "the friction of " + name, "");
  need_within(b.restitution, 0, 1, "the restitution of " + name, "");
  need_class(b.friction_class, 0, name);
  need_within(b.gravity_scale, -kMaxGravityScale, kMaxGravityScale, "the gravity scale of " + name, "");
  need(b.turning != Turning::about_axis || (length(b.axis) > 0 && std::isfinite(length(b.axis))),
       name + " must have an axis that is finite and not zero");
}

void check_rigid(const Scene& scene, const Units& units, const Reach& reach) {
  check_shapes(scene);
  std::vector<double> radius;
  for (const RigidShape& shape : scene.shapes) {
    radius.push_back(0.5 * scene.spacing);
    for (const RigidSample& s : shape.samples) radius.back() = std::max(radius.back(), length(s.position));
  }
  std::uint64_t samples = 0;
  for (const RigidBody& b : scene.rigid) {
    need_index(b.shape, scene.shapes.size(), "the rigid body \"" + b.name + "\"", "shape");
    check_body(b, units, reach, radius[b.shape]);
    samples += (scene.shapes[b.shape].samples.size() + gpu::kChunk - 1) / gpu::kChunk * gpu::kChunk;
  }
  // Flags share a word with a sample's index; row carriers come on top.
  need_count(samples, gpu::kSampleIndex / 2, "samples of rigid bodies", "; use a larger particleSpacing");
}

void check_pairs(const Scene& scene) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> places;
  for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
    const FrictionPair& pair = scene.pairs[i];
    const std::string name = "friction pair " + std::to_string(i);
    for (const std::uint32_t side : {pair.a, pair.b}) need_class(side, 1, name);
    need_within(pair.friction, 0, kMaxFriction, "the friction of " + name, "");
    need_within(pair.restitution.value_or(0), 0, 1, "the restitution of " + name, "");
    const auto [twin, is_new] = places.emplace(std::minmax(pair.a, pair.b), i);
    need(is_new, name + " has the two classes of friction pair " + std::to_string(twin->second) + "; remove one");
  }
}

bool holds(const Domain& d, Vec3 p) {
  return within(p.x, d.low.x, d.high.x) && within(p.y, d.low.y, d.high.y) && within(p.z, d.low.z, d.high.z);
}

void check_domain(const Scene& scene) {
  const auto is_box = [](const Domain& d) {
    return d.low.x < d.high.x && d.low.y < d.high.y && d.low.z < d.high.z;
  };
  need(is_box(scene.domain) && is_box(scene.step_domain),
       "the low corners of domain and step_domain must be below the high ones along each axis");
  for (std::size_t i = 0; i < scene.fluid.size(); ++i)
    need(holds(scene.domain, scene.fluid[i].position),
         "fluid particle " + std::to_string(i) + " starts outside of the domain; make the domain larger");
  for (const RigidBody& b : scene.rigid)
    need(holds(scene.domain, b.position),
         "the rigid body \"" + b.name + "\" starts outside of the domain; make the domain larger");
}

}  // namespace

void check_scene(const Scene& scene) {
  need_within(scene.spacing, kMinSpacing, kMaxSpacing, "particleSpacing", " m");
  check_time(scene.time);
  check_solver(scene.solver);
  need_count(scene.fluid.size(), kMaxSceneParticles, "fluid particles", "; use a larger particleSpacing");
  need_count(scene.boundary.size(), kMaxSceneParticles, "boundary samples", "; use a larger particleSpacing");
  need_count(scene.bodies.size(), kMaxBoundaries, "boundary objects", "");
  need_count(scene.rigid.size(), kMaxRigidBodies, "rigid bodies", "");
  check_places(scene);
  const Units units = units_of(scene);
  check_materials(scene, units);
  need_length(scene.gravity, kMaxGravity, "gravity", " m/s^2");
  need_solvable(length(scene.gravity) * units.time * units.time / units.length, "gravity");
  const double tolerance = scene.solver.tolerance * std::max(length(scene.gravity), 1.0);
  need_solvable(tolerance * units.time * units.time / units.length, "the solver's tolerance");
  need_solvable(std::abs(scene.solver.overlap_speed) / units.velocity(), "the solver's overlapSpeed");
  const Reach reach{units.origin, kMaxSpacingsAcross * scene.spacing};
  check_fluid(scene, units, reach);
  check_boundaries(scene, units, reach);
  check_rigid(scene, units, reach);
  check_pairs(scene);
  check_domain(scene);
}

void check_options(const SimulationOptions& options) {
  need(options.row_capacity >= 1 && options.row_capacity <= SimulationOptions::kMaxRowCapacity,
       "SimulationOptions::row_capacity must be from 1 to " + std::to_string(SimulationOptions::kMaxRowCapacity) +
           ", not " + std::to_string(options.row_capacity));
  need(options.page_bytes >= SimulationOptions::kMinPageBytes && options.page_bytes <= SimulationOptions::kMaxPageBytes,
       "SimulationOptions::page_bytes must be from " + std::to_string(SimulationOptions::kMinPageBytes) + " to " +
           std::to_string(SimulationOptions::kMaxPageBytes) + ", not " + std::to_string(options.page_bytes));
  // A page starts on a block of 64 rows, which interleave.
  const std::uint64_t rows = (options.row_capacity + gpu::kRowBlock - 1) / gpu::kRowBlock * gpu::kRowBlock * 4 * 64;
  need(options.page_bytes >= rows, "SimulationOptions::page_bytes must hold 64 rows of row_capacity neighbours, " +
                                       std::to_string(rows) + " bytes");
  need(options.spill_blocks <= SimulationOptions::kMaxSpillBlocks,
       "SimulationOptions::spill_blocks must be at most " + std::to_string(SimulationOptions::kMaxSpillBlocks) +
           ", not " + std::to_string(options.spill_blocks));
  need_named(options.gather, Gather::texels, "SimulationOptions::gather");
  const Vec3 o = options.drawn_origin;
  need(std::isfinite(o.x) && std::isfinite(o.y) && std::isfinite(o.z),
       "SimulationOptions::drawn_origin must be three finite numbers");
}

}  // namespace sluice
