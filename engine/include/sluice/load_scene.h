// Scene files for programs that embed the engine; in the library Sluice::io, which needs zlib.
#pragma once

#include <string>
#include <vector>

#include "sluice/scene.h"

namespace sluice {

// Reads a scene file with its meshes and samples everything. Throws Error with file, place and remedy; `warnings` may
// be null.
Scene load_scene(const std::string& path, std::vector<std::string>* warnings = nullptr);

}  // namespace sluice
