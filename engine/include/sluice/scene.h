// What a simulation starts from: particles, boundaries and settings, in SI units, y up.
// Plain data. host/sampling fills it from a scene file; a program may as well fill it by hand.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sluice/error.h"

namespace sluice {

// Limits of a scene, in files and by hand. Beyond these numbers nothing physical lies, and products of
// them are still finite.
inline constexpr std::uint64_t kMaxSceneParticles = 2147483647;  // of fluid, of boundaries, of rigid bodies each
inline constexpr std::uint32_t kMaxFluidMaterials = 32;
inline constexpr std::uint32_t kMaxBoundaries = 65535;          // Scene::bodies
inline constexpr std::uint32_t kMaxRigidBodies = 1048575;       // Scene::rigid
inline constexpr double kMinSpacing = 1e-9, kMaxSpacing = 1e9;  // m
inline constexpr double kMaxCoordinate = 1e15;                  // m, of any place, either sign
inline constexpr double kMaxSpacingsAcross = 2e6;               // a scene's width, in particle spacings
inline constexpr double kMinDensity = 1e-9, kMaxDensity = 1e9;  // kg/m^3
inline constexpr double kMaxViscosity = 1e9;                    // m^2/s
inline constexpr double kMaxGravity = 1e9;                      // m/s^2
inline constexpr double kMaxSpeed = 1e9;                        // m/s; of a turning body's samples, too
inline constexpr double kMaxSpin = 1e9;                         // rad/s
inline constexpr double kMaxFriction = 1e6;
inline constexpr std::uint32_t kFrictionClasses = 32;  // RigidBody::friction_class and that of a Body are below
inline constexpr double kMaxGravityScale = 1e6;   // either sign
inline constexpr double kMaxSampleWeight = 1.2;   // of a boundary sample, V0 / h^3
inline constexpr double kMaxRestVolume = 1000;    // of a rigid sample, V0 / h^3
inline constexpr double kMinStep = 1e-12;         // s; of maxStep and of a frame
inline constexpr double kMaxTime = 1e9;           // s; of maxStep, of a frame and of the end
inline constexpr double kMaxFrames = 1e9;         // of a run
inline constexpr double kMaxStepsPerFrame = 1e6;  // frame_interval / max_step
inline constexpr double kMaxFramesPerStep = 1e6;  // max_step / frame_interval
inline constexpr double kMinCfl = 0.001;          // no largest one: infinity is no limit
inline constexpr double kMaxTolerance = 1e6;
inline constexpr int kMaxIterations = 100000;
// Masses, inertias, forces, speeds and accelerations in the solver's units: those of a fluid particle, the particle
// spacing and maxStep. Their squares must fit 32-bit floats.
inline constexpr double kMaxSolverValue = 1e18;

struct Vec3 {
  double x = 0, y = 0, z = 0;
};
inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }

