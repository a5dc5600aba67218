// Divergence-free SPH [BK17], the comparison method for fluid alone: two Jacobi-type solves a step, one that takes the
// velocities' divergence out and one that keeps the density. Plain and in double precision; to count iterations and to
// find the largest stable step, not to time.
#pragma once

#include <vector>

#include "sluice/scene.h"

namespace sluice::reference {

struct Dfsph {
  std::vector<Vec3> position, velocity;  // h, h/s
  std::vector<double> density_start;     // of each solve: what the last step's pressed with
  std::vector<double> divergence_start;
  std::vector<Vec3> boundary;   // h; at rest
  std::vector<double> weights;  // of boundary samples, in h^3
  Vec3 gravity;                 // h/s^2
  double viscosity = 0;         // h^2/s
};

// The fluid, of one material, and the boundary of a scene; both must be at rest.
Dfsph make_dfsph(const Scene& scene);

struct DfsphStep {
  int density_iterations = 0, divergence_iterations = 0;
  double density_error = 0;  // mean of max(0, V0 / V - 1) at the positions before the step: what the last one achieved
  double max_speed = 0;      // h/s
};

// A step of dt, s. The density solve ends at a mean error of 0.05 %, after two iterations at least; the divergence
// solve at 0.1 % in a step, after one. Both end at 100, and start from half of what the last step's pressed with, as
// SPlisHSPlasH does.
DfsphStep advance(Dfsph& fluid, double dt);

}  // namespace sluice::reference
