// Rigid bodies against what mechanics says: sliding and sticking on a slope, resting, tumbling.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/reference/rigid_scenes.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

constexpr double kGravity = 9.81, kSlope = 0.5235987755982988;  // 30 degrees

// Runs to `end`, and returns the frames that came every `interval` seconds, the start among them.
std::vector<Frame> frames_of(Scene scene, double end, double interval) {
  scene.time.end = end;
  scene.time.frame_interval = interval;
  Simulation simulation(lavapipe(), scene);
  std::vector<Frame> frames;
  while (!simulation.done()) {
    simulation.advance();
    if (!simulation.frame_ready()) continue;
    frames.push_back(simulation.read_frame());
    simulation.next_frame();
  }
  return frames;
}

// Of body 0 down the slope, which is +x.
double acceleration_between(const Frame& a, const Frame& b) {
  return (b.bodies[0].velocity.x - a.bodies[0].velocity.x) / (b.time - a.time);
}

double drift_between(const Frame& a, const Frame& b) {
  return length(b.bodies[0].position - a.bodies[0].position) / (b.time - a.time);
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

// With the time to which it is measured, because shortened and full-length runs are figures of their own.
std::string slope_text(double friction, double end) {
  return "box on a slope of 30 degrees, mu " + text_of(friction) + ", " + text_of(end) + " s: ";
}

double coulomb_acceleration(double friction) { return kGravity * (std::sin(kSlope) - friction * std::cos(kSlope)); }

void check_sliding(double friction, double end) {
  CAPTURE(friction);
  const std::vector<Frame> frames = frames_of(reference::incline(friction), end, 0.1);
  report_figure({.name = slope_text(friction, end) + "acceleration",
                 .value = acceleration_between(frames[1], frames.back()),
                 .unit = "m/s^2",
                 .exact = coulomb_acceleration(friction),
                 .within = 0.03,
                 .source = "Coulomb, [PT23 fig. 4]"});
  // Friction at slip is mu times the normal force.
  const Vec3 force = frames.back().bodies[0].contact_force;
  CHECK(-force.x / force.y == doctest::Approx(friction).epsilon(0.03));
}

void check_sticking(const Scene& scene, double end, const std::string& remark = "") {
  const std::vector<Frame> frames = frames_of(scene, end, 0.1);
  report_figure({.name = slope_text(scene.rigid[0].friction, end) + "drift while sticking" + remark,
                 .value = 1000 * drift_between(frames[frames.size() - 2], frames.back()),
                 .unit = "mm/s",
                 .most = 0.2,
                 .source = "Coulomb, [PT23 fig. 3]"});
}

// 5 iterations a step. On a lattice at 33 degrees the box stands on three of its corners, at 20 on all four, one too
// many for its pressures to be known: that takes more iterations.
void check_sticking_briefly_solved(double lattice_degrees, double end) {
  Scene scene = reference::incline(0.65, {11, 6, 11}, lattice_degrees);
  scene.solver.min_iterations = scene.solver.min_iterations_contact = scene.solver.max_iterations = 5;
  check_sticking(scene, end, ", 5 iterations a step, lattice at " + text_of(lattice_degrees) + " degrees");
}

}  // namespace

TEST_CASE("a box slides down a slope of 30 degrees as Coulomb says, within 3 %" * doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  check_sliding(0.3, 0.3);
}

TEST_CASE("a box above the friction angle sticks, also with 5 iterations a step" * doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  check_sticking(reference::incline(0.585), 0.3);
  check_sticking_briefly_solved(33, 0.4);
}

TEST_CASE("sliding and sticking at more frictions, for longer" * doctest::test_suite("full") * doctest::skip()) {
  MessageGuard guard(lavapipe());
  check_sliding(0.0, 0.6);  // the plane ends 1.3 m down the slope
  for (const double friction : {0.3, 0.5}) check_sliding(friction, 0.8);
  for (const double friction : {0.585, 0.6, 0.65}) check_sticking(reference::incline(friction), 0.8);
  for (const double degrees : {20.0, 33.0}) check_sticking_briefly_solved(degrees, 1.0);
  for (const double friction : {0.55, 0.57}) {
    const std::vector<Frame> frames = frames_of(reference::incline(friction), 0.8, 0.1);
    report_figure({.name = slope_text(friction, 0.8) + "acceleration",
                   .value = acceleration_between(frames[3], frames[8]),
                   .unit = "m/s^2",
                   .least = 0.02,
                   .required = "slides: > 0.02 m/s^2 (exact " + text_of(coulomb_acceleration(friction)) + ")",
                   .source = "Coulomb"});
  }
}