// Unit quaternion, w + xi + yj + zk; rotates body coordinates into world coordinates.
struct Quat {
  double w = 1, x = 0, y = 0, z = 0;
};
inline Quat operator*(Quat a, Quat b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Vec3 rotate(Quat q, Vec3 v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2.0 * cross(u, v);
  return v + q.w * t + cross(u, t);
}

struct FluidMaterial {
  std::string name;
  double density = 1000;  // kg/m^3, > 0
  double viscosity = 0;   // kinematic, m^2/s, >= 0
};

// The largest kinematic viscosity that a particle feels, m^2/s: next to another fluid, the mean of both dynamic
// viscosities over its own density. It limits the step, by 0.05 h^2 / nu, since viscosity is explicit.
inline double largest_viscosity(const std::vector<FluidMaterial>& materials) {
  double most = 0;
  for (const FluidMaterial& a : materials) {
    for (const FluidMaterial& b : materials)
      most = std::fmax(most, &a == &b ? a.viscosity : 0.5 * (a.viscosity + b.viscosity * (b.density / a.density)));
  }
  return most;
}

struct FluidParticle {
  Vec3 position;  // m
  Vec3 velocity;  // m/s
  std::uint32_t material = 0;
};

// A surface of revolution: its samples do not follow a turn about its axis, a ball's none at all, so that it rolls and
// spins without its samples' bumps.
enum class Roundness { none, axis, ball };
struct Revolution {
  Roundness kind = Roundness::none;
  Vec3 axis{0, 1, 0};  // unit vector; for Roundness::axis
  Vec3 center;         // m; the ball's centre, or a point of the axis
};

// A kinematic body: a tank, an obstacle, a paddle. Its motion is prescribed and never changed by forces.
struct Body {
  std::string name;
  Vec3 position;          // m; the point that moves with `velocity` and about which the body turns
  Vec3 velocity;          // m/s, constant
  Vec3 angular_velocity;  // rad/s about `position`, constant
  std::optional<double> friction;    // as of a RigidBody; without one, the other body's counts
  double restitution = 0;            // as of a RigidBody
  std::uint32_t friction_class = 0;  // for Scene::pairs; 0: in none of them
  Revolution round;       // in the world, at the start
  bool moving() const { return dot(velocity, velocity) + dot(angular_velocity, angular_velocity) > 0; }
};

struct BoundarySample {
  Vec3 position;           // m, in the world, at the start
  double weight = 1;       // V0_b / h^3, in (0, 1.2]; 1 on a regular face [PT23 eq. 3.2]
  std::uint32_t body = 0;  // index into Scene::bodies
  bool backing = false;    // of the layer behind the surface, which files and pictures leave out
};

// Samples of a rigid body's surface, in the body's frame: origin in its centre of mass. Bodies of equal shape
// share them.
struct RigidSample {
  Vec3 position;           // m, from the centre of mass
  double rest_volume = 1;  // V0_r / h^3, gamma included, > 0 [PT23 eq. 3.2]
};
struct RigidShape {
  std::string name;
  std::vector<RigidSample> samples;  // at least one; neighbours side by side, so that a contact is a few runs of them
  Revolution round;                  // in the samples' frame
};

enum class Turning { free, about_axis, none };

// A dynamic body: moved by gravity, the fluid, contacts and its own constant force and torque.
struct RigidBody {
  std::string name;
  std::uint32_t shape = 0;               // index into Scene::shapes
  double mass = 1;                       // kg, > 0
  std::array<double, 6> inertia{1, 1, 1, 0, 0, 0};  // xx, yy, zz, xy, xz, yz about the centre of mass, body frame, kg m^2
  Vec3 center_of_mass;                   // m, in the frame in which the shape was given; its axes are the body's
  Vec3 position;                         // m, of the centre of mass, at the start
  Quat orientation;                      // body to world
  Vec3 velocity;                         // m/s
  Vec3 angular_velocity;                 // rad/s, world axes
  double friction = 0.5;                 // mu of PT23 eq. 3.17, >= 0; see FrictionPair
  std::uint32_t friction_class = 0;      // for Scene::pairs; 0: in none of them
  double restitution = 0;                // 0 to 1: two bodies part at the larger of theirs times the speed of approach;
                                         // see FrictionPair. Slow approaches, below about 4 |g| dt, and paper mode: 0
  double gravity_scale = 1;
  Vec3 force;                            // N, constant, at the centre of mass
  Vec3 torque;                           // N m, constant, world axes
  std::array<bool, 3> free_translation{true, true, true};  // along the world's axes
  Turning turning = Turning::free;
  Vec3 axis{0, 1, 0};                    // unit vector, world; for Turning::about_axis
};

// The coefficient between bodies of two classes (or within one), whatever their own ones are: as measured for two
// materials. Bodies without such an entry meet with the geometric mean of their own coefficients. A sample that touches
// several bodies has the mean of its pairs by their shares in its normal force. Paper mode reads none of this: each
// sample has its own body's coefficient [PT23 eq. 3.17]. Likewise the restitution, if there is one here; bodies without
// meet with the larger of their own.
struct FrictionPair {
  std::uint32_t a = 1, b = 1;  // friction classes, from 1 on; no two entries of a scene have the same two
  double friction = 0.5;       // >= 0
  std::optional<double> restitution;  // 0 to 1
};

enum class SolverMode { robust, paper };
enum class Acceleration { nncg, none };
// What the Jacobi step of a row next to bodies is divided by [PT23 eq. 4.4]: as printed, its own body's number
// of active samples; or, body by body, the number of all active rows that touch it (mass splitting).
enum class ContactScale { own_body, per_body };
// The friction multiplier's step: by the sliding velocity [PT23 eq. 4.1b], or a clamped target added [eq. 4.8].
enum class FrictionUpdate { velocity, target };
// Where sliding is taken: between two samples, where friction acts; or at each sample, as printed [eq. 3.21], by which
// wheels roll on a radius h/2 smaller than their drawn one.
enum class Slip { midpoint, sample };
// Solved together with pressure; or computed once from the velocities before the solve [Gissler et al. 2019].
enum class FrictionMethod { coupled, staggered };

struct SolverSettings {
  SolverMode mode = SolverMode::robust;
  Acceleration acceleration = Acceleration::nncg;
  double tolerance = 0.02;        // kappa: allowed volume error is kappa max(|g|, 1) dt^2 / h
  int min_iterations = 2;         // >= 1
  int min_iterations_contact = 8; // >= 1; of steps in which rigid bodies touch something solid
  int max_iterations = 500;       // >= min_iterations
  double relaxation_fluid = 0.8;  // nu of PT23 eq. 4.4b, in (0, 2); 0.5 in paper mode
  double relaxation_rigid = 1.6;  // nu of eq. 4.4a and 4.6, in (0, 2); 0.5 in paper mode
  ContactScale contact_scale = ContactScale::per_body;         // own_body in paper mode
  FrictionUpdate friction_update = FrictionUpdate::velocity;   // target in paper mode
  FrictionMethod friction_method = FrictionMethod::coupled;
  double gamma = 0.7;             // share of a full neighbourhood that a surface stands for [PT23 eq. 3.2], in (0, 1)
  bool sample_weights = true;     // a rigid sample counts for fluid by V0 / h^3, at most 1.2; false: by 1
  bool contact_weights = true;    // a solid neighbour counts for a rigid sample by 2 V0, so that surfaces of any sampling
                                  // meet at a distance of h; false: by 1, as printed [eq. 3.1]; false in paper mode
  Slip slip = Slip::midpoint;     // sample in paper mode
  double warm_start_fluid = 0.8;  // share of the last pressure that a solve starts from, in [0, 1); 0 in paper mode
  double warm_start_rigid = 0.5;  // of the last pressure and friction of rigid samples, in [0, 1); 0 in paper mode
  double load_sharing = 0.2;      // compliance of contacts, a share of their diagonals, so that a load has one, even
                                  // distribution; in [0, 1]; 0 in paper mode; without effect on staggered friction
  double overlap_speed = 0.2;     // m/s; robust mode lets compressed fluid expand no faster, and bodies that overlap part
                                  // at a tenth of it; <= 0: no limit
  bool operator==(const SolverSettings&) const = default;
};
// The method as printed [PT23]: what "mode": "paper" of a scene file sets. `mode` alone makes a mixture of both.
SolverSettings paper_settings();

struct TimeSettings {
  double end = 1;                   // s, the last frame
  double max_step = 0.002;          // s
  double cfl = 0.4;                 // in particle spacings a step
  double frame_interval = 1.0 / 50; // s
};

// The box outside of which nothing is simulated. Fluid that has left it and is not on its way back is taken out, a rigid
// body is held where it left; what is outside and may come back flies on, but does not limit the step.
struct Domain {
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  Vec3 low{-kUnlimited, -kUnlimited, -kUnlimited}, high{kUnlimited, kUnlimited, kUnlimited};  // m
};

struct Scene {
  std::string name;
  double spacing = 0.02;  // h, m; kernel support is 2h, a particle's radius h/2
  Vec3 gravity{0, -9.81, 0};
  Domain domain;       // at most 2 million particle spacings from the scene
  Domain step_domain;  // within the domain; what has left it for good is on its way out and no longer limits the step
  TimeSettings time;
  SolverSettings solver;
  std::vector<FluidMaterial> materials;
  std::vector<FluidParticle> fluid;
  std::vector<Body> bodies;
  std::vector<BoundarySample> boundary;
  std::vector<RigidShape> shapes;
  std::vector<RigidBody> rigid;
  std::vector<FrictionPair> pairs;
};

}  // namespace sluice
