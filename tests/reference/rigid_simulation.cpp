#include "tests/reference/rigid_simulation.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/carriers.h"
#include "tests/reference/kernel.h"

namespace sluice::reference {
namespace {

constexpr double kRigidOverlapShare = 0.1;  // of the speed at which fluid expands, bodies part at

constexpr double kContactFall = 0.01;  // h

constexpr double kDefaultDensity = 1000;  // kg/m^3, where no fluid gives one

// Samples of other bodies only: those of the own body never move against each other. Nor do those of two bodies that
// cannot move.
Rows foreign_rows(const RigidSystem& s) {
  const Rows all = find_by_grid(s.position, s.position, true);
  Rows rows;
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    const std::uint32_t own = s.samples.body[r];
    for (auto k = all.start[r]; k < all.start[r + 1]; ++k) {
      const std::uint32_t other = s.samples.body[all.index[k]];
      if (other != own && !(is_fixed(s, own) && is_fixed(s, other))) rows.index.push_back(all.index[k]);
    }
    rows.start.push_back(static_cast<std::uint32_t>(rows.index.size()));
  }
  return rows;
}

Rows boundary_rows(const RigidSystem& s) {
  const Rows all = find_by_grid(s.position, s.boundary_position, false);
  Rows rows;
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    for (auto k = all.start[r]; k < all.start[r + 1] && !is_fixed(s, s.samples.body[r]); ++k)
      rows.index.push_back(all.index[k]);
    rows.start.push_back(static_cast<std::uint32_t>(rows.index.size()));
  }
  return rows;
}

// The row carriers of boundaries, as bodies behind the scene's.
void add_carriers(const Scene& scene, RigidSimulation& simulation) {
  for (const Carriers& carriers : find_carriers(scene, false)) {
    const Body& boundary = scene.bodies[carriers.boundary];
    BodyState& body = simulation.bodies.emplace_back();
    body.friction = boundary.friction.value_or(-1);
    body.friction_class = boundary.friction_class;
    body.gravity_scale = 0;
    body.free_translation = {false, false, false};
    body.turning = Turning::none;
    body.position = 1 / scene.spacing * carriers.center;
    body.velocity = simulation.base.time_unit / scene.spacing * boundary.velocity;
    body.driven = true;
    for (const RigidSample& sample : carriers.samples) {
      RigidSamples& samples = simulation.samples;
      samples.body.push_back(static_cast<std::uint32_t>(simulation.bodies.size() - 1));
      samples.local.push_back(1 / scene.spacing * sample.position);
      samples.rest_volume.push_back(sample.rest_volume);
      samples.own_sum.push_back(scene.solver.gamma / sample.rest_volume);
      samples.carriers = samples.carriers + 1;
    }
  }
}

// The positions of bodies and samples, all pairs, the volumes [eq. 3.1, 3.6].
void find_and_measure(const RigidSimulation& simulation, RigidPrepared& step) {
  const Fluid& fluid = simulation.base.fluid;
  const Boundary& boundary = simulation.base.boundary;
  RigidSystem& s = step.system;
  s.bodies = simulation.bodies;
  s.samples = simulation.samples;
  s.position = sample_positions(s.bodies, s.samples);
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    s.arm.push_back(s.position[r] - s.bodies[s.samples.body[r]].position);
  }
  s.fixed_rows = simulation.base.solver.mode == SolverMode::robust;
  s.fluid_weight = fluid_weights(s.samples);
  s.boundary_position = boundary.position;
  s.boundary_weight = boundary.weight;
  for (const double w : boundary.weight) s.boundary_volume.push_back(w / simulation.base.solver.gamma);
  s.rigid_rigid = make_pairs(foreign_rows(s), s.position, s.position);
  s.rigid_boundary = make_pairs(boundary_rows(s), s.position, boundary.position);
  s.fluid_rigid = make_pairs(find_by_grid(fluid.position, s.position, false), fluid.position, s.position);
  compute_particle_levers(s, fluid.position);
  step.fluid_neighbors = find_neighbors(fluid.position, boundary.position);

  s.slip = simulation.base.solver.slip;
  s.load_sharing = simulation.base.solver.load_sharing;
  const double h = simulation.base.spacing, t0 = simulation.base.time_unit;
  const double pull = std::max(length(simulation.base.gravity), t0 * t0 / h);  // 1 m/s^2 at least
  s.sharing_factor = std::max(1.0, kContactFall / (pull * step.tau * step.tau));
  if (simulation.base.solver.contact_weights) weigh_contacts(s, face_coverages(s, simulation.base.solver.gamma));
  compute_volumes(s);
  s.friction_rules = simulation.friction_rules;
  compute_friction(s);
  step.density = number_density(fluid, boundary, step.fluid_neighbors);
  for (std::size_t f = 0; f < step.density.size(); ++f) {
    for (auto k = s.fluid_rigid.rows.start[f]; k < s.fluid_rigid.rows.start[f + 1]; ++k) {
      step.density[f] += s.fluid_weight[s.fluid_rigid.rows.index[k]] * s.fluid_rigid.kernel[k];
    }
  }
}

