// An iteration's passes over rigid bodies, and the diagonals it divides by, against the reference and against finite
// differences on the device. Bounds: see rigid_rig.h.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/rigid_rig.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

using reference::RigidSystem;

// Bounds of a body's part of a sample's diagonals, in half ulps.
struct PartBound {
  double pressure = 0, friction = 0;
};
PartBound part_bound(const RigidSystem& s, std::size_t r, std::uint32_t b) {
  const bool own = s.samples.body[r] == b;
  const double by_mass = 1 / s.bodies[b].mass, by_moment = inverse_moment(s.bodies[b]);
  Vec3 force, torque;
  double force_bound = 0, torque_bound = 0, w = 0, w_bound = 0, slip_sum = 0, slip_bound = 0, sum_bound = 0, reach = 1;
  for (const RowContact& c : contacts_of(s, r)) {
    sum_bound += c.bound.kernel;
    if (!own && c.body != b) continue;
    const Vec3 arm = own ? s.arm[r] : s.arm[c.index];
    reach = std::max(reach, length(arm) + 1);
    force = force + c.gradient;
    torque = torque + cross(arm, c.gradient);
    force_bound += c.bound.gradient;
    torque_bound += length(arm) * c.bound.gradient;
    w += c.kernel;
    w_bound += c.bound.kernel;
    const SlipWeight slip = slip_weight(s, r, c);
    slip_sum += slip.value;
    slip_bound += slip.bound;
  }
  const double f = length(force), t = length(torque), v0 = s.samples.rest_volume[r];
  const double inverse_sum = s.mirror_volume[r];
  const double response = by_mass + by_moment * reach * reach;
  const double a = own ? slip_sum : inverse_sum * w * slip_sum;
  const double a_bound = slip_bound + inverse_sum * (w_bound + sum_bound) * slip_sum + kTensor * a;
  return {v0 * v0 * v0 *
              (2 * f * by_mass * force_bound + 2 * t * by_moment * torque_bound +
               kTensor * (f * f * by_mass + t * t * by_moment)),
          a_bound * response};
}

// In a fluid particle's row.
double coupled_bound(const RigidRig& rig, std::uint32_t f, std::uint32_t b) {
  const RigidSystem& s = rig.system;
  const double by_mass = 1 / s.bodies[b].mass, by_moment = inverse_moment(s.bodies[b]);
  double size = 0, bound = 0, reach = 1;
  for (auto k = s.fluid_rigid.rows.start[f]; k < s.fluid_rigid.rows.start[f + 1]; ++k) {
    const auto j = s.fluid_rigid.rows.index[k];
    if (s.samples.body[j] != b) continue;
    size += s.fluid_weight[j] * length(s.fluid_rigid.gradient[k]);
    bound += s.fluid_weight[j] * pair_bound(rig.before.position[f] - s.position[j]).gradient;
    reach = std::max(reach, length(s.arm[j]));
  }
  return (2 * bound + kTensor * size) * size * (by_mass + by_moment * reach * reach);
}

reference::RigidSolveSettings settings_of(const Scene& scene) {
  reference::RigidSolveSettings settings;
  settings.mode = scene.solver.mode;
  settings.contact_scale = scene.solver.contact_scale;
  settings.friction_update = scene.solver.friction_update;
  settings.relaxation_fluid = static_cast<float>(scene.solver.relaxation_fluid);
  settings.relaxation_rigid = static_cast<float>(scene.solver.relaxation_rigid);
  return settings;
}

// What a workgroup sums up, and bounds.
struct Sums {
  double residual = 0, residual_bound = 0, norm = 0, norm_bound = 0, count = 0;
  void add(double r, double r_bound, double weight, double change, double change_bound) {
    residual += r;
    residual_bound += r_bound + 16 * r;
    norm += weight * change * change;
    norm_bound += weight * (2 * change + kHalfUlp * change_bound) * change_bound + 24 * weight * change * change;
    count += 1;
  }
};

}  // namespace

