#include "tests/reference/rigid_solver.h"

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

Multipliers combine(const Multipliers& a, double s, const Multipliers& b) {
  Multipliers sum = a;
  for (std::size_t i = 0; i < sum.fluid_pressure.size(); ++i) sum.fluid_pressure[i] += s * b.fluid_pressure[i];
  for (std::size_t i = 0; i < sum.rigid_pressure.size(); ++i) sum.rigid_pressure[i] += s * b.rigid_pressure[i];
  for (std::size_t i = 0; i < sum.friction.size(); ++i) sum.friction[i] = sum.friction[i] + s * b.friction[i];
  return sum;
}

// The size of the Jacobi step that beta compares: |(dp, dlambda)| as printed [alg. 2 line 14], or the square of the
// norm that the diagonals weight, which is free of units.
double step_size(SolverMode mode, const StepScale& scale, const Multipliers& step) {
  const bool weighted = mode == SolverMode::robust;
  double sum = 0;
  for (std::size_t i = 0; i < step.fluid_pressure.size(); ++i) {
    sum += (weighted ? scale.fluid_pressure[i] : 1.0) * step.fluid_pressure[i] * step.fluid_pressure[i];
  }
  for (std::size_t i = 0; i < step.rigid_pressure.size(); ++i) {
    sum += (weighted ? scale.rigid_pressure[i] : 1.0) * step.rigid_pressure[i] * step.rigid_pressure[i];
    sum += (weighted ? scale.friction[i] : 1.0) * dot(step.friction[i], step.friction[i]);
  }
  return weighted ? sum : std::sqrt(sum);
}

// The step may leave p >= 0 and the cones when momentum is added.
void project(const RigidSystem& system, Multipliers& x) {
  for (double& p : x.fluid_pressure) p = std::max(0.0, p);
  for (std::size_t r = 0; r < x.rigid_pressure.size(); ++r) {
    x.rigid_pressure[r] = std::max(0.0, x.rigid_pressure[r]);
    x.friction[r] = cone(system, r, x.rigid_pressure[r], x.friction[r]);
  }
}

struct Conjugate {
  Multipliers direction;  // s of alg. 2
  double last_step_size = 0;
  int restarts = 0;
};

// Lines 13 to 19 of alg. 2: from iterate k and its Jacobi step to iterate k + 1.
Multipliers conjugate_step(const RigidSystem& system, SolverMode mode, const StepScale& scale, const Multipliers& x,
                           Multipliers jacobi, Conjugate& state) {
  const Multipliers step = combine(jacobi, -1, x);
  const double size = step_size(mode, scale, step);
  double beta = state.last_step_size > 0 ? size / state.last_step_size : 0.0;
  state.last_step_size = size;
  if (beta > 1.0) {
    ++state.restarts;
    if (mode == SolverMode::paper) {
      state.direction = zero_multipliers(system);
      return jacobi;
    }
    beta = kSoftRestart;
  }
  jacobi = combine(jacobi, beta, state.direction);
  state.direction = combine(step, beta, state.direction);
  project(system, jacobi);
  return jacobi;
}

bool is_active(double pressure, double error) { return pressure > 0 || error < 0; }

bool any(const std::vector<std::uint8_t>& flags) {
  return std::find(flags.begin(), flags.end(), std::uint8_t{1}) != flags.end();
}

void count_touched(const DiagonalParts& parts, const std::vector<std::uint8_t>& active,
                   std::vector<std::uint32_t>& contacts) {
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (!active[i]) continue;
    for (auto m = parts.start[i]; m < parts.start[i + 1]; ++m) ++contacts[parts.part[m].body];
  }
}

double mean(double sum, std::size_t count) { return count == 0 ? 0.0 : sum / static_cast<double>(count); }

}  // namespace

double Residuals::largest() const { return std::max({fluid_pressure, rigid_pressure, friction}); }

