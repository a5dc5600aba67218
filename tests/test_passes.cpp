// Each pass from the cells to the new state against the double-precision reference, fed with the device's own inputs.
//
// Bounds: a kernel value is at most 1/pi, its gradient at most 0.4, its slope at most 1, each with an error of a few
// half ulps of those bounds however small it is itself (rsqrt is good to 2e-7, and 2 - q cancels near the support).
// So a sum over a row errs by at most kSlack half ulps times the sum of the bounds of its terms.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "tests/gpu.h"
#include "tests/reference/scenes.h"
#include "tests/reference/solver.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr double kSlack = 6;

double float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// Calls `test` with every scene on both drivers.
template <typename Test>
void on_every_scene(Test test) {
  std::vector<Scene> scenes;
  for (const int count : {0, 1, 255, 256, 257, 1234}) scenes.push_back(shaken_cloud(count));
  scenes.push_back(stirred_column());
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    for (const Scene& scene : scenes) {
      CAPTURE(scene.name);
      CAPTURE(scene.fluid.size());
      test(*gpu, scene);
    }
  }
}

// The largest ratio of difference and bound.
struct Worst {
  double ratio = 0;
  void take(double difference, double bound) {
    const double r = std::fabs(difference) / bound;
    if (!(r <= ratio)) ratio = r;  // a NaN is taken, too
  }
};

template <typename Bound>
std::vector<double> bounds(const reference::Neighbors& n, std::size_t count, double own, Bound bound) {
  std::vector<double> sums(count, own);
  for (std::size_t i = 0; i < count; ++i) {
    for (auto k = n.fluid.start[i]; k < n.fluid.start[i + 1]; ++k) sums[i] += bound(i, n.fluid.index[k], true);
    for (auto k = n.boundary.start[i]; k < n.boundary.start[i + 1]; ++k)
      sums[i] += bound(i, n.boundary.index[k], false);
    sums[i] *= kSlack * kHalfUlp;
  }
  return sums;
}

std::vector<Vec3> to_vecs(const std::vector<gpu::vec4>& values) {
  std::vector<Vec3> vecs;
  for (const gpu::vec4& v : values) vecs.push_back(to_vec(v));
  return vecs;
}

struct Pose {
  Vec3 position;
  Quat orientation;
};
Pose pose_of(const gpu::BodyState& body) {
  const Vec3 low{body.low.x / 4294967296.0, body.low.y / 4294967296.0, body.low.z / 4294967296.0};
  const gpu::vec4& q = body.orientation;
  return {position_in_h(body.position, body.low.w) + 1.0 / 524288 * low, {q.w, q.x, q.y, q.z}};
}

// Fixed point goes round: samples have no number of rounds.
Vec3 way_in_h(const gpu::uvec4& from, const gpu::uvec4& to) {
  const auto axis = [](std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(b - a) / 524288.0; };
  return {axis(from.x, to.x), axis(from.y, to.y), axis(from.z, to.z)};
}

}  // namespace

TEST_CASE("densities and wall gradients equal the reference") {
  on_every_scene([](Gpu& gpu, const Scene& scene) {
    Rig rig(gpu, scene);
    rig.tick(0);
    const reference::Fluid fluid = rig.fluid();
    const reference::Boundary boundary = rig.boundary();
    const reference::Neighbors rows = rig.neighbors();
    const auto density = reference::number_density(fluid, boundary, rows);
    const auto wall = reference::boundary_gradients(fluid, boundary, rows.boundary);
    const auto found = vulkan::download(rig.device, rig.state.acceleration, rig.particles());
    const auto found_wall = vulkan::download(rig.device, rig.state.wall, rig.particles());
    const auto bound = bounds(rows, density.size(), 1, [](auto, auto, bool) { return 1.0; });
    Worst worst;
    for (std::size_t i = 0; i < density.size(); ++i) {
      worst.take(found[i].w - density[i], bound[i]);
      worst.take(length(to_vec(found_wall[i]) - wall[i]), bound[i]);
    }
    CHECK(worst.ratio < 1);
  });
}

