// The end of a step of rigid bodies, and what stays as it is, against the double-precision reference, fed with the
// device's own inputs. Bounds: see rigid_rig.h.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/reference/rigid_simulation.h"
#include "tests/rigid_rig.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

using reference::RigidSystem;

}  // namespace

TEST_CASE("bodies move on as the reference's do in both modes, and the record's sums are those of their states") {
  int flying = 0;
  on_every_rigid_scene(true, [&](Gpu& gpu, const Scene& scene) {
    RigidRig rig(gpu, scene);
    RigidSystem& s = rig.system;
    const std::size_t count = scene.rigid.size();  // what acts on boundaries' row carriers, which follow, acts on walls
    const auto drag = vulkan::download(rig.device, rig.state.body_drag, count);
    rig.take_device_volumes();
    reference::compute_diagonals(s);
    rig.set_multipliers(random_multipliers(rig, 31));
    Random random{8};
    for (gpu::RigidState& state : rig.states) {
      state.low = {random.word(), random.word(), random.word(), pack_low_word({1, -1, 0}, 0)};
      state.position.x ^= 0xffc00000u;  // beside an end of the coordinates
    }
    vulkan::upload<gpu::RigidState>(rig.device, rig.state.rigid_state, rig.states);
    rig.end_step();
    REQUIRE(rig.control().step == 1);

    const auto after = vulkan::download(rig.device, rig.state.rigid_state, count);
    const auto sums = vulkan::download(rig.device, rig.state.body_sum, count);
    const auto steps = steps_of(rig);
    const double tau = rig.tau();
    const bool paper = scene.solver.mode == SolverMode::paper;
    Worst velocity, position, orientation, momentum, spin, energy, sums_of_motion;
    const gpu::Params& params = rig.state.params_host;
    const Vec3 gravity{params.gravity_x, params.gravity_y, params.gravity_z};
    double energy_sum = 0, energy_scale = 0, top_speed = 0, moment_scale = 0, motion_scale = 0, force_scale = 0;
    Vec3 moment_sum, motion_sum, force_sum;
    for (std::size_t b = 0; b < count; ++b) {
      reference::BodyState body = s.bodies[b];
      const gpu::RigidState& found = after[b];
      const Vec3 explicit_torque = body.torque + to_vec(drag[b].fluid_torque);
      const Vec3 solved_torque = to_vec(sums[b].contact_torque) + to_vec(sums[b].fluid_torque);
      const Vec3 start = body.angular_momentum;
      const bool flies = length(to_vec(steps[b].shift)) == 0 && length(to_vec(steps[b].turn)) == 0;
      flying += flies ? 1 : 0;
      reference::integrate_body(body, scene.solver.mode, gravity,
                                {to_vec(steps[b].velocity), to_vec(steps[b].spin), start + tau * explicit_torque},
                                to_vec(steps[b].shift), to_vec(steps[b].turn), 1 / tau * solved_torque, tau);
      const double l = length(start) + tau * length(explicit_torque) + length(solved_torque) / tau;
      const double turned = length(to_vec(steps[b].spin)) + length(to_vec(steps[b].turn)) / tau;
      const double spin_bound = paper ? 8 * turned : kTensor * inverse_moment(body) * l;
      velocity.take(to_vec(found.velocity) - body.velocity,
                    4 * (length(to_vec(steps[b].velocity)) + length(to_vec(steps[b].shift)) / tau));
      spin.take(to_vec(found.spin) - body.angular_velocity, spin_bound + 24 * turned);
      const gpu::vec4& q = found.orientation;
      orientation.take(
          std::fabs(q.w - body.orientation.w) +
              length(Vec3{q.x, q.y, q.z} - Vec3{body.orientation.x, body.orientation.y, body.orientation.z}),
          24 + tau * spin_bound);
      if (paper || body.turning == Turning::free) {
        const double bound =
            paper ? kTensor * (body.inertia.row[0].x + body.inertia.row[1].y + body.inertia.row[2].z) * turned : 8 * l;
        momentum.take(to_vec(found.angular_momentum) - body.angular_momentum, bound);
      } else if (body.turning == Turning::about_axis) {
        momentum.take(to_vec(found.angular_momentum) - dot(body.axis, body.angular_momentum) * body.axis, 16 * l);
      } else {
        CHECK(length(to_vec(found.angular_momentum)) == 0);
      }
      const auto wraps = unpack_wraps(rig.states[b].low.w), new_wraps = unpack_wraps(found.low.w);
      const gpu::RigidState& old = rig.states[b];
      const std::uint32_t before[] = {old.position.x, old.position.y, old.position.z, old.low.x, old.low.y, old.low.z};
      const std::uint32_t moved[] = {found.position.x, found.position.y, found.position.z,
                                     found.low.x,      found.low.y,      found.low.z};
      const Vec3 kick =
          tau * reference::apply_inverse_mass(body, body.mass * body.gravity_scale * gravity + body.force);
      const Vec3 way = to_vec(found.velocity) - (flies && !paper ? 0.5 : 0.0) * kick;
      const double v[] = {way.x, way.y, way.z};
      const double size = length(to_vec(found.velocity)) + length(kick);
      for (int axis = 0; axis < 3; ++axis) {
        const double units = (new_wraps[axis] - wraps[axis]) * 4294967296.0 + (double(moved[axis]) - before[axis]) +
                             (double(moved[axis + 3]) - before[axis + 3]) / 4294967296.0;
        const double move = tau * v[axis] * 524288.0;
        // The product is rounded once, a mean before it, and the rest of a unit has 24 bits.
        position.take(units - move, (flies ? 6 * tau * 524288.0 * size : 1.1 * std::fabs(move)) + 1.1);
      }

      const Vec3 w = to_vec(found.spin), x = position_in_h(found.position, found.low.w);
      const double weight = body.mass * body.gravity_scale;
      const double kinetic = 0.5 * (body.mass * dot(to_vec(found.velocity), to_vec(found.velocity)) +
                                    dot(w, to_vec(found.angular_momentum)));
      energy_sum += kinetic;
      energy_scale += kinetic + length(w) * length(to_vec(found.angular_momentum));
      moment_sum = moment_sum + weight * x;
      moment_scale += weight * (length(x) + 8192);  // a coordinate is made of the wraps and a signed part
      motion_sum = motion_sum + body.mass * to_vec(found.velocity);
      motion_scale += body.mass * length(to_vec(found.velocity));
      const Vec3 force = to_vec(sums[b].contact_force) + to_vec(sums[b].fluid_force);
      force_sum = force_sum - 1 / (tau * tau) * force;
      force_scale += (length(to_vec(sums[b].contact_force)) + length(to_vec(sums[b].fluid_force))) / (tau * tau);
      const double reach = std::max(0.5, double(rig.body_records[b].inertia_mixed.w));
      top_speed = std::max(top_speed, length(to_vec(found.velocity)) + length(w) * reach);
    }
    CHECK(velocity.ratio < 1);
    CHECK(position.ratio < 1);
    CHECK(orientation.ratio < 1);
    CHECK(momentum.ratio < 1);
    CHECK(spin.ratio < 1);
    const auto partials = vulkan::download(rig.device, rig.state.step_partial, rig.groups() + 1);
    const gpu::StepPartial& p = partials.back();
    energy.take(p.kinetic_energy - energy_sum, 16 * energy_scale);
    energy.take(p.max_speed - top_speed, 16 * top_speed);
    sums_of_motion.take(Vec3{p.mass_moment_x, p.mass_moment_y, p.mass_moment_z} - moment_sum, 16 * moment_scale);
    sums_of_motion.take(Vec3{p.momentum_x, p.momentum_y, p.momentum_z} - motion_sum, 16 * motion_scale);
    sums_of_motion.take(Vec3{p.wall_force_x, p.wall_force_y, p.wall_force_z} - force_sum, 16 * force_scale);
    CHECK(energy.ratio < 1);
    CHECK(sums_of_motion.ratio < 1);
  });
  CHECK(flying > 0);
}

