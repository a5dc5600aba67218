// The passes that set a step of rigid bodies up, against the double-precision reference, fed with the
// device's own inputs. Bounds: see rigid_rig.h.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/reference/kernel.h"
#include "tests/reference/rigid_simulation.h"
#include "tests/rigid_rig.h"
#include "tests/scene_builders.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

using reference::RigidSystem;

float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

Vec3 sample_velocity(const RigidRig& rig, std::size_t r) {
  const reference::BodyState& body = rig.system.bodies[rig.system.samples.body[r]];
  return body.velocity + cross(body.angular_velocity, rig.system.arm[r]);
}

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> row) {
  std::sort(row.begin(), row.end());
  return row;
}

std::vector<std::uint32_t> range(std::uint64_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0u);
  return values;
}

// The device's own test, operation by operation.
bool are_neighbors(const gpu::uvec4& a, const gpu::uvec4& b) {
  const auto axis = [](std::uint32_t x, std::uint32_t y) { return float(std::int32_t(x - y)) * gpu::kUnit; };
  const float x = axis(a.x, b.x), y = axis(a.y, b.y), z = axis(a.z, b.z);
  return x * x + y * y + z * z < gpu::kSupportSquared;
}

}  // namespace

TEST_CASE("samples lie and move with their bodies, padding has none, inverse inertia turns along") {
  on_every_rigid_scene(false, [](Gpu& gpu, const Scene& scene) {
    RigidRig rig(gpu, scene);
    const RigidSystem& s = rig.system;
    rig.run([&](PassRecorder& run) {
      run.run_groups<Pass::begin_bodies>(1);
      run.run_groups<Pass::place_samples>(static_cast<std::uint32_t>(rig.state.sizes.rigid.sample_groups), {0});
    });
    const auto placed = by_sample(rig, rig.state.rigid_sample);
    const auto velocity = by_sample(rig, rig.state.sample_velocity);
    const auto expected = reference::sample_positions(s.bodies, s.samples);
    Worst motion;
    double place = 0;
    bool words = true;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const std::uint32_t i = rig.lane[k];
      const reference::BodyState& body = s.bodies[s.samples.body[k]];
      // Half a unit of rounding an axis, and that of the rotation.
      const double bound = 1.0 / 524288 + 12 * kHalfUlp * length(s.samples.local[k]);
      place = std::max(place, length(position_in_h(placed[i], 0) - expected[k]) / bound);
      const Vec3 arm = expected[k] - body.position;
      const Vec3 expected_velocity = body.driven ? reference::carrier_velocity(body, arm, rig.tau())
                                                 : body.velocity + cross(body.angular_velocity, arm);
      motion.take(to_vec(velocity[i]) - expected_velocity,
                  16 * (length(body.velocity) + length(body.angular_velocity) * length(arm)));
      const bool carrier = k >= expected.size() - s.samples.carriers;
      const double weight = carrier ? 0 : std::floor(std::min(s.samples.rest_volume[k], 1.2) * 2048 + 0.5);
      words &= (placed[i].w & gpu::kMaxRigid) == s.samples.body[k];
      words &= std::fabs((placed[i].w >> gpu::kBodyBits) - weight) <= (std::fabs(weight - 2458) < 2 ? 1 : 0);
    }
    CHECK(place < 1);
    CHECK(motion.ratio < 1);
    CHECK(words);
    bool padding = true;
    for (std::size_t i = 0; i < placed.size(); ++i)
      padding &= rig.sample_at[i] != gpu::kNoBody || placed[i].w == gpu::kNoBody;
    CHECK(padding);

    Worst inertia;
    const auto steps = steps_of(rig);
    for (std::size_t b = 0; b < steps.size(); ++b) {
      const gpu::vec4 &d = steps[b].inverse_diagonal, &m = steps[b].inverse_mixed;
      const Vec3 columns[] = {{d.x, m.x, m.y}, {m.x, d.y, m.z}, {m.y, m.z, d.z}};
      const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      const reference::BodyState& body = s.bodies[b];
      for (int k = 0; k < 3; ++k) {
        inertia.take(columns[k] - reference::apply_inverse_inertia(body, body.orientation, axes[k]),
                     kTensor * inverse_moment(body));
      }
    }
    CHECK(inertia.ratio < 1);
  });
}

