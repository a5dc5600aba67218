// Evening out samples on a surface: neighbours repel each other for a few steps.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "host/sampling/point_grid.h"
#include "sluice/scene.h"

namespace sluice::io {

inline constexpr int kRepelSteps = 20;  // twice as many even out no more

// Moves samples away from each other, each to what `onto` makes of its number and its new place. `share` is how much of
// the force between two numbers acts, in [0, 1].
template <typename Share, typename Onto>
void repel(std::vector<Vec3>& samples, double h, int steps, const Share& share_of, const Onto& onto) {
  constexpr double kStep = 0.2;  // in spacings, at a force of 1
  const double reach = 2 * h;
  std::vector<Vec3> moved = samples;
  for (int step = 0; step < steps; ++step) {
    const PointGrid grid = grid_of(samples, reach);
    for (std::uint32_t i = 0; i < samples.size(); ++i) {
      Vec3 force{};
      visit_near(grid, samples[i], reach, [&](std::uint32_t j, double distance2) {
        const double distance = std::sqrt(distance2), share = 1 - distance / reach;
        if (distance > 0) force = force + (share_of(i, j) * (share * share / distance)) * (samples[i] - samples[j]);
        return true;
      });
      moved[i] = onto(i, samples[i] + (kStep * h) * force);
    }
    std::swap(samples, moved);
  }
}

// All of it.
inline double whole_force(std::uint32_t, std::uint32_t) { return 1; }

}  // namespace sluice::io
