// Every pass of the step of fluid and rigid bodies as plain functions over plain arrays, in double precision: what the
// monolithic system of pressure p and friction multipliers lambda is made of, and what it gives for a p and a lambda.
// Equation numbers are those of [PT23]; A.x is its appendix A. Units as in passes.h; lambda is a force, in
// rho_0 h^4 / dt^2, so that 1 / M of it is a displacement in h per step.
//
// r is a sample of body R, k a rigid neighbour of another body K, b a kinematic neighbour, f a fluid particle. Next to
// fluid a rigid neighbour weighs w_k = min(V0_k, 1.2) and a kinematic one w_b; in the volume of a sample r they weigh
// 2 w_k / V0_r and 2 w_b / V0_r, or 1 as printed.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/scene.h"
#include "tests/reference/passes.h"
#include "tests/reference/rigid.h"

namespace sluice::reference {

// Without a push to either side there is no normal; in 1/h^4.
inline constexpr double kSmallestNormal = 1e-9;

// The part of v at right angles to a unit normal.
inline Vec3 tangential_to(Vec3 normal, Vec3 v) { return v - dot(normal, v) * normal; }

// Neighbour rows with W and grad W (with respect to the row's own position) of every entry.
struct Pairs {
  Rows rows;
  std::vector<double> kernel;
  std::vector<Vec3> gradient;  // times the weight
  std::vector<double> weight;
  // Where the pair's pressure acts on both bodies and where its friction does, from the row's position, and what of
  // the gradient its force has: round.h.
  std::vector<Vec3> at, rub, push;
};

// A body's part of a row's two diagonals: dV_err / dp, and 1/3 tr(dv_tang / dlambda), of that body's motion alone.
struct DiagonalPart {
  std::uint32_t body = 0;
  double pressure = 0;
  double friction = 0;
};
struct DiagonalParts {
  std::vector<std::uint32_t> start{0};  // row i holds part[start[i]] ... part[start[i + 1] - 1]
  std::vector<DiagonalPart> part;
};

// What the coefficient of a row is made of, beside those of the bodies.
struct FrictionRules {
  std::vector<Body> boundary;  // by kinematic sample: its body
  std::vector<FrictionPair> pairs;
  bool own_body = false;  // as printed: each sample has its own body's coefficient
};

// What stays the same while p and lambda of one step are solved for.
struct RigidSystem {
  std::vector<BodyState> bodies;
  RigidSamples samples;

  // By sample.
  std::vector<Vec3> position;
  std::vector<Vec3> arm;                // x_r - x_R
  std::vector<double> fluid_weight;     // w_k
  std::vector<double> volume;           // V_r [eq. 3.1]
  std::vector<double> foreign_sum;      // sum of W over k and b, unweighted
  std::vector<double> mirror_volume;    // V~_r [eq. 3.23], 0 without neighbours
  std::vector<Vec3> toward;             // direction of -sum grad W, by which round bodies find their places
  std::vector<Vec3> normal_force;       // F^N_r / p_r [A.11a]
  std::vector<Vec3> face;               // of the face that r meets, towards r; see lib/coverage.glsl
  std::vector<Vec3> normal;             // n_r, to which friction is tangential; 0 where it is undefined
  std::vector<double> friction;         // mu of the row
  std::vector<double> overlap;          // 1 - V0 / V
  double penetration_cap = 0;           // the most of an overlap that a step takes back
  std::vector<double> pressure_source;  // V_err at p = 0, lambda = 0 without the overlap
  std::vector<Vec3> friction_source;    // v_tang there, h per step
  DiagonalParts rigid_diagonal;
  std::vector<std::uint8_t> pressure_on;  // rows whose p may act; the others keep p = 0 and count nowhere
  std::vector<std::uint8_t> friction_on;
  // Compliance of a row, this share of its diagonal; 0 as printed. That of a pressure falls with it: p adds
  // 4 c ((1 + s p / c)^(1/4) - 1) to V_err, c = 0.0015; a lambda adds s (lambda - the last step's) to v_tang. The share
  // of a pressure's diagonal is larger by `sharing_factor`.
  double load_sharing = 0, sharing_factor = 1;
  std::vector<double> pressure_compliance, friction_compliance;  // s
  std::vector<Vec3> stuck_slip;  // of rows that stick since they do, before the solve, h