TEST_CASE(
    "rows are those of brute force without the own body, spilled and interleaved rows too; lists hold what touches") {
  struct Layout {
    std::uint32_t row_capacity, interleave;
  };
  // Layouts are the same code on both drivers; to compile all passes for another interleave takes one of them long.
  for (const Layout layout : {Layout{40, 1}, Layout{8, 8}}) {
    on_every_rigid_scene(false, [&](Gpu& gpu, const Scene& scene) {
      if (layout.interleave != 1 && &gpu != &lavapipe()) return;
      CAPTURE(layout.row_capacity);
      RigidRig rig(gpu, scene, {.row_capacity = layout.row_capacity, .spill_blocks = 20000}, layout.interleave);
      const auto placed = by_sample(rig, rig.state.rigid_sample);
      const auto fluid = vulkan::download(rig.device, rig.state.position, rig.particles());
      const auto walls = vulkan::download(rig.device, rig.state.boundary, rig.state.sizes.boundary);
      const std::vector<FoundRow> sample_rows = rig.sample_rows(), fluid_rows = rig.rows();
      const auto among = [](const gpu::uvec4& x, const std::vector<gpu::uvec4>& others, auto use) {
        std::vector<std::uint32_t> row;
        for (std::uint32_t j = 0; j < others.size(); ++j) {
          if (use(others[j]) && are_neighbors(x, others[j])) row.push_back(j);
        }
        return row;
      };
      const auto is_carrier = [](const gpu::uvec4& s) { return s.w >> gpu::kBodyBits == 0; };
      std::size_t entries = 0;
      for (const std::vector<FoundRow>* rows : {&sample_rows, &fluid_rows})
        for (const FoundRow& row : *rows) entries += row.fluid.size() + row.rigid.size() + row.boundary.size();
      CHECK(row_entries(rig.state) == entries);
      std::size_t wrong = 0, spilled = 0, touching = 0;
      std::vector<std::uint32_t> contacts, part_chunks{0}, coupled;
      const auto parts = vulkan::download(rig.device, rig.state.part, rig.state.sizes.rigid.parts);
      for (std::uint32_t i = 0; i < placed.size(); ++i) {
        const FoundRow& row = sample_rows[i];
        FoundRow expected;
        if (placed[i].w != gpu::kNoBody) {
          const auto fixed = [&](const gpu::uvec4& s) { return reference::is_fixed(rig.system, s.w & gpu::kMaxRigid); };
          const auto foreign = [&](const gpu::uvec4& s) {
            return s.w != gpu::kNoBody && ((s.w ^ placed[i].w) & gpu::kMaxRigid) != 0 &&
                   !(fixed(s) && fixed(placed[i]));
          };
          const auto around = [&](const gpu::uvec4&) { return !is_carrier(placed[i]); };
          const auto wall = [&](const gpu::uvec4&) { return !fixed(placed[i]); };
          expected = {among(placed[i], fluid, around), among(placed[i], walls, wall),
                      among(placed[i], placed, foreign)};
        }
        wrong += FoundRow{sorted(row.fluid), sorted(row.boundary), sorted(row.rigid)} == expected ? 0 : 1;
        const std::size_t solid = row.rigid.size() + row.boundary.size();
        touching += solid > 0 && !is_carrier(placed[i]) ? 1 : 0;
        spilled += solid + row.fluid.size() > layout.row_capacity ? 1 : 0;
        if (solid + row.fluid.size() > 0) contacts.push_back(i);
        const gpu::uvec2 part = parts[part_chunks.size() - 1];
        if (i + 1 != (part.x + part.y) * gpu::kChunk) continue;  // else the last sample of its part
        contacts.resize((contacts.size() + gpu::kChunk - 1) / gpu::kChunk * gpu::kChunk, gpu::kNoBody);
        part_chunks.push_back(static_cast<std::uint32_t>(contacts.size() / gpu::kChunk));
      }
      CHECK(part_chunks.size() == parts.size() + 1);
      for (std::uint32_t f = 0; f < fluid.size(); ++f) {
        const auto real = [&](const gpu::uvec4& s) { return s.w != gpu::kNoBody && !is_carrier(s); };
        wrong += sorted(fluid_rows[f].rigid) == among(fluid[f], placed, real) ? 0 : 1;
        if (!fluid_rows[f].rigid.empty()) coupled.push_back(f);
      }
      CHECK(wrong == 0);
      if (layout.row_capacity == 8 && rig.particles() > 0) CHECK(spilled > 5);
      CHECK(rig.begun.contacts == touching);
      CHECK(rig.begun.contact_chunks == part_chunks.back());
      CHECK(rig.begun.coupled == coupled.size());
      CHECK(vulkan::download(rig.device, rig.state.contact_sample, contacts.size()) == contacts);
      CHECK(vulkan::download(rig.device, rig.state.part_chunk, part_chunks.size()) == part_chunks);
      CHECK(vulkan::download(rig.device, rig.state.coupled_particle, coupled.size()) == coupled);
      const auto index = vulkan::download(rig.device, rig.state.coupled_index, rig.particles());
      for (std::uint32_t c = 0; c < coupled.size(); ++c) CHECK(index[coupled[c]] == c);
    });
  }
}

