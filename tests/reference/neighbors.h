// Which particles are closer than the kernel's support: by trying every pair, and by a grid.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/scene.h"

namespace sluice::reference {

// Row i holds index[start[i]] ... index[start[i + 1] - 1]; start has one entry more than there are rows.
struct Rows {
  std::vector<std::uint32_t> start{0};
  std::vector<std::uint32_t> index;
};

struct Neighbors {
  Rows fluid;     // of fluid particles, never the particle itself
  Rows boundary;  // of boundary samples
};

// Both searches give each row in ascending order, so that sums over them are equal to the last bit.
// Positions are in h. With `skip_self`, entry i of row i is left out (points and others are the same set).
Rows find_by_brute_force(const std::vector<Vec3>& points, const std::vector<Vec3>& others, bool skip_self);
Rows find_by_grid(const std::vector<Vec3>& points, const std::vector<Vec3>& others, bool skip_self);

// Throws Error on a position that is not finite or farther than 2^20 cells of 2h from the origin.
Neighbors find_neighbors(const std::vector<Vec3>& fluid, const std::vector<Vec3>& boundary);

}  // namespace sluice::reference
