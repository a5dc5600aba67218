// Rebounds: what bodies keep of their speed of approach. See shaders/lib/restitution.glsl.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/sampling/sampling.h"
#include "tests/figures.h"
#include "tests/rigid_rig.h"
#include "tests/rigid_runs.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

Scene scene_of(const std::string& objects, double step, const std::string& gravity = "[0, -9.81, 0]",
               const std::string& pairs = "") {
  const std::string text = R"({"particleSpacing": 0.02, "gravity": )" + gravity +
                           R"(, "time": {"end": 10, "maxStep": )" + text_of(step) +
                           R"(}, "materials": {"m": {"type": "rigid"}, "soft": {"type": "rigid", "restitution": 0.2},
       "hard": {"type": "rigid", "restitution": 0.7}}, "pairs": [)" +
                           pairs + R"(], "objects": [)" + objects + "]}";
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

const std::string kBox = R"("box": [0.12, 0.12, 0.12])", kBall = R"("sphere": {"radius": 0.06})";
std::string solid(const std::string& shape, const std::string& position, const std::string& more,
                  const std::string& material = "m") {
  return R"({"role": "rigid", "material": ")" + material + R"(", "shape": {)" + shape + R"(}, "position": )" +
         position + ", " + more + "}";
}
std::string floor_of(double length, const std::string& more = "") {
  return R"({"role": "boundary", "name": "floor", "shape": {"box": [)" + text_of(length) +
         R"(, 0.1, 0.6]}, "position": [0, -0.05, 0])" + more + "}";
}

// Balls and boxes beside each other, dropped from `drop` h; what each keeps of its speed at its first impact.
struct Drop {
  std::string shape;
  double restitution;
};
std::vector<double> rebounds(Gpu& gpu, const std::vector<Drop>& drops, double step, double drop) {
  std::string objects = floor_of(0.3 * static_cast<double>(drops.size()) + 0.3);
  for (std::size_t i = 0; i < drops.size(); ++i) {
    const double x = 0.3 * (static_cast<double>(i) - 0.5 * static_cast<double>(drops.size() - 1));
    objects += ", " + solid(drops[i].shape,
                            std::string("[") + text_of(x) + ", " + text_of(0.06 + drop * kSpacing) + ", 0.007]",
                            R"("restitution": )" + text_of(drops[i].restitution));
  }
  const double fall = std::sqrt(2 * drop * kSpacing / kGravity);
  Scene scene = scene_of(objects, step);
  scene.time.cfl = 1e9;  // steps are as long as they say, at any speed
  const Recording run = record(gpu, scene, 1.3 * fall, std::max(step, 0.002));
  std::vector<double> kept;
  for (std::size_t b = 0; b < drops.size(); ++b) {
    double down = 0, up = 0;
    for (const Frame& frame : run.frames) {
      const double v = frame.bodies[b].velocity.y;
      down = std::max(down, -v);
      up = std::max(up, v);
    }
    kept.push_back(up / down);
  }
  return kept;
}

}  // namespace

