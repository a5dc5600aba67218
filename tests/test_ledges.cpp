// What lies over an edge is carried up to near that edge: by the rows of samples of bodies that cannot move, and by the
// row carriers of boundaries (engine/carriers.h).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/carriers.h"
#include "tests/box_scenes.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/rigid_runs.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

enum class Ledge { boundary, carried, turntable, fixed, free };
const char* name_of(Ledge ledge) {
  switch (ledge) {
    case Ledge::boundary:
      return "a boundary";
    case Ledge::carried:
      return "a boundary that moves at 0.5, 0.2, -0.3 m/s";
    case Ledge::turntable:
      return "a boundary that turns at 1 rad/s";
    case Ledge::fixed:
      return "a fixed body";
    default:
      return "a free body";
  }
}
// The ledge's keys, and a block's that rides on it with its centre at `position`, m.
std::string ledge_keys(Ledge ledge) {
  switch (ledge) {
    case Ledge::boundary:
      return kBoundary;
    case Ledge::carried:
      return kBoundary + R"(, "motion": {"velocity": [0.5, 0.2, -0.3]})";
    case Ledge::turntable:
      return kBoundary + R"(, "motion": {"angularVelocity": [0, 1, 0], "center": [-0.3, 0, 0]})";
    case Ledge::fixed:
      return kFixed;
    default:
      return kRigid;
  }
}
std::string riding_keys(Ledge ledge, Vec3 position) {
  if (ledge == Ledge::carried) return R"(, "velocity": [0.5, 0.2, -0.3])";
  if (ledge != Ledge::turntable) return "";
  const Vec3 spin{0, 1, 0};
  return R"(, "velocity": )" + vector_text(cross(spin, position - Vec3{-0.3, 0, 0})) + R"(, "angularVelocity": )" +
         vector_text(spin);
}

// A block of 10 x 5 x 8 h, turned about y, over a ledge that ends `inside` h beyond its centre: how far it tilts.
double tilt_over(Gpu& gpu, Ledge ledge, double h, double degrees, double inside, double end) {
  const Vec3 on_ledge = h * Vec3{-inside, 2.5, 0};
  const std::string block = kRigid + R"(, "rotation": {"axis": [0, 1, 0], "degrees": )" + std::to_string(degrees) +
                            "}" + riding_keys(ledge, on_ledge);
  std::string objects = box("ledge", ledge_keys(ledge), h * Vec3{15, 5, 14}, h * Vec3{-7.5, -2.5, 0}) + ", " +
                        box("block", block, h * Vec3{10, 5, 8}, on_ledge);
  if (ledge == Ledge::free) objects += ", " + box("floor", kBoundary, h * Vec3{30, 2, 20}, h * Vec3{-7, -6, 0});
  const Recording run = record(gpu, scene_of(objects, h), end, 0.1);
  return tilt(run.frames.back().bodies.back());
}

void check_ledge(Gpu& gpu, Ledge ledge, double h, double degrees, double inside, double end) {
  report_figure({.name = "block over the edge of " + std::string(name_of(ledge)) + ", turned by " + text_of(degrees) +
                         " degrees, h " + text_of(1000 * h) + " mm, its weight " + text_of(inside) +
                         " h inside the edge, " + text_of(end) + " s: tilts by",
                 .value = tilt_over(gpu, ledge, h, degrees, inside, end),
                 .unit = "degrees",
                 .most = 0.2,
                 .required = "stands: < 0.2 degrees",
                 .source = "statics"});
}

