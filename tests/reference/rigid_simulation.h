// A whole step of fluid and rigid bodies with a given dt [PT23 alg. 1], and the way from a scene to its start.
#pragma once

#include <vector>

#include "sluice/scene.h"
#include "tests/reference/rigid_solver.h"
#include "tests/reference/simulation.h"

namespace sluice::reference {

struct RigidSimulation {
  Simulation base;  // units, settings, gravity, fluid, boundary
  std::vector<BodyState> bodies;
  RigidSamples samples;
  FrictionRules friction_rules;
  Multipliers last;  // of the last step, over tau^2; empty before the first; for warm starts
  int last_iterations = 0;
  std::vector<Vec3> last_left, last_slip;  // PastLoads::left, slip
};

// A step before its solve, with every array on the way there. Apart, so that one state can be solved several ways.
struct RigidPrepared {
  double tau = 1;
  double tolerance = 0;
  double penetration_cap = 0, rigid_penetration_cap = 0;  // of fluid particles; of samples
  Neighbors fluid_neighbors;
  std::vector<double> density;             // delta_f = V0 / V_f [eq. 3.6]
  std::vector<Vec3> viscous_acceleration;  // of fluid particles, drag of bodies included, h / T0^2
  std::vector<Vec3> predicted;             // v*_f, h / T0
  Drag drag;
  std::vector<BodyPrediction> predicted_bodies;  // v*_R, omega*_R
  std::vector<Vec3> predicted_samples;           // v*_R + omega*_R x arm, h / T0
  RigidSystem system;
  Multipliers start;  // what a solve starts from
};

// Particles, samples and bodies keep the scene's order. A scene without fluid has a reference density of 1000 kg/m^3.
// Throws Error on kinematic bodies that turn, on bad rigid bodies and on staggered friction, which is not followed
// here.
RigidSimulation make_rigid_simulation(const Scene& scene);

RigidPrepared prepare(const RigidSimulation& simulation, double tau);

// As the scene's solver settings say, with the prepared step's tolerance.
RigidSolveSettings rigid_solve_settings(const RigidSimulation& simulation, const RigidPrepared& prepared);

RigidSolution solve(const RigidPrepared& prepared, const RigidSolveSettings& settings);

void finish(RigidSimulation& simulation, const RigidPrepared& prepared, const RigidSolution& solution);

// Prepare, solve, finish.
RigidSolution advance(RigidSimulation& simulation, double tau);

}  // namespace sluice::reference
