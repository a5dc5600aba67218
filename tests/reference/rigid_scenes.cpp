#include "tests/reference/rigid_scenes.h"

#include <cmath>
#include <string>

#include "tests/reference/kernel.h"
#include "tests/reference/neighbors.h"
#include "tests/reference/rigid.h"
#include "tests/reference/scenes.h"

namespace sluice::reference {
namespace {

constexpr double kSpacing = 0.02;  // m
constexpr double kStep = 0.001;    // s
constexpr double kGamma = 0.7;
constexpr double kGravity = 9.81;  // m/s^2
constexpr double kDegree = 3.14159265358979323846 / 180;
// Tolerance 1e-5 at this gravity, step and spacing.
constexpr double kKappa = 1e-5 * kSpacing / (kGravity * kStep * kStep);

Scene empty_scene(const std::string& name) {
  Scene scene;
  scene.name = name;
  scene.spacing = kSpacing;
  scene.time.max_step = kStep;
  scene.gravity = {0, -kGravity, 0};
  scene.solver.tolerance = kKappa;
  return scene;
}

double half_height(BoxSamples samples) { return 0.5 * (samples.y - 1); }

std::string shape_name(BoxSamples samples) {
  return "box " + std::to_string(samples.x) + " x " + std::to_string(samples.y) + " x " + std::to_string(samples.z);
}

}  // namespace

RigidShape box_shape(BoxSamples samples) {
  std::vector<Vec3> lattice;
  for (int y = 0; y < samples.y; ++y) {
    for (int z = 0; z < samples.z; ++z) {
      for (int x = 0; x < samples.x; ++x) {
        const bool on_surface =
            x == 0 || x == samples.x - 1 || y == 0 || y == samples.y - 1 || z == 0 || z == samples.z - 1;
        if (!on_surface) continue;
        lattice.push_back({x - 0.5 * (samples.x - 1), y - 0.5 * (samples.y - 1), z - 0.5 * (samples.z - 1)});
      }
    }
  }
  RigidShape shape{.name = shape_name(samples), .samples = {}};
  const Rows own = find_by_grid(lattice, lattice, false);
  for (std::size_t r = 0; r < lattice.size(); ++r) {
    double sum = 0;
    for (auto k = own.start[r]; k < own.start[r + 1]; ++k) sum += kernel(length(lattice[r] - lattice[own.index[k]]));
    shape.samples.push_back({kSpacing * lattice[r], kGamma / sum});
  }
  return shape;
}

RigidBody& add_box(Scene& scene, BoxSamples samples, double density, Vec3 position_in_h) {
  std::uint32_t shape = 0;
  while (shape < scene.shapes.size() && scene.shapes[shape].name != shape_name(samples)) ++shape;
  if (shape == scene.shapes.size()) scene.shapes.push_back(box_shape(samples));

  const double a = (samples.x - 1) * kSpacing, b = (samples.y - 1) * kSpacing, c = (samples.z - 1) * kSpacing;
  RigidBody& body = scene.rigid.emplace_back();
  body.name = "box " + std::to_string(scene.rigid.size() - 1);
  body.shape = shape;
  body.mass = density * a * b * c;
  body.inertia = {
      body.mass / 12 * (b * b + c * c), body.mass / 12 * (a * a + c * c), body.mass / 12 * (a * a + b * b), 0, 0, 0};
  body.position = kSpacing * position_in_h;
  body.friction = 0.5;
  return body;
}

void add_floor(Scene& scene, int nx, int nz, Vec3 center_in_h, double degrees) {
  const Quat turn = turn_by({0, degrees * kDegree, 0});
  std::vector<Vec3> lattice;
  for (int z = 0; z < nz; ++z) {
    for (int x = 0; x < nx; ++x) {
      lattice.push_back(center_in_h + rotate(turn, {x - 0.5 * (nx - 1), 0, z - 0.5 * (nz - 1)}));
    }
  }
  const auto body = static_cast<std::uint32_t>(scene.bodies.size());
  scene.bodies.push_back({.name = "floor", .position = {}, .velocity = {}, .angular_velocity = {}});
  const std::vector<double> weights = boundary_weights(lattice, kGamma);
  for (std::size_t s = 0; s < lattice.size(); ++s) {
    scene.boundary.push_back({kSpacing * lattice[s], weights[s], body});
  }
}

Scene incline(double friction, BoxSamples samples, double lattice_degrees, double slope, RestGaps gaps) {
  Scene scene = empty_scene("incline");
  scene.gravity = rotate(turn_by({0, 0, slope * kDegree}), {0, -kGravity, 0});
  add_floor(scene, 90, 90, {20, 0, 0}, lattice_degrees);
  add_box(scene, samples, 1000, {0, gaps.floor + half_height(samples), 0}).friction = friction;
  return scene;
}

Scene mass_ratio(RestGaps gaps) {
  Scene scene = empty_scene("mass ratio");
  add_floor(scene, 16, 16, {});
  const BoxSamples cube;
  const double light = gaps.floor + 1 + half_height(cube);
  add_box(scene, cube, 1000, {0, light, 0});
  add_box(scene, cube, 1e6, {0, light + 2 * half_height(cube) + gaps.box + 1, 0});
  return scene;
}

Scene stack(int count, double amplitude, RestGaps gaps) {
  Scene scene = empty_scene("stack");
  add_floor(scene, 16, 16, {});
  const BoxSamples cube;
  for (int k = 0; k < count; ++k) {
    const double offset = amplitude * ((7919 * k % 13) / 6.0 - 1);
    const double y = gaps.floor + half_height(cube) + k * (2 * half_height(cube) + gaps.box);
    add_box(scene, cube, 1000, {offset, y, 0.5 * offset});
  }
  return scene;
}

Scene pillar_with_box(int layers) {
  Scene scene = water_column(8, layers, 0.01);
  scene.name = "pillar with box";
  scene.solver.tolerance = kKappa;
  const BoxSamples cube{4, 4, 4};
  add_box(scene, cube, 500, {4.5, layers + 1 + half_height(cube), 4.5});
  return scene;
}

Scene rigid_collision(BoxSamples samples) {
  Scene scene = empty_scene("rigid collision");
  scene.gravity = {};
  scene.solver.tolerance = 1e-5 * kSpacing / (kStep * kStep);  // of max(|g|, 1)
  RigidBody& a = add_box(scene, samples, 1000, {});
  a.velocity = {1, 0, 0};
  a.angular_velocity = {0, 2, 1};
  RigidBody& b = add_box(scene, samples, 2000, {7.2, 2.7, 1.2});
  b.orientation = turn_by(0.4 * Vec3{0.6, 0.8, 0});
  b.velocity = {-1, -0.3, 0};
  b.angular_velocity = {1, 0, -3};
  return scene;
}

Scene rigid_drop(double drop, double lattice_degrees, double tilt) {
  Scene scene = empty_scene("rigid drop");
  add_floor(scene, 25, 25, {}, lattice_degrees);
  const BoxSamples samples{9, 5, 9};
  const Quat turn = turn_by({tilt * kDegree, 0, 0});
  const Vec3 up = rotate(conjugate(turn), {0, 1, 0});
  const double lowest = half_height(samples) * std::fabs(up.y) + 0.5 * (samples.z - 1) * std::fabs(up.z);
  add_box(scene, samples, 1000, {0, kRestGaps.floor + drop + lowest, 0}).orientation = turn;
  return scene;
}

Scene loaded_plate(int side, RestGaps gaps) {
  Scene scene = empty_scene("loaded plate");
  // Less would stop the first impact with too little pressure, and the plate would bounce.
  scene.solver.max_iterations = 2000;
  const BoxSamples cube{4, 4, 4};
  const int pitch = 5;  // h from cube to cube
  const int edge = (side - 1) * pitch + cube.x + 2;
  const BoxSamples plate{edge, 4, edge};
  const double slack = 0.01;  // h
  add_floor(scene, plate.x + 6, plate.z + 6, {});
  const double plate_y = gaps.floor + slack + half_height(plate);
  const double plate_mass = add_box(scene, plate, 1000, {0, plate_y, 0}).mass;
  const double cube_edge = (cube.x - 1) * kSpacing;
  const double cube_density = 100 * plate_mass / (cube_edge * cube_edge * cube_edge);
  // Over the middle of a face a cube stands on its corners, as on a floor.
  const double y = plate_y + half_height(plate) + gaps.floor + slack + half_height(cube);
  for (int k = 0; k < side; ++k) {
    for (int i = 0; i < side; ++i) {
      add_box(scene, cube, cube_density, {pitch * (i - 0.5 * (side - 1)), y, pitch * (k - 0.5 * (side - 1))});
    }
  }
  return scene;
}

void use_paper_rigid_mode(SolverSettings& solver) {
  use_paper_mode(solver);
  solver.relaxation_rigid = 0.5;
  solver.contact_scale = ContactScale::own_body;
  solver.friction_update = FrictionUpdate::target;
  solver.contact_weights = false;
  solver.slip = Slip::sample;
  solver.warm_start_rigid = 0;
  solver.load_sharing = 0;
}

Scene in_paper_mode(Scene scene) {
  use_paper_rigid_mode(scene.solver);
  return scene;
}

}  // namespace sluice::reference