TEST_CASE("diagonals by body equal the reference; a row of more bodies than its record holds says so") {
  on_every_rigid_scene(false, [](Gpu& gpu, const Scene& scene) {
    RigidRig rig(gpu, scene);
    RigidSystem& s = rig.system;
    rig.take_device_volumes();
    reference::compute_diagonals(s);
    const auto records = by_sample(rig, rig.state.sample_row);
    Worst pressure, friction, fluid, compliance;
    std::size_t many = 0, switched = 0, rows = 0;
    bool order = true;
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      if (s.foreign_sum[r] == 0) continue;
      const gpu::SampleRow& record = records[rig.lane[r]];
      CHECK((record.body.x != gpu::kNoBody) == has_row(s, r));
      if (!has_row(s, r)) continue;
      ++rows;
      switched += s.pressure_on[r] ? 0 : 1;
      order &= record.body.x == s.samples.body[r];
      const auto parts = s.rigid_diagonal.start[r + 1] - s.rigid_diagonal.start[r];
      CHECK((record.body.w == gpu::kManyBodies) == (parts > 4));
      many += parts > 4 ? 1 : 0;
      const std::uint32_t words[] = {record.body.y, record.body.z, record.body.w};
      for (std::uint32_t k = 0; k + 1 < std::min(parts - 1, 3u); ++k) order &= words[k] < words[k + 1];
      for (auto m = s.rigid_diagonal.start[r]; m < s.rigid_diagonal.start[r + 1]; ++m) {
        const reference::DiagonalPart& part = s.rigid_diagonal.part[m];
        const std::uint32_t slot = slot_of(record.body, part.body);
        CHECK((slot < 4 || parts > 4));
        if (slot == 4) continue;
        const PartBound bound = part_bound(s, r, part.body);
        pressure.take(part_in(record.pressure, slot) - part.pressure, bound.pressure);
        friction.take(part_in(record.friction, slot) - part.friction, bound.friction);
      }
      const gpu::vec4& p = record.pressure;
      compliance.take(record.volume.w - s.load_sharing * s.sharing_factor * (double(p.x) + p.y + p.z + p.w),
                      8 * record.volume.w);
    }
    CHECK(order);
    // The reference weighs its threshold of a row with the mass.
    CHECK(switched <= 2 + rows / 20);
    if (scene.name == "crowd") CHECK(many > 20);
    const auto coupled = vulkan::download(rig.device, rig.state.coupled_row, rig.begun.coupled);
    const auto particles = vulkan::download(rig.device, rig.state.coupled_particle, rig.begun.coupled);
    std::size_t many_fluid = 0;
    for (std::uint32_t c = 0; c < coupled.size(); ++c) {
      const std::uint32_t f = particles[c];
      const auto parts = s.fluid_diagonal.start[f + 1] - s.fluid_diagonal.start[f];
      CHECK((coupled[c].body.w == gpu::kManyBodies) == (parts > 4));
      many_fluid += parts > 4 ? 1 : 0;
      for (auto m = s.fluid_diagonal.start[f]; m < s.fluid_diagonal.start[f + 1]; ++m) {
        const reference::DiagonalPart& part = s.fluid_diagonal.part[m];
        const std::uint32_t slot = slot_of(coupled[c].body, part.body);
        CHECK((slot < 4 || parts > 4));
        if (slot < 4) fluid.take(part_in(coupled[c].pressure, slot) - part.pressure, coupled_bound(rig, f, part.body));
      }
    }
    if (scene.name == "crowd") CHECK(many_fluid > 10);
    CHECK(pressure.ratio < 1);
    CHECK(friction.ratio < 1);
    CHECK(compliance.ratio < 1);
    CHECK(fluid.ratio < 1);
  });
}