// Four blocks of 20 h over each other, each with `share` of the overhang that statics allows: how far the topmost
// sinks.
void check_overhang(Gpu& gpu, Ledge ledge, double share, double end) {
  constexpr double kLength = 20;
  std::string objects = box("ledge", ledge == Ledge::boundary ? kBoundary : kFixed, kSpacing * Vec3{kLength, 4, 8},
                            kSpacing * Vec3{-0.5 * kLength, -2, 0});
  double edge = 0;
  for (int k = 0; k < 4; ++k) {
    edge += share * kLength / (2 * (4 - k));
    objects += ", " + box("block " + std::to_string(k), kRigid, kSpacing * Vec3{kLength, 4, 8},
                          kSpacing * Vec3{edge - 0.5 * kLength, 2.0 + 4 * k, 0});
  }
  const Recording run = record(gpu, scene_of(objects, kSpacing), end, 0.1);
  double most = 0;
  for (const BodyRecord& body : run.frames.back().bodies) most = std::max(most, tilt(body));
  report_figure({.name = "four blocks of 20 h over the edge of " + std::string(name_of(ledge)) + ", " + text_of(share) +
                         " of the limit, " + text_of(end) + " s: a block tilts by",
                 .value = most,
                 .unit = "degrees",
                 .most = 0.5,
                 .required = "stands: < 0.5 degrees",
                 .source = "statics"});
}

// Without friction over the joint of two boxes that lie flush.
void check_joint(Gpu& gpu, Ledge ledge, double beside) {
  const std::string& keys = ledge == Ledge::boundary ? kBoundary : kFixed;
  const std::string slider = kRigid + R"(, "velocity": [0.5, 0, 0])";
  const Scene scene = scene_of(box("west", keys, kSpacing * Vec3{20, 4, 12}, kSpacing * Vec3{-10, -2, 0}) + ", " +
                                   box("east", keys, kSpacing * Vec3{20, 4, 12}, kSpacing * Vec3{10, -2, 0}) + ", " +
                                   box("slider", slider, kSpacing * Vec3{6, 4, 6}, kSpacing * Vec3{-8, 2, beside}),
                               kSpacing, 0);
  const Recording run = record(gpu, scene, 0.6, 0.02);
  double low = 1e9, high = -1e9;
  for (const Frame& frame : run.frames) {
    if (frame.time < 0.1) continue;
    low = std::min(low, frame.bodies.back().position.y / kSpacing);
    high = std::max(high, frame.bodies.back().position.y / kSpacing);
  }
  report_figure({.name = "slider over the joint of two boxes, each " + std::string(name_of(ledge)) + ", " +
                         text_of(beside) + " h beside their middle: changes its height by",
                 .value = high - low,
                 .unit = "h",
                 .most = 0.02,
                 .source = "a plane"});
}

}  // namespace

TEST_CASE("blocks stand over ledges of boundaries and of fixed bodies" * doctest::test_suite("figures")) {
  MessageGuard guard(lavapipe());
  check_ledge(lavapipe(), Ledge::boundary, 0.02, 23, 0.6, 0.3);
  check_ledge(lavapipe(), Ledge::turntable, 0.02, 0, 0.6, 0.3);
  check_ledge(lavapipe(), Ledge::fixed, 0.02, 0, 0.6, 0.3);
}

// Rows that see other fixed bodies would push against them through what lies on both.
TEST_CASE("nothing pushes fixed bodies apart; a block on two of them has the mean of both coefficients") {
  MessageGuard guard(lavapipe());
  const std::string lo = R"("role": "rigid", "material": "lo", "fixed": true)",
                    hi = R"("role": "rigid", "material": "hi", "fixed": true)";
  const auto run_on = [&](double overlap, double beside) {
    const Scene scene = scene_of(
        box("lo", lo, kSpacing * Vec3{40, 4, 10}, kSpacing * Vec3{0, -2, -5}) + ", " +
            box("hi", hi, kSpacing * Vec3{40, 4, 10}, kSpacing * Vec3{0, -2, 5 - overlap}) + ", " +
            box("block", kRigid + R"(, "velocity": [1, 0, 0])", kSpacing * Vec3{10, 4, 10},
                kSpacing * Vec3{-10, 2, beside}),
        kSpacing, 0.3, R"(, "lo": {"type": "rigid", "friction": 0.1}, "hi": {"type": "rigid", "friction": 0.6})");
    return record(lavapipe(), scene, 0.15, 0.05);
  };
  const Recording flush = run_on(0, 0), overlapping = run_on(1, -0.5);
  const auto speed = [](const Recording& run, std::size_t frame) { return run.frames[frame].bodies[2].velocity.x; };
  const double friction = (speed(flush, 1) - speed(flush, 3)) / (0.1 * kGravity);
  CHECK(friction == doctest::Approx(0.5 * (std::sqrt(0.03) + std::sqrt(0.18))).epsilon(0.1));
  for (const Frame& frame : flush.frames) CHECK(std::fabs(frame.bodies[2].position.y / kSpacing - 2) < 0.02);
  // Where both lie it parts from them, at the speed of overlaps and no faster.
  for (const Frame& frame : overlapping.frames) CHECK(std::fabs(frame.bodies[2].velocity.y) < 0.022);
}

