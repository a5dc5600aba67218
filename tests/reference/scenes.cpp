#include "tests/reference/scenes.h"

#include <algorithm>

#include "tests/reference/kernel.h"
#include "tests/reference/neighbors.h"

namespace sluice::reference {
namespace {

constexpr double kSpacing = 0.02;  // m
constexpr double kStep = 0.001;    // s
constexpr double kGamma = 0.7;     // makes a sample of a plane count like a fluid particle [PT23 eq. 3.2]

// Samples cluster where faces meet at sharp angles and thin out at rims; a rim must not count for much more than a
// face.
constexpr double kLargestWeight = 1.2;

// Walls stand this much above the fluid, in h: start-up motion lifts the surface by less than 0.5 h.
constexpr int kFreeboard = 6;

Scene empty_scene() {
  Scene scene;
  scene.spacing = kSpacing;
  scene.time.max_step = kStep;
  return scene;
}

}  // namespace

std::vector<double> boundary_weights(const std::vector<Vec3>& positions, double gamma) {
  const Rows rows = find_by_grid(positions, positions, false);
  std::vector<double> weights(positions.size());
  for (std::size_t s = 0; s < positions.size(); ++s) {
    double sum = 0;
    for (auto k = rows.start[s]; k < rows.start[s + 1]; ++k) {
      sum += kernel(length(positions[s] - positions[rows.index[k]]));
    }
    weights[s] = std::min(kLargestWeight, gamma / sum);
  }
  return weights;
}

Scene water_column(int columns, int layers, double viscosity) {
  Scene scene = empty_scene();
  scene.name = "water column";
  scene.materials = {{.name = "water", .density = 1000, .viscosity = viscosity}};
  scene.bodies = {{.name = "tank", .position = {}, .velocity = {}, .angular_velocity = {}}};

  for (int y = 1; y <= layers; ++y) {
    for (int z = 1; z <= columns; ++z) {
      for (int x = 1; x <= columns; ++x) {
        scene.fluid.push_back({kSpacing * Vec3{double(x), double(y), double(z)}, {}, 0});
      }
    }
  }

  const int far = columns + 1;
  std::vector<Vec3> lattice;
  for (int y = 0; y <= layers + kFreeboard; ++y) {
    for (int z = 0; z <= far; ++z) {
      for (int x = 0; x <= far; ++x) {
        const bool on_wall = x == 0 || x == far || z == 0 || z == far || y == 0;
        if (on_wall) lattice.push_back({double(x), double(y), double(z)});
      }
    }
  }
  const std::vector<double> weights = boundary_weights(lattice, kGamma);
  for (std::size_t s = 0; s < lattice.size(); ++s) scene.boundary.push_back({kSpacing * lattice[s], weights[s], 0});
  return scene;
}

Scene colliding_balls(int diameter, double speed) {
  Scene scene = empty_scene();
  scene.name = "colliding balls";
  scene.gravity = {};
  scene.materials = {{.name = "water", .density = 1000, .viscosity = 0.001},
                     {.name = "oil", .density = 500, .viscosity = 0.004}};
  const double radius = 0.5 * diameter;
  const double center = 0.5 * (diameter - 1);
  for (std::uint32_t ball = 0; ball < 2; ++ball) {
    const double side = ball == 0 ? -1.0 : 1.0;
    for (int z = 0; z < diameter; ++z) {
      for (int y = 0; y < diameter; ++y) {
        for (int x = 0; x < diameter; ++x) {
          const Vec3 offset{x - center, y - center, z - center};
          if (dot(offset, offset) > radius * radius) continue;
          const Vec3 position = offset + Vec3{side * (radius + 0.5), 0, 0};  // one h between the balls
          scene.fluid.push_back({kSpacing * position, {-side * speed, 0, 0}, ball});
        }
      }
    }
  }
  return scene;
}

void use_paper_mode(SolverSettings& solver) {
  solver.mode = SolverMode::paper;
  solver.relaxation_fluid = 0.5;
  solver.warm_start_fluid = 0;
}

}  // namespace sluice::reference