TEST_CASE("samples are sorted again only when one lies in another cell; chunks far from all else are not searched") {
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    Scene scene = reference::stack(2, 0);
    scene.gravity = {};
    // Off the sides of cells, which samples that are pushed apart by a rounding would cross.
    for (RigidBody& body : scene.rigid) body.position = body.position + 0.1 * scene.spacing * Vec3{1, 1, 1};
    Rig rig(*gpu, with_fixed_steps(scene, 0.001, 4));
    const auto count = rig.state.sizes.rigid.samples;
    const auto order = [&] { return vulkan::download(rig.device, rig.state.sample_order, count); };
    rig.tick(100);
    const std::vector<std::uint32_t> sorted_order = order();
    CHECK(std::is_permutation(sorted_order.begin(), sorted_order.end(), range(count).begin()));
    std::size_t searched = 0, touching = 0;
    for (const gpu::Chunk& chunk : vulkan::download(rig.device, rig.state.chunk, rig.state.sizes.rigid.chunks)) {
      searched += chunk.near;
      touching += chunk.contact != 0 ? 1 : 0;
      CHECK((chunk.near != 0 || chunk.contact == 0));
    }
    CHECK(touching > 0);
    CHECK(searched < rig.state.sizes.rigid.chunks);

    // Whether a step sorts shows by what becomes of an order that is wrong.
    std::vector<std::uint32_t> wrong = sorted_order;
    std::rotate(wrong.begin(), wrong.begin() + 1, wrong.end());
    vulkan::upload<std::uint32_t>(rig.device, rig.state.sample_order, wrong);
    rig.tick(100);
    CHECK(order() == wrong);
    auto states = vulkan::download(rig.device, rig.state.rigid_state, rig.state.sizes.rigid.bodies);
    states[1].position.x += 2u << gpu::kCellShift;
    vulkan::upload<gpu::RigidState>(rig.device, rig.state.rigid_state, states);
    rig.tick(100);
    CHECK(order() != wrong);
  }
}