TEST_CASE("a body alone keeps its angular momentum to the bit, has no contact passes and moves as the reference does") {
  constexpr std::uint32_t kSteps = 40;
  Scene scene = all_rigid_scenes()[2];
  REQUIRE(scene.name == "alone");
  scene.rigid[0].torque = {};
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Rig rig(*gpu, scene);
    const auto start = vulkan::download(rig.device, rig.state.rigid_state, 1)[0];
    reference::RigidSimulation plain = reference::make_rigid_simulation(scene);
    const Vec3 origin = 1 / scene.spacing * rig.state.units.origin;
    rig.tick(0);
    for (const std::uint32_t slot : {gpu::kSlotSolveContacts, gpu::kSlotSolveParts, gpu::kSlotSolveCoupled})
      CHECK(rig.control().dispatches[slot].x == 0);
    while (rig.control().step < kSteps) {
      gpu::Control c = rig.control();
      const std::uint32_t step = c.step;
      const double tau = c.tau;
      if (c.phase == gpu::kPhaseFrame) {
        c.phase = gpu::kPhaseBegin;
        rig.set_control(c);
      }
      rig.tick(4);
      REQUIRE(rig.control().step == step + 1);
      reference::advance(plain, tau);
    }
    const auto end = vulkan::download(rig.device, rig.state.rigid_state, 1)[0];
    CHECK(std::bit_cast<std::uint32_t>(end.angular_momentum.x) ==
          std::bit_cast<std::uint32_t>(start.angular_momentum.x));
    CHECK(std::bit_cast<std::uint32_t>(end.angular_momentum.y) ==
          std::bit_cast<std::uint32_t>(start.angular_momentum.y));
    CHECK(std::bit_cast<std::uint32_t>(end.angular_momentum.z) ==
          std::bit_cast<std::uint32_t>(start.angular_momentum.z));
    const reference::BodyState& body = plain.bodies[0];
    CHECK(rig.control().contacts == 0);
    CHECK(length(position_in_h(end.position, end.low.w) + origin - body.position) < 1e-4);
    const gpu::vec4& q = end.orientation;
    const Quat& e = body.orientation;
    // A step's turn errs by about 40 half ulps of its angle, which sum up to 1.5 rad.
    CHECK(std::fabs(q.w - e.w) + length(Vec3{q.x, q.y, q.z} - Vec3{e.x, e.y, e.z}) < kSteps * 24 * kHalfUlp);
    CHECK(std::fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-6);
  }
}

TEST_CASE("a motion that is held starts at rest and stays so") {
  Scene scene = two_boxes("held", true);
  scene.rigid[0].turning = Turning::about_axis;
  scene.rigid[0].axis = {0, 0.6, -0.8};
  scene.rigid[1].turning = Turning::none;
  scene.rigid[1].free_translation = {true, false, true};
  scene.solver.max_iterations = 30;
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Rig rig(*gpu, scene);
    const auto start = vulkan::download(rig.device, rig.state.rigid_state, 2);
    for (int k = 0; k < 2; ++k) rig.tick(34);
    CHECK(rig.control().step >= 1);
    const auto end = vulkan::download(rig.device, rig.state.rigid_state, 2);
    CHECK(end[1].position.y == start[1].position.y);
    CHECK(end[1].low.y == start[1].low.y);
    CHECK(end[1].position.x != start[1].position.x);
    CHECK(end[1].orientation.w == start[1].orientation.w);
    const Vec3 spin = to_vec(end[0].spin), axis = scene.rigid[0].axis;
    CHECK(length(spin) > 1e-5);
    CHECK(length(spin - dot(spin, axis) * axis) < 4 * kHalfUlp * length(spin));
  }
}
