// The end of an iteration over samples: the conjugate step and the best iterate; and friction that is known before the
// solve. Bounds: see rigid_rig.h.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/rigid_rig.h"

using namespace sluice;
using namespace sluice::tests;
using reference::RigidSystem;

namespace {

void run_sample_diagonals(RigidRig& rig) {
  rig.run([&](PassRecorder& run) {
    run.run_groups<Pass::sample_diagonals>(static_cast<std::uint32_t>(rig.state.sizes.rigid.sample_groups));
  });
}

}  // namespace

TEST_CASE("the conjugate step of samples, the restart, saving and restoring equal plain arithmetic") {
  struct Case {
    float beta;
    std::uint32_t save, restore;
  };
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    for (const Case& k : {Case{0.7f, 0, 0}, Case{-1, 1, 0}, Case{0.3f, 1, 0}, Case{0.7f, 0, 1}}) {
      CAPTURE(k.beta);
      RigidRig rig(*gpu, two_boxes("boxes", false));
      RigidSystem& s = rig.system;
      rig.take_device_volumes();
      reference::compute_diagonals(s);
      gpu::Control c = rig.begun;
      c.beta = k.beta;
      c.save_best = k.save;
      c.restore_best = k.restore;
      rig.set_control(c);
      Random random{9};
      const auto next_vec4 = [&](double p_low) {
        const Vec3 v = 0.2 * random.next_vec();
        return gpu::vec4{float(v.x), float(v.y), float(v.z), float(std::max(0.0, random.next() + p_low))};
      };
      std::vector<gpu::SampleSolve> before(rig.sample_at.size());
      for (gpu::SampleSolve& v : before) {
        v = {next_vec4(0), next_vec4(-0.3), next_vec4(0), next_vec4(0), next_vec4(0)};
        v.direction.w -= 0.5f;
      }
      vulkan::upload<gpu::SampleSolve>(rig.device, rig.state.sample_solve, before);
      rig.run([&](PassRecorder& run) {
        run.run_groups<Pass::update_contacts>(static_cast<std::uint32_t>(rig.state.sizes.rigid.sample_groups));
      });
      const auto after = by_sample(rig, rig.state.sample_solve);
      const auto load = by_sample(rig, rig.state.sample_load);
      const auto records = by_sample(rig, rig.state.sample_row);
      Worst value, direction, best, loads;
      std::size_t rows = 0, projected = 0;
      for (std::size_t i = 0; i < s.position.size(); ++i) {
        if (length(s.normal[i]) == 0) continue;
        s.friction_on[i] = 1;
        ++rows;
        const gpu::SampleSolve &old = before[rig.lane[i]], &found = after[rig.lane[i]];
        Vec3 lambda = to_vec(old.next), along = to_vec(old.direction);
        double p = old.next.w, p_along = old.direction.w;
        if (k.restore) {
          lambda = to_vec(old.best);
          p = old.best.w;
        } else if (k.beta < 0) {
          along = {};
          p_along = 0;
        } else {
          const Vec3 momentum = k.beta * to_vec(old.direction);
          const Vec3 free = lambda + momentum;
          along = momentum + lambda - to_vec(old.value);
          p_along = k.beta * old.direction.w + p - old.value.w;
          p = std::max(0.0, p + k.beta * old.direction.w);
          lambda = reference::cone(s, i, p, free);
          projected += length(lambda) > 0 && length(lambda - free) > 1e-3 ? 1 : 0;
        }
        // All values are under 1; the projection has about ten operations.
        value.take(to_vec(found.value) - lambda, 10);
        value.take(found.value.w - p, 3);
        direction.take(to_vec(found.direction) - along, 4);
        direction.take(found.direction.w - p_along, 4);
        const gpu::vec4& kept = k.save ? old.value : old.best;
        best.take(to_vec(found.best) - to_vec(kept), 0);
        best.take(found.best.w - kept.w, 0);
        const double v0 = s.samples.rest_volume[i];
        const double pressed = v0 * v0 * found.value.w, size = pressed * length(s.normal_force[i]) / (v0 * v0);
        loads.take(to_vec(load[rig.lane[i]]) -
                       s.mirror_volume[i] * (to_vec(found.value) + pressed * reference::face_tilt(s, i)),
                   (2 + 16 * size) * s.mirror_volume[i]);
        const double weight = (records[rig.lane[i]].face.w > 0 ? -1 : 1) * v0 * v0 * records[rig.lane[i]].volume.z;
        loads.take(load[rig.lane[i]].w - weight * found.value.w, 4 * std::fabs(weight));
      }
      CHECK(rows > 40);
      if (k.beta > 0 && !k.restore) CHECK(projected > 10);
      CHECK(value.ratio < 1);
      CHECK(direction.ratio < 1);
      CHECK(best.ratio < 1);
      CHECK(loads.ratio < 1);
    }
  }
}

