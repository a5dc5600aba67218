// One coefficient of friction a pair of bodies, whichever of them lies on top, by the speed that a block loses.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "host/sampling/sampling.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/rigid_runs.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

std::string box(Vec3 size_in_h, Vec3 position_in_h) {
  const auto text = [](Vec3 v) {
    return std::string("[") + text_of(kSpacing * v.x) + ", " + text_of(kSpacing * v.y) + ", " +
           text_of(kSpacing * v.z) + "]";
  };
  return R"("shape": {"box": )" + text(size_in_h) + R"(}, "position": )" + text(position_in_h);
}

// A block that slides along +x on something that stays where it is.
struct Stack {
  std::string name;
  double expected;
  std::string top, low;  // keys beside shape and place; "material" in both
  bool lid = false;      // the block is wider than what it lies on
  std::string beside;    // keys of the other half of what it lies on, which then meet under its middle
};

constexpr double kPitch = 24;  // h between stacks
constexpr double kTilt = 7;    // degrees, so that lattices do not match

// `scale` times the size of the quick ones.
Scene scene_of(const std::vector<Stack>& stacks, double scale) {
  std::string objects;
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const Stack& s = stacks[i];
    const double z = kPitch * scale * static_cast<double>(i);
    const Vec3 low = scale * (s.lid ? Vec3{24, 3, 5} : Vec3{24, 3, 10}),
               top = scale * (s.lid ? Vec3{7, 3, 8} : Vec3{6, 3, 6});
    const std::string number = std::to_string(i);
    if (s.beside.empty()) {
      objects += R"({"name": "low)" + number + R"(", )" + s.low + ", " + box(low, {0, low.y / 2, z}) + "},\n";
    } else {
      const Vec3 half{low.x, low.y, low.z / 2};
      objects +=
          R"({"name": "low)" + number + R"(", )" + s.low + ", " + box(half, {0, low.y / 2, z - half.z / 2}) + "},\n";
      objects += R"({"name": "beside)" + number + R"(", )" + s.beside + ", " +
                 box(half, {0, low.y / 2, z + half.z / 2}) + "},\n";
    }
    objects += R"({"name": "top)" + number + R"(", "role": "rigid", "velocity": [0.9, 0, 0], )" + s.top + ", " +
               box(top, {-5 * scale, low.y + top.y / 2, z}) + R"(, "rotation": {"axis": [0, 1, 0], "degrees": )" +
               text_of(s.beside.empty() ? kTilt : 0) + "}},\n";
  }
  const double width = kPitch * scale * static_cast<double>(stacks.size());
  objects += R"({"name": "floor", "role": "boundary", )" +
             box({30 * scale, 2, width}, {0, -1, 0.5 * (width - kPitch * scale)}) + "}";
  const std::string text = R"({"particleSpacing": 0.02, "time": {"end": 0.14, "maxStep": 0.001},
    "materials": {"ice": {"type": "rigid", "density": 700, "friction": 0.2},
                  "rubber": {"type": "rigid", "density": 700, "friction": 0.8},
                  "heavy ice": {"type": "rigid", "density": 50000, "friction": 0.2},
                  "heavy rubber": {"type": "rigid", "density": 50000, "friction": 0.8},
                  "felt": {"type": "rigid", "density": 700, "friction": 0.5},
                  "glass": {"type": "rigid", "density": 700, "friction": 0.3}},
    "pairs": [{"a": "felt", "b": "ice", "friction": 0.1}, {"a": "rubber", "b": "felt", "friction": 0.6},
              {"a": "glass", "b": "glass", "friction": 0.15}],
    "objects": [)" + objects +
                           "]}";
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

std::size_t index_of_body(const Scene& scene, const std::string& name) {
  for (std::size_t b = 0; b < scene.rigid.size(); ++b)
    if (scene.rigid[b].name == name) return b;
  FAIL("no body is named " << name);
  return 0;
}

void check_stacks(const std::vector<Stack>& stacks, double scale, const std::string& remark) {
  const Scene scene = scene_of(stacks, scale);
  const std::vector<Frame> frames = record(quiet_lavapipe(), scene, 0.13, 0.01).frames;
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    const double acceleration =
        fitted_acceleration(frames, 0.05, 0.13, index_of_body(scene, "top" + std::to_string(i)));
    report_figure({.name = "friction of pairs, " + stacks[i].name + remark + ": effective mu",
                   .value = -acceleration / kGravity,
                   .exact = stacks[i].expected,
                   .within = 0.02,
                   .source = "sqrt(mu_a mu_b), or the table"});
  }
}