TEST_CASE("predicted velocities and viscous wall forces equal the reference, for two liquids and moving walls") {
  on_every_scene([](Gpu& gpu, const Scene& scene) {
    Rig rig(gpu, scene);
    rig.tick(0);
    const reference::Fluid fluid = rig.fluid();
    const reference::Boundary boundary = rig.boundary();
    const reference::Neighbors rows = rig.neighbors();
    const double tau = rig.control().tau;
    const gpu::Params& p = rig.state.params_host;
    const auto viscous = reference::viscous_acceleration(fluid, boundary, rows);
    const auto predicted = reference::predicted_velocity(fluid, viscous, {p.gravity_x, p.gravity_y, p.gravity_z}, tau);
    const auto found = vulkan::download(rig.device, rig.state.acceleration, rig.particles());
    // A term is 10 mu v.x / (x^2 + 0.01) grad W: at most 10 mu |v|, over the particle's own mass.
    const auto bound = bounds(rows, predicted.size(), 1, [&](auto i, auto j, bool is_fluid) {
      const double mu_i = fluid.viscosity[i] * fluid.mass[i];
      const double mu_j = is_fluid ? fluid.viscosity[j] * fluid.mass[j] : mu_i;
      const Vec3 v = fluid.velocity[i] - (is_fluid ? fluid.velocity[j] : boundary.velocity[j]);
      return 10 * std::max(mu_i, mu_j) * length(v) / fluid.mass[i];
    });
    Worst worst;
    for (std::size_t i = 0; i < predicted.size(); ++i) worst.take(length(to_vec(found[i]) - predicted[i]), bound[i]);
    CHECK(worst.ratio < 1);

    reference::Neighbors walls_only = rows;
    walls_only.fluid = {std::vector<std::uint32_t>(fluid.position.size() + 1, 0), {}};
    const auto by_walls = reference::viscous_acceleration(fluid, boundary, walls_only);
    const auto found_forces = vulkan::download(rig.device, rig.state.wall_force, rig.groups());
    for (std::uint32_t g = 0; g < rig.groups(); ++g) {
      Vec3 force;
      double force_bound = 1e-12;
      for (std::size_t i = g * 256; i < std::min<std::size_t>(g * 256 + 256, fluid.position.size()); ++i) {
        force = force - fluid.mass[i] * by_walls[i];
        force_bound += bound[i];
      }
      CHECK(length(to_vec(found_forces[g]) - force) < force_bound);
    }
    if (rig.particles() > 1) CHECK(length(by_walls.front()) + length(by_walls.back()) > 0);
  });
}