TEST_CASE("staggered friction is the impulse of plain arithmetic, and the solve leaves it alone") {
  Scene scene = two_boxes("boxes", false);
  scene.solver.friction_method = FrictionMethod::staggered;
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    RigidRig rig(*gpu, scene);
    const RigidSystem& s = rig.system;
    rig.take_device_volumes();
    const auto records = by_sample(rig, rig.state.sample_row);
    const auto solve = by_sample(rig, rig.state.sample_solve);
    std::vector<double> contacts(s.bodies.size());
    for (std::size_t r = 0; r < s.position.size(); ++r) contacts[s.samples.body[r]] += s.foreign_sum[r] > 0 ? 1 : 0;
    Worst friction;
    std::size_t sliding = 0, sticking = 0;
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      if (!has_row(s, r)) continue;
      const gpu::SampleRow& record = records[rig.lane[r]];
      const std::uint32_t b = s.samples.body[r];
      const reference::BodyState& body = s.bodies[b];
      const Vec3 n = s.normal[r];
      Vec3 expected;
      double bound = 0;
      if (record.contact.w > 1e-9f) {
        const Vec3 slide = 1 / double(record.contact.w) * to_vec(record.slide);
        const Vec3 across = slide - dot(slide, n) * n;
        const double approach = -dot(slide, n), along = length(across);
        if (approach > 0 && along > 1e-10) {
          const Vec3 t = 1 / along * across;
          const auto response = [&](Vec3 e) {
            const Vec3 torque = cross(s.arm[r], e);
            return dot(e, reference::apply_inverse_mass(body, e)) +
                   dot(torque, reference::apply_inverse_inertia(body, body.orientation, torque));
          };
          const double cone = s.friction[r] * approach / response(n), stop = along / response(t);
          expected = -std::min(cone, stop) / contacts[b] * t;
          (cone < stop ? sliding : sticking) += 1;
          // The direction is a difference, and so is the approach.
          bound = length(expected) * (4 * kTensor + friction_bound(s, r) / s.friction[r] + 32 * length(slide) / along +
                                      32 * length(slide) / approach);
        }
      }
      friction.take(to_vec(solve[rig.lane[r]].value) - expected, bound + 1e-6);
      CHECK(solve[rig.lane[r]].value.w == 0);
    }
    CHECK(friction.ratio < 1);
    CHECK(sliding > 3);
    CHECK(sticking > 3);
    rig.iterate();
    const auto after = by_sample(rig, rig.state.sample_solve);
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      if (has_row(s, r)) CHECK(length(to_vec(after[rig.lane[r]].value) - to_vec(solve[rig.lane[r]].value)) == 0);
    }
  }
}

TEST_CASE("a solve starts from a share of the last pressure and friction of each sample, within its cone") {
  for (Gpu* gpu : drivers()) {
    for (const bool hard : {false, true}) {  // whether the last solve took many iterations
      MessageGuard guard(*gpu);
      RigidRig rig(*gpu, two_boxes("boxes", false));
      RigidSystem& s = rig.system;
      rig.take_device_volumes();
      gpu::Params params = rig.state.params_host;
      params.warm_start_rigid = 0.6f;
      rig.set_params(params);
      gpu::Control control = rig.begun;
      control.last_tau = 0.8f * control.tau;
      control.crowded = 0;  // listed anew
      control.iteration = hard ? 32 : 10;
      rig.set_control(control);
      Random random{11};
      std::vector<gpu::SampleSolve> before(rig.sample_at.size());
      for (gpu::SampleSolve& v : before) {
        const Vec3 lambda = random.next_vec();
        v.value = {float(lambda.x), float(lambda.y), float(lambda.z), float(random.next())};
        v.direction = v.value;
      }
      vulkan::upload<gpu::SampleSolve>(rig.device, rig.state.sample_solve, before);
      run_sample_diagonals(rig);
      const auto after = by_sample(rig, rig.state.sample_solve);
      const auto load = by_sample(rig, rig.state.sample_load);
      const double share = (hard ? 0.75 : 0.6) / (0.8 * 0.8);
      Worst pressure, friction, loads;
      std::size_t rows = 0, inside = 0;
      for (std::size_t i = 0; i < s.position.size(); ++i) {
        if (s.foreign_sum[i] == 0) continue;  // perhaps in no contact chunk
        const gpu::SampleSolve &old = before[rig.lane[i]], &found = after[rig.lane[i]];
        CHECK(length(to_vec(found.direction)) + std::fabs(found.direction.w) == 0);
        if (!has_row(s, i)) {
          CHECK(length(to_vec(found.value)) + std::fabs(found.value.w) == 0);
          continue;
        }
        s.friction_on.resize(s.position.size());
        s.friction_on[i] = 1;
        const double p = share * old.value.w;
        const Vec3 lambda = reference::cone(s, i, p, share * to_vec(old.value));
        pressure.take(found.value.w - p, 8 * p);
        friction.take(to_vec(found.value) - lambda, 20);  // values are below 2; about ten operations
        const double size = found.value.w * length(s.normal_force[i]), v0 = s.samples.rest_volume[i];
        loads.take(
            to_vec(load[rig.lane[i]]) -
                s.mirror_volume[i] * (to_vec(found.value) + v0 * v0 * found.value.w * reference::face_tilt(s, i)),
            (4 + 16 * size) * s.mirror_volume[i]);
        inside += length(lambda) < 0.999 * s.friction[i] * p * reference::normal_load(s, i) ? 1 : 0;
        ++rows;
      }
      CHECK(rows > 40);
      CHECK(inside > 0);
      CHECK(inside < rows);
      CHECK(pressure.ratio < 1);
      CHECK(friction.ratio < 1);
      CHECK(loads.ratio < 1);
    }
  }
}