const std::string kFree = R"("role": "rigid", )", kFixed = R"("role": "rigid", "fixed": true, )",
                  kBoundary = R"("role": "boundary", )";
std::string of(const std::string& material, double friction = -1) {
  return R"("material": ")" + material + "\"" + (friction >= 0 ? R"(, "friction": )" + text_of(friction) : "");
}

const std::vector<Stack> kBothWays = {{"0.2 on 0.8", 0.4, of("ice"), kFree + of("heavy rubber")},
                                      {"0.8 on 0.2", 0.4, of("rubber"), kFree + of("heavy ice")},
                                      {"0.2 as a lid over 0.8", 0.4, of("ice"), kFree + of("heavy rubber"), true},
                                      {"0.8 as a lid over 0.2", 0.4, of("rubber"), kFree + of("heavy ice"), true}};

}  // namespace

TEST_CASE("two bodies have one friction, whichever lies on top" * doctest::test_suite("figures")) {
  check_stacks(kBothWays, 1, "");
}

TEST_CASE("the table of pairs goes before objects, and these before materials" * doctest::test_suite("figures")) {
  check_stacks({{"entry of 0.6 for 0.8 on fixed 0.5", 0.6, of("rubber"), kFixed + of("felt")},
                {"entry of 0.6 with objects' own of 0.1", 0.6, of("felt", 0.1), kFixed + of("rubber", 0.1)},
                {"entry of 0.15 for one material on itself", 0.15, of("glass"), kFixed + of("glass")},
                {"object's 0.45 on fixed 0.2", 0.3, of("rubber", 0.45), kFixed + of("ice")},
                {"0.8 on a boundary of 0.2", 0.4, of("rubber"), kBoundary + of("ice")},
                {"0.8 on a boundary's own 0.45", 0.6, of("rubber"), kBoundary + R"("friction": 0.45)"},
                {"0.3 on a boundary without", 0.3, of("glass"), R"("role": "boundary")"},
                {"entry of 0.1 for 0.5 on a boundary of 0.2", 0.1, of("felt"), kBoundary + of("ice")}},
               1, "");
}

TEST_CASE("a block on two flush bodies has the mean of both pairs" * doctest::test_suite("figures")) {
  const std::string held = R"(, "freeRotation": false)";
  check_stacks(
      {{"half on 0.1, half on 0.6", 0.35, of("felt") + held, kFixed + of("ice"), false, kFixed + of("rubber")}}, 1, "");
}

TEST_CASE("two bodies have one friction, larger blocks" * doctest::test_suite("full") * doctest::skip()) {
  check_stacks(kBothWays, 1.8, ", blocks of 11 to 14 h");
}

TEST_CASE("as printed, each sample has its own body's friction") {
  Scene scene = scene_of({kBothWays[0], kBothWays[1]}, 1);
  reference::use_paper_rigid_mode(scene.solver);
  const std::vector<Frame> frames = record(quiet_lavapipe(), scene, 0.1, 0.01).frames;
  CHECK(-fitted_acceleration(frames, 0.05, 0.1, index_of_body(scene, "top0")) / kGravity < 0.3);
  CHECK(-fitted_acceleration(frames, 0.05, 0.1, index_of_body(scene, "top1")) / kGravity > 0.5);
}

TEST_CASE("the library refuses friction that is out of its limits") {
  Scene scene = reference::incline(0.5);
  const auto refusal = [](const Scene& wrong) -> std::string {
    try {
      Simulation simulation(quiet_lavapipe(), wrong);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  Scene wrong = scene;
  wrong.bodies[0].friction = -1;
  CHECK(refusal(wrong) == "the friction of the boundary \"floor\" must be from 0 to 1e+06, not -1");
  wrong = scene;
  wrong.rigid[0].friction_class = kFrictionClasses;
  CHECK(refusal(wrong) ==
        "the friction class of the rigid body \"" + scene.rigid[0].name + "\" must be from 0 to 31, not 32");
  wrong = scene;
  wrong.pairs = {{0, 1, 0.5}};
  CHECK(refusal(wrong) == "the friction class of friction pair 0 must be from 1 to 31, not 0");
  wrong.pairs = {{2, 1, 0.5}, {1, 2, 0.4}};
  CHECK(refusal(wrong) == "friction pair 1 has the two classes of friction pair 0; remove one");
  wrong.pairs = {{2, 1, 0.5, 1.5}};
  CHECK(refusal(wrong) == "the restitution of friction pair 0 must be from 0 to 1, not 1.5");
  wrong = scene;
  wrong.rigid[0].restitution = -0.5;
  CHECK(refusal(wrong).find("the restitution of the rigid body \"") == 0);
}