// The threshold is where the line through the accelerations of the boxes that clearly slide meets 0.
TEST_CASE("a sweep of frictions on a slope of 30 degrees finds the threshold tan 30" * doctest::test_suite("full") *
          doctest::skip()) {
  MessageGuard guard(lavapipe());
  constexpr double kEnd = 0.4, kClearlySliding = 0.56, kThreshold = 0.5773502691896258;
  Series found{"final speed", {}}, theory{"g (sin 30 - mu cos 30) t, 0 above tan 30", {}, true};
  std::vector<std::pair<double, double>> sliding;
  double most_drift = 0;
  for (const double friction : {0.35, 0.40, 0.45, 0.50, 0.53, 0.55, 0.57, 0.585, 0.60, 0.65, 0.70, 0.75}) {
    const std::vector<Frame> frames = frames_of(reference::incline(friction), kEnd, 0.1);
    const double speed = frames.back().bodies[0].velocity.x;
    found.points.emplace_back(friction, speed);
    MESSAGE("mu ", friction, ": ", speed, " m/s");
    if (friction < kClearlySliding) sliding.emplace_back(friction, acceleration_between(frames[1], frames.back()));
    const double drift = drift_between(frames[frames.size() - 2], frames.back());
    if (friction > 0.58 && !(drift <= most_drift)) most_drift = drift;  // a NaN is taken, too
  }
  for (const double friction : {0.35, kThreshold, 0.75}) {
    theory.points.emplace_back(friction, std::max(0.0, coulomb_acceleration(friction) * kEnd));
  }
  // Least squares.
  double mean_friction = 0, mean_acceleration = 0, covariance = 0, variance = 0;
  for (const auto& [friction, acceleration] : sliding) {
    mean_friction += friction / static_cast<double>(sliding.size());
    mean_acceleration += acceleration / static_cast<double>(sliding.size());
  }
  for (const auto& [friction, acceleration] : sliding) {
    covariance += (friction - mean_friction) * (acceleration - mean_acceleration);
    variance += (friction - mean_friction) * (friction - mean_friction);
  }
  const double slope = covariance / variance;
  const std::string name = "sweep of mu on a slope of 30 degrees, 0.35 to 0.75, 0.4 s each: ";
  report_figure({.name = name + "threshold, where the accelerations below 0.56 extrapolate to 0",
                 .value = mean_friction - mean_acceleration / slope,
                 .least = 0.577 - 0.008,
                 .most = 0.577 + 0.008,
                 .required = "0.577 ± 0.008",
                 .source = "tan 30, [PT23 fig. 4]"});
  report_figure({.name = name + "loss of acceleration with mu",
                 .value = -slope,
                 .unit = "m/s^2",
                 .exact = kGravity * std::cos(kSlope),
                 .within = 0.05,
                 .source = "g cos 30"});
  report_figure({.name = name + "largest drift from mu 0.585 on",
                 .value = 1000 * most_drift,
                 .unit = "mm/s",
                 .most = 0.2,
                 .source = "Coulomb, [PT23 fig. 3]"});
  report_curve({.name = "incline_sweep",
                .title = "Box on a slope of 30 degrees after 0.4 s",
                .x_label = "friction mu",
                .y_label = "speed, m/s",
                .series = {found, theory}});
}

TEST_CASE("friction from the velocities before the solve lets a box slide that should stick" *
          doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  Scene scene = reference::incline(1.0);
  scene.solver.friction_method = FrictionMethod::staggered;
  const std::vector<Frame> frames = frames_of(scene, 0.3, 0.1);
  report_figure({.name = slope_text(1.0, 0.3) + "speed with friction from before the solve",
                 .value = frames[3].bodies[0].velocity.x,
                 .unit = "m/s",
                 .least = 0.1,
                 .required = "slides at every mu: > 0.1 m/s",
                 .source = "[PT23 fig. 3]"});
}

