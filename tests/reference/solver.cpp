#include "tests/reference/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace sluice::reference {
namespace {

// In robust mode a search direction that grows is damped by this instead of dropped: dropping it loses all momentum
// each time the set of pressed rows changes, which in a tilted contact is every second iteration.
constexpr double kSoftRestart = 0.95;

// Residuals of float32 rows do not get reliably smaller than this.
constexpr double kSmallestTolerance = 2e-6;

// The size of the Jacobi step r that beta compares: |r| as printed [PT23 alg. 2 line 14], or the square of the norm
// that the diagonal weights, which is free of units.
double step_size(SolverMode mode, const std::vector<double>& diagonal, const std::vector<double>& step) {
  double sum = 0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    sum += (mode == SolverMode::robust ? diagonal[i] : 1.0) * step[i] * step[i];
  }
  return mode == SolverMode::robust ? sum : std::sqrt(sum);
}

struct Conjugate {
  std::vector<double> direction;  // s of alg. 2
  double last_step_size = 0;
  int restarts = 0;
};

// Lines 13 to 19 of alg. 2: from p^k and its Jacobi step to p^{k+1}.
std::vector<double> conjugate_step(SolverMode mode, const std::vector<double>& diagonal,
                                   const std::vector<double>& pressure, std::vector<double> jacobi, Conjugate& state) {
  std::vector<double> step(pressure.size());
  for (std::size_t i = 0; i < step.size(); ++i) step[i] = jacobi[i] - pressure[i];
  const double size = step_size(mode, diagonal, step);
  double beta = state.last_step_size > 0 ? size / state.last_step_size : 0.0;
  state.last_step_size = size;
  if (beta > 1.0) {
    ++state.restarts;
    if (mode == SolverMode::paper) {
      std::fill(state.direction.begin(), state.direction.end(), 0.0);
      return jacobi;
    }
    beta = kSoftRestart;
  }
  for (std::size_t i = 0; i < step.size(); ++i) {
    const double momentum = beta * state.direction[i];
    state.direction[i] = momentum + step[i];
    jacobi[i] = std::max(0.0, jacobi[i] + momentum);
  }
  return jacobi;
}

}  // namespace

Solution solve(const PressureSystem& system, const SolveSettings& settings, const std::vector<double>& start) {
  const std::size_t count = system.mass.size();
  Solution best;
  best.residual = std::numeric_limits<double>::infinity();
  std::vector<double> residuals;
  std::vector<double> pressure = start.empty() ? std::vector<double>(count, 0.0) : start;
  Conjugate conjugate{std::vector<double>(count, 0.0)};

  for (int k = 0;; ++k) {
    std::vector<Vec3> displacement = pressure_displacement(system, pressure);
    const std::vector<double> error = volume_error(system, displacement);
    residuals.push_back(residual(system, pressure, error));
    if (!std::isfinite(residuals.back())) {
      throw Error("reference solver: the residual of iterate " + std::to_string(k) +
                  " is not finite; the state has exploded or the relaxation is too large for plain Jacobi");
    }

    const bool converged = k >= settings.min_iterations && residuals.back() <= settings.tolerance;
    if (converged || residuals.back() < best.residual) {
      best.pressure = pressure;
      best.displacement = std::move(displacement);
      best.residual = residuals.back();
    }
    if (converged || k == settings.max_iterations) {
      best.iterations = k;
      best.converged = converged;
      best.restarts = conjugate.restarts;
      best.residuals = std::move(residuals);
      return best;
    }

    std::vector<double> next = jacobi_step(system, pressure, error, settings.relaxation);
    pressure = settings.acceleration == Acceleration::nncg
                   ? conjugate_step(settings.mode, system.diagonal, pressure, std::move(next), conjugate)
                   : std::move(next);
  }
}

double solver_tolerance(double kappa, double gravity_si, double spacing_si, double step_si) {
  return std::max(kSmallestTolerance, kappa * std::max(gravity_si, 1.0) * step_si * step_si / spacing_si);
}

double penetration_cap(SolverMode mode, double tolerance, double overlap_speed, double tau) {
  if (mode == SolverMode::paper || overlap_speed <= 0) return std::numeric_limits<double>::infinity();
  return std::max(10.0 * tolerance, overlap_speed * tau);
}

}  // namespace sluice::reference
