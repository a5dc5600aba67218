#include "tests/reference/dfsph.h"

#include <algorithm>

#include "tests/reference/kernel.h"
#include "tests/reference/neighbors.h"

namespace sluice::reference {
namespace {

constexpr double kDensityError = 5e-4, kDivergenceError = 1e-3;
constexpr int kMostIterations = 100;
constexpr double kStart = 0.5;         // of the last step's
constexpr std::uint32_t kLonely = 20;  // neighbours; with fewer, a particle's divergence is that of the free surface

// One step's neighbourhoods: sums over them, all with mass and rest volume 1.
struct Sums {
  const Dfsph& fluid;
  Neighbors near;

  // visit_fluid(j, gradient), visit_boundary(b, gradient)
  template <class Fluid, class Boundary>
  void visit(std::size_t i, Fluid visit_fluid, Boundary visit_boundary) const {
    for (std::uint32_t k = near.fluid.start[i]; k < near.fluid.start[i + 1]; ++k) {
      const std::uint32_t j = near.fluid.index[k];
      visit_fluid(j, fluid.position[i] - fluid.position[j]);
    }
    for (std::uint32_t k = near.boundary.start[i]; k < near.boundary.start[i + 1]; ++k) {
      const std::uint32_t b = near.boundary.index[k];
      visit_boundary(b, fluid.position[i] - fluid.boundary[b]);
    }
  }
  std::uint32_t neighbors(std::size_t i) const {
    return near.fluid.start[i + 1] - near.fluid.start[i] + near.boundary.start[i + 1] - near.boundary.start[i];
  }
  double density(std::size_t i) const {
    double sum = kernel(0);
    visit(
        i, [&](std::uint32_t, Vec3 d) { sum += kernel(length(d)); },
        [&](std::uint32_t b, Vec3 d) { sum += fluid.weights[b] * kernel(length(d)); });
    return sum;
  }
  // How fast the density grows, 1/s [BK17 eq. 9].
  double compression(std::size_t i) const {
    double sum = 0;
    visit(
        i, [&](std::uint32_t j, Vec3 d) { sum += dot(fluid.velocity[i] - fluid.velocity[j], kernel_gradient(d)); },
        [&](std::uint32_t b, Vec3 d) { sum += fluid.weights[b] * dot(fluid.velocity[i], kernel_gradient(d)); });
    return sum;
  }
  // By how much the density changes for a unit of own stiffness [BK17 eq. 11], inverted; 0 of a lonely particle.
  double factor(std::size_t i) const {
    Vec3 own;
    double others = 0;
    visit(
        i,
        [&](std::uint32_t, Vec3 d) {
          own = own + kernel_gradient(d);
          others += dot(kernel_gradient(d), kernel_gradient(d));
        },
        [&](std::uint32_t b, Vec3 d) { own = own + fluid.weights[b] * kernel_gradient(d); });
    const double change = dot(own, own) + others;
    return change > 1e-6 ? 1 / change : 0;
  }
};

// Changes velocities by the pressure forces of stiffnesses, times `scale` [BK17 eq. 8].
void press(Dfsph& fluid, const Sums& sums, const std::vector<double>& stiffness, double scale) {
  std::vector<Vec3> change(fluid.position.size());
  for (std::size_t i = 0; i < change.size(); ++i)
    sums.visit(
        i,
        [&](std::uint32_t j, Vec3 d) {
          change[i] = change[i] - (scale * (stiffness[i] + stiffness[j])) * kernel_gradient(d);
        },
        [&](std::uint32_t b, Vec3 d) {
          change[i] = change[i] - (scale * stiffness[i] * fluid.weights[b]) * kernel_gradient(d);
        });
  for (std::size_t i = 0; i < change.size(); ++i) fluid.velocity[i] = fluid.velocity[i] + change[i];
}

// Both solves: source(i) is how much too fast the density grows, 1/s; stiffnesses act for `scale`. Returns the
// iterations.
template <class Source>
int solve(Dfsph& fluid, const Sums& sums, const std::vector<double>& factors, std::vector<double>& start, double scale,
          double dt, double tolerance, int least, Source source) {
  for (double& stiffness : start) stiffness *= kStart;
  press(fluid, sums, start, scale);
  std::vector<double> sources(start.size()), stiffness(start.size());
  for (int iteration = 0;; ++iteration) {
    double error = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      sources[i] = source(i);
      error += dt * sources[i] / static_cast<double>(sources.size());
    }
    if (iteration == kMostIterations || (iteration >= least && error < tolerance)) return iteration;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      stiffness[i] = sources[i] * factors[i] / scale;
      start[i] += stiffness[i];
    }
    press(fluid, sums, stiffness, scale);
  }
}

}  // namespace

Dfsph make_dfsph(const Scene& scene) {
  const double h = scene.spacing;
  Dfsph fluid;
  for (const FluidParticle& p : scene.fluid) fluid.position.push_back((1 / h) * p.position);
  fluid.velocity.resize(fluid.position.size());
  fluid.density_start.resize(fluid.position.size());
  fluid.divergence_start.resize(fluid.position.size());
  for (const BoundarySample& s : scene.boundary) {
    fluid.boundary.push_back((1 / h) * s.position);
    fluid.weights.push_back(s.weight);
  }
  fluid.gravity = (1 / h) * scene.gravity;
  fluid.viscosity = scene.materials.at(0).viscosity / (h * h);
  return fluid;
}

DfsphStep advance(Dfsph& fluid, double dt) {
  const std::size_t count = fluid.position.size();
  const Sums sums{fluid, find_neighbors(fluid.position, fluid.boundary)};
  DfsphStep step;
  std::vector<double> density(count), factors(count);
  for (std::size_t i = 0; i < count; ++i) {
    density[i] = sums.density(i);
    factors[i] = sums.factor(i);
    step.density_error += std::max(0.0, density[i] - 1) / static_cast<double>(count);
  }
  step.divergence_iterations =
      solve(fluid, sums, factors, fluid.divergence_start, 1, dt, kDivergenceError, 1,
            [&](std::size_t i) { return sums.neighbors(i) < kLonely ? 0.0 : std::max(0.0, sums.compression(i)); });
  std::vector<Vec3> acceleration(count, fluid.gravity);
  for (std::size_t i = 0; i < count; ++i)
    sums.visit(
        i,
        [&](std::uint32_t j, Vec3 d) {  // [KBST22 eq. 68]
          const double along = dot(fluid.velocity[i] - fluid.velocity[j], d) / (dot(d, d) + 0.01);
          acceleration[i] = acceleration[i] + (10 * fluid.viscosity * along) * kernel_gradient(d);
        },
        [](std::uint32_t, Vec3) {});
  for (std::size_t i = 0; i < count; ++i) fluid.velocity[i] = fluid.velocity[i] + dt * acceleration[i];
  step.density_iterations =
      solve(fluid, sums, factors, fluid.density_start, dt, dt, kDensityError, 2,
            [&](std::size_t i) { return std::max(0.0, (density[i] - 1) / dt + sums.compression(i)); });
  for (std::size_t i = 0; i < count; ++i) {
    fluid.position[i] = fluid.position[i] + dt * fluid.velocity[i];
    step.max_speed = std::max(step.max_speed, length(fluid.velocity[i]));
  }
  return step;
}

}  // namespace sluice::reference
