// Pressure and friction of one step together: projected Jacobi, or NNCG over it [PT23 alg. 2 to 4].
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/scene.h"
#include "tests/reference/rigid_passes.h"

namespace sluice::reference {

struct RigidSolveSettings {
  SolverMode mode = SolverMode::robust;
  Acceleration acceleration = Acceleration::nncg;
  ContactScale contact_scale = ContactScale::per_body;
  FrictionUpdate friction_update = FrictionUpdate::velocity;
  double relaxation_fluid = 0.8;
  double relaxation_rigid = 1.6;
  double tolerance = 1e-5;  // of the largest of the three residuals
  int min_iterations = 2;
  int min_iterations_contact = 8;  // while a rigid row is active
  int max_iterations = 500;
};

// Means over active rows (p > 0 or V_err < 0), 0 if there are none.
struct Residuals {
  double fluid_pressure = 0;  // of |FB(p D, V_err)|
  double rigid_pressure = 0;
  double friction = 0;  // of |lambda - prox(lambda - v_tang / D_f)| D_f, h per step
  double largest() const;
};

// What an iteration starts from: which rows are active, and the diagonals that its Jacobi step divides by.
struct StepScale {
  std::vector<std::uint8_t> fluid_active, rigid_active;
  std::vector<std::uint32_t> contacts;                           // n_R or n_B, by body
  std::vector<double> fluid_pressure, rigid_pressure, friction;  // D with the counts inside
  std::vector<double> friction_count;                            // n of eq. 4.8: the friction diagonal's mean count
};

struct RigidSolution {
  Multipliers multipliers;
  Motion motion;  // of those
  Errors errors;
  int iterations = 0;      // Jacobi steps made
  bool converged = false;  // false: the cap was hit and this is the best iterate that was seen
  Residuals residuals;
  int restarts = 0;                // how often beta > 1 cut the search direction
  std::vector<Residuals> history;  // of iterate 0, 1, ...
};

// Per body: n_B counts all active rows that touch B, whosever they are, and weights B's part of a diagonal. Own body:
// n_R counts R's own active samples and weights a rigid row's whole diagonal [eq. 4.4 to 4.6]; fluid rows are not
// weighted.
StepScale step_scale(const RigidSystem& system, const Multipliers& x, const Errors& errors, ContactScale contact_scale);

// The nearest point of sample r's friction cone at pressure `pressure` [eq. 3.17b].
Vec3 cone(const RigidSystem& system, std::size_t r, double pressure, Vec3 lambda);

// alg. 3, the cone by the new pressure.
Multipliers jacobi_step(const RigidSystem& system, const RigidSolveSettings& settings, const Multipliers& x,
                        const Errors& errors, const StepScale& scale);

Residuals residuals_of(const RigidSystem& system, const Multipliers& x, const Errors& errors, const StepScale& scale);

// Starts from 0, or from `start`.
RigidSolution solve(const RigidSystem& system, const RigidSolveSettings& settings, const Multipliers* start = nullptr);

}  // namespace sluice::reference
