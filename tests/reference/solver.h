// Pressure of one step: projected Jacobi, or NNCG over it [PT23 alg. 2 to 4], fluid rows only.
#pragma once

#include <vector>

#include "sluice/scene.h"
#include "tests/reference/passes.h"

namespace sluice::reference {

struct SolveSettings {
  SolverMode mode = SolverMode::robust;
  Acceleration acceleration = Acceleration::nncg;
  double relaxation = 0.8;  // nu of eq. 4.4b
  double tolerance = 1e-5;  // of residual()
  int min_iterations = 2;
  int max_iterations = 500;
};

struct Solution {
  std::vector<double> pressure;
  std::vector<Vec3> displacement;  // of that pressure, h per step
  int iterations = 0;              // Jacobi steps made; one operator application more was needed
  bool converged = false;          // false: the cap was hit and this is the best iterate that was seen
  double residual = 0;
  int restarts = 0;               // how often beta > 1 cut the search direction
  std::vector<double> residuals;  // of iterate 0, 1, ...
};

// Starts from p = 0, or from `start` if it is not empty.
Solution solve(const PressureSystem& system, const SolveSettings& settings, const std::vector<double>& start = {});

// The volume error allowed: kappa max(|g|, 1 m/s^2) dt^2 / h, not under what float32 resolves.
double solver_tolerance(double kappa, double gravity_si, double spacing_si, double step_si);

// The most of an overlap that a step corrects: no more than `overlap_speed` (h per T0) takes apart, but well above the
// tolerance, below which a body would sink in unnoticed. Infinity in paper mode or without a speed.
double penetration_cap(SolverMode mode, double tolerance, double overlap_speed, double tau);

}  // namespace sluice::reference
