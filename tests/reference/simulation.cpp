#include "tests/reference/simulation.h"

#include <utility>

namespace sluice::reference {

Simulation make_simulation(const Scene& scene) {
  const double h = scene.spacing;
  const double t0 = scene.time.max_step;
  Simulation simulation;
  simulation.spacing = h;
  simulation.time_unit = t0;
  simulation.solver = scene.solver;
  simulation.gravity = t0 * t0 / h * scene.gravity;

  for (const FluidParticle& particle : scene.fluid) {
    const FluidMaterial& material = scene.materials[particle.material];
    simulation.fluid.position.push_back(1.0 / h * particle.position);
    simulation.fluid.velocity.push_back(t0 / h * particle.velocity);
    simulation.fluid.mass.push_back(material.density / scene.materials.front().density);
    simulation.fluid.viscosity.push_back(material.viscosity * t0 / (h * h));
  }
  for (const BoundarySample& sample : scene.boundary) {
    const Body& body = scene.bodies[sample.body];
    if (dot(body.angular_velocity, body.angular_velocity) > 0) {
      throw Error("reference simulation of scene \"" + scene.name + "\": body \"" + body.name +
                  "\" turns; give it no angular velocity");
    }
    simulation.boundary.position.push_back(1.0 / h * sample.position);
    simulation.boundary.velocity.push_back(t0 / h * body.velocity);
    simulation.boundary.chord.push_back(t0 / h * body.velocity);
    simulation.boundary.approach.push_back(t0 / h * body.velocity);
    simulation.boundary.turn.push_back({});
    simulation.boundary.bow.push_back({});
    simulation.boundary.weight.push_back(sample.weight);
  }
  return simulation;
}

PreparedStep prepare_step(const Simulation& simulation, double tau) {
  const Fluid& fluid = simulation.fluid;
  const Boundary& boundary = simulation.boundary;
  const double h = simulation.spacing;
  const double t0 = simulation.time_unit;

  PreparedStep step;
  step.tau = tau;
  step.tolerance =
      solver_tolerance(simulation.solver.tolerance, length(simulation.gravity) * h / (t0 * t0), h, tau * t0);
  step.neighbors = find_neighbors(fluid.position, boundary.position);
  step.density = number_density(fluid, boundary, step.neighbors);
  step.predicted =
      predicted_velocity(fluid, viscous_acceleration(fluid, boundary, step.neighbors), simulation.gravity, tau);

  const double cap =
      penetration_cap(simulation.solver.mode, step.tolerance, simulation.solver.overlap_speed * t0 / h, tau);
  step.system.rows = step.neighbors.fluid;
  step.system.gradient = pair_gradients(fluid, step.neighbors.fluid);
  step.system.grad_boundary = boundary_gradients(fluid, boundary, step.neighbors.boundary);
  step.system.mass = fluid.mass;
  step.system.source = source_term(fluid, boundary, step.neighbors, step.density, step.predicted, tau, cap);
  step.system.diagonal = diagonals(step.system);
  limit_sources(simulation.solver.mode, step.system.diagonal, step.system.source);
  return step;
}

SolveSettings solve_settings(const Simulation& simulation, const PreparedStep& step) {
  const SolverSettings& from = simulation.solver;
  SolveSettings settings;
  settings.mode = from.mode;
  settings.acceleration = from.acceleration;
  settings.relaxation = from.relaxation_fluid;
  settings.tolerance = step.tolerance;
  settings.min_iterations = from.min_iterations;
  settings.max_iterations = from.max_iterations;
  return settings;
}

void finish_step(Simulation& simulation, const PreparedStep& step, const Solution& solution) {
  integrate(simulation.fluid, simulation.solver.mode, simulation.gravity, step.predicted, solution.displacement,
            step.tau);
  Boundary& boundary = simulation.boundary;
  for (std::size_t s = 0; s < boundary.position.size(); ++s) {
    boundary.position[s] = boundary.position[s] + step.tau * boundary.velocity[s];
  }
  simulation.last_pressure.resize(solution.pressure.size());
  for (std::size_t i = 0; i < solution.pressure.size(); ++i) {
    simulation.last_pressure[i] = solution.pressure[i] / (step.tau * step.tau);
  }
}

Solution advance(Simulation& simulation, double tau) {
  const PreparedStep step = prepare_step(simulation, tau);
  std::vector<double> start;
  if (simulation.solver.warm_start_fluid > 0) {
    for (const double p : simulation.last_pressure) start.push_back(simulation.solver.warm_start_fluid * tau * tau * p);
  }
  Solution solution = solve(step.system, solve_settings(simulation, step), start);
  finish_step(simulation, step, solution);
  return solution;
}

}  // namespace sluice::reference