TEST_CASE("the source, the diagonal and the pressure to start from equal the reference") {
  on_every_scene([](Gpu& gpu, const Scene& scene) {
    Rig rig(gpu, scene);
    gpu::Params params = rig.state.params_host;
    params.warm_start_fluid = 0.4f;
    rig.set_params(params);
    gpu::Control start = rig.control();
    start.last_tau = 0.75f * start.tau;
    rig.set_control(start);
    auto state = vulkan::download(rig.device, rig.state.stored_position, rig.particles());
    Random random;
    for (gpu::uvec4& x : state) x.w = std::bit_cast<std::uint32_t>(static_cast<float>(random.next()));
    vulkan::upload<gpu::uvec4>(rig.device, rig.state.stored_position, state);
    rig.tick(0);

    const reference::Fluid fluid = rig.fluid();
    const reference::Boundary boundary = rig.boundary();
    const reference::Neighbors rows = rig.neighbors();
    const gpu::Control control = rig.control();
    const auto acceleration = vulkan::download(rig.device, rig.state.acceleration, rig.particles());
    const std::vector<Vec3> predicted = to_vecs(acceleration);
    std::vector<double> density;
    for (const gpu::vec4& a : acceleration) density.push_back(a.w);
    const double tau = control.tau;
    const double tolerance = std::max(params.tolerance_scale * tau * tau, 2e-6);
    CHECK(control.tolerance == doctest::Approx(tolerance).epsilon(1e-6));
    const double cap = std::max(10 * tolerance, params.overlap_speed * tau);
    auto source = reference::source_term(fluid, boundary, rows, density, predicted, tau, cap);
    const auto uncapped = reference::source_term(fluid, boundary, rows, density, predicted, tau, 1e9);
    if (scene.name == "shaken cloud" && fluid.position.size() > 200) CHECK((source != uncapped));

    reference::PressureSystem system;
    system.rows = rows.fluid;
    system.gradient = reference::pair_gradients(fluid, rows.fluid);
    system.grad_boundary = reference::boundary_gradients(fluid, boundary, rows.boundary);
    system.mass = fluid.mass;
    const auto diagonal = reference::diagonals(system);
    reference::limit_sources(params.paper_mode != 0 ? SolverMode::paper : SolverMode::robust, diagonal, source);

    const auto found = vulkan::download(rig.device, rig.state.solve, rig.particles());
    const auto sorted = vulkan::download(rig.device, rig.state.position, rig.particles());
    const auto velocity = vulkan::download(rig.device, rig.state.velocity, rig.particles());
    const auto source_bound = bounds(rows, source.size(), 1, [&](auto i, auto j, bool is_fluid) {
      return tau * length(predicted[i] - (is_fluid ? predicted[j] : boundary.velocity[j]));
    });
    // The own gradient sums up to a few tenths; its error enters the square twice.
    const auto diagonal_bound = bounds(rows, source.size(), 1, [](auto, auto, bool) { return 1.0; });
    Worst worst_source, worst_diagonal, worst_pressure;
    bool velocity_is_predicted = true;
    for (std::size_t i = 0; i < source.size(); ++i) {
      worst_source.take(found[i].x - source[i], source_bound[i]);
      worst_diagonal.take(found[i].y - diagonal[i], diagonal_bound[i]);
      const double last = float_of(state[velocity[i].w].w);
      worst_pressure.take(float_of(sorted[i].w) - 0.4 / 0.75 / 0.75 * last, 8 * kHalfUlp);
      velocity_is_predicted &= velocity[i].x == std::bit_cast<std::uint32_t>(acceleration[i].x) &&
                               velocity[i].z == std::bit_cast<std::uint32_t>(acceleration[i].z);
    }
    CHECK(worst_source.ratio < 1);
    CHECK(worst_diagonal.ratio < 1);
    CHECK(worst_pressure.ratio < 1);
    CHECK(velocity_is_predicted);
  });
}

TEST_CASE("a velocity that is not finite or far too large fails the step and names the cause") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    const float bad[] = {std::bit_cast<float>(0x7fc00000u), std::bit_cast<float>(0x7f800000u), 1000.0f};
    const std::uint32_t causes[] = {gpu::kFailureNotFinite, gpu::kFailureNotFinite, gpu::kFailureTooFast};
    for (int k = 0; k < 3; ++k) {
      CAPTURE(k);
      Rig rig(*gpu, shaken_cloud(257));
      auto velocity = vulkan::download(rig.device, rig.state.stored_velocity, rig.particles());
      velocity[256].y = std::bit_cast<std::uint32_t>(bad[k]);
      vulkan::upload<gpu::uvec4>(rig.device, rig.state.stored_velocity, velocity);
      rig.tick(2);
      CHECK(rig.control().phase == gpu::kPhaseFailed);
      CHECK(rig.control().failure == causes[k]);
      CHECK(rig.control().step == 0);
    }
  }
}