TEST_CASE("volumes, contact gradients, friction arms and the drag on bodies and fluid equal the reference") {
  on_every_rigid_scene(false, [](Gpu& gpu, const Scene& scene) {
    RigidRig rig(gpu, scene);
    const RigidSystem& s = rig.system;
    const auto velocity = by_sample(rig, rig.state.sample_velocity);
    const auto records = by_sample(rig, rig.state.sample_row);
    const auto steps = steps_of(rig);
    Worst volume, inverse_sum, gradient, arm, face, coverage, drag_scale, drag_force, drag_torque, fluid_velocity,
        density, wall;
    std::vector<double> contacts(s.bodies.size());
    for (std::size_t k = 0; k < s.position.size(); ++k) {
      const std::vector<RowContact> row = contacts_of(s, k);
      if (row.empty()) continue;
      contacts[s.samples.body[k]] += 1;
      const gpu::SampleRow& record = records[rig.lane[k]];
      double sum_bound = 0, filled_bound = 0, gradient_bound = 0;
      Vec3 found_gradient, middle;
      for (const RowContact& c : row) {
        sum_bound += c.bound.kernel;
        filled_bound += c.weight * (c.bound.kernel + 4 * c.kernel);
        gradient_bound += c.bound.gradient;
        found_gradient = found_gradient + c.gradient;
        middle = middle - 0.5 * c.kernel * c.away;
      }
      const double v = s.volume[k], inverse = s.mirror_volume[k];
      volume.take(velocity[rig.lane[k]].w - v, v * v * filled_bound + 16 * v);
      gradient.take(to_vec(record.contact) - found_gradient, gradient_bound);
      if (1 / inverse < 1e-6) continue;  // S cancels near the support: so weak a contact has no share in anything
      inverse_sum.take(record.arm.w - inverse, inverse * inverse * sum_bound + 8 * inverse);
      arm.take(to_vec(record.arm) - inverse * middle, 2 * inverse * sum_bound + 16);
      CHECK(record.volume.x == static_cast<float>(s.samples.rest_volume[k]));
      if (!rig.coverages.empty()) {
        // The plane of the contacts is found by sums that cancel.
        const auto [normal, share, several] = rig.coverages[k];
        CHECK(several == (record.face.w > 0));
        face.take(to_vec(record.face) - normal, 1e4);
        coverage.take(2 / (s.samples.rest_volume[k] * record.volume.z) - share, 1e4);
      }

      for (const RowContact& c : row)
        if (c.weight > 0) CHECK(c.weight == doctest::Approx(record.volume.z * solid_weight(s, c)).epsilon(1e-6));
    }
    CHECK(volume.ratio < 1);
    CHECK(gradient.ratio < 1);
    CHECK(inverse_sum.ratio < 1);
    CHECK(face.ratio < 1);
    CHECK(coverage.ratio < 1);
    CHECK(arm.ratio < 1);

    const reference::Drag drag = reference::rigid_drag(s, rig.before, rig.tau());
    const auto found = vulkan::download(rig.device, rig.state.body_drag, s.bodies.size());
    std::vector<double> force_bound(s.bodies.size()), torque_bound(s.bodies.size());
    const auto acceleration = vulkan::download(rig.device, rig.state.acceleration, rig.particles());
    const auto found_wall = vulkan::download(rig.device, rig.state.wall, rig.particles());
    auto viscous = reference::viscous_acceleration(rig.before, rig.walls, rig.fluid_rows);
    const auto fluid_only = reference::number_density(rig.before, rig.walls, rig.fluid_rows);
    auto expected_density = fluid_only;
    auto expected_wall = reference::boundary_gradients(rig.before, rig.walls, rig.fluid_rows.boundary);
    std::vector<double> bound(rig.particles(), 2), counts(rig.particles(), 2);
    for (std::size_t f = 0; f < bound.size(); ++f) {
      const auto& [near, solid] = rig.fluid_rows;
      const Vec3 v = rig.before.velocity[f];
      bound[f] += 2 * length(v);
      counts[f] += 2.0 * (near.start[f + 1] - near.start[f] + solid.start[f + 1] - solid.start[f]);
      for (auto k = near.start[f]; k < near.start[f + 1]; ++k)
        bound[f] += length(v - rig.before.velocity[near.index[k]]);
      for (auto k = solid.start[f]; k < solid.start[f + 1]; ++k)
        bound[f] += length(v - rig.walls.velocity[solid.index[k]]);
    }
    for_coupled(s, [&](std::uint32_t f, std::uint32_t k, Vec3 grad) {
      const std::uint32_t b = s.samples.body[k];
      const double mu = rig.before.viscosity[f] * rig.before.mass[f];
      // The scale is a quotient of long sums, hence 8; the term is at most 10 mu w |v|.
      const double term = 8 * 10 * mu * s.fluid_weight[k] * length(rig.before.velocity[f] - sample_velocity(rig, k));
      force_bound[b] += drag.scale[b] * term;
      torque_bound[b] += drag.scale[b] * term * length(s.arm[k]);
      bound[f] += drag.scale[b] * term / rig.before.mass[f];
      expected_density[f] += s.fluid_weight[k] * reference::kernel(length(rig.before.position[f] - s.position[k]));
      expected_wall[f] = expected_wall[f] + s.fluid_weight[k] * grad;
      counts[f] += 2;
    });
    for (std::size_t b = 0; b < s.bodies.size(); ++b) {
      const double scale = rig.begun.contact_chunks == 0 ? 1 : drag.scale[b];
      drag_scale.take(steps[b].velocity.w - scale, 12 * scale);
      drag_force.take(to_vec(found[b].fluid_force) - drag.force[b], force_bound[b]);
      drag_torque.take(to_vec(found[b].fluid_torque) - drag.torque[b], torque_bound[b]);
      CHECK(steps[b].spin.w == contacts[b]);
      if (scene.name == "light box") CHECK(scale < 0.5);
      if (scene.name == "boxes in fluid" && b < scene.rigid.size()) CHECK(length(drag.force[b]) > 1e-4);
    }
    CHECK(drag_scale.ratio < 1);
    CHECK(drag_force.ratio < 1);
    CHECK(drag_torque.ratio < 1);
    const gpu::Params& p = rig.state.params_host;
    for (std::size_t f = 0; f < bound.size(); ++f) viscous[f] = viscous[f] + drag.acceleration[f];
    const auto predicted =
        reference::predicted_velocity(rig.before, viscous, {p.gravity_x, p.gravity_y, p.gravity_z}, rig.tau());
    for (std::size_t f = 0; f < bound.size(); ++f) {
      fluid_velocity.take(to_vec(acceleration[f]) - predicted[f], bound[f]);
      density.take(acceleration[f].w - expected_density[f], counts[f]);
      wall.take(to_vec(found_wall[f]) - expected_wall[f], counts[f]);
    }
    CHECK(fluid_velocity.ratio < 1);
    CHECK(density.ratio < 1);
    CHECK(wall.ratio < 1);
  });
}