Vec3 cone(const RigidSystem& s, std::size_t r, double pressure, Vec3 lambda) {
  if (!s.friction_on[r]) return {};
  const Vec3 tangential = lambda - dot(s.normal[r], lambda) * s.normal[r];
  const double radius = s.friction[r] * pressure * normal_load(s, r);
  const double size = length(tangential);
  return size <= radius ? tangential : radius / size * tangential;
}

StepScale step_scale(const RigidSystem& s, const Multipliers& x, const Errors& errors, ContactScale contact_scale) {
  const std::size_t fluid = x.fluid_pressure.size(), rigid = x.rigid_pressure.size();
  StepScale scale{std::vector<std::uint8_t>(fluid), std::vector<std::uint8_t>(rigid)};
  for (std::size_t f = 0; f < fluid; ++f) {
    scale.fluid_active[f] = row_is_on(s.fluid.diagonal[f]) && is_active(x.fluid_pressure[f], errors.fluid[f]);
  }
  for (std::size_t r = 0; r < rigid; ++r) {
    scale.rigid_active[r] = s.pressure_on[r] && is_active(x.rigid_pressure[r], errors.rigid[r]);
  }

  scale.contacts.assign(s.bodies.size(), 0);
  const bool per_body = contact_scale == ContactScale::per_body;
  if (per_body) {
    count_touched(s.fluid_diagonal, scale.fluid_active, scale.contacts);
    count_touched(s.rigid_diagonal, scale.rigid_active, scale.contacts);
  } else {
    for (std::size_t r = 0; r < rigid; ++r) scale.contacts[s.samples.body[r]] += scale.rigid_active[r];
  }
  for (std::uint32_t& n : scale.contacts) n = std::max(1u, n);

  scale.fluid_pressure = s.fluid.diagonal;
  for (std::size_t f = 0; f < fluid; ++f) {
    for (auto m = s.fluid_diagonal.start[f]; m < s.fluid_diagonal.start[f + 1]; ++m) {
      const DiagonalPart& part = s.fluid_diagonal.part[m];
      scale.fluid_pressure[f] += (per_body ? scale.contacts[part.body] : 1u) * part.pressure;
    }
  }
  scale.rigid_pressure.assign(rigid, 0.0);
  scale.friction.assign(rigid, 0.0);
  scale.friction_count.assign(rigid, 1.0);
  for (std::size_t r = 0; r < rigid; ++r) {
    const std::uint32_t own = s.samples.body[r];
    double friction = 0;
    for (auto m = s.rigid_diagonal.start[r]; m < s.rigid_diagonal.start[r + 1]; ++m) {
      const DiagonalPart& part = s.rigid_diagonal.part[m];
      const double n = scale.contacts[per_body ? part.body : own];
      scale.rigid_pressure[r] += n * part.pressure;
      scale.friction[r] += n * part.friction;
      friction += part.friction;
    }
    if (friction > 0) scale.friction_count[r] = scale.friction[r] / friction;
    scale.rigid_pressure[r] += overlap_to_mend(s, r, x.rigid_pressure[r]).compliance;
    scale.friction[r] += s.friction_compliance[r];
  }
  return scale;
}

Multipliers jacobi_step(const RigidSystem& s, const RigidSolveSettings& settings, const Multipliers& x,
                        const Errors& errors, const StepScale& scale) {
  Multipliers next = zero_multipliers(s);
  for (std::size_t f = 0; f < next.fluid_pressure.size(); ++f) {
    if (!row_is_on(s.fluid.diagonal[f])) continue;
    const double alpha = settings.relaxation_fluid / scale.fluid_pressure[f];
    next.fluid_pressure[f] = std::max(0.0, x.fluid_pressure[f] - alpha * errors.fluid[f]);
  }
  for (std::size_t r = 0; r < next.rigid_pressure.size(); ++r) {
    if (!s.pressure_on[r]) continue;
    const double alpha = settings.relaxation_rigid / scale.rigid_pressure[r];
    const double pressure = std::max(0.0, x.rigid_pressure[r] - alpha * errors.rigid[r]);
    next.rigid_pressure[r] = pressure;
    if (!s.friction_on[r]) continue;
    const double n = scale.friction_count[r];
    const double diagonal = scale.friction[r] / n;
    if (settings.friction_update == FrictionUpdate::target) {
      const Vec3 target = cone(s, r, pressure, -1 / diagonal * errors.tangential[r]);
      next.friction[r] = cone(s, r, pressure, x.friction[r] + settings.relaxation_rigid / n * target);
    } else {
      const double step = settings.relaxation_rigid / (n * diagonal);
      next.friction[r] = cone(s, r, pressure, x.friction[r] - step * errors.tangential[r]);
    }
  }
  return next;
}