TEST_CASE("forces, motions, errors, counts, the Jacobi step and its sums equal the reference in both modes") {
  std::size_t capped = 0, springs = 0;  // rows at the limit on parting; rows below it
  on_every_rigid_scene(true, [&](Gpu& gpu, const Scene& scene) {
    RigidRig rig(gpu, scene);
    if (rig.begun.contact_chunks == 0) return;
    RigidSystem& s = rig.system;
    rig.take_device_volumes();
    reference::compute_diagonals(s);
    take_device_diagonals(rig);
    const reference::Multipliers x = random_multipliers(rig, 7);
    rig.set_multipliers(x);
    rig.iterate();
    REQUIRE(rig.control().failure == 0);
    const std::size_t bodies = s.bodies.size(), count = s.position.size();

    // Forces on bodies, and their motion.
    reference::Multipliers of_contact = x, of_fluid = x;
    std::fill(of_contact.fluid_pressure.begin(), of_contact.fluid_pressure.end(), 0.0);
    std::fill(of_fluid.rigid_pressure.begin(), of_fluid.rigid_pressure.end(), 0.0);
    std::fill(of_fluid.friction.begin(), of_fluid.friction.end(), Vec3{});
    const reference::Motion contact = reference::motion_of(s, of_contact), fluid = reference::motion_of(s, of_fluid);
    std::vector<double> contact_bound(bodies, 1e-9), contact_reach(bodies, 1), fluid_bound(bodies, 1e-9);
    for (std::size_t r = 0; r < count; ++r) {
      const std::uint32_t own = s.samples.body[r];
      const double v0 = s.samples.rest_volume[r], p = v0 * v0 * x.rigid_pressure[r];
      const double lambda = length(x.friction[r]) + p / (v0 * v0) * length(s.normal_force[r]);
      contact_reach[own] = std::max(contact_reach[own], length(s.arm[r]) + 1);
      if (p == 0 && lambda == 0) continue;
      contact_bound[own] += 16 * lambda;
      for (const RowContact& c : contacts_of(s, r)) {
        const double bound = p * c.bound.gradient + lambda * s.mirror_volume[r] * (c.bound.kernel + 8 * c.kernel);
        contact_bound[own] += bound;
        if (c.rigid) contact_bound[c.body] += bound;
      }
    }
    for_coupled(s, [&](std::uint32_t f, std::uint32_t k, Vec3) {
      fluid_bound[s.samples.body[k]] +=
          s.fluid_weight[k] * x.fluid_pressure[f] * pair_bound(rig.before.position[f] - s.position[k]).gradient;
    });
    const auto sums = vulkan::download(rig.device, rig.state.body_sum, bodies);
    const auto steps = steps_of(rig);
    Worst contact_force, contact_torque, fluid_force, fluid_torque, shift, turn;
    reference::Motion motion;
    for (std::size_t b = 0; b < bodies; ++b) {
      contact_force.take(to_vec(sums[b].contact_force) - contact.force[b], contact_bound[b]);
      contact_torque.take(to_vec(sums[b].contact_torque) - contact.torque[b], contact_bound[b] * contact_reach[b]);
      fluid_force.take(to_vec(sums[b].fluid_force) - fluid.force[b], fluid_bound[b]);
      fluid_torque.take(to_vec(sums[b].fluid_torque) - fluid.torque[b], fluid_bound[b] * contact_reach[b]);
      const reference::BodyState& body = s.bodies[b];
      const auto both = [](Vec3 u, Vec3 v) { return length(u) + length(v); };
      const Vec3 f = to_vec(sums[b].contact_force), g = to_vec(sums[b].fluid_force);
      const Vec3 t = to_vec(sums[b].contact_torque), h = to_vec(sums[b].fluid_torque);
      motion.translation.push_back(to_vec(steps[b].shift));
      motion.rotation.push_back(to_vec(steps[b].turn));
      shift.take(motion.translation[b] - reference::apply_inverse_mass(body, f + g), 4 * both(f, g) / body.mass);
      turn.take(motion.rotation[b] - reference::apply_inverse_inertia(body, body.orientation, t + h),
                kTensor * inverse_moment(body) * both(t, h));
    }
    CHECK(contact_force.ratio < 1);
    CHECK(contact_torque.ratio < 1);
    CHECK(fluid_force.ratio < 1);
    CHECK(fluid_torque.ratio < 1);
    CHECK(shift.ratio < 1);
    CHECK(turn.ratio < 1);

    // Displacements, volume errors and sliding.
    const auto displacement = by_sample(rig, rig.state.sample_velocity);
    const auto solve = by_sample(rig, rig.state.sample_solve);
    for (const gpu::vec4& a : vulkan::download(rig.device, rig.state.acceleration, rig.particles()))
      motion.fluid.push_back(to_vec(a));
    reference::Errors errors = reference::errors_of(s, motion, x);
    Worst moved, volume_error, sliding;
    const auto moved_bound = [&](std::size_t r) {
      const std::uint32_t b = s.samples.body[r];
      return 8 * (length(motion.translation[b]) + length(motion.rotation[b]) * length(s.arm[r]));
    };
    const auto turn_of = [&](std::size_t r) { return length(motion.rotation[s.samples.body[r]]); };
    const auto size_of = [&](std::uint32_t r) { return length(to_vec(displacement[rig.lane[r]])); };
    for (std::uint32_t r = 0; r < count; ++r) {
      if (!has_row(s, r)) continue;
      const std::uint32_t b = s.samples.body[r];
      moved.take(to_vec(displacement[rig.lane[r]]) - motion.translation[b] - cross(motion.rotation[b], s.arm[r]),
                 moved_bound(r));
      double error_bound = 8 * (std::fabs(s.pressure_source[r]) + std::fabs(s.overlap[r]));
      double slide_bound = 16 * length(s.friction_source[r]) + 1e-3;
      for (const RowContact& c : contacts_of(s, r)) {
        const double u = size_of(r) + (c.rigid ? size_of(c.index) : 0);
        const double du = moved_bound(r) + (c.rigid ? moved_bound(c.index) : 0);
        error_bound += s.samples.rest_volume[r] * (u * c.bound.gradient + du * length(c.gradient));
        const SlipWeight w = slip_weight(s, r, c);
        const double turned = turn_of(r) + (c.rigid ? turn_of(c.index) : 0);
        slide_bound += (u + turned) * (w.bound + 8 * w.value) + du * w.value;
      }
      const gpu::vec4& found = solve[rig.lane[r]].error;
      volume_error.take(found.w - errors.rigid[r], error_bound);
      const double left = s.overlap[r] + reference::elastic_error(s, r, x.rigid_pressure[r]);
      (left < -s.penetration_cap ? capped : springs) += 1;
      sliding.take(to_vec(found) - errors.tangential[r], slide_bound);
      errors.rigid[r] = found.w;
      errors.tangential[r] = to_vec(found);
    }
    CHECK(moved.ratio < 1);
    CHECK(volume_error.ratio < 1);
    CHECK(sliding.ratio < 1);

    // Counts and the Jacobi step.
    const auto settings = settings_of(scene);
    const reference::StepScale scale = reference::step_scale(s, x, errors, settings.contact_scale);
    const auto touching = vulkan::download(rig.device, rig.state.touching_rows, bodies);
    for (std::size_t b = 0; b < bodies; ++b) CHECK(std::max(touching[b], 1u) == scale.contacts[b]);
    const reference::Multipliers next = reference::jacobi_step(s, settings, x, errors, scale);
    const bool paper = settings.mode == SolverMode::paper;
    const double relaxation = settings.relaxation_rigid;
    Worst pressure, friction;
    const auto listed = vulkan::download(rig.device, rig.state.contact_sample, rig.begun.contact_chunks * gpu::kChunk);
    std::vector<std::size_t> place_in_list(rig.sample_at.size());
    for (std::size_t k = 0; k < listed.size(); ++k)
      if (listed[k] != gpu::kNoBody) place_in_list[listed[k]] = k;
    const std::size_t groups = (rig.begun.contact_chunks + 15) / 16;
    std::vector<Sums> contact_sums(groups), friction_sums(groups);
    for (std::size_t r = 0; r < count; ++r) {
      if (!has_row(s, r)) continue;
      const double own_count = scale.contacts[s.samples.body[r]];
      double d_bound = 8 * scale.rigid_pressure[r], df_bound = 8 * scale.friction[r];
      const auto first = s.rigid_diagonal.start[r], end = s.rigid_diagonal.start[r + 1];
      for (auto m = first; m < end && end - first > 4; ++m) {
        const std::uint32_t b = s.rigid_diagonal.part[m].body;
        const double n = settings.contact_scale == ContactScale::per_body ? scale.contacts[b] : own_count;
        d_bound += n * part_bound(s, r, b).pressure;
        df_bound += n * part_bound(s, r, b).friction;
      }
      const double d = scale.rigid_pressure[r], p = x.rigid_pressure[r], error = errors.rigid[r];
      const gpu::SampleSolve& found = solve[rig.lane[r]];
      const double p_step = relaxation * std::fabs(error) / d;
      const double p_bound = p_step * (d_bound / d + 8) + 4 * p;
      pressure.take(found.next.w - next.rigid_pressure[r], p_bound);
      const double cone = s.friction[r] * reference::normal_load(s, r);
      const double df = scale.friction[r], slide = length(errors.tangential[r]) / df, lambda = length(x.friction[r]);
      const double lambda_bound = 24 * (lambda + relaxation * slide) + relaxation * slide * df_bound / df +
                                  2 * cone * p_bound + 24 * cone * next.rigid_pressure[r];
      friction.take(to_vec(found.next) - next.friction[r], lambda_bound);
      if (!scale.rigid_active[r]) continue;
      const std::size_t g = place_in_list[rig.lane[r]] / gpu::kGroup;
      const double weight = paper ? 1 : d, friction_weight = paper ? 1 : df;
      const double missed = std::fabs(reference::fischer_burmeister(p * d, error));
      contact_sums[g].add(missed, 3 * (p * d_bound + 8 * (p * d + std::fabs(error))), weight,
                          std::fabs(next.rigid_pressure[r] - p), p_bound);
      const Vec3 goal = reference::cone(s, r, p, x.friction[r] - 1 / df * errors.tangential[r]);
      friction_sums[g].add(df * length(x.friction[r] - goal),
                           df * 24 * (lambda + slide + cone * p) + df_bound * (lambda + 2 * slide + cone * p),
                           friction_weight, length(next.friction[r] - x.friction[r]), lambda_bound);
    }
    CHECK(pressure.ratio < 1);
    CHECK(friction.ratio < 1);
    Worst residual, norm;
    const auto partials = vulkan::download(rig.device, rig.state.contact_partial, groups);
    for (std::size_t g = 0; g < groups; ++g) {
      residual.take(partials[g].residual - contact_sums[g].residual, contact_sums[g].residual_bound);
      residual.take(partials[g].friction_residual - friction_sums[g].residual, friction_sums[g].residual_bound);
      norm.take(partials[g].norm - contact_sums[g].norm, contact_sums[g].norm_bound);
      norm.take(partials[g].friction_norm - friction_sums[g].norm, friction_sums[g].norm_bound);
      CHECK(partials[g].active_rows == contact_sums[g].count);
      CHECK(partials[g].friction_rows == friction_sums[g].count);
      CHECK(partials[g].bad == 0);
    }

    // Fluid: the rows away from bodies by their own groups, those next to them by their place in the list.
    const auto fluid_solve = vulkan::download(rig.device, rig.state.solve, rig.particles());
    const auto coupled_index = vulkan::download(rig.device, rig.state.coupled_index, rig.particles());
    std::vector<Sums> near((rig.begun.coupled + 255) / 256), away(rig.groups());
    Worst fluid_pressure, fluid_motion;
    for (std::size_t f = 0; f < rig.particles(); ++f) {
      const double p = x.fluid_pressure[f], d = scale.fluid_pressure[f], error = errors.fluid[f];
      const Vec3 u = motion.fluid[f];
      double push = p * (1 + length(s.fluid.grad_boundary[f])), error_bound = 8 * std::fabs(s.fluid.source[f]);
      error_bound += 8 * length(u) * (1 + length(s.fluid.grad_boundary[f]));
      const auto& rows = s.fluid.rows;
      for (auto k = rows.start[f]; k < rows.start[f + 1]; ++k) {
        push += p + x.fluid_pressure[rows.index[k]];
        error_bound += 8 * length(u - motion.fluid[rows.index[k]]);
      }
      fluid_motion.take(u - fluid.fluid[f], 6 * push / s.fluid.mass[f] + 1e-3);
      double d_bound = 8 * d;
      const auto first = s.fluid_rigid.rows.start[f], end = s.fluid_rigid.rows.start[f + 1];
      for (auto k = first; k < end; ++k)
        error_bound += 8 * size_of(s.fluid_rigid.rows.index[k]) + moved_bound(s.fluid_rigid.rows.index[k]);
      for (auto m = s.fluid_diagonal.start[f]; m < s.fluid_diagonal.start[f + 1]; ++m) {
        const std::uint32_t b = s.fluid_diagonal.part[m].body;
        d_bound += (paper ? 1u : scale.contacts[b]) * coupled_bound(rig, static_cast<std::uint32_t>(f), b);
      }
      const double step = settings.relaxation_fluid / d;
      const double p_bound = step * (error_bound + std::fabs(error) * (8 + d_bound / d)) + 4 * p;
      fluid_pressure.take(fluid_solve[f].w - next.fluid_pressure[f], p_bound);
      if (!scale.fluid_active[f]) continue;
      (first < end ? near[coupled_index[f] / 256] : away[f / 256])
          .add(std::fabs(reference::fischer_burmeister(p * d, error)),
               3 * (error_bound + p * d_bound + 8 * (p * d + std::fabs(error))), paper ? 1 : d,
               std::fabs(next.fluid_pressure[f] - p), p_bound);
    }
    CHECK(fluid_motion.ratio < 1);
    CHECK(fluid_pressure.ratio < 1);
    const auto check_groups = [&](const std::vector<Sums>& expected, const auto& buffer) {
      const auto found = vulkan::download(rig.device, buffer, expected.size());
      for (std::size_t g = 0; g < expected.size(); ++g) {
        residual.take(found[g].residual - expected[g].residual, expected[g].residual_bound);
        norm.take(found[g].norm - expected[g].norm, expected[g].norm_bound);
        CHECK(found[g].active_rows == expected[g].count);
        CHECK(found[g].bad == 0);
      }
    };
    check_groups(near, rig.state.coupled_partial);
    check_groups(away, rig.state.solve_partial);
    CHECK(residual.ratio < 1);
    CHECK(norm.ratio < 1);
  });
  CHECK(capped > 20);
  CHECK(springs > 20);
}