TEST_CASE("the state moves by the predicted velocity and the displacement, low words and wraps included") {
  on_every_scene([](Gpu& gpu, const Scene& scene) {
    Rig rig(gpu, scene);
    rig.tick(0);
    const std::uint32_t n = rig.particles();
    Random random{5};
    auto position = vulkan::download(rig.device, rig.state.position, n);
    auto low = vulkan::download(rig.device, rig.state.low, n);
    std::vector<gpu::vec4> displacement(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      position[i].w = std::bit_cast<std::uint32_t>(static_cast<float>(random.next()));
      low[i] = {random.word(), random.word(), random.word(), low[i].w};
      // Some start beside either end of the coordinates and some move far.
      if (i % 3 == 0) position[i].x = static_cast<std::uint32_t>(random.next() * 1e5 - 5e4);
      const Vec3 move = (i % 7 == 0 ? 20.0 : i % 5 == 0 ? 0.0 : 0.5) * random.next_vec();  // the fifth: nothing presses
      displacement[i] = {float(move.x), float(move.y), float(move.z), float(0.9 + 0.2 * random.next())};
    }
    vulkan::upload<gpu::uvec4>(rig.device, rig.state.position, position);
    vulkan::upload<gpu::uvec4>(rig.device, rig.state.low, low);
    vulkan::upload<gpu::vec4>(rig.device, rig.state.acceleration, displacement);
    const auto predicted = vulkan::download(rig.device, rig.state.velocity, n);
    const auto wall = vulkan::download(rig.device, rig.state.wall, n);
    const auto wall_forces = vulkan::download(rig.device, rig.state.wall_force, rig.groups());
    const State& s = rig.state;
    rig.run([&](PassRecorder& run) { run.run_groups<Pass::integrate>(rig.groups()); });
    const auto new_position = vulkan::download(rig.device, s.stored_position, n);
    const auto new_low = vulkan::download(rig.device, s.stored_low, n);
    const auto velocity = vulkan::download(rig.device, s.stored_velocity, n);
    const double tau = rig.control().tau;
    Worst worst_velocity, worst_position;
    int wrapped = 0;
    bool kept = true;
    for (std::uint32_t i = 0; i < n; ++i) {
      kept &= velocity[i].w == predicted[i].w && unpack_material(new_low[i].w) == unpack_material(low[i].w) &&
              new_position[i].w == position[i].w;
      const auto wraps = unpack_wraps(low[i].w), new_wraps = unpack_wraps(new_low[i].w);
      const double moves[3] = {displacement[i].x, displacement[i].y, displacement[i].z};
      const std::uint32_t before[3] = {position[i].x, position[i].y, position[i].z};
      const std::uint32_t after[3] = {new_position[i].x, new_position[i].y, new_position[i].z};
      const std::uint32_t part_before[3] = {low[i].x, low[i].y, low[i].z};
      const std::uint32_t part_after[3] = {new_low[i].x, new_low[i].y, new_low[i].z};
      const std::uint32_t v_star[3] = {predicted[i].x, predicted[i].y, predicted[i].z};
      const std::uint32_t v[3] = {velocity[i].x, velocity[i].y, velocity[i].z};
      const bool flies = moves[0] == 0 && moves[1] == 0 && moves[2] == 0 && scene.solver.mode == SolverMode::robust;
      const gpu::Params& p = s.params_host;
      const double gravity[3] = {p.gravity_x, p.gravity_y, p.gravity_z};
      for (int axis = 0; axis < 3; ++axis) {
        const double expected = float_of(v_star[axis]) + moves[axis] / tau;
        worst_velocity.take(float_of(v[axis]) - expected,
                            8 * kHalfUlp * (std::fabs(float_of(v_star[axis])) + std::fabs(moves[axis] / tau)));
        const double moved = (new_wraps[axis] - wraps[axis]) * 4294967296.0 + (double(after[axis]) - before[axis]) +
                             (double(part_after[axis]) - part_before[axis]) / 4294967296.0;
        const double kick = flies ? 0.5 * tau * gravity[axis] : 0;
        const double move = tau * (float_of(v[axis]) - kick) * 524288.0;
        // The product is rounded once, for what flies four times, and the rest of a unit has 24 bits.
        const double size =
            flies ? 4 * tau * (std::fabs(float_of(v[axis])) + std::fabs(kick)) * 524288.0 : std::fabs(move);
        worst_position.take(moved - move, 1.01 * kHalfUlp * size + 1.01 * kHalfUlp);
        wrapped += new_wraps[axis] != wraps[axis] ? 1 : 0;
      }
    }
    CHECK(kept);
    CHECK(worst_velocity.ratio < 1);
    CHECK(worst_position.ratio < 1);
    if (n > 200) CHECK(wrapped > 10);

    const auto partials = vulkan::download(rig.device, s.step_partial, rig.groups());
    for (std::uint32_t g = 0; g < rig.groups(); ++g) {
      double energy = 0, error = 0, worst_error = 0, speed = 0, moment_scale = 0, force_scale = 0, momentum_scale = 0;
      Vec3 momentum, moment, force;
      for (std::uint32_t i = g * 256; i < std::min(n, g * 256 + 256); ++i) {
        const double mass = s.params_host.materials[unpack_material(low[i].w)].mass;
        const Vec3 v{float_of(velocity[i].x), float_of(velocity[i].y), float_of(velocity[i].z)};
        const Vec3 x = mass * position_in_h(new_position[i], new_low[i].w);
        const Vec3 f = float_of(position[i].w) / (tau * tau) * to_vec(wall[i]);
        energy += 0.5 * mass * dot(v, v);
        error += std::max(0.0, displacement[i].w - 1.0);
        worst_error = std::max(worst_error, displacement[i].w - 1.0);
        speed = std::max(speed, length(v));
        momentum = momentum + mass * v;
        moment = moment + x;
        force = force + f;
        momentum_scale += mass * length(v);
        moment_scale += length(x) + 8192;  // a coordinate is made of the wraps and a signed part
        force_scale += length(f);
      }
      force = force + to_vec(wall_forces[g]);
      force_scale += length(to_vec(wall_forces[g]));
      const gpu::StepPartial& p = partials[g];
      // Sums of 256 values in two levels of 16: at most 31 roundings, few of which agree in sign.
      const double sum_error = 16 * kHalfUlp;
      CHECK(std::fabs(p.kinetic_energy - energy) <= sum_error * energy);
      CHECK(std::fabs(p.density_error - error) <= sum_error * error);
      CHECK(p.density_error_max == doctest::Approx(worst_error).epsilon(1e-7));
      CHECK(p.max_speed == doctest::Approx(speed).epsilon(1e-6));
      CHECK(length(Vec3{p.momentum_x, p.momentum_y, p.momentum_z} - momentum) <= sum_error * momentum_scale);
      CHECK(length(Vec3{p.mass_moment_x, p.mass_moment_y, p.mass_moment_z} - moment) <= sum_error * moment_scale);
      CHECK(length(Vec3{p.wall_force_x, p.wall_force_y, p.wall_force_z} - force) <= sum_error * force_scale);
    }
  });
}

