// Faces rest on each other up to their edges, where neighbours are missing (shaders/lib/coverage.glsl): equal boxes one
// on the other neither sink into each other nor stand on the middles of their faces, where narrow ones would buckle.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/box_scenes.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/rigid_runs.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

struct Stack {
  int count = 5;
  Vec3 size;            // h
  Vec3 offset;          // h, of every other box
  double h = 0.05;      // m
  double step = 0.002;  // s
  double end = 1;       // s
};
std::string name_of(const Stack& s) {
  return std::to_string(s.count) + " boxes of " + text_of(s.size.x) + " x " + text_of(s.size.y) + " x " +
         text_of(s.size.z) + " h, every other " + text_of(s.offset.x) + " and " + text_of(s.offset.z) + " h aside, h " +
         text_of(1000 * s.h) + " mm, " + text_of(s.end) + " s: ";
}

void check_stack(Gpu& gpu, const Stack& s) {
  std::string objects = box("floor", kBoundary, s.h * Vec3{20, 4, 20}, s.h * Vec3{0, -2, 0});
  for (int k = 0; k < s.count; ++k) {
    const Vec3 at = (k + 0.5) * Vec3{0, s.size.y, 0} + (k % 2) * s.offset;
    objects += ", " + box("box " + std::to_string(k), kRigid, s.h * s.size, s.h * at);
  }
  const Recording run = record(gpu, scene_of(objects, s.h, 0.5, "", s.step), s.end, 0.1);
  double lean = 0, deepest = 0, speed = 0;
  for (std::size_t k = 0; k < run.frames[0].bodies.size(); ++k) {
    const auto rise = [&](std::size_t b) {
      return (run.frames.back().bodies[b].position.y - run.frames[0].bodies[b].position.y) / s.h;
    };
    deepest = std::max(deepest, std::fabs(rise(k) - (k > 0 ? rise(k - 1) : 0)));
    lean = std::max(lean, tilt(run.frames.back().bodies[k]));
    speed = std::max(speed, length(run.frames.back().bodies[k].velocity));
  }
  report_figure(
      {.name = name_of(s) + "a box leans by", .value = lean, .unit = "degrees", .most = 0.02, .source = "statics"});
  report_figure({.name = name_of(s) + "a joint gives way by",
                 .value = deepest,
                 .unit = "h",
                 .most = 0.01,
                 .source = "boxes as drawn"});
  report_figure({.name = name_of(s) + "speed at the end",
                 .value = 1000 * speed,
                 .unit = "mm/s",
                 .most = 0.2,
                 .source = "statics"});
}

}  // namespace

TEST_SUITE_BEGIN("figures");

TEST_CASE("stacks of narrow and of thin boxes stand, as deep as drawn") {
  Gpu& gpu = lavapipe();
  MessageGuard guard(gpu);
  check_stack(gpu, {.size = {3, 4, 3}, .end = 0.8});
  check_stack(gpu, {.count = 3, .size = {3.05, 4, 3.05}, .h = 0.006, .end = 0.5});
  check_stack(gpu, {.count = 3, .size = {10, 2, 10}, .end = 0.2});
  check_stack(gpu, {.count = 3, .size = {4, 3, 4}, .offset = {0.4, 0, 0.3}, .end = 1.2});
}

// A sample near two faces is of one of them: the sum of both would hold it off both.
TEST_CASE("boxes stay in corners as drawn, and come to rest at walls") {
  Gpu& gpu = lavapipe();
  MessageGuard guard(gpu);
  const std::string floor = box("floor", kBoundary, kSpacing * Vec3{60, 4, 30}, kSpacing * Vec3{0, -2, 0}) + ", " +
                            box("wall", kBoundary, kSpacing * Vec3{4, 12, 30}, kSpacing * Vec3{-22, 6, 0}) + ", ";
  const auto cube = [](const std::string& name, double x, const std::string& more = "") {
    return box(name, kRigid + more, kSpacing * Vec3{6, 6, 6}, kSpacing * Vec3{x, 3, 0});
  };
  const Recording still = record(gpu,
                                 scene_of(floor + cube("at the wall", -17) + ", " + cube("pair", 0) + ", " +
                                              cube("its other", 6) + ", " + cube("near", 16) + ", " + cube("by", 22.3),
                                          kSpacing, 0.5),
                                 0.4, 0.1);
  double way = 0, lean = 0;
  for (std::size_t b = 0; b < still.frames[0].bodies.size(); ++b) {
    way = std::max(way, length(still.frames.back().bodies[b].position - still.frames[0].bodies[b].position));
    lean = std::max(lean, tilt(still.frames.back().bodies[b]));
  }
  report_figure({.name = "boxes flush with a wall and with each other on a floor, 0.4 s: a box moves by",
                 .value = way / kSpacing,
                 .unit = "h",
                 .most = 0.02,
                 .source = "statics"});
  report_figure({.name = "boxes flush with a wall and with each other on a floor, 0.4 s: a box leans by",
                 .value = lean,
                 .unit = "degrees",
                 .most = 0.1,
                 .source = "statics"});
  const Recording hit =
      record(gpu, scene_of(floor + cube("box", -15, R"(, "velocity": [-0.4, 0, 0])"), kSpacing, 0), 0.4, 0.1);
  report_figure({.name = "box slides into a wall at 0.4 m/s without friction: speed afterwards",
                 .value = length(hit.frames.back().bodies[0].velocity),
                 .unit = "m/s",
                 .most = 0.022,
                 .source = "restitution 0; overlaps part at 0.02 m/s"});
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("full" * doctest::skip());

TEST_CASE("stacks of narrow boxes of many widths stand") {
  Gpu& gpu = lavapipe();
  MessageGuard guard(gpu);
  for (const double width : {2.0, 2.5, 2.6, 2.7, 2.9, 3.1, 3.3, 3.6, 4.0, 4.5})
    check_stack(gpu, {.size = {width, 4, width}, .end = 3});
  for (const double aside : {0.15, 0.5}) check_stack(gpu, {.size = {4, 4, 4}, .offset = {aside, 0, aside}, .end = 3});
  check_stack(gpu, {.count = 8, .size = {4, 4, 4}, .end = 3});
}

TEST_SUITE_END();
