#include "tests/reference/passes.h"

#include <algorithm>
#include <cmath>

#include "tests/reference/kernel.h"

namespace sluice::reference {
namespace {

// Keeps the viscous term finite for coincident particles, in h^2 [Monaghan 1992].
constexpr double kViscositySoftening = 0.01;
// 2 (d + 2) for three dimensions [Monaghan 1992].
constexpr double kViscosityFactor = 10.0;

// mu (v_ij . x_ij) / (r^2 + 0.01) grad W_ij
Vec3 viscous_pair(double mu, Vec3 x_ij, Vec3 v_ij) {
  return mu * dot(v_ij, x_ij) / (dot(x_ij, x_ij) + kViscositySoftening) * kernel_gradient(x_ij);
}

}  // namespace

std::vector<double> number_density(const Fluid& fluid, const Boundary& boundary, const Neighbors& neighbors) {
  const auto& [f, b] = neighbors;
  std::vector<double> density(fluid.position.size());
  for (std::size_t i = 0; i < density.size(); ++i) {
    double sum = kernel(0.0);
    for (auto k = f.start[i]; k < f.start[i + 1]; ++k) {
      sum += kernel(length(fluid.position[i] - fluid.position[f.index[k]]));
    }
    for (auto k = b.start[i]; k < b.start[i + 1]; ++k) {
      const auto s = b.index[k];
      sum += boundary.weight[s] * kernel(length(fluid.position[i] - boundary.position[s]));
    }
    density[i] = sum;
  }
  return density;
}

std::vector<Vec3> pair_gradients(const Fluid& fluid, const Rows& fluid_rows) {
  std::vector<Vec3> gradient(fluid_rows.index.size());
  for (std::size_t i = 0; i < fluid.position.size(); ++i) {
    for (auto k = fluid_rows.start[i]; k < fluid_rows.start[i + 1]; ++k) {
      gradient[k] = kernel_gradient(fluid.position[i] - fluid.position[fluid_rows.index[k]]);
    }
  }
  return gradient;
}

std::vector<Vec3> boundary_gradients(const Fluid& fluid, const Boundary& boundary, const Rows& boundary_rows) {
  std::vector<Vec3> sum(fluid.position.size());
  for (std::size_t i = 0; i < sum.size(); ++i) {
    for (auto k = boundary_rows.start[i]; k < boundary_rows.start[i + 1]; ++k) {
      const auto s = boundary_rows.index[k];
      sum[i] = sum[i] + boundary.weight[s] * kernel_gradient(fluid.position[i] - boundary.position[s]);
    }
  }
  return sum;
}

std::vector<Vec3> viscous_acceleration(const Fluid& fluid, const Boundary& boundary, const Neighbors& neighbors) {
  const auto& [f, b] = neighbors;
  std::vector<Vec3> acceleration(fluid.position.size());
  for (std::size_t i = 0; i < acceleration.size(); ++i) {
    const double mu_i = fluid.viscosity[i] * fluid.mass[i];
    Vec3 sum;
    for (auto k = f.start[i]; k < f.start[i + 1]; ++k) {
      const auto j = f.index[k];
      const double mu_ij = 0.5 * (mu_i + fluid.viscosity[j] * fluid.mass[j]);
      sum = sum + viscous_pair(mu_ij, fluid.position[i] - fluid.position[j], fluid.velocity[i] - fluid.velocity[j]);
    }
    for (auto k = b.start[i]; k < b.start[i + 1]; ++k) {
      const auto s = b.index[k];
      sum = sum + boundary.weight[s] * viscous_pair(mu_i, fluid.position[i] - boundary.position[s],
                                                    fluid.velocity[i] - boundary.velocity[s]);
    }
    acceleration[i] = kViscosityFactor / fluid.mass[i] * sum;
  }
  return acceleration;
}

std::vector<Vec3> predicted_velocity(const Fluid& fluid, const std::vector<Vec3>& acceleration, Vec3 gravity,
                                     double tau) {
  std::vector<Vec3> predicted(fluid.velocity.size());
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    predicted[i] = fluid.velocity[i] + tau * (gravity + acceleration[i]);
  }
  return predicted;
}