namespace {

// The device's V_err and v_tang for given multipliers.
std::vector<gpu::vec4> errors_at(RigidRig& rig, const reference::Multipliers& x) {
  rig.set_multipliers(x);
  rig.iterate();
  std::vector<gpu::vec4> errors;
  for (const gpu::SampleSolve& solve : by_sample(rig, rig.state.sample_solve)) errors.push_back(solve.error);
  return errors;
}

Vec3 tangent_of(Vec3 n) {
  const Vec3 t = cross(n, std::fabs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
  return 1 / length(t) * t;
}

}  // namespace

TEST_CASE("on the device, the diagonals are the finite differences of volume errors and sliding") {
  constexpr int kTried = 8;
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    for (const Scene& scene : {two_boxes("boxes in fluid", true), crowd()}) {
      CAPTURE(scene.name);
      RigidRig rig(*gpu, scene);
      RigidSystem& s = rig.system;
      rig.take_device_volumes();
      reference::compute_diagonals(s);
      take_device_diagonals(rig);
      std::vector<std::uint32_t> rows;
      for (std::uint32_t r = 0; r < s.position.size(); ++r) {
        // Differences of weak rows drown in rounding.
        if (has_row(s, r) && s.foreign_sum[r] > 0.02 && length(s.normal_force[r]) > 0.02) rows.push_back(r);
      }
      REQUIRE(rows.size() >= kTried);
      const reference::Multipliers zero = reference::zero_multipliers(s);
      const auto start = errors_at(rig, zero);
      for (int k = 0; k < kTried; ++k) {
        const std::uint32_t r = rows[k * rows.size() / kTried], i = rig.lane[r];
        double diagonal = 0, friction = 0;
        for (auto m = s.rigid_diagonal.start[r]; m < s.rigid_diagonal.start[r + 1]; ++m) {
          diagonal += s.rigid_diagonal.part[m].pressure;
          friction += s.rigid_diagonal.part[m].friction;
        }
        reference::Multipliers x = zero;
        x.rigid_pressure[r] = static_cast<float>(0.01 / diagonal);
        const double change = double(errors_at(rig, x)[i].w) - start[i].w;
        // V_err and what it is made of are below a few units.
        const double p = x.rigid_pressure[r];
        const auto mended = [&](double pressure) { return reference::overlap_to_mend(s, r, pressure).error; };
        CHECK(change == doctest::Approx(diagonal * p + mended(p) - mended(0)).epsilon(16 * kHalfUlp / 0.01 + 1e-5));

        double trace = 0;
        const Vec3 t = tangent_of(s.normal[r]);
        for (const Vec3& e : {t, cross(s.normal[r], t)}) {
          x = zero;
          x.rigid_pressure[r] = 1e-9;  // without pressure there is no friction, nor what a row of one face leaves out
          const double size = 0.01 / friction;
          x.friction[r] = {float(size * e.x), float(size * e.y), float(size * e.z)};
          trace += dot(to_vec(errors_at(rig, x)[i]) - to_vec(start[i]), e) / size;
        }
        CHECK(trace / 3 ==
              doctest::Approx(friction + 2.0 / 3 * s.friction_compliance[r]).epsilon(16 * kHalfUlp / 0.01 + 1e-5));
      }
    }
  }
}