namespace {

// A box that falls comes to rest on its corners, without sinking in on the way. The gap is between `least` and `most`.
void check_drop(const Scene& scene, const std::string& weights, double least, double most, const std::string& source) {
  constexpr double kHalfHeight = 2;  // 5 samples, h
  double lowest = 1e9;
  const std::vector<Frame> frames = frames_of(scene, 0.3, 0.01);
  for (const Frame& frame : frames) lowest = std::min(lowest, frame.bodies[0].position.y / 0.02 - kHalfHeight);
  const BodyRecord& body = frames.back().bodies[0];
  const double gap = body.position.y / 0.02 - kHalfHeight;
  const std::string name = "box dropped from 2 h onto a floor, " + weights + ", 0.3 s: ";
  report_figure({.name = name + "resting gap of the samples",
                 .value = gap,
                 .unit = "h",
                 .least = least,
                 .most = most,
                 .source = source});
  report_figure({.name = name + "least gap on the way",
                 .value = lowest,
                 .unit = "h",
                 .least = least,
                 .source = "nothing sinks in"});
  report_figure({.name = name + "speed at the end",
                 .value = 1000 * length(body.velocity),
                 .unit = "mm/s",
                 .most = 1,
                 .source = "comes to rest"});
  // A solve may miss 2 % of a step of gravity.
  CHECK(body.contact_force.y == doctest::Approx(scene.rigid[0].mass * kGravity).epsilon(0.02));
}

}  // namespace

TEST_CASE("a box that falls comes to rest: as printed on its corners at 0.816 h, weighted on its face at 1.000 h" *
          doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  Scene scene = reference::rigid_drop(2);
  check_drop(scene, "weighted contacts", 0.99, 1.01, "lattice sums: 1.000");
  scene.solver.contact_weights = false;
  scene.solver.load_sharing = 0;  // as printed, too: four corners that carry it all give way by 0.005 h
  check_drop(scene, "contacts as printed", 0.80, 0.82, "lattice sums: 0.816 on corners");
}

TEST_CASE("a body of 1:2:5 tumbles with its angular momentum, its energy and a unit quaternion" *
          doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  Scene scene = reference::rigid_collision({3, 5, 11});
  scene.rigid.resize(1);
  scene.rigid[0].angular_velocity = {3, 7, 2};
  scene.rigid[0].velocity = {};
  const std::vector<Frame> frames = frames_of(scene, 1.0, 0.25);
  const auto& inertia = scene.rigid[0].inertia;
  const auto momentum_of = [&](const BodyRecord& b) {
    const Quat q = b.orientation, back{q.w, -q.x, -q.y, -q.z};
    const Vec3 w = rotate(back, b.angular_velocity);
    return rotate(q, {inertia[0] * w.x + inertia[3] * w.y + inertia[4] * w.z,
                      inertia[3] * w.x + inertia[1] * w.y + inertia[5] * w.z,
                      inertia[4] * w.x + inertia[5] * w.y + inertia[2] * w.z});
  };
  const Vec3 start = momentum_of(frames[0].bodies[0]);
  const double energy = dot(start, frames[0].bodies[0].angular_velocity);
  double length_error = 0, momentum_error = 0, energy_error = 0;
  const auto take = [](double& worst, double error) {
    if (!(error <= worst)) worst = error;  // a NaN is taken, too
  };
  for (const Frame& frame : frames) {
    const BodyRecord& b = frame.bodies[0];
    const Quat q = b.orientation;
    const Vec3 now = momentum_of(b);
    take(length_error, std::abs(std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z) - 1));
    take(momentum_error, length(now - start) / length(start));
    take(energy_error, std::abs(dot(now, b.angular_velocity) / energy - 1));
  }
  const std::string name = "body of 1:2:5 tumbles for 1 s: ";
  report_figure(
      {.name = name + "quaternion's length off 1", .value = length_error, .most = 1e-6, .source = "geometry"});
  report_figure({.name = name + "change of angular momentum, relative",
                 .value = momentum_error,
                 .most = 1e-5,
                 .source = "Newton"});
  report_figure(
      {.name = name + "change of energy", .value = 100 * energy_error, .unit = "%", .most = 1, .source = "Newton"});
  CHECK(std::abs(frames.back().bodies[0].orientation.w) < 0.999);
}