std::vector<double> source_term(const Fluid& fluid, const Boundary& boundary, const Neighbors& neighbors,
                                const std::vector<double>& density, const std::vector<Vec3>& predicted, double tau,
                                double penetration_cap) {
  const auto& [f, b] = neighbors;
  std::vector<double> source(fluid.position.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    double compression_rate = 0;
    for (auto k = f.start[i]; k < f.start[i + 1]; ++k) {
      const auto j = f.index[k];
      compression_rate += dot(predicted[i] - predicted[j], kernel_gradient(fluid.position[i] - fluid.position[j]));
    }
    for (auto k = b.start[i]; k < b.start[i + 1]; ++k) {
      const auto s = b.index[k];
      compression_rate += boundary.weight[s] * dot(predicted[i] - boundary.approach[s],
                                                   kernel_gradient(fluid.position[i] - boundary.position[s]));
    }
    source[i] = std::max(1.0 - density[i], -penetration_cap) - tau * compression_rate;
  }
  return source;
}

std::vector<double> diagonals(const PressureSystem& system) {
  std::vector<double> diagonal(system.mass.size());
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    Vec3 own = system.grad_boundary[i];
    double reactions = 0;
    for (auto k = system.rows.start[i]; k < system.rows.start[i + 1]; ++k) {
      const Vec3 gradient = system.gradient[k];
      own = own + gradient;
      reactions += dot(gradient, gradient) / system.mass[system.rows.index[k]];
    }
    diagonal[i] = dot(own, own) / system.mass[i] + reactions;
  }
  return diagonal;
}

void limit_sources(SolverMode mode, const std::vector<double>& diagonal, std::vector<double>& source) {
  if (mode == SolverMode::paper) return;
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = std::max(source[i], -std::sqrt(diagonal[i]));
}

std::vector<Vec3> pressure_displacement(const PressureSystem& system, const std::vector<double>& pressure) {
  std::vector<Vec3> displacement(pressure.size());
  for (std::size_t i = 0; i < displacement.size(); ++i) {
    Vec3 sum = pressure[i] * system.grad_boundary[i];
    for (auto k = system.rows.start[i]; k < system.rows.start[i + 1]; ++k) {
      sum = sum + (pressure[i] + pressure[system.rows.index[k]]) * system.gradient[k];
    }
    displacement[i] = -1.0 / system.mass[i] * sum;
  }
  return displacement;
}

std::vector<double> volume_error(const PressureSystem& system, const std::vector<Vec3>& displacement) {
  std::vector<double> error(displacement.size());
  for (std::size_t i = 0; i < error.size(); ++i) {
    double compression = dot(displacement[i], system.grad_boundary[i]);
    for (auto k = system.rows.start[i]; k < system.rows.start[i + 1]; ++k) {
      compression += dot(displacement[i] - displacement[system.rows.index[k]], system.gradient[k]);
    }
    error[i] = system.source[i] - compression;
  }
  return error;
}

std::vector<double> jacobi_step(const PressureSystem& system, const std::vector<double>& pressure,
                                const std::vector<double>& error, double relaxation) {
  std::vector<double> next(pressure.size(), 0.0);
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (row_is_on(system.diagonal[i])) {
      next[i] = std::max(0.0, pressure[i] - relaxation / system.diagonal[i] * error[i]);
    }
  }
  return next;
}

double fischer_burmeister(double a, double b) { return a + b - std::sqrt(a * a + b * b); }

double residual(const PressureSystem& system, const std::vector<double>& pressure, const std::vector<double>& error) {
  double sum = 0;
  std::size_t active = 0;
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    if (!row_is_on(system.diagonal[i]) || !(pressure[i] > 0 || error[i] < 0)) continue;
    sum += std::fabs(fischer_burmeister(pressure[i] * system.diagonal[i], error[i]));
    ++active;
  }
  return active == 0 ? 0.0 : sum / static_cast<double>(active);
}

Vec3 mean_over_step(SolverMode mode, Vec3 end, Vec3 kick, Vec3 push) {
  const double pull = length(kick), pressed = length(push);
  if (mode == SolverMode::paper || !(pressed < pull)) return end;
  return end - 0.5 * (1 - pressed / pull) * kick;
}

void integrate(Fluid& fluid, SolverMode mode, Vec3 gravity, const std::vector<Vec3>& predicted,
               const std::vector<Vec3>& displacement, double tau) {
  for (std::size_t i = 0; i < fluid.position.size(); ++i) {
    const Vec3 step = tau * predicted[i] + displacement[i];
    fluid.velocity[i] = 1.0 / tau * step;
    const Vec3 way = mean_over_step(mode, fluid.velocity[i], tau * gravity, 1.0 / tau * displacement[i]);
    fluid.position[i] = fluid.position[i] + tau * way;
  }
}

Vec3 boundary_force(const PressureSystem& system, const std::vector<double>& pressure, double tau) {
  Vec3 sum;
  for (std::size_t i = 0; i < pressure.size(); ++i) sum = sum + pressure[i] * system.grad_boundary[i];
  return 1.0 / (tau * tau) * sum;
}

}  // namespace sluice::reference
