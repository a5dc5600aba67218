// Scenes of boxes, written as text and read as a user's are.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "host/sampling/sampling.h"
#include "tests/rigid_runs.h"

namespace sluice::tests {

inline const std::string kBoundary = R"("role": "boundary")";
inline const std::string kRigid = R"("role": "rigid", "material": "m")";
inline const std::string kFixed = kRigid + R"(, "fixed": true)";

inline std::string vector_text(Vec3 v) {
  std::string text = "[";
  text += std::to_string(v.x) + ", " + std::to_string(v.y) + ", " + std::to_string(v.z);
  return text + "]";
}

// An object of a scene: `keys` say at least its role; size and position in m.
inline std::string box(const std::string& name, const std::string& keys, Vec3 size, Vec3 position) {
  return R"({"name": ")" + name + R"(", )" + keys + R"(, "shape": {"box": )" + vector_text(size) +
         R"(}, "position": )" + vector_text(position) + "}";
}

// Objects of the material m, of 1000 kg/m^3.
inline Scene scene_of(const std::string& objects, double h, double friction = 0.6, const std::string& materials = "",
                      double max_step = 0.001) {
  const std::string text = R"({"particleSpacing": )" + std::to_string(h) + R"(, "time": {"end": 10, "maxStep": )" +
                           std::to_string(max_step) + R"(}, "materials": {"m": {"type": "rigid", )" +
                           R"("density": 1000, "friction": )" + std::to_string(friction) + "}" + materials +
                           R"(}, "objects": [)" + objects + "]}";
  io::SamplingReport report;
  return io::build_scene(io::parse_scene(text, "scene.json"), report);
}

// From upright, degrees.
inline double tilt(const BodyRecord& body) {
  const Quat q = body.orientation;
  return 2 / kDegree * std::asin(std::min(1.0, std::hypot(q.x, q.z)));
}

}  // namespace sluice::tests
