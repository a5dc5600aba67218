// Bodies at rest stay at rest: solves end within their tolerance, and the slip that they leave must not add up to a creep
// (shaders/lib/compliance.glsl), nor keep anything swaying.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/box_scenes.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/rigid_runs.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

struct Standing {
  std::string name;
  double h;             // m
  std::string objects;  // on a floor at y = 0
  double slope = 0;     // degrees, down to +x
  double friction = 0.6;
  double turn = 0;  // of the floor about y, degrees: other places of its lattice
};

std::string turned(const std::string& axis, double degrees) {
  return R"(, "rotation": {"axis": )" + axis + R"(, "degrees": )" + std::to_string(degrees) + "}";
}
std::string yaw(double degrees) { return turned("[0, 1, 0]", degrees); }

// Lengths in h; every object ends with a comma.
class Objects {
 public:
  explicit Objects(double h) : h_(h) {}
  Objects& box(Vec3 size, Vec3 at, const std::string& more = "") {
    text_ += tests::box("body " + std::to_string(count_++), kRigid + more, h_ * size, h_ * at) + ", ";
    return *this;
  }
  // Two cards whose upper inner edges meet above x.
  Objects& pair_of_cards(double x, double degrees, double length, double thickness) {
    const double s = std::sin(degrees * kDegree), c = std::cos(degrees * kDegree);
    for (const int side : {-1, 1}) {
      box({thickness, length, 10},
          {x + side * (length / 2 * s + thickness / 2 * c + 0.02), length / 2 * c + thickness / 2 * s + 0.02, 0},
          turned("[0, 0, 1]", side * degrees));
    }
    return *this;
  }
  Objects& wheel(double radius, double width) {
    text_ += R"({"name": "wheel", )" + kRigid + R"(, "shape": {"cylinder": {"radius": )" + std::to_string(radius * h_) +
             R"(, "height": )" + std::to_string(width * h_) + R"(}}, "position": )" + vector_text({0, radius * h_, 0}) +
             turned("[1, 0, 0]", 90) + "}, ";
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  double h_;
  std::string text_;
  int count_ = 0;
};

// How far the body's points, 3 h from its centre, went from one frame to the other at most, h.
double moved(const BodyRecord& a, const BodyRecord& b, double h) {
  const Quat p = a.orientation, q = b.orientation;
  const Vec3 turn =
      2 * (p.w * Vec3{q.x, q.y, q.z} - q.w * Vec3{p.x, p.y, p.z} - cross(Vec3{q.x, q.y, q.z}, Vec3{p.x, p.y, p.z}));
  return length(b.position - a.position) / h + 3 * length(turn);
}

void check_rest(Gpu& gpu, const Standing& s, double from, double end) {
  const std::string floor = box("floor", kBoundary + yaw(s.turn), s.h * Vec3{70, 4, 40}, s.h * Vec3{0, -2, 0});
  Scene scene = scene_of(s.objects + floor, s.h, s.friction, "", 0.002);
  lean(scene, s.slope);
  const double interval = 0.2;
  const Recording run = record(gpu, scene, end, interval);
  const auto frame_at = [&](double t) { return run.frames.at(static_cast<std::size_t>(std::lround(t / interval))); };
  const Frame before = frame_at(from), after = frame_at(end);
  const double time = end - from;
  double most = 0;
  for (std::size_t b = 0; b < after.bodies.size(); ++b)
    most = std::max(most, moved(before.bodies[b], after.bodies[b], s.h) / time);
  report_figure({.name = s.name + ", h " + text_of(1000 * s.h) + " mm: what moves farthest from " + text_of(from) +
                         " to " + text_of(end) + " s does so by",
                 .value = most,
                 .unit = "h/s",
                 .most = 1e-3,
                 .source = "statics"});
}

Standing house_of_cards(double h, double turn) {
  Objects o(h);
  const double degrees = 25, length = 16, thickness = 2.2;
  o.pair_of_cards(-8.5, degrees, length, thickness).pair_of_cards(8.5, degrees, length, thickness);
  const double top = length * std::cos(degrees * kDegree) + thickness * std::sin(degrees * kDegree);
  o.box({26, 2.2, 10}, {0, top + 1.15, 0});
  return {"two pairs of leaning cards and one across", h, o.text(), 0, 0.8, turn};
}
Standing two_cards() { return {"two cards", 0.01, Objects(0.01).pair_of_cards(0, 20, 14, 2.5).text(), 0, 0.8}; }
Standing four_cubes() {
  Objects o(0.01);
  const double size[] = {6, 5, 4, 3}, middle[] = {3, 8.5, 13, 16.5};
  for (int k = 0; k < 4; ++k) o.box({size[k], size[k], size[k]}, {0.1 * k, middle[k], 0}, yaw(k * 25));
  return {"four turned cubes, each smaller, on each other", 0.01, o.text(), 0, 0.5, 20};
}
Standing two_cubes_on_a_slope(double h) {
  Objects o(h);
  o.box({6, 4, 6}, {0, 2, 0}, yaw(17)).box({4, 3, 4}, {0, 5.5, 0}, yaw(40)).box({5, 3, 4}, {14, 1.5, 3}, yaw(60));
  return {"a box, and one on another, on a slope of 20 degrees", h, o.text(), 20, 0.5};
}
Standing bridge_of_dominoes(double h, double turn) {
  Objects o(h);
  for (int k = 0; k < 4; ++k) o.box({2.5, 10, 5}, {4.0 * k - 6, 5, 0});
  o.box({16, 2.5, 5}, {0, 11.25, 0});
  return {"four dominoes and one across", h, o.text(), 0, 0.5, turn};
}

}  // namespace

