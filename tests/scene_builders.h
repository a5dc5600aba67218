// Scenes of the physical tests, how they are moved and scaled, and what is measured on them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sluice/sluice.h"

namespace sluice::tests {

// Coordinates are whole multiples of h / 1024, so that neither a shift by 10 km nor a change of units moves a particle
// by a unit of the device's fixed point.
Scene dyadic(Scene scene);

// A column of water at the given spacing in a tank, everything else in SI units.
Scene hydrostatic(int columns, int layers, double spacing, double viscosity, double step);

// A tank that starts to move, with a paddle that turns in its water.
Scene stirred_moving_tank(int columns, int layers);

// Two balls of two liquids that collide without gravity.
Scene collision(int diameter);

// `count` steps of exactly `step` seconds, then one frame and the end.
Scene with_fixed_steps(Scene scene, double step, int count);

// Moved by whole cells of 2h; bodies go along.
Scene shifted_by_cells(Scene scene, double x, double y, double z);
// The same flow in other units: lengths times `length`, times times `time`.
Scene scaled(Scene scene, double length, double time);

// Walls of one layer of samples on the lattice planes at 0 and (n + 1) h of a box whose first n h inside are free.
struct Cells {
  int x = 0, y = 0, z = 0;
};
std::vector<Vec3> tank_lattice(Cells inner, bool lid);  // in h
// Appends samples with the weights of PT23 eq. 3.2, gamma 0.7, as a new body.
void add_body(Scene& scene, const std::vector<Vec3>& samples_in_h, Vec3 position_in_h, Vec3 velocity,
              Vec3 angular_velocity, const std::string& name);

struct Run {
  std::vector<StepRecord> steps;
  Frame last;
};
// To the scene's end. `on_frame` sees every frame after the start.
Run run_scene(Gpu& gpu, const Scene& scene, const SimulationOptions& options = {},
              const std::function<void(const Frame&)>& on_frame = {});

double total_mass(const Scene& scene);  // kg
double particle_mass(const Scene& scene, std::uint32_t material);
Vec3 momentum(const Scene& scene, const Frame& frame);          // kg m/s, summed in double
double momentum_scale(const Scene& scene, const Frame& frame);  // sum m |v|
double mean_iterations(const std::vector<StepRecord>& steps, std::size_t from = 0);

// Mean force of the fluid on the boundary from time `from` on, N.
Vec3 mean_wall_force(const std::vector<StepRecord>& steps, double from);

// Mean pressure over rho g z of the interior particles of each starting layer of `hydrostatic`, layer 1 at the bottom;
// z is the depth below the settled mean centres of the top layer, plus `extra_depth`.
struct PressureProfile {
  int columns = 0, layers = 0;
  std::vector<double> pressure, height;  // sums over particles, by layer
  std::vector<int> samples;
  double top = 0;
  int frames = 0;
};
PressureProfile make_profile(int columns, int layers);
void add_frame(PressureProfile& profile, const Frame& frame, double spacing);
// `extra_depth` in m: h / 2 measures from the surface, where the top particles' volumes end.
std::vector<double> pressure_ratios(const PressureProfile& profile, double density, double gravity, double extra_depth);

// The same scene, whose fluid and bodies start as they are in `frame`.
Scene continued(Scene scene, const Frame& frame);

}  // namespace sluice::tests
