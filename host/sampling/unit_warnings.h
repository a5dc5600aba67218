// What looks like a slip of units or of size: objects that a few particles make up, meshes in millimetres, g/cm^3.
#pragma once

#include <string>
#include <vector>

#include "host/sampling/safe_start.h"
#include "host/scene/scene_file.h"

namespace sluice::io {

// A sentence each, where it applies.
void warn_coarse(const SceneFile& file, const Solids& solids, std::vector<std::string>& warnings);
void warn_mesh_sizes(const SceneFile& file, const Solids& solids, std::vector<std::string>& warnings);
void warn_densities(const SceneFile& file, std::vector<std::string>& warnings);

}  // namespace sluice::io
