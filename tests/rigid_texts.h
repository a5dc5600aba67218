// Texts of scenes with one rigid body, and what is built from them.
#pragma once

#include <filesystem>
#include <string>

#include "host/sampling/sampling.h"

namespace sluice::tests {

inline constexpr double kH = 0.1;  // m, the spacing of the scenes below

// A scene with these objects, which begin at line 2, column 1.
// Without gravity, unless `more` has some: it would be warned of where nothing holds the bodies.
inline std::string scene_text(const std::string& objects, const std::string& more = "") {
  const std::string still = more.find("gravity") == std::string::npos ? R"("gravity": [0, 0, 0], )" : "";
  return "{ " + still +
         R"("particleSpacing": 0.1, "materials": { "water": { "type": "fluid" }, "oak": { "type": "rigid", "density": 700,
"friction": 0.4 } },)" +
         more + "\"objects\": [\n" + objects + "] }";
}

struct Built {
  io::SceneFile file;
  Scene scene;
  io::SamplingReport report;
};
inline Built build(const std::string& text, const std::filesystem::path& folder = "") {
  Built built;
  built.file = io::parse_scene(text, folder / "scene.json");
  built.scene = io::build_scene(built.file, built.report);
  return built;
}

// A body of material "oak" with this shape.
inline std::string rigid(const std::string& shape, const std::string& more = "") {
  return R"({"role": "rigid", "name": "duck", "material": "oak", "shape": {)" + shape + "}" + more + "}";
}

}  // namespace sluice::tests