TEST_CASE("a thousand moves of a turning body equal the exact screw motion, and resting bodies keep every bit") {
  constexpr int kMoves = 1000;
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Rig rig(*gpu, shaken_cloud(257));
    gpu::Control control = rig.control();
    control.tau = 0.7f;
    rig.set_control(control);
    const auto before = vulkan::download(rig.device, rig.state.boundary_body, 2);
    rig.run([&](PassRecorder& run) {
      for (int k = 0; k < kMoves; ++k) run.run_groups<Pass::move_bodies>(1);
    });
    const auto after = vulkan::download(rig.device, rig.state.boundary_body, 2);
    CHECK(std::memcmp(&after[0], &before[0], sizeof before[0]) == 0);
    const double time = kMoves * static_cast<double>(control.tau);
    const Pose found = pose_of(after[1]);
    const Vec3 spin = to_vec(before[1].spin);
    const double half = 0.5 * time * length(spin);
    REQUIRE(half > 6);  // radians: more than a turn
    const Vec3 axis = std::sin(half) / length(spin) * spin;
    const Quat q = found.orientation;
    CHECK(std::fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-6);
    // Each move errs by a few half ulps in angle.
    const double angle_bound = kMoves * 6 * kHalfUlp;
    CHECK(std::fabs(q.w - std::cos(half)) + length(Vec3{q.x, q.y, q.z} - axis) < angle_bound);
    const Vec3 way = time * to_vec(before[1].velocity);
    CHECK(length(found.position - pose_of(before[1]).position - way) < 2 * kHalfUlp * length(way));
  }
}

