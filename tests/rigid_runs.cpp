#include "tests/rigid_runs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/sampling/sampling.h"
#include "tests/gpu.h"
#include "tests/reference/rigid.h"
#include "tests/reference/scenes.h"

namespace sluice::tests {

Gpu& quiet_lavapipe() { return kept_gpu({.device = "llvmpipe"}); }

Recording record(Gpu& gpu, Scene scene, double end, double interval) {
  scene.time.end = end;
  scene.time.frame_interval = interval;
  Recording found;
  Simulation simulation(gpu, scene);
  while (!simulation.done()) {
    const std::vector<StepRecord> steps = simulation.advance();
    found.steps.insert(found.steps.end(), steps.begin(), steps.end());
    if (!simulation.frame_ready()) continue;
    found.frames.push_back(simulation.read_frame());
    simulation.next_frame();
  }
  return found;
}

void lean(Scene& scene, double degrees) {
  scene.gravity = kGravity * Vec3{std::sin(degrees * kDegree), -std::cos(degrees * kDegree), 0};
}

void lay_strip(Scene& scene, double from_x, double to_x, double half_width, Vec3 velocity) {
  const Quat turn = reference::turn_by({0, 20 * kDegree, 0});
  const int reach = static_cast<int>(std::ceil(std::max({-from_x, to_x, half_width}) * 1.5));
  std::vector<Vec3> lattice;  // in h
  for (int z = -reach; z <= reach; ++z) {
    for (int x = -reach; x <= reach; ++x) {
      const Vec3 p = rotate(turn, {double(x), 0, double(z)});
      if (p.x >= from_x && p.x <= to_x && std::fabs(p.z) <= half_width) lattice.push_back(p);
    }
  }
  scene.boundary.clear();
  scene.bodies.clear();
  add_body(scene, lattice, {}, velocity, {}, "strip");
}

Scene box_on_strip(reference::BoxSamples samples, double friction, double slope, double length_in_h) {
  Scene scene = reference::incline(friction, samples);
  lean(scene, slope);
  lay_strip(scene, -12, length_in_h, 0.5 * samples.z + 4);
  return scene;
}

Scene shape_on_strip(const std::string& keys, double friction, double slope, double length_in_h) {
  const std::string text = R"({"particleSpacing": 0.02, "time": {"end": 1, "maxStep": 0.001},
    "materials": {"solid": {"type": "rigid", "density": 1000}},
    "objects": [{"role": "rigid", "name": "body", "material": "solid", )" +
                           keys + "}]}";
  io::SamplingReport report;
  Scene scene = io::build_scene(io::parse_scene(text, "scene.json"), report);
  scene.solver.tolerance = reference::incline(friction).solver.tolerance;
  RigidBody& body = scene.rigid[0];
  body.friction = friction;
  double lowest = 0, widest = 0;
  for (const RigidSample& sample : scene.shapes[body.shape].samples) {
    const Vec3 arm = rotate(body.orientation, sample.position);
    lowest = std::min(lowest, arm.y);
    widest = std::max(widest, std::fabs(arm.z));
  }
  body.position = {0, reference::kRestGaps.floor * kSpacing - lowest, 0};
  lean(scene, slope);
  lay_strip(scene, -15, length_in_h, widest / kSpacing + 4);
  return scene;
}

double lowest_sample(const Frame& frame) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& p : frame.sample_position) lowest = std::min(lowest, p[1] / kSpacing);
  return lowest;
}

double highest_speed(const Frame& frame) {
  double highest = 0;
  for (const BodyRecord& body : frame.bodies) {
    if (!(length(body.velocity) <= highest)) highest = length(body.velocity);  // a NaN is taken, too
  }
  return highest;
}

double fitted_acceleration(const std::vector<Frame>& frames, double from, double to, std::size_t b) {
  double n = 0, t = 0, v = 0, tt = 0, tv = 0;
  for (const Frame& frame : frames) {
    if (frame.time < from - 1e-6 || frame.time > to + 1e-6) continue;
    const double speed = frame.bodies[b].velocity.x;
    n += 1, t += frame.time, v += speed, tt += frame.time * frame.time, tv += frame.time * speed;
  }
  return (n * tv - t * v) / (n * tt - t * t);
}

double largest_drift(const std::vector<Frame>& frames, double from) {
  const auto first = std::find_if(frames.begin(), frames.end(), [&](const Frame& f) { return f.time > from - 1e-6; });
  double most = 0;
  for (auto frame = first; frame != frames.end(); ++frame) {
    for (std::size_t b = 0; b < frame->bodies.size(); ++b) {
      const double way = length(frame->bodies[b].position - first->bodies[b].position) / kSpacing;
      if (!(way <= most)) most = way;  // a NaN is taken, too
    }
  }
  return most;
}

double largest_speed(const std::vector<Frame>& frames, double from) {
  double most = 0;
  for (const Frame& frame : frames) {
    if (frame.time < from - 1e-6) continue;
    const double speed = highest_speed(frame);
    if (!(speed <= most)) most = speed;
  }
  return most;
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace sluice::tests