TEST_CASE("compliance, and what a row takes over from the steps before it, equal plain arithmetic") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    RigidRig rig(*gpu, two_boxes("boxes", false));
    RigidSystem& s = rig.system;
    rig.take_device_volumes();
    reference::compute_diagonals(s);
    gpu::Control control = rig.begun;
    control.last_tau = 0.8f * control.tau;
    control.crowded = 0;  // listed anew
    rig.set_control(control);
    const double share = 1 / (0.8 * 0.8);
    Random random{13};
    reference::PastLoads past = reference::no_past(s);
    std::vector<gpu::SampleSolve> before(rig.sample_at.size());
    for (std::size_t i = 0; i < s.position.size(); ++i) {
      gpu::SampleSolve& v = before[rig.lane[i]];
      // Elastic errors of some 1e-3, slip of some tolerances, friction half of which lies outside its cone.
      double unit = 0;
      for (auto m = s.rigid_diagonal.start[i]; m < s.rigid_diagonal.start[i + 1]; ++m)
        unit += s.rigid_diagonal.part[m].pressure;
      if (unit == 0) continue;
      const auto pressure = [&] { return float(0.05 * random.next() / unit); };
      v.value.w = pressure();
      const double radius = s.friction[i] * v.value.w * reference::normal_load(s, i);
      const double tolerance = rig.begun.tolerance;
      const Vec3 lambda = 2 * radius * random.next_vec();
      const Vec3 left = 20 * tolerance * random.next_vec(), slip = 10 * tolerance * random.next_vec();
      v.value = {float(lambda.x), float(lambda.y), float(lambda.z), v.value.w};
      v.error = {float(left.x), float(left.y), float(left.z), 0};
      v.slip = {float(slip.x), float(slip.y), float(slip.z), 0};
      past.pressure[i] = share * v.value.w;
      past.friction[i] = share * to_vec(v.value);
      past.left[i] = to_vec(v.error);
      past.slip[i] = to_vec(v.slip);
    }
    vulkan::upload<gpu::SampleSolve>(rig.device, rig.state.sample_solve, before);
    run_sample_diagonals(rig);
    const auto records = by_sample(rig, rig.state.sample_row);
    const auto after = by_sample(rig, rig.state.sample_solve);
    std::size_t carried = 0;
    const std::vector<Vec3> first_slide = s.friction_source;
    take_device_diagonals(rig);
    reference::share_loads(s, past, rig.begun.tolerance);
    Worst compliance, slide, kept;
    for (std::size_t i = 0; i < s.position.size(); ++i) {
      if (!has_row(s, i)) continue;
      const gpu::SampleRow& record = records[rig.lane[i]];
      compliance.take(record.volume.w - s.pressure_compliance[i], 16 * s.pressure_compliance[i]);
      const Vec3 n = s.normal[i], found_slide = to_vec(record.slide);
      const double friction = s.friction_compliance[i] * length(past.friction[i]);
      slide.take(found_slide - dot(found_slide, n) * n - s.friction_source[i], kTensor * friction + 64);
      const Vec3 change = s.friction_source[i] - first_slide[i] + s.friction_compliance[i] * past.friction[i];
      kept.take(to_vec(after[rig.lane[i]].slip) - s.stuck_slip[i], 4 * (length(past.left[i]) + length(past.slip[i])));
      carried += length(change - dot(change, n) * n) > 1e-9 ? 1 : 0;
    }
    CHECK(carried > 5);
    CHECK(compliance.ratio < 1);
    CHECK(slide.ratio < 1);
    CHECK(kept.ratio < 1);
  }
}