TEST_CASE("samples of a moved and turned body are placed where double precision has them, keys of both sets too") {
  on_every_scene([](Gpu& gpu, const Scene& scene) {
    Rig rig(gpu, scene);
    const State& s = rig.state;
    const auto samples = static_cast<std::uint32_t>(s.sizes.boundary);
    rig.run([&](PassRecorder& run) {
      for (int k = 0; k < 40; ++k) run.run_groups<Pass::move_bodies>(1);
      run.run_groups<Pass::place_boundary>((samples + 255) / 256, {0});
    });
    const auto source = vulkan::download(rig.device, s.boundary_source, samples);
    const auto placed = vulkan::download(rig.device, s.boundary_placed, samples);
    const auto bodies = vulkan::download(rig.device, s.boundary_body, s.sizes.bodies);
    Worst worst;
    double turned = 0;
    bool unmoved = true;
    for (std::uint32_t i = 0; i < samples; ++i) {
      const gpu::BodyState& body = bodies[source[i].w >> 16];
      unmoved &= placed[i].w == source[i].w;
      if (body.velocity.w == 0) {
        unmoved &= placed[i].x == source[i].x && placed[i].y == source[i].y && placed[i].z == source[i].z;
        continue;
      }
      const Vec3 local{float_of(source[i].x), float_of(source[i].y), float_of(source[i].z)};
      const Vec3 offset = rotate(pose_of(body).orientation, local);
      turned = std::max(turned, length(offset - local));
      const Vec3 expected = position_in_h(body.position, body.low.w) + offset;
      // Half a unit of rounding an axis, and that of the rotation.
      worst.take(length(position_in_h(placed[i], 0) - expected), 1.0 / 524288 + 12 * kHalfUlp * length(local));
    }
    CHECK(unmoved);
    CHECK(worst.ratio < 1);
    CHECK(turned > 0.2);
  });
}

TEST_CASE("the chord that rows see of a turning body is the way that its samples go in the step, over its length") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Rig rig(*gpu, shaken_cloud(257));
    const State& s = rig.state;
    const auto samples = static_cast<std::uint32_t>(s.sizes.boundary);
    auto start = vulkan::download(rig.device, s.boundary_body, s.sizes.bodies);
    gpu::Control control = rig.control();
    // A turn of a thousandth of a radian, and ones of more than half a turn and more than a whole one.
    for (const double angle : {0.001, 0.3, 4.0, 8.0}) {
      CAPTURE(angle);
      control.tau = 0.7f;
      rig.set_control(control);
      const double rate = angle / (0.7 * length(to_vec(start[1].spin)));
      auto bodies = start;
      bodies[1].spin.x *= static_cast<float>(rate), bodies[1].spin.y *= static_cast<float>(rate),
          bodies[1].spin.z *= static_cast<float>(rate);
      vulkan::upload<gpu::BodyState>(rig.device, s.boundary_body, bodies);
      const auto place = [&](bool move) {
        rig.run([&](PassRecorder& run) {
          if (move) run.run_groups<Pass::move_bodies>(1);
          run.run_groups<Pass::place_boundary>((samples + 255) / 256, {0});
        });
        return vulkan::download(rig.device, s.boundary_placed, samples);
      };
      const auto before = place(false);
      const gpu::BodyState body = vulkan::download(rig.device, s.boundary_body, s.sizes.bodies)[1];
      const auto after = place(true);
      const double tau = control.tau;
      const Vec3 spin = to_vec(body.spin);
      const double found_angle = tau * length(spin), half_sine = std::sin(0.5 * found_angle) / (0.5 * found_angle);
      CHECK(std::fabs(body.chord.x - std::sin(found_angle) / found_angle) < 8 * kHalfUlp);
      CHECK(std::fabs(body.chord.y - 0.5 * tau * half_sine * half_sine) < 8 * kHalfUlp * tau);
      Worst worst;
      double most = 0;
      for (std::uint32_t i = 0; i < samples; ++i) {
        if (before[i].w >> 16 != 1) continue;
        const Vec3 arm = way_in_h(body.position, before[i]);
        const Vec3 chord =
            to_vec(body.velocity) +
            cross(spin, static_cast<double>(body.chord.x) * arm + static_cast<double>(body.chord.y) * cross(spin, arm));
        const Vec3 way = way_in_h(before[i], after[i]);
        most = std::max(most, length(way));
        // Half a unit of rounding an axis at both ends and of the body's centre, and that of the rotation.
        worst.take(length(way - tau * chord), 4.0 / 524288 + 24 * kHalfUlp * length(arm));
      }
      CHECK(worst.ratio < 1);
      CHECK(most > 0);
    }
  }
}