// v* and omega* [eq. 3.12, 3.16].
void predict(const RigidSimulation& simulation, RigidPrepared& step) {
  const Simulation& base = simulation.base;
  step.drag = rigid_drag(step.system, base.fluid, step.tau);
  step.viscous_acceleration = viscous_acceleration(base.fluid, base.boundary, step.fluid_neighbors);
  for (std::size_t f = 0; f < step.viscous_acceleration.size(); ++f) {
    step.viscous_acceleration[f] = step.viscous_acceleration[f] + step.drag.acceleration[f];
  }
  step.predicted = predicted_velocity(base.fluid, step.viscous_acceleration, base.gravity, step.tau);
  for (std::size_t b = 0; b < simulation.bodies.size(); ++b) {
    step.predicted_bodies.push_back(predict_body(simulation.bodies[b], base.solver.mode, base.gravity,
                                                 step.drag.force[b], step.drag.torque[b], step.tau));
  }
  for (std::size_t r = 0; r < step.system.arm.size(); ++r) {
    const BodyPrediction& body = step.predicted_bodies[simulation.samples.body[r]];
    step.predicted_samples.push_back(body.velocity + cross(body.angular_velocity, step.system.arm[r]));
  }
}

// Sources and diagonals of the fluid's rows; of those next to bodies the own motion's part.
void make_fluid_system(const RigidSimulation& simulation, RigidPrepared& step) {
  const Fluid& fluid = simulation.base.fluid;
  const Boundary& boundary = simulation.base.boundary;
  const RigidSystem& s = step.system;
  PressureSystem& system = step.system.fluid;
  system.rows = step.fluid_neighbors.fluid;
  system.gradient = pair_gradients(fluid, system.rows);
  system.grad_boundary = boundary_gradients(fluid, boundary, step.fluid_neighbors.boundary);
  system.mass = fluid.mass;
  system.source =
      source_term(fluid, boundary, step.fluid_neighbors, step.density, step.predicted, step.tau, step.penetration_cap);
  for (std::size_t f = 0; f < system.mass.size(); ++f) {
    for (auto k = s.fluid_rigid.rows.start[f]; k < s.fluid_rigid.rows.start[f + 1]; ++k) {
      const auto r = s.fluid_rigid.rows.index[k];
      const Vec3 gradient = s.fluid_weight[r] * s.fluid_rigid.gradient[k];
      system.grad_boundary[f] = system.grad_boundary[f] + gradient;
      const Vec3 turn = step.predicted_bodies[s.samples.body[r]].angular_velocity;
      const Vec3 u = step.predicted_samples[r] + cross(turn, s.fluid_rigid.at[k]);
      system.source[f] -= step.tau * dot(step.predicted[f] - u, gradient);
    }
  }
  system.diagonal = diagonals(system);
  limit_sources(simulation.base.solver.mode, system.diagonal, system.source);
}

// More than the least where the last solve took over 16 iterations.
double rigid_start(double least, int iterations) {
  return least > 0 && iterations > 8 ? std::max(least, 1 - 8.0 / iterations) : least;
}

// The shares of the last step's multipliers, which scale with tau^2, that this one starts from.
Multipliers start_of(const RigidSimulation& simulation, const RigidPrepared& step) {
  const RigidSystem& s = step.system;
  const SolverSettings& solver = simulation.base.solver;
  const Multipliers& last = simulation.last;
  const double of_fluid = solver.warm_start_fluid * step.tau * step.tau;
  const double of_rigid = rigid_start(solver.warm_start_rigid, simulation.last_iterations) * step.tau * step.tau;
  Multipliers start = zero_multipliers(s);
  for (std::size_t f = 0; f < last.fluid_pressure.size(); ++f)
    start.fluid_pressure[f] = of_fluid * last.fluid_pressure[f];
  for (std::size_t r = 0; r < last.rigid_pressure.size(); ++r) {
    if (!s.pressure_on[r]) continue;
    start.rigid_pressure[r] = of_rigid * last.rigid_pressure[r];
    if (s.friction_on[r]) start.friction[r] = cone(s, r, start.rigid_pressure[r], of_rigid * last.friction[r]);
  }
  return start;
}

PastLoads past_of(const RigidSimulation& simulation, const RigidPrepared& step) {
  PastLoads past = no_past(step.system);
  if (simulation.last.rigid_pressure.empty()) return past;
  const double square = step.tau * step.tau;
  for (std::size_t r = 0; r < past.pressure.size(); ++r) {
    past.pressure[r] = square * simulation.last.rigid_pressure[r];
    past.friction[r] = square * simulation.last.friction[r];
    past.left[r] = simulation.last_left[r];
    past.slip[r] = simulation.last_slip[r];
  }
  return past;
}

}  // namespace