TEST_CASE("rows of impacts ask for their rebound as the reference has it") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    Scene scene = two_boxes("boxes", false);
    scene.bodies[0].restitution = 0.3;
    scene.rigid[0].restitution = 0.6;
    scene.rigid[1].restitution = 0.1;
    scene.pairs = {{scene.rigid[0].friction_class, scene.rigid[1].friction_class, 0.2, 0.9}};
    RigidRig rig(*gpu, scene);
    reference::RigidSystem& s = rig.system;
    const auto steps = steps_of(rig);
    const double tau = rig.tau(), tolerance = rig.begun.tolerance;
    std::vector<reference::Displacement> moved(s.position.size()), walls(rig.walls.velocity.size());
    for (std::size_t r = 0; r < moved.size(); ++r) {
      const gpu::RigidStep& step = steps[s.samples.body[r]];
      moved[r] = reference::displacement_at(s.arm[r], tau * to_vec(step.velocity), tau * to_vec(step.spin));
      const reference::BodyState& body = s.bodies[s.samples.body[r]];
      if (body.driven) moved[r].linear = tau * reference::carrier_velocity(body, s.arm[r], tau);
    }
    for (std::size_t b = 0; b < walls.size(); ++b) walls[b] = reference::boundary_displacement(rig.walls, b, tau);
    const gpu::Params& p = rig.state.params_host;
    const double cap = std::max(10.0 * tolerance, 0.1 * p.overlap_speed * tau);
    reference::compute_sources(s, moved, walls, cap);
    reference::compute_diagonals(s);
    reference::share_loads(s, reference::no_past(s), tolerance);
    const std::vector<double> before = s.pressure_source, compliance = s.pressure_compliance;
    reference::add_rebounds(s, reference::no_past(s), tau * tau * Vec3{p.gravity_x, p.gravity_y, p.gravity_z},
                            tolerance);
    const auto records = by_sample(rig, rig.state.sample_row);
    int impacts = 0, others = 0;
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      if (!has_row(s, r)) continue;
      const gpu::SampleRow& record = records[rig.lane[r]];
      CAPTURE(r);
      CHECK(std::fabs(record.slide.w - s.pressure_source[r]) < 2e-5);
      CHECK(std::fabs(record.turning.w - s.overlap[r]) < 2e-5);
      const bool impact = s.pressure_source[r] < before[r] - 1e-4;
      CHECK((record.volume.w == 0) == (s.pressure_compliance[r] == 0));
      (impact ? impacts : others) += 1;
    }
    CHECK(impacts > 5);
    CHECK(others > 5);
  }
}

TEST_CASE("balls and boxes rebound at their share of the speed" * doctest::test_suite("figures")) {
  const std::vector<Drop> drops = {{kBall, 0}, {kBox, 0}, {kBall, 0.5}, {kBox, 0.5}, {kBall, 0.9}, {kBox, 0.9}};
  const std::vector<double> kept = rebounds(quiet_lavapipe(), drops, 0.002, 10);
  for (std::size_t i = 0; i < drops.size(); ++i) {
    const double e = drops[i].restitution;
    const std::string name = std::string(drops[i].shape == kBall ? "ball" : "box") +
                             " dropped from 10 h, restitution " + text_of(e) + ": share of its speed after its impact";
    if (e > 0)
      report_figure({.name = name, .value = kept[i], .exact = e, .within = 0.03, .source = "Newton"});
    else
      report_figure({.name = name, .value = kept[i], .most = 0.02, .source = "Newton"});
  }
}

TEST_CASE("balls that meet head on part as Newton says, and no momentum is lost" * doctest::test_suite("figures")) {
  const double mass = 0.9, heavy = 3.3 * mass, speed = 2;
  for (const double e : {0.5, 0.75, 1.0}) {
    const std::string rebound = R"(, "restitution": )" + text_of(e);
    const Scene scene = scene_of(solid(kBall, "[-0.2, 0.003, 0]", R"("mass": 0.9, "velocity": [2, 0, 0])" + rebound) +
                                     ", " + solid(kBall, "[0, 0, 0.002]", R"("mass": )" + text_of(heavy) + rebound),
                                 0.002, "[0, 0, 0]");
    const std::vector<Frame> frames = record(quiet_lavapipe(), scene, 0.1, 0.05).frames;
    const Vec3 light = frames.back().bodies[0].velocity, other = frames.back().bodies[1].velocity;
    const std::string name = "balls of 1:3.3 head on, restitution " + text_of(e) + ": ";
    report_figure({.name = name + "speed of the light one after it",
                   .value = light.x,
                   .unit = "m/s",
                   .exact = speed * (mass - e * heavy) / (mass + heavy),
                   .within = 0.02,
                   .source = "Newton"});
    report_figure({.name = name + "momentum lost, as a share",
                   .value = length(mass * light + heavy * other - Vec3{mass * speed, 0, 0}) / (mass * speed),
                   .most = 1e-6,
                   .source = "conservation"});
  }
}

