#include "sluice/load_scene.h"

#include "host/sampling/sampling.h"

namespace sluice {

Scene load_scene(const std::string& path, std::vector<std::string>* warnings) {
  io::SamplingReport report;
  Scene scene = io::build_scene(io::read_scene_file(path), report);
  if (warnings) *warnings = report.warnings;
  return scene;
}

}  // namespace sluice
