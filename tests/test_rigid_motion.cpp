// Rigid bodies without fluid against mechanics: resting gaps over the step, toppling, stopping, a belt, and
// thresholds of sliding on more slopes and shapes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/rigid_runs.h"

namespace sluice::tests {
namespace {

// --- Resting gap ----------------------------------------------------------------------------------------------------

// Of a box that falls from 2 h.
double resting_gap(Gpu& gpu, Scene scene, double step) {
  scene.time.max_step = step;
  const Recording run = record(gpu, scene, 0.3, 0.1);
  return lowest_sample(run.frames.back());
}

void check_resting_gaps(Gpu& gpu, const std::vector<double>& steps) {
  double least = 1e9, most = 0;
  for (const double step : steps) {
    const double gap = resting_gap(gpu, reference::rigid_drop(2), step);
    least = std::min(least, gap), most = std::max(most, gap);
    report_figure({.name = "box dropped from 2 h, step " + text_of(1000 * step) + " ms: resting gap of its samples",
                   .value = gap,
                   .unit = "h",
                   .least = reference::kRestGaps.floor - 0.005,
                   .most = reference::kRestGaps.floor + 0.005,
                   .source = "lattice sums: 1.000"});
  }
  report_figure({.name = "box dropped from 2 h, steps of " + text_of(1000 * steps.front()) + " to " +
                         text_of(1000 * steps.back()) + " ms: spread of resting gaps",
                 .value = most - least,
                 .unit = "h",
                 .most = 1e-3,
                 .source = "rest does not depend on the step"});
}

// Falls for 1 m, or starts with the speed of that fall one h above where it rests.
void check_fast_drop(Gpu& gpu, bool whole_fall) {
  Scene scene = reference::rigid_drop(whole_fall ? 50 : 1);
  const double impact = std::sqrt(2 * kGravity * 50 * kSpacing);
  if (!whole_fall) scene.rigid[0].velocity.y = -impact;
  const double begin = whole_fall ? impact / kGravity - 0.005 : 0, end = begin + 0.25;
  const Recording run = record(gpu, scene, end, 0.002);
  double lowest = 1e9, fastest = 0;
  for (const Frame& frame : run.frames) {
    lowest = std::min(lowest, lowest_sample(frame));
    if (frame.time > end - 0.05) fastest = std::max(fastest, highest_speed(frame));
  }
  const std::string name = whole_fall ? "box dropped from 50 h, 4.4 m/s: " : "box thrown down at 4.4 m/s: ";
  report_figure({.name = name + "lowest gap of a sample on the way",
                 .value = lowest,
                 .unit = "h",
                 .least = 0.70,
                 .source = "nothing sinks in"});
  report_figure({.name = name + "largest speed from 0.2 to 0.25 s after it hits",
                 .value = 1000 * fastest,
                 .unit = "mm/s",
                 .most = 1,
                 .source = "comes to rest"});
}

// --- Toppling -------------------------------------------------------------------------------------------------------

// Degrees by which a body is turned.
double tilt_of(const BodyRecord& body) {
  const Quat q = body.orientation;
  return 2 / kDegree * std::atan2(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z), std::fabs(q.w));
}

enum class End { topples, stays, slides };

void check_toppling(Gpu& gpu, int height, double friction, double slope, End expected) {
  const reference::BoxSamples samples{7, height, 7};
  const double length = expected == End::slides ? 40 : 25;
  const Recording run = record(gpu, box_on_strip(samples, friction, slope, length), 0.6, 0.05);
  const std::string name = "box of 6 x " + std::to_string(height - 1) + " x 6 h on a slope of " + text_of(slope) +
                           " degrees, mu " + text_of(friction) + ": ";
  double tilt = 0;
  for (const Frame& frame : run.frames) tilt = std::max(tilt, tilt_of(frame.bodies[0]));
  const double way = run.frames.back().bodies[0].position.x / kSpacing;
  if (expected == End::topples) {
    report_figure({.name = name + "turned within 0.6 s by",
                   .value = tilt,
                   .unit = "degrees",
                   .least = 45,
                   .required = "topples: > 45 degrees",
                   .source = "width/height below the tangent of the slope"});
    return;
  }
  report_figure({.name = name + "turned within 0.6 s by",
                 .value = tilt,
                 .unit = "degrees",
                 .most = 3,
                 .required = "stays upright: < 3 degrees",
                 .source = "width/height above tan of the slope or mu"});
  if (expected == End::stays) {
    report_figure({.name = name + "moved within 0.6 s by",
                   .value = std::fabs(way),
                   .unit = "h",
                   .most = 0.1,
                   .source = "sticks"});
  } else {
    report_figure({.name = name + "acceleration",
                   .value = fitted_acceleration(run.frames, 0.1, 0.4),
                   .unit = "m/s^2",
                   .exact = kGravity * (std::sin(slope * kDegree) - friction * std::cos(slope * kDegree)),
                   .within = 0.03,
                   .source = "Coulomb"});
  }
}

// --- Stopping and a belt --------------------------------------------------------------------------------------------

void check_stopping(Gpu& gpu, double speed, double friction) {
  const double way = speed * speed / (2 * friction * kGravity), end = speed / (friction * kGravity) + 0.1;
  Scene scene = box_on_strip({11, 6, 11}, friction, 0, way / kSpacing + 12);
  scene.rigid[0].velocity = {speed, 0, 0};
  const Recording run = record(gpu, scene, end, 0.05);
  const BodyRecord& last = run.frames.back().bodies[0];
  const std::string name = "box thrown along the floor at " + text_of(speed) + " m/s, mu " + text_of(friction) + ": ";
  report_figure({.name = name + "stopping distance",
                 .value = last.position.x,
                 .unit = "m",
                 .exact = way,
                 .within = 0.03,
                 .source = "v^2 / (2 mu g)"});
  report_figure({.name = name + "speed 0.1 s after it should have stopped",
                 .value = 1000 * length(last.velocity),
                 .unit = "mm/s",
                 .most = 0.2,
                 .source = "sticks"});
}

void check_belt(Gpu& gpu, double speed, double friction) {
  const double gain = friction * kGravity, reached = speed / gain, end = reached + 0.1;
  Scene scene = box_on_strip({11, 6, 11}, friction, 0, 15);
  lay_strip(scene, -speed * end / kSpacing - 12, 12, 9, {speed, 0, 0});
  const Recording run = record(gpu, scene, end, 0.02);
  const std::string name = "box put on a belt of " + text_of(speed) + " m/s, mu " + text_of(friction) + ": ";
  report_figure({.name = name + "acceleration until 0.9 of the belt's speed",
                 .value = fitted_acceleration(run.frames, 0.02, 0.9 * reached),
                 .unit = "m/s^2",
                 .exact = gain,
                 .within = 0.03,
                 .source = "mu g"});
  report_figure({.name = name + "speed 0.1 s after it should have reached the belt's",
                 .value = run.frames.back().bodies[0].velocity.x,
                 .unit = "m/s",
                 .exact = speed,
                 .within = 0.001,
                 .source = "sticks to the belt"});
}

// --- Thresholds of sliding ------------------------------------------------------------------------------------------

Scene on_slope(bool cylinder, double friction, double slope, double end) {
  const double length = 0.5 * 0.25 * kGravity * std::sin(slope * kDegree) * end * end / kSpacing + 15;
  if (!cylinder) return box_on_strip({11, 6, 11}, friction, slope, length);
  return shape_on_strip(R"("shape": {"cylinder": {"radius": 0.1, "height": 0.12}})", friction, slope, length);
}

// The Stanford bunny, 12 h tall; 0.3 s after it is put down it stands still on its paws, or slides on them.
void check_bunny(Gpu& gpu, double slope) {
  const auto file = std::filesystem::path(__FILE__).parent_path().parent_path() / "scenes/models/bunny.obj";
  REQUIRE_MESSAGE(std::filesystem::exists(file), "run tools/fetch_bunny first");
  std::string first_line;
  std::getline(std::ifstream(file), first_line);
  const bool stand_in = first_line.find("stand-in") != std::string::npos;
  const double exact = std::tan(slope * kDegree), settled = 0.3, end = 0.7;
  const auto run = [&](double share) {
    const std::string shape = R"("shape": {"mesh": ")" + file.string() + R"(", "scale": 0.025})";
    const double length = 0.5 * 0.25 * kGravity * std::sin(slope * kDegree) * end * end / kSpacing + 20;
    return record(gpu, shape_on_strip(shape, share * exact, slope, length), end, 0.02).frames;
  };
  const std::string name = std::string(stand_in ? "stand-in of a bunny" : "bunny") + " on a slope of " +
                           text_of(slope) + " degrees, " + text_of(end) + " s: ";
  const double low = fitted_acceleration(run(0.8), settled, end), high = fitted_acceleration(run(0.9), settled, end);
  report_figure({.name = name + "threshold, where the accelerations at mu of 0.8 and 0.9 of it extrapolate to 0",
                 .value = exact * (0.8 + 0.1 * low / (low - high)),
                 .exact = exact,
                 .within = 0.03,
                 .source = "tan " + text_of(slope)});
  const auto gain = [&](const std::vector<Frame>& frames) {
    return frames.back().bodies[0].velocity.x - frames[15].bodies[0].velocity.x;
  };
  report_figure({.name = name + "gain of speed from 0.3 s on at mu 3 % below the threshold",
                 .value = 1000 * gain(run(0.97)),
                 .unit = "mm/s",
                 .least = 300 * 0.03 * kGravity * std::sin(slope * kDegree) * (end - settled),
                 .required = "slides",
                 .source = "Coulomb"});
  report_figure({.name = name + "gain of speed from 0.3 s on at mu 3 % above the threshold",
                 .value = 1000 * gain(run(1.03)),
                 .unit = "mm/s",
                 .most = 0,
                 .source = "Coulomb"});
}

// The line through the accelerations at two frictions below the threshold meets 0 there.
void check_threshold(Gpu& gpu, bool cylinder, double slope, double end) {
  const double exact = std::tan(slope * kDegree);
  const std::string name = std::string(cylinder ? "flat cylinder (height 0.6 diameters)" : "box") + " on a slope of " +
                           text_of(slope) + " degrees, " + text_of(end) + " s: ";
  const auto run = [&](double share, double until) {
    return record(gpu, on_slope(cylinder, share * exact, slope, until), until, 0.02).frames;
  };
  const double low = fitted_acceleration(run(0.8, end), 0.1, end), high = fitted_acceleration(run(0.95, end), 0.1, end);
  report_figure({.name = name + "threshold, where the accelerations at mu of 0.8 and 0.95 of it extrapolate to 0",
                 .value = exact * (0.8 + 0.15 * low / (low - high)),
                 .exact = exact,
                 .within = 0.03,
                 .source = "tan " + text_of(slope)});
  report_figure({.name = name + "speed at mu 3 % below the threshold",
                 .value = run(0.97, end).back().bodies[0].velocity.x,
                 .unit = "m/s",
                 .least = 0.3 * 0.03 * kGravity * std::sin(slope * kDegree) * end,
                 .required = "slides",
                 .source = "Coulomb"});
  const std::vector<Frame> sticks = run(1.03, end);
  const Frame &a = sticks[sticks.size() - 6], &b = sticks.back();
  report_figure({.name = name + "drift at mu 3 % above the threshold",
                 .value = 1000 * length(b.bodies[0].position - a.bodies[0].position) / (b.time - a.time),
                 .unit = "mm/s",
                 .most = 0.2,
                 .source = "Coulomb"});
}

}  // namespace

