// Closed meshes of several parts: what parts enclose together counts once.
#pragma once

#include <string>
#include <vector>

#include "host/sampling/mass.h"
#include "host/sampling/mesh.h"

namespace sluice::io {

struct ShellFacts {
  std::size_t hidden = 0;  // parts that lay inside solid parts, and are left out
  std::size_t turned = 0;  // parts that were inside out beside the others, and are turned
  double twice = 0;        // m^3 that parts which cross each other enclose more than once
  Moments excess;          // of that, as mesh_mass takes it
};

// Leaves out the parts of a closed mesh with faces that point one way which lie inside others and bound nothing: a box
// inside a box, but not one that is inside out, which is a cavity. Exact for parts whose surfaces do not touch; what
// those enclose that do is measured by half a million rays, to about a thousandth of itself.
ShellFacts unite_shells(TriangleMesh& mesh);

// Sentences about that; `about` names the mesh.
std::vector<std::string> describe_shells(const ShellFacts& shells, double volume, const std::string& about);

}  // namespace sluice::io