TEST_SUITE_BEGIN("figures");

TEST_CASE("what stands stays: cards, dominoes, cubes") {
  Gpu& gpu = quiet_lavapipe();
  check_rest(gpu, two_cards(), 0.8, 1.2);
  check_rest(gpu, bridge_of_dominoes(0.005, 33), 0.6, 1);
  check_rest(gpu, four_cubes(), 0.8, 1.2);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("full" * doctest::skip());

TEST_CASE("what stands stays: ten scenes of cards, dominoes and cubes, and a wheel") {
  Gpu& gpu = quiet_lavapipe();
  const double from = 2, end = 3;
  check_rest(gpu, house_of_cards(0.01, 30), from, end);
  check_rest(gpu, house_of_cards(0.025, 0), from, end);
  check_rest(gpu, two_cards(), from, end);
  check_rest(gpu, bridge_of_dominoes(0.005, 33), from, end);
  check_rest(gpu, bridge_of_dominoes(0.02, 10), from, end);
  Objects row(0.02);
  for (int k = 0; k < 6; ++k) row.box({2.2, 9, 4.5}, {6.0 * k - 15, 4.5, 0.3 * k}, yaw(3 * k));
  check_rest(gpu, {"a row of six dominoes", 0.02, row.text()}, from, end);
  check_rest(gpu, four_cubes(), from, end);
  Objects pyramid(0.02);
  for (int r = 0; r < 4; ++r)
    for (int i = 0; i < 4 - r; ++i) pyramid.box({4, 4, 4}, {4.5 * (i - 0.5 * (3 - r)), 2 + 4.0 * r, 0});
  check_rest(gpu, {"a pyramid of ten cubes", 0.02, pyramid.text()}, from, end);
  check_rest(gpu, two_cubes_on_a_slope(0.02), from, end);
  check_rest(gpu, two_cubes_on_a_slope(0.004), from, end);
  for (const double radius : {5.0, 10.0})
    check_rest(gpu, {"a wheel of " + text_of(radius) + " h", 0.02, Objects(0.02).wheel(radius, 6).text()}, from, end);
}

TEST_SUITE_END();
