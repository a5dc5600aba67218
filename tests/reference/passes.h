// Every pass of the fluid step as one plain function over plain arrays, in double precision.
// Equation numbers are those of [PT23], Probst and Teschner 2023, "Monolithic Friction and Contact Handling for Rigid
// Bodies and Fluids using SPH"; A.x is its appendix A.
//
// Solver units: length h, time T0 (the scene's largest step), volume of a particle at rest V0 = 1, mass rho_i / rho_0.
// tau = dt / T0; v in h per T0; a displacement u = v tau is in h per step; p = p_SI dt^2 / (rho_0 h^2).
// Neighbour rows are arguments, so that rows found elsewhere can be used, in their own order of summation.
#pragma once

#include <vector>

#include "sluice/scene.h"
#include "tests/reference/neighbors.h"

namespace sluice::reference {

struct Fluid {
  std::vector<Vec3> position;     // h
  std::vector<Vec3> velocity;     // h / T0
  std::vector<double> mass;       // rho_i / rho_0
  std::vector<double> viscosity;  // kinematic, h^2 / T0
};

struct Boundary {
  std::vector<Vec3> position;  // h
  std::vector<Vec3> velocity;  // h / T0; what viscosity sees
  // Over the step, over its length: of the material, and by which it comes closer, without the turn of a round body
  // about its axis.
  std::vector<Vec3> chord, approach;
  // 2 cos(a / 2) u and u of the body's turn in the step, u the vector of its unit quaternion: a point at p from another
  // moves by turn x p + 2 bow x (bow x p) more than that. As printed spin times the step, and 0.
  std::vector<Vec3> turn, bow;
  std::vector<double> weight;  // V0_b / V0
};

// What stays the same while the pressure of one step is solved for.
struct PressureSystem {
  Rows rows;                        // fluid neighbours
  std::vector<Vec3> gradient;       // grad W_ij for each entry of rows.index, 1/h
  std::vector<Vec3> grad_boundary;  // sum over boundary neighbours of w_b grad W_ib
  std::vector<double> mass;
  std::vector<double> source;    // V_err at p = 0
  std::vector<double> diagonal;  // dV_err_i / dp_i
};

// A row with a smaller diagonal has no neighbour that pressure could act on: its p stays 0 and it counts nowhere.
inline constexpr double kSmallestDiagonal = 1e-9;
inline bool row_is_on(double diagonal) { return diagonal >= kSmallestDiagonal; }

// delta_i = V0 / V_i [eq. 3.6], boundary neighbours weighted by their own rest volume.
std::vector<double> number_density(const Fluid& fluid, const Boundary& boundary, const Neighbors& neighbors);

std::vector<Vec3> pair_gradients(const Fluid& fluid, const Rows& fluid_rows);
std::vector<Vec3> boundary_gradients(const Fluid& fluid, const Boundary& boundary, const Rows& boundary_rows);

// Viscous acceleration in h / T0^2 [Monaghan 1992]; walls act as fluid at rest relative to them.
std::vector<Vec3> viscous_acceleration(const Fluid& fluid, const Boundary& boundary, const Neighbors& neighbors);

// v* = v + tau (g + a) [eq. 3.16], g in h / T0^2.
std::vector<Vec3> predicted_velocity(const Fluid& fluid, const std::vector<Vec3>& acceleration, Vec3 gravity,
                                     double tau);

// V_err of v* alone [eq. 3.14 with p = 0]. At most `penetration_cap` of an overlap that is already there is corrected
// in this step, since a correction e leaves a speed e / dt behind; infinity is what the paper prints.
std::vector<double> source_term(const Fluid& fluid, const Boundary& boundary, const Neighbors& neighbors,
                                const std::vector<double>& density, const std::vector<Vec3>& predicted, double tau,
                                double penetration_cap);

// dV_err_i / dp_i [A.6 to A.8, with p_b = 0] of a system whose rows, gradients and masses are filled in.
std::vector<double> diagonals(const PressureSystem& system);

// What rows whose gradients cancel are asked for, but in paper mode: no more than a push of 1 h mends.
void limit_sources(SolverMode mode, const std::vector<double>& diagonal, std::vector<double>& source);

// The displacement in h per step that pressure causes [eq. 3.15].
std::vector<Vec3> pressure_displacement(const PressureSystem& system, const std::vector<double>& pressure);

// V_err [eq. 3.14]: what is left of a particle's volume error after `displacement`; negative means compressed.
std::vector<double> volume_error(const PressureSystem& system, const std::vector<Vec3>& displacement);

// One projected relaxed Jacobi step [eq. 4.1a, 4.4b].
std::vector<double> jacobi_step(const PressureSystem& system, const std::vector<double>& pressure,
                                const std::vector<double>& error, double relaxation);

// Fischer-Burmeister function: zero exactly where a >= 0, b >= 0 and a b = 0.
double fischer_burmeister(double a, double b);

// Mean of |FB(p D, V_err)|, a relative volume error, over the active rows (p > 0 or V_err < 0); 0 if there are none.
double residual(const PressureSystem& system, const std::vector<double>& pressure, const std::vector<double>& error);

// The mean over a step of what constant forces change by `kick` to `end`, where rows change it by `push`: where that is
// 0, the mean of its beginning and its end (velocity Verlet); where it is as large as the kick, the end; in paper mode,
// too.
Vec3 mean_over_step(SolverMode mode, Vec3 end, Vec3 kick, Vec3 push);

// Euler-Cromer [PT23 app. B]: u = v* tau + a(p), v = u / tau, x += tau mean_over_step(v).
void integrate(Fluid& fluid, SolverMode mode, Vec3 gravity, const std::vector<Vec3>& predicted,
               const std::vector<Vec3>& displacement, double tau);

// The pressure force on all of the boundary, in rho_0 h^4 / T0^2 (a mass times h / T0^2).
Vec3 boundary_force(const PressureSystem& system, const std::vector<double>& pressure, double tau);

}  // namespace sluice::reference