RigidSimulation make_rigid_simulation(const Scene& scene) {
  if (scene.solver.friction_method == FrictionMethod::staggered) {
    throw Error("reference simulation of scene \"" + scene.name + "\": friction is staggered; set it to coupled");
  }
  RigidSimulation simulation;
  simulation.base = make_simulation(scene);
  simulation.bodies = make_bodies(scene, scene.materials.empty() ? kDefaultDensity : scene.materials.front().density);
  simulation.samples = make_samples(scene);
  simulation.friction_rules = friction_rules(scene);
  add_carriers(scene, simulation);
  return simulation;
}

RigidPrepared prepare(const RigidSimulation& simulation, double tau) {
  const Simulation& base = simulation.base;
  const double h = base.spacing;
  const double t0 = base.time_unit;
  RigidPrepared step;
  step.tau = tau;
  step.tolerance = solver_tolerance(base.solver.tolerance, length(base.gravity) * h / (t0 * t0), h, tau * t0);
  const double overlap_speed = base.solver.overlap_speed * t0 / h;
  step.penetration_cap = penetration_cap(base.solver.mode, step.tolerance, overlap_speed, tau);
  step.rigid_penetration_cap =
      penetration_cap(base.solver.mode, step.tolerance, kRigidOverlapShare * overlap_speed, tau);
  find_and_measure(simulation, step);
  predict(simulation, step);
  make_fluid_system(simulation, step);
  std::vector<Displacement> samples, boundary;
  for (std::size_t r = 0; r < step.system.position.size(); ++r) {
    const BodyPrediction& body = step.predicted_bodies[simulation.samples.body[r]];
    samples.push_back({tau * step.predicted_samples[r], tau * body.angular_velocity, {}});
  }
  for (std::size_t k = 0; k < base.boundary.velocity.size(); ++k) {
    boundary.push_back(boundary_displacement(base.boundary, k, tau));
  }
  compute_sources(step.system, samples, boundary, step.rigid_penetration_cap);
  compute_diagonals(step.system);
  const PastLoads past = past_of(simulation, step);
  share_loads(step.system, past, step.tolerance);
  if (base.solver.mode == SolverMode::robust) add_rebounds(step.system, past, tau * tau * base.gravity, step.tolerance);
  step.start = start_of(simulation, step);
  return step;
}

RigidSolveSettings rigid_solve_settings(const RigidSimulation& simulation, const RigidPrepared& prepared) {
  const SolverSettings& from = simulation.base.solver;
  RigidSolveSettings settings;
  settings.mode = from.mode;
  settings.acceleration = from.acceleration;
  settings.contact_scale = from.contact_scale;
  settings.friction_update = from.friction_update;
  settings.relaxation_fluid = from.relaxation_fluid;
  settings.relaxation_rigid = from.relaxation_rigid;
  settings.tolerance = prepared.tolerance;
  settings.min_iterations = from.min_iterations;
  settings.min_iterations_contact = from.min_iterations_contact;
  settings.max_iterations = from.max_iterations;
  return settings;
}

RigidSolution solve(const RigidPrepared& prepared, const RigidSolveSettings& settings) {
  return solve(prepared.system, settings, &prepared.start);
}

void finish(RigidSimulation& simulation, const RigidPrepared& prepared, const RigidSolution& solution) {
  const double tau = prepared.tau;
  const SolverMode mode = simulation.base.solver.mode;
  const Vec3 gravity = simulation.base.gravity;
  integrate(simulation.base.fluid, mode, gravity, prepared.predicted, solution.motion.fluid, tau);
  for (std::size_t b = 0; b < simulation.bodies.size(); ++b) {
    integrate_body(simulation.bodies[b], mode, gravity, prepared.predicted_bodies[b], solution.motion.translation[b],
                   solution.motion.rotation[b], 1 / tau * solution.motion.torque[b], tau);
  }
  simulation.last = solution.multipliers;
  simulation.last_iterations = solution.iterations;
  simulation.last_left = solution.errors.tangential;
  simulation.last_slip = prepared.system.stuck_slip;
  const double per_square = 1 / (tau * tau);
  for (double& p : simulation.last.fluid_pressure) p *= per_square;
  for (double& p : simulation.last.rigid_pressure) p *= per_square;
  for (Vec3& lambda : simulation.last.friction) lambda = per_square * lambda;
  Boundary& boundary = simulation.base.boundary;
  for (std::size_t s = 0; s < boundary.position.size(); ++s) {
    boundary.position[s] = boundary.position[s] + tau * boundary.velocity[s];
  }
}

RigidSolution advance(RigidSimulation& simulation, double tau) {
  const RigidPrepared prepared = prepare(simulation, tau);
  RigidSolution solution = solve(prepared, rigid_solve_settings(simulation, prepared));
  finish(simulation, prepared, solution);
  return solution;
}

}  // namespace sluice::reference
