// What lies in each other at the start.
#pragma once

#include <string>
#include <vector>

#include "host/io/safe_start.h"

namespace sluice::io {

// One sentence for each boundary that overlaps another of which at least one moves.
void warn_overlapping_boundaries(const Scene& scene, const Solids& solids, std::vector<std::string>& warnings);

// Samples of two bodies nearer than this, in spacings, are pushed apart at the start; at rest they are
// kContactDistance apart.
inline constexpr double kOverlapDistance = 0.70;
inline constexpr double kContactDistance = 0.757;
inline constexpr std::size_t kMostOverlaps = 10;

// One sentence for each of the first kMostOverlaps pairs of a rigid body and another body or a boundary that overlap,
// and how many more there are.
void warn_overlapping_rigid(const Scene& scene, const Solids& solids, std::vector<std::string>& warnings);

}  // namespace sluice::io