TEST_CASE("a tilted box that hits a floor without friction turns as a rigid body does" *
          doctest::test_suite("figures")) {
  for (const double e : {0.5, 0.9}) {
    const double angle = 20 * kDegree, speed = 2;
    const Scene scene =
        scene_of(floor_of(1, R"(, "friction": 0)") + ", " +
                     solid(R"("box": [0.24, 0.12, 0.12])", "[0.003, 0.2, 0.005]",
                           R"("friction": 0, "velocity": [0, -2, 0], "rotation": {"axis": [0, 0, 1], "degrees": 20}, )"
                           R"("restitution": )" +
                               text_of(e)),
                 0.001, "[0, 0, 0]");
    const std::vector<Frame> frames = record(quiet_lavapipe(), scene, 0.06, 0.01).frames;
    // A body leans on a line h / 2 inside its drawn edge, here `lever` beside its middle: an impulse j up turns it by
    // j lever / I.
    const double lever = 0.11 * std::cos(angle) - 0.05 * std::sin(angle);
    const double inertia_over_mass = (0.24 * 0.24 + 0.12 * 0.12) / 12;
    const double impulse_over_mass = (1 + e) * speed / (1 + lever * lever / inertia_over_mass);
    const std::string name = "box at 20 degrees hits a smooth floor, restitution " + text_of(e) + ": ";
    const BodyRecord& after = frames.back().bodies[0];
    report_figure({.name = name + "angular velocity",
                   .value = std::fabs(after.angular_velocity.z),
                   .unit = "rad/s",
                   .exact = impulse_over_mass * lever / inertia_over_mass,
                   .within = 0.05,
                   .source = "impact of rigid bodies"});
    report_figure({.name = name + "change of speed",
                   .value = after.velocity.y + speed,
                   .unit = "m/s",
                   .exact = impulse_over_mass,
                   .within = 0.05,
                   .source = "impact of rigid bodies"});
  }
}

TEST_CASE("the larger restitution of two counts, unless the table has theirs; what rests does not hop") {
  const auto lands = [](const std::string& material, const std::string& floor, const std::string& pairs) {
    const Scene scene = scene_of(
        floor_of(0.5, floor) + ", " + solid(kBox, "[0.003, 0.1, 0.007]", R"("velocity": [0, -1, 0])", material), 0.002,
        "[0, 0, 0]", pairs);
    return record(quiet_lavapipe(), scene, 0.1, 0.05).frames.back().bodies[0].velocity.y;
  };
  CHECK(lands("soft", "", "") == doctest::Approx(0.2).epsilon(0.03));
  CHECK(lands("soft", R"(, "material": "hard")", "") == doctest::Approx(0.7).epsilon(0.03));
  CHECK(lands("hard", R"(, "material": "soft", "restitution": 0.9)", "") == doctest::Approx(0.9).epsilon(0.03));
  const std::string pairs = R"({"a": "soft", "b": "hard", "friction": 0.5, "restitution": 0.4})";
  CHECK(lands("soft", R"(, "material": "hard")", pairs) == doctest::Approx(0.4).epsilon(0.03));
  CHECK(lands("hard", R"(, "material": "hard")", pairs) == doctest::Approx(0.7).epsilon(0.03));

  // The same bits as without: nothing that rests is taken for an impact.
  std::vector<std::uint64_t> hashes;
  for (const char* const rebound : {R"("restitution": 0)", R"("restitution": 0.9)"}) {
    const Scene still = scene_of(floor_of(0.6) + ", " + solid(kBox, "[0.003, 0.06, 0.005]", rebound) + ", " +
                                     solid(kBox, "[0.01, 0.18, 0]", rebound),
                                 0.002);
    hashes.push_back(record(quiet_lavapipe(), still, 0.2, 0.1).frames.back().state_hash);
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("rebounds from 50 h at three steps" * doctest::test_suite("full") * doctest::skip()) {
  std::vector<Drop> drops;
  for (const double e : {0.0, 0.3, 0.5, 0.8, 0.95})
    for (const std::string& shape : {kBall, kBox}) drops.push_back({shape, e});
  for (const double step : {0.001, 0.002, 0.004}) {
    const std::vector<double> kept = rebounds(quiet_lavapipe(), drops, step, 50);
    for (std::size_t i = 0; i < drops.size(); ++i) {
      const double e = drops[i].restitution;
      const std::string name = std::string(drops[i].shape == kBall ? "ball" : "box") + " dropped from 50 h, steps of " +
                               text_of(1000 * step) + " ms, restitution " + text_of(e) +
                               ": share of its speed after its impact";
      if (e > 0)
        report_figure({.name = name, .value = kept[i], .exact = e, .within = 0.03, .source = "Newton"});
      else
        report_figure({.name = name, .value = kept[i], .most = 0.02, .source = "Newton"});
    }
  }
}
