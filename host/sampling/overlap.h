// What lies in each other at the start.
#pragma once

#include <string>
#include <vector>

#include "host/sampling/safe_start.h"

namespace sluice::io {

// One sentence for each boundary that overlaps another of which at least one moves.
void warn_overlapping_boundaries(const Scene& scene, const Solids& solids, std::vector<std::string>& warnings);

// How far apart samples of two bodies are at rest, in spacings: with contacts weighted by volumes, and without. By
// kOverlapSlack less is no overlap yet.
inline constexpr double kContactDistance = 1.0;
inline constexpr double kUnweightedContactDistance = 0.757;
inline constexpr double kOverlapSlack = 0.06;
inline constexpr std::size_t kMostOverlaps = 10;

// One sentence for each of the first kMostOverlaps pairs of a rigid body and another body or a boundary that overlap,
// and how many more there are. Returns how many pairs there are.
std::size_t warn_overlapping_rigid(const Scene& scene, const Solids& solids, std::vector<std::string>& warnings);

}  // namespace sluice::io