  std::vector<Vec3> boundary_position;
  std::vector<double> boundary_weight;  // w_b
  std::vector<double> boundary_volume;  // V_b = w_b / gamma
  Pairs rigid_rigid;                    // of other bodies only
  Pairs rigid_boundary;
  bool fixed_rows = true;  // samples of bodies that cannot move have rows, too; false: as printed

  FrictionRules friction_rules;

  Slip slip = Slip::midpoint;  // where sliding is taken

  // Fluid rows. grad_boundary of `fluid` holds kinematic and rigid neighbours; its diagonal is the part of the fluid's
  // own motion.
  PressureSystem fluid;
  Pairs fluid_rigid;
  DiagonalParts fluid_diagonal;
};

// The unknowns.
struct Multipliers {
  std::vector<double> fluid_pressure;
  std::vector<double> rigid_pressure;
  std::vector<Vec3> friction;  // lambda_r
};
bool is_movable(const BodyState& body);
// Cannot move, and has rows that see only what can.
bool is_fixed(const RigidSystem& system, std::uint32_t body);

Multipliers zero_multipliers(const RigidSystem& system);

// What they do, on top of the predicted motion.
struct Motion {
  std::vector<Vec3> fluid;                  // h per step
  std::vector<Vec3> force, torque;          // on bodies, from pressure and friction
  std::vector<Vec3> translation, rotation;  // of bodies, h and radians per step
};
struct Errors {
  std::vector<double> fluid, rigid;  // V_err
  std::vector<Vec3> tangential;      // v_tang, h per step
};

Pairs make_pairs(Rows rows, const std::vector<Vec3>& from, const std::vector<Vec3>& to);

// How much of a face row r meets, and the face's normal, towards r; 1 and -G / |G| where it meets none. `system` holds
// samples, weights and pairs.
struct Coverage {
  Vec3 normal;
  double share = 1;
  bool one_of_several = false;  // faces: the row leaves out what lies off this one
};
Coverage face_coverage(const RigidSystem& system, std::size_t r, double gamma);
std::vector<Coverage> face_coverages(const RigidSystem& system, double gamma);

// The weights of solid neighbours in the volumes of samples, and the faces that these meet.
void weigh_contacts(RigidSystem& system, const std::vector<Coverage>& coverages);

// The part of a row's gradient that lies along the face that it meets. The row acts across that face alone.
Vec3 face_tilt(const RigidSystem& system, std::size_t r);

// Across the face, of p_r = 1: mu times it is the radius of the friction cone.
double normal_load(const RigidSystem& system, std::size_t r);

// Where the samples are: x_R + q x_local.
std::vector<Vec3> sample_positions(const std::vector<BodyState>& bodies, const RigidSamples& samples);
// w_k = min(V0_k, 1.2) of every sample; 0 of carriers.
std::vector<double> fluid_weights(const RigidSamples& samples);

// V_r, V~_r, F^N / p, n of every sample. `system` holds samples, positions and pairs.
void compute_volumes(RigidSystem& system);
// The part of it behind `toward`: where pairs act, F^N / p, n.
void compute_levers(RigidSystem& system);
// Where the fluid's pressure acts on round bodies, and what of its gradients it has. After the pairs, once.
void compute_particle_levers(RigidSystem& system, const std::vector<Vec3>& particles);

// The coefficients of all rows: by pairs of bodies, each neighbour's pair by its share in the normal force. Needs
// compute_volumes.
void compute_friction(RigidSystem& system);
FrictionRules friction_rules(const Scene& scene);

// A sample's displacement, h per step, and the turn of its body, rad per step.
struct Displacement {
  Vec3 linear, turn;
  Vec3 approach;  // of a boundary's sample: by which it comes closer
  Vec3 bow;       // of a boundary's sample: see Boundary
};
Displacement boundary_displacement(const Boundary& boundary, std::size_t sample, double tau);
// Of a boundary's row carrier at `arm` from its body's centre: its displacement over the step, over its length.
Vec3 carrier_velocity(const BodyState& body, Vec3 arm, double tau);
// Of a sample at `arm` from its body's centre.
Displacement displacement_at(Vec3 arm, Vec3 linear, Vec3 turn);

// What a neighbour at x_r - d, of volume `volume`, adds to the sliding of row r if both move so: by where sliding is
// taken, W / S_r times the relative motion of the points of both bodies at x_r + rub, or V_k W that of the samples
// [eq. 3.21].
Vec3 sliding(const RigidSystem& system, std::size_t r, Vec3 d, Vec3 rub, double volume, double kernel,
             const Displacement& own, const Displacement& other);

// V_err and v_tang of the predicted motion alone [eq. 3.10, 3.21].
void compute_sources(RigidSystem& system, const std::vector<Displacement>& samples,
                     const std::vector<Displacement>& boundary, double penetration_cap);

// The parts of the diagonals [A.2 to A.14] and which rows are on.
void compute_diagonals(RigidSystem& system);

// Loads that a step takes over from the last, by sample; multipliers times (this step / that)^2.
struct PastLoads {
  std::vector<double> pressure;
  std::vector<Vec3> friction;
  std::vector<Vec3> left;  // v_tang that the last solve left, h
  std::vector<Vec3> slip;  // RigidSystem::stuck_slip of that step
};
PastLoads no_past(const RigidSystem& system);
// What a pressure adds to V_err of row r by the row's compliance.
double elastic_error(const RigidSystem& system, std::size_t r, double pressure);
// The part of its overlap that row r has to mend under a pressure, and the secant of that in the pressure.
struct OverlapToMend {
  double error, compliance;
};
OverlapToMend overlap_to_mend(const RigidSystem& system, std::size_t r, double pressure);
// The compliances, and what they and the past change of friction's sources: its compliance acts on changes, and a
// sticking row makes up for the slip that the last solve left, if it is less than ten tolerances. After compute_sources
// and compute_diagonals.
void share_loads(RigidSystem& system, const PastLoads& past, double tolerance);

// Rows that are impacts ask for a rebound: they close within the step, faster than gravity makes resting ones in it,
// `gravity_step` = g tau^2, and carried nothing in the last step. What gravity adds in the step does not count for the
// rebound. After share_loads.
void add_rebounds(RigidSystem& system, const PastLoads& past, Vec3 gravity_step, double tolerance);

// Forces of pressure [eq. 3.13, 3.15 with V_f^2 p_f at rigid neighbours] and friction [eq. 3.22], and the motion they
// cause [eq. 3.11].
Motion motion_of(const RigidSystem& system, const Multipliers& x);
// V_err and v_tang at t + dt [eq. 3.10, 3.14, 3.21], and what x adds by the rows' compliance.
Errors errors_of(const RigidSystem& system, const Motion& motion, const Multipliers& x);

// Drag between fluid and bodies, with the formula of the walls [Monaghan 1992]. Explicit drag on a light body
// overshoots, so each body's pairs are scaled by min(1, 0.5 / (tau K)), K the sum over its samples of
// k_r (1 / M + |arm|^2 / I_min) and k_r a bound on the drag coefficients of the sample's pairs.
struct Drag {
  std::vector<double> bound;        // k_r, by sample
  std::vector<double> scale;        // by body
  std::vector<Vec3> acceleration;   // by fluid particle, h / T0^2
  std::vector<Vec3> force, torque;  // by body
};
Drag rigid_drag(const RigidSystem& system, const Fluid& fluid, double tau);

}  // namespace sluice::reference