TEST_CASE("v* and omega*, sources, sliding and cones equal the reference in both modes") {
  on_every_rigid_scene(true, [](Gpu& gpu, const Scene& scene) {
    RigidRig rig(gpu, scene);
    RigidSystem& s = rig.system;
    const gpu::Params& p = rig.state.params_host;
    const Vec3 gravity{p.gravity_x, p.gravity_y, p.gravity_z};
    const double tau = rig.tau();
    const auto steps = steps_of(rig);
    const auto drag = vulkan::download(rig.device, rig.state.body_drag, s.bodies.size());
    Worst linear, angular, motion, source, overlap, slide, cone, fluid_source, fluid_diagonal;
    for (std::size_t b = 0; b < s.bodies.size(); ++b) {
      const reference::BodyState& body = s.bodies[b];
      const Vec3 force = to_vec(drag[b].fluid_force), torque = to_vec(drag[b].fluid_torque);
      const auto expected = reference::predict_body(body, scene.solver.mode, gravity, force, torque, tau);
      const double push = length(gravity) + (length(body.force) + length(force)) / body.mass;
      linear.take(to_vec(steps[b].velocity) - expected.velocity, 12 * (length(body.velocity) + tau * push));
      const double twist = length(body.angular_momentum) + tau * (length(body.torque) + length(torque)) +
                           tau * length(body.angular_momentum) * length(body.angular_velocity);
      angular.take(to_vec(steps[b].spin) - expected.angular_velocity,
                   kTensor * inverse_moment(body) * twist + 4 * length(body.angular_velocity));
    }
    CHECK(linear.ratio < 1);
    CHECK(angular.ratio < 1);
    if (rig.begun.contact_chunks == 0) return;

    const auto velocity = by_sample(rig, rig.state.sample_velocity);
    const auto records = by_sample(rig, rig.state.sample_row);
    std::vector<reference::Displacement> moved(s.position.size()), walls(rig.walls.velocity.size());
    for (std::size_t k = 0; k < moved.size(); ++k)
      moved[k] = {tau * to_vec(velocity[rig.lane[k]]), tau * to_vec(steps[s.samples.body[k]].spin), {}};
    for (std::size_t k = 0; k < walls.size(); ++k) walls[k] = reference::boundary_displacement(rig.walls, k, tau);
    const auto cap_of = [&](double speed) {
      return speed > 0 ? std::max(10.0 * rig.begun.tolerance, speed * tau) : 1e9;
    };
    const double cap = cap_of(p.overlap_speed);
    rig.take_device_volumes();
    reference::compute_sources(s, moved, walls, cap_of(0.1 * p.overlap_speed));
    for (std::size_t k = 0; k < moved.size(); ++k) {
      const std::vector<RowContact> row = contacts_of(s, k);
      if (row.empty()) continue;
      const gpu::RigidStep& step = steps[s.samples.body[k]];
      const Vec3 v = to_vec(step.velocity), spin = to_vec(step.spin);
      const reference::BodyState& body = s.bodies[s.samples.body[k]];
      const Vec3 expected_velocity =
          body.driven ? reference::carrier_velocity(body, s.arm[k], tau) : v + cross(spin, s.arm[k]);
      motion.take(to_vec(velocity[rig.lane[k]]) - expected_velocity,
                  16 * (length(v) + length(spin) * length(s.arm[k])));
      double source_bound = 0, slide_bound = 1e-6, weight = 0, weight_bound = 0;
      Vec3 relative;
      for (const RowContact& c : row) {
        const reference::Displacement& other = c.rigid ? moved[c.index] : walls[c.index];
        const SlipWeight w = slip_weight(s, k, c);
        const double u = length(moved[k].linear - other.linear);
        source_bound += u * c.bound.gradient;
        slide_bound += (u + length(moved[k].turn) + length(other.turn)) * (w.bound + 8 * w.value);
        relative = relative + reference::sliding(s, k, c.away, -0.5 * c.away, c.volume, c.kernel, moved[k], other);
        weight += w.value;
        weight_bound += w.bound;
      }
      const gpu::SampleRow& record = records[rig.lane[k]];
      const double v0 = s.samples.rest_volume[k];
      source.take(record.slide.w - s.pressure_source[k], 16 * std::fabs(s.pressure_source[k]) + v0 * source_bound);
      overlap.take(record.turning.w - s.overlap[k], 16 * (1 + v0 / s.volume[k]));
      slide.take(to_vec(record.slide) - relative, slide_bound);
      slide.take(record.contact.w - weight, weight_bound);
      const double force = length(s.normal_force[k]), radius = s.friction[k] * reference::normal_load(s, k);
      cone.take(record.volume.y - (has_row(s, k) ? radius : 0), 16 * radius + force * friction_bound(s, k));
    }
    CHECK(motion.ratio < 1);
    CHECK(source.ratio < 1);
    CHECK(overlap.ratio < 1);
    CHECK(slide.ratio < 1);
    CHECK(cone.ratio < 1);

    const auto sorted_velocity = vulkan::download(rig.device, rig.state.velocity, rig.particles());
    const auto acceleration = vulkan::download(rig.device, rig.state.acceleration, rig.particles());
    std::vector<Vec3> predicted;
    std::vector<double> density;
    for (const gpu::uvec4& v : sorted_velocity) predicted.push_back({float_of(v.x), float_of(v.y), float_of(v.z)});
    for (const gpu::vec4& a : acceleration) density.push_back(a.w);
    auto expected = reference::source_term(rig.before, rig.walls, rig.fluid_rows, density, predicted, tau, cap);
    const auto diagonal = reference::diagonals(s.fluid);
    std::vector<double> bound(expected.size(), 4);
    for (std::size_t f = 0; f < bound.size(); ++f) {
      const auto& [near, solid] = rig.fluid_rows;
      for (auto k = near.start[f]; k < near.start[f + 1]; ++k)
        bound[f] += 2 + 2 * tau * length(predicted[f] - predicted[near.index[k]]);
      for (auto k = solid.start[f]; k < solid.start[f + 1]; ++k)
        bound[f] += 2 * tau * length(predicted[f] - rig.walls.velocity[solid.index[k]]);
    }
    for_coupled(s, [&](std::uint32_t f, std::uint32_t k, Vec3 grad) {
      const Vec3 u = tau * predicted[f] - moved[k].linear;
      expected[f] -= s.fluid_weight[k] * dot(u, grad);
      bound[f] += 2 * s.fluid_weight[k] * length(u);
    });
    reference::limit_sources(scene.solver.mode, diagonal, expected);
    for (std::size_t f = 0; f < bound.size(); ++f) {
      fluid_source.take(s.fluid.source[f] - expected[f], bound[f]);
      fluid_diagonal.take(s.fluid.diagonal[f] - diagonal[f], bound[f] + 4 * diagonal[f]);
    }
    CHECK(fluid_source.ratio < 1);
    CHECK(fluid_diagonal.ratio < 1);
  });
}