TEST_CASE("a dropped box rests at the same gap for steps of 1 and 2 ms, without sinking in at 4.4 m/s" *
          doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  check_resting_gaps(lavapipe(), {0.001, 0.002});
  check_fast_drop(lavapipe(), false);
}

TEST_CASE("a dropped box rests at the same gap for steps of 0.5 to 2 ms, without sinking in after 50 h" *
          doctest::test_suite("full") * doctest::skip()) {
  check_resting_gaps(quiet_lavapipe(), {0.0005, 0.001, 0.002});
  check_fast_drop(quiet_lavapipe(), true);
}

TEST_CASE("a thrown box stops, a belt carries one along: briefly" * doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  check_stopping(lavapipe(), 0.5, 0.5);
  check_belt(lavapipe(), 0.4, 0.4);
}

TEST_CASE("a tall box topples where its width over height says so" * doctest::test_suite("full") * doctest::skip()) {
  check_toppling(quiet_lavapipe(), 13, 0.8, 30, End::topples);
  check_toppling(quiet_lavapipe(), 10, 0.8, 30, End::stays);
  check_toppling(quiet_lavapipe(), 13, 0.3, 30, End::slides);
}

TEST_CASE("a thrown box stops, a belt carries one along" * doctest::test_suite("full") * doctest::skip()) {
  check_stopping(quiet_lavapipe(), 1, 0.3);
  check_stopping(quiet_lavapipe(), 1.5, 0.5);
  check_belt(quiet_lavapipe(), 1, 0.2);
}

TEST_CASE("boxes and flat cylinders slide from tan of the slope on, at 15 and 45 degrees" *
          doctest::test_suite("full") * doctest::skip()) {
  for (const double slope : {15.0, 45.0}) {
    for (const bool cylinder : {false, true}) check_threshold(quiet_lavapipe(), cylinder, slope, 0.3);
  }
}

TEST_CASE("the bunny slides from tan of the slope on, at 15 degrees" * doctest::test_suite("full") * doctest::skip()) {
  check_bunny(quiet_lavapipe(), 15);
}

}  // namespace sluice::tests
