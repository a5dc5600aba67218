#include "engine/params.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace sluice {
namespace {

// The stiffness of contacts is that of a step in which gravity moves a body by half of this, h
// (shaders/lib/compliance.glsl).
constexpr double kContactFall = 0.01;

}  // namespace

gpu::Params make_params(const Scene& scene, const Units& units, const Sizes& sizes) {
  const double time = units.time, length = units.length;
  const double acceleration = time * time / length;  // SI to h / T0^2
  const double gravity = sluice::length(scene.gravity);
  gpu::Params p{};
  // In whole spacings, so that rounding does not decide on which side something is.
  const auto side = [&](double metres, double origin, double slack) {
    return narrow(
        std::clamp<double>(std::floor((metres - origin) / length + slack), -gpu::kDomainReach, gpu::kDomainReach));
  };
  const auto low = [&](Vec3 corner) {
    const Vec3 o = units.origin;
    return std::array{side(corner.x, o.x, 1e-3), side(corner.y, o.y, 1e-3), side(corner.z, o.z, 1e-3)};
  };
  const auto high = [&](Vec3 corner) {
    const Vec3 o = units.origin;
    return std::array{side(corner.x, o.x, 1 - 1e-3), side(corner.y, o.y, 1 - 1e-3), side(corner.z, o.z, 1 - 1e-3)};
  };
  std::tie(p.domain_low_x, p.domain_low_y, p.domain_low_z) = std::tuple_cat(low(scene.domain.low));
  std::tie(p.domain_high_x, p.domain_high_y, p.domain_high_z) = std::tuple_cat(high(scene.domain.high));
  std::tie(p.step_low_x, p.step_low_y, p.step_low_z) = std::tuple_cat(low(scene.step_domain.low));
  std::tie(p.step_high_x, p.step_high_y, p.step_high_z) = std::tuple_cat(high(scene.step_domain.high));
  p.gravity_x = narrow(scene.gravity.x * acceleration);
  p.gravity_y = narrow(scene.gravity.y * acceleration);
  p.gravity_z = narrow(scene.gravity.z * acceleration);
  p.gravity_length = narrow(gravity * acceleration);
  p.cfl = narrow(std::min(scene.time.cfl, 1e9));
  for (std::size_t m = 0; m < scene.materials.size(); ++m) {
    const FluidMaterial& material = scene.materials[m];
    const double mass = material.density / units.density;
    const double nu = material.viscosity * time / (length * length);
    p.materials[m] = {narrow(mass), narrow(1 / mass), narrow(nu * mass), 0};
  }
  const double viscosity = largest_viscosity(scene.materials) * time / (length * length);
  p.viscous = viscosity > 0 ? 1 : 0;
  set_pairs(scene, p);
  p.viscous_limit = viscosity > 0 ? narrow(0.05 / viscosity) : 1e9f;
  p.frame_length = narrow(scene.time.frame_interval / time);
  p.tolerance_scale = narrow(scene.solver.tolerance * std::max(gravity, 1.0) * acceleration);
  const bool limited = scene.solver.mode == SolverMode::robust && scene.solver.overlap_speed > 0;
  p.overlap_speed = limited ? narrow(scene.solver.overlap_speed * time / length) : 0;
  p.relaxation = narrow(scene.solver.relaxation_fluid);
  p.relaxation_rigid = narrow(scene.solver.relaxation_rigid);
  p.gamma = narrow(scene.solver.gamma);
  p.mass_splitting = scene.solver.contact_scale == ContactScale::per_body ? 1 : 0;
  p.friction_target = scene.solver.friction_update == FrictionUpdate::target ? 1 : 0;
  p.staggered_friction = scene.solver.friction_method == FrictionMethod::staggered ? 1 : 0;
  p.contact_weights = scene.solver.contact_weights ? 1 : 0;
  p.midpoint_slip = scene.solver.slip == Slip::midpoint ? 1 : 0;
  p.sample_weights = scene.solver.sample_weights ? 1 : 0;
  const bool staggered = scene.solver.friction_method == FrictionMethod::staggered;
  p.load_sharing = staggered ? 0 : narrow(scene.solver.load_sharing);
  // Not by the gravity that edits set: contacts keep their stiffness.
  p.contact_time_squared = narrow(kContactFall / (std::max(gravity, 1.0) * acceleration));
  p.warm_start_fluid = narrow(scene.solver.warm_start_fluid);
  p.warm_start_rigid = narrow(scene.solver.warm_start_rigid);
  p.paper_mode = scene.solver.mode == SolverMode::paper ? 1 : 0;
  p.nncg = scene.solver.acceleration == Acceleration::nncg ? 1 : 0;
  p.min_iterations = static_cast<std::uint32_t>(scene.solver.min_iterations);
  p.min_iterations_contact = static_cast<std::uint32_t>(scene.solver.min_iterations_contact);
  p.max_iterations = static_cast<std::uint32_t>(scene.solver.max_iterations);
  p.last_frame =
      static_cast<std::uint32_t>(std::max(1.0, std::floor(scene.time.end / scene.time.frame_interval + 0.5)));
  p.bodies = static_cast<std::uint32_t>(sizes.bodies);
  p.rigid = static_cast<std::uint32_t>(sizes.rigid.bodies);
  p.carriers = static_cast<std::uint32_t>(sizes.rigid.carriers.size());
  p.fixed_rows = has_fixed_rows(scene.solver) ? 1 : 0;
  p.parts = static_cast<std::uint32_t>(sizes.rigid.parts);
  p.sample_row = static_cast<std::uint32_t>(sizes.sample_row);
  p.sample_sort_digits = sort_digits(sizes.rigid.key_bits);
  p.sample_grid = sizes.rigid.grid;
  p.round = rolls(scene.solver) && std::any_of(scene.rigid.begin(), scene.rigid.end(), [&](const RigidBody& body) {
              return scene.shapes[body.shape].round.kind != Roundness::none;
            });
  p.boundary_moves = sizes.boundary_moves() ? 1 : 0;
  double boundary_speed = 0;
  for (const BoundarySample& sample : scene.boundary) {
    const Body& body = scene.bodies[sample.body];
    if (!body.moving()) continue;
    const double reach = sluice::length(sample.position - body.position);
    boundary_speed =
        std::max(boundary_speed, sluice::length(body.velocity) + sluice::length(body.angular_velocity) * reach);
  }
  p.boundary_speed = narrow(boundary_speed * time / length);
  p.row_capacity = sizes.row_capacity;
  p.page_shift = sizes.page_shift;
  p.sort_digits = sort_digits(sizes.key_bits);
  p.boundary_sort_digits = sort_digits(sizes.boundary_key_bits);
  p.grid = sizes.grid;
  p.boundary_grid = sizes.boundary_grid;
  return p;
}

float initial_speed(const Scene& scene, const Units& units) {
  double speed = 0;
  for (const FluidParticle& particle : scene.fluid) speed = std::max(speed, length(particle.velocity));
  for (const RigidBody& body : scene.rigid) {
    double radius = 0.5 * scene.spacing;
    for (const RigidSample& sample : scene.shapes[body.shape].samples)
      radius = std::max(radius, length(sample.position));
    speed = std::max(speed, length(body.velocity) + length(body.angular_velocity) * radius);
  }
  return narrow(speed / units.velocity());
}

void choose_first_step(gpu::Control& c, const gpu::Params& p) {
  const float by_speed = p.cfl / (std::max(c.max_speed, p.boundary_speed) + p.gravity_length + 1e-12f);
  const float limit = std::min({1.0f, by_speed, p.viscous_limit});
  c.tau = p.frame_length / std::max(std::floor(p.frame_length / limit + 0.9999f), 1.0f);
  c.tau_limit = limit;
  c.limit = limit == 1.0f ? gpu::kLimitMaxStep : limit == by_speed ? gpu::kLimitCfl : gpu::kLimitViscosity;
  if (c.tau < 0.999f * limit) c.limit = gpu::kLimitFrame;
}

}  // namespace sluice
