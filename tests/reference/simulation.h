// A whole step of the fluid with a given dt [PT23 alg. 1], and the way from a scene to its start.
#pragma once

#include <vector>

#include "sluice/scene.h"
#include "tests/reference/passes.h"
#include "tests/reference/solver.h"

namespace sluice::reference {

struct Simulation {
  double spacing = 0;    // h, m
  double time_unit = 0;  // T0, s
  SolverSettings solver;
  Vec3 gravity;  // h / T0^2
  Fluid fluid;
  Boundary boundary;
  std::vector<double> last_pressure;  // p / tau^2 of the last step, empty before the first; for warm starts
};

// A step before its solve: what the pressure system is made of. Apart, so that one state can be solved several ways.
struct PreparedStep {
  double tau = 1;
  double tolerance = 0;
  Neighbors neighbors;
  std::vector<double> density;
  std::vector<Vec3> predicted;  // v*
  PressureSystem system;
};

// Particles keep the scene's order. Throws Error on a scene whose bodies turn: only translation is followed here.
Simulation make_simulation(const Scene& scene);

PreparedStep prepare_step(const Simulation& simulation, double tau);

// As the scene's solver settings say, with the prepared step's tolerance.
SolveSettings solve_settings(const Simulation& simulation, const PreparedStep& step);

void finish_step(Simulation& simulation, const PreparedStep& step, const Solution& solution);

// Prepare, solve, finish.
Solution advance(Simulation& simulation, double tau);

}  // namespace sluice::reference
