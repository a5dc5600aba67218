// Boxes that ride on a turntable: rows see the way that a driven boundary goes in a step, not its velocity as the step
// begins, which leads out by omega^2 r dt / 2 and would throw them off.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "host/sampling/sampling.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/rigid_runs.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

// A box of 8 h whose middle is `radius` m from the axis of a table that turns at `rate` rad/s, and turns with it. Of
// the table only the part under the box is there.
Scene rider(double radius, double rate, double max_step) {
  const std::string text =
      R"({"particleSpacing": 0.02, "time": {"end": 10, "maxStep": )" + std::to_string(max_step) +
      R"(}, "materials": {"m": {"type": "rigid", "density": 1000, "friction": 0.5}},
    "objects": [{"role": "boundary", "name": "table", "shape": {"box": [0.4, 0.1, 0.4]}, "position": [)" +
      std::to_string(radius) + R"(, -0.05, 0], "motion": {"center": [0, 0, 0], "angularVelocity": [0, )" +
      std::to_string(rate) + R"(, 0]}},
      {"role": "rigid", "name": "box", "material": "m", "shape": {"box": [0.16, 0.16, 0.16]}, "position": [)" +
      std::to_string(radius) + R"(, 0.0805, 0],
       "rotation": {"axis": [0, 1, 0], "degrees": 30}, "velocity": [0, 0, )" +
      std::to_string(-rate * radius) + R"(], "angularVelocity": [0, )" + std::to_string(rate) + ", 0]}]}";
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

// How far it slips on the table in a turn, in h, once it has settled.
void check_rider(double radius, double rate, double max_step, double until, double most = 0.02) {
  const std::vector<Frame> frames = record(quiet_lavapipe(), rider(radius, rate, max_step), until, 0.1).frames;
  const auto on_table = [&](std::size_t frame) {
    const double angle = 0.1 * static_cast<double>(frame) * rate, c = std::cos(angle), s = std::sin(angle);
    const Vec3 x = frames[frame].bodies[0].position;
    return std::pair{c * x.x - s * x.z, s * x.x + c * x.z};
  };
  const auto first = on_table(1), last = on_table(frames.size() - 1);
  const double way = std::hypot(last.first - first.first, last.second - first.second) / kSpacing;
  const double turns = rate * (until - 0.1) / (360 * kDegree);
  report_figure({.name = "box on a turntable, " + text_of(radius / kSpacing) + " h from its axis at " + text_of(rate) +
                         " rad/s, steps of " + text_of(1000 * max_step) + " ms: slip a turn",
                 .value = way / turns,
                 .unit = "h",
                 .most = most,
                 .source = "sticks"});
}

}  // namespace

TEST_CASE("a box rides on a turntable" * doctest::test_suite("figures")) { check_rider(0.7, 0.785398, 0.004, 0.5); }

TEST_CASE("boxes ride on turntables at any radius, speed and step" * doctest::test_suite("full") * doctest::skip()) {
  for (const double step : {0.001, 0.002, 0.004}) {
    for (const auto& [radius, rate] : {std::pair{0.7, 0.785398}, std::pair{0.3, 2.0}, std::pair{1.2, 1.0}})
      check_rider(radius, rate, step, 1.1);
    // Near the speed at which it slips. Its own samples turn along tangents within a step, and its outer edge carries
    // more than its inner one.
    check_rider(1.2, 1.5, step, 1.1, step > 0.002 ? 0.03 : 0.02);
  }
}