TEST_CASE("boundaries have row carriers along their edges, where bodies that move may lean on them") {
  const std::string table = box("table", kBoundary, kSpacing * Vec3{10, 6, 8}, {0, 0, 0});
  const auto carriers = [&](const std::string& objects, bool any_may_move = false) {
    return find_carriers(scene_of(objects, kSpacing), any_may_move);
  };
  const std::string block = ", " + box("block", kRigid, {0.1, 0.1, 0.1}, {0, 0.2, 0});
  const std::vector<Carriers> found = carriers(table + block);
  REQUIRE(found.size() == 1);
  CHECK(found[0].boundary == 0);
  // Samples of a lattice of 10 x 6 x 8 along the twelve edges.
  CHECK(found[0].samples.size() == 4 * (10 + 6 + 8) - 2 * 8);
  for (const RigidSample& sample : found[0].samples) {
    const Vec3 x = 1 / kSpacing * (found[0].center + sample.position);
    const int faces = (std::fabs(x.x) > 4.4) + (std::fabs(x.y) > 2.4) + (std::fabs(x.z) > 3.4);
    CHECK(faces >= 2);
  }
  CHECK(carriers(table).empty());
  CHECK(carriers(table + ", " + box("block", kFixed, {0.1, 0.1, 0.1}, {0, 0.2, 0})).empty());
  // Those of a boundary that moves, or may, start from where its pose does.
  const Vec3 place{0.1, 0.02, 0.03};
  const std::string motion = R"(, "motion": {"velocity": [1, 0, 0]})";
  for (const bool may_move : {false, true}) {
    const auto moving = carriers(box("table", kBoundary + (may_move ? "" : motion), {0.2, 0.2, 0.2}, place) + block, may_move);
    REQUIRE(moving.size() == 1);
    CHECK(length(moving[0].center - place) < 1e-12);
    CHECK(moving[0].samples.size() == 12 * 10 - 2 * 8);
  }
  Scene paper = scene_of(table + block, kSpacing);
  paper.solver.mode = SolverMode::paper;
  CHECK(find_carriers(paper, false).empty());
}

TEST_CASE("ledges of all kinds, overhangs and joints at full length" * doctest::test_suite("full") * doctest::skip()) {
  for (const double h : {0.02, 0.05}) {
    for (const double degrees : {0.0, 23.0}) {
      for (const Ledge ledge : {Ledge::boundary, Ledge::carried, Ledge::turntable, Ledge::fixed, Ledge::free})
        check_ledge(quiet_lavapipe(), ledge, h, degrees, 0.6, 1);
    }
  }
  for (const Ledge ledge : {Ledge::boundary, Ledge::fixed}) {
    for (const double share : {0.85, 0.93}) check_overhang(quiet_lavapipe(), ledge, share, 1);
    for (const double beside : {0.0, 0.37}) check_joint(quiet_lavapipe(), ledge, beside);
  }
}