Residuals residuals_of(const RigidSystem& s, const Multipliers& x, const Errors& errors, const StepScale& scale) {
  double fluid_sum = 0, rigid_sum = 0, friction_sum = 0;
  std::size_t fluid_count = 0, rigid_count = 0, friction_count = 0;
  for (std::size_t f = 0; f < x.fluid_pressure.size(); ++f) {
    if (!scale.fluid_active[f]) continue;
    fluid_sum += std::fabs(fischer_burmeister(x.fluid_pressure[f] * scale.fluid_pressure[f], errors.fluid[f]));
    ++fluid_count;
  }
  for (std::size_t r = 0; r < x.rigid_pressure.size(); ++r) {
    if (!scale.rigid_active[r]) continue;
    rigid_sum += std::fabs(fischer_burmeister(x.rigid_pressure[r] * scale.rigid_pressure[r], errors.rigid[r]));
    ++rigid_count;
    if (!s.friction_on[r]) continue;
    const Vec3 goal = cone(s, r, x.rigid_pressure[r], x.friction[r] - 1 / scale.friction[r] * errors.tangential[r]);
    friction_sum += length(x.friction[r] - goal) * scale.friction[r];
    ++friction_count;
  }
  return {mean(fluid_sum, fluid_count), mean(rigid_sum, rigid_count), mean(friction_sum, friction_count)};
}

RigidSolution solve(const RigidSystem& system, const RigidSolveSettings& settings, const Multipliers* start) {
  RigidSolution best;
  double best_residual = std::numeric_limits<double>::infinity();
  std::vector<Residuals> history;
  Multipliers x = start ? *start : zero_multipliers(system);
  Conjugate conjugate{zero_multipliers(system)};

  for (int k = 0;; ++k) {
    Motion motion = motion_of(system, x);
    Errors errors = errors_of(system, motion, x);
    const StepScale scale = step_scale(system, x, errors, settings.contact_scale);
    const Residuals residuals = residuals_of(system, x, errors, scale);
    const double residual = residuals.largest();
    history.push_back(residuals);
    if (!std::isfinite(residual)) {
      throw Error("reference solver: the residual of iterate " + std::to_string(k) +
                  " is not finite; the state has exploded or the relaxation is too large for this scene");
    }

    const bool last = k == settings.max_iterations;
    const int minimum = any(scale.rigid_active) ? std::max(settings.min_iterations, settings.min_iterations_contact)
                                                : settings.min_iterations;
    const bool converged = k >= minimum && residual <= settings.tolerance;
    if (converged || residual < best_residual) {
      best.multipliers = x;
      best.motion = std::move(motion);
      best.errors = errors;
      best.residuals = residuals;
      best_residual = residual;
    }
    if (converged || last) {
      best.iterations = k;
      best.converged = converged;
      best.restarts = conjugate.restarts;
      best.history = std::move(history);
      return best;
    }

    Multipliers next = jacobi_step(system, settings, x, errors, scale);
    x = settings.acceleration == Acceleration::nncg
            ? conjugate_step(system, settings.mode, scale, x, std::move(next), conjugate)
            : std::move(next);
  }
}

}  // namespace sluice::reference
