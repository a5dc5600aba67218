#include "tests/scene_builders.h"

#include <cmath>

#include "tests/reference/scenes.h"

namespace sluice::tests {
namespace {

constexpr double kDyadic = 1024;
constexpr double kGamma = 0.7;
constexpr double kNoCfl = 1e9;
constexpr int kFreeboard = 6;  // h of wall above the fluid

double to_dyadic(double x, double spacing) { return std::floor(x / spacing * kDyadic + 0.5) / kDyadic * spacing; }
Vec3 to_dyadic(Vec3 p, double spacing) {
  return {to_dyadic(p.x, spacing), to_dyadic(p.y, spacing), to_dyadic(p.z, spacing)};
}

}  // namespace

Scene dyadic(Scene scene) {
  for (FluidParticle& p : scene.fluid) p.position = to_dyadic(p.position, scene.spacing);
  for (BoundarySample& s : scene.boundary) s.position = to_dyadic(s.position, scene.spacing);
  for (Body& b : scene.bodies) b.position = to_dyadic(b.position, scene.spacing);
  return scene;
}

Scene hydrostatic(int columns, int layers, double spacing, double viscosity, double step) {
  Scene scene = reference::water_column(columns, layers, viscosity);
  const double factor = spacing / scene.spacing;
  for (FluidParticle& p : scene.fluid) p.position = factor * p.position;
  for (BoundarySample& s : scene.boundary) s.position = factor * s.position;
  scene.spacing = spacing;
  scene.time.max_step = step;
  scene.time.cfl = kNoCfl;
  return scene;
}

std::vector<Vec3> tank_lattice(Cells inner, bool lid) {
  std::vector<Vec3> samples;
  for (int y = 0; y <= inner.y + 1; ++y) {
    for (int z = 0; z <= inner.z + 1; ++z) {
      for (int x = 0; x <= inner.x + 1; ++x) {
        const bool side = x == 0 || x == inner.x + 1 || z == 0 || z == inner.z + 1;
        if (side || y == 0 || (lid && y == inner.y + 1)) samples.push_back({double(x), double(y), double(z)});
      }
    }
  }
  return samples;
}

void add_body(Scene& scene, const std::vector<Vec3>& samples_in_h, Vec3 position_in_h, Vec3 velocity,
              Vec3 angular_velocity, const std::string& name) {
  const auto body = static_cast<std::uint32_t>(scene.bodies.size());
  scene.bodies.push_back({name, scene.spacing * position_in_h, velocity, angular_velocity});
  const std::vector<double> weights = reference::boundary_weights(samples_in_h, kGamma);
  for (std::size_t s = 0; s < samples_in_h.size(); ++s) {
    scene.boundary.push_back({scene.spacing * samples_in_h[s], weights[s], body});
  }
}

Scene stirred_moving_tank(int columns, int layers) {
  Scene scene;
  scene.name = "stirred moving tank";
  scene.time.max_step = 0.001;
  scene.time.cfl = kNoCfl;
  scene.materials = {{"water", 1000, 0.01}};
  const Vec3 drift{0.3, 0, 0.1};  // m/s
  add_body(scene, tank_lattice({columns, layers + kFreeboard, columns}, false), {}, drift, {}, "tank");
  const double middle = 0.5 * (columns + 1);
  std::vector<Vec3> paddle;
  for (int y = 2; y <= layers - 1; ++y) {
    for (int x = -1; x <= 1; ++x) paddle.push_back({middle + x, double(y), middle});
  }
  add_body(scene, paddle, {middle, 0, middle}, drift, {0, 6, 0}, "paddle");
  for (int y = 1; y <= layers; ++y) {
    for (int z = 1; z <= columns; ++z) {
      for (int x = 1; x <= columns; ++x) {
        const Vec3 p{double(x), double(y), double(z)};
        bool free = true;
        for (const Vec3& s : paddle) free = free && length(p - s) > 0.8;
        if (free) scene.fluid.push_back({scene.spacing * p, {}, 0});
      }
    }
  }
  return scene;
}

Scene collision(int diameter) {
  Scene scene = reference::colliding_balls(diameter, 1.0);
  scene.time.cfl = kNoCfl;
  return scene;
}

Scene with_fixed_steps(Scene scene, double step, int count) {
  scene.time.max_step = step;
  scene.time.cfl = kNoCfl;
  scene.time.frame_interval = count * step;
  scene.time.end = scene.time.frame_interval;
  return scene;
}

Scene shifted_by_cells(Scene scene, double x, double y, double z) {
  const Vec3 shift = 2 * scene.spacing * Vec3{x, y, z};
  for (FluidParticle& p : scene.fluid) p.position = p.position + shift;
  for (BoundarySample& s : scene.boundary) s.position = s.position + shift;
  for (Body& b : scene.bodies) b.position = b.position + shift;
  return scene;
}

Scene scaled(Scene scene, double length, double time) {
  const double speed = length / time;
  scene.spacing *= length;
  scene.gravity = speed / time * scene.gravity;
  scene.time.max_step *= time;
  scene.time.frame_interval *= time;
  scene.time.end *= time;
  scene.solver.overlap_speed *= speed;
  for (FluidMaterial& m : scene.materials) m.viscosity *= length * speed;
  for (FluidParticle& p : scene.fluid) {
    p.position = length * p.position;
    p.velocity = speed * p.velocity;
  }
  for (BoundarySample& s : scene.boundary) s.position = length * s.position;
  for (Body& b : scene.bodies) {
    b.position = length * b.position;
    b.velocity = speed * b.velocity;
    b.angular_velocity = 1 / time * b.angular_velocity;
  }
  return scene;
}

Run run_scene(Gpu& gpu, const Scene& scene, const SimulationOptions& options,
              const std::function<void(const Frame&)>& on_frame) {
  Run run;
  Simulation simulation(gpu, scene, options);
  while (!simulation.done()) {
    const std::vector<StepRecord> records = simulation.advance();
    run.steps.insert(run.steps.end(), records.begin(), records.end());
    if (simulation.frame_ready()) {
      if (on_frame && simulation.frame_number() > 0) on_frame(simulation.read_frame());
      simulation.next_frame();
    }
  }
  run.last = simulation.read_frame();
  return run;
}

double particle_mass(const Scene& scene, std::uint32_t material) {
  return scene.materials[material].density * scene.spacing * scene.spacing * scene.spacing;
}

double total_mass(const Scene& scene) {
  double sum = 0;
  for (const FluidParticle& p : scene.fluid) sum += particle_mass(scene, p.material);
  return sum;
}

Vec3 momentum(const Scene& scene, const Frame& frame) {
  Vec3 sum;
  for (std::size_t i = 0; i < frame.velocity.size(); ++i) {
    const auto& v = frame.velocity[i];
    sum = sum + particle_mass(scene, frame.material[i]) * Vec3{v[0], v[1], v[2]};
  }
  return sum;
}

double momentum_scale(const Scene& scene, const Frame& frame) {
  double sum = 0;
  for (std::size_t i = 0; i < frame.velocity.size(); ++i) {
    const auto& v = frame.velocity[i];
    sum += particle_mass(scene, frame.material[i]) * length(Vec3{v[0], v[1], v[2]});
  }
  return sum;
}

double mean_iterations(const std::vector<StepRecord>& steps, std::size_t from) {
  double sum = 0;
  for (std::size_t k = from; k < steps.size(); ++k) sum += steps[k].iterations;
  return sum / static_cast<double>(steps.size() - from);
}

Vec3 mean_wall_force(const std::vector<StepRecord>& steps, double from) {
  Vec3 impulse;
  double time = 0;
  for (const StepRecord& s : steps) {
    if (s.time - s.dt < from - 1e-9) continue;
    impulse = impulse + s.dt * Vec3{s.wall_force[0], s.wall_force[1], s.wall_force[2]};
    time += s.dt;
  }
  return 1 / time * impulse;
}

PressureProfile make_profile(int columns, int layers) {
  PressureProfile profile;
  profile.columns = columns;
  profile.layers = layers;
  profile.pressure.resize(static_cast<std::size_t>(layers));
  profile.height.resize(static_cast<std::size_t>(layers));
  profile.samples.resize(static_cast<std::size_t>(layers));
  return profile;
}

void add_frame(PressureProfile& profile, const Frame& frame, double spacing) {
  const std::size_t per_layer = static_cast<std::size_t>(profile.columns) * static_cast<std::size_t>(profile.columns);
  const double low = 1.5 * spacing, high = (profile.columns + 1 - 1.5) * spacing;
  for (std::size_t i = 0; i < frame.position.size(); ++i) {
    const auto& x = frame.position[i];
    if (x[0] < low || x[0] > high || x[2] < low || x[2] > high) continue;
    const std::size_t layer = i / per_layer;
    profile.pressure[layer] += frame.pressure[i];
    profile.height[layer] += x[1];
    ++profile.samples[layer];
  }
  ++profile.frames;
}

std::vector<double> pressure_ratios(const PressureProfile& profile, double density, double gravity,
                                    double extra_depth) {
  const auto mean_height = [&](std::size_t layer) { return profile.height[layer] / profile.samples[layer]; };
  const std::size_t top = static_cast<std::size_t>(profile.layers) - 1;
  std::vector<double> ratios;
  for (std::size_t layer = 0; layer < top; ++layer) {
    const double depth = mean_height(top) - mean_height(layer) + extra_depth;
    ratios.push_back(profile.pressure[layer] / profile.samples[layer] / (density * gravity * depth));
  }
  return ratios;
}

Scene continued(Scene scene, const Frame& frame) {
  for (std::size_t i = 0; i < scene.fluid.size(); ++i) {
    const auto& x = frame.position[i];
    const auto& v = frame.velocity[i];
    scene.fluid[i].position = {x[0], x[1], x[2]};
    scene.fluid[i].velocity = {v[0], v[1], v[2]};
  }
  for (std::size_t b = 0; b < scene.rigid.size(); ++b) {
    scene.rigid[b].position = frame.bodies[b].position;
    scene.rigid[b].orientation = frame.bodies[b].orientation;
    scene.rigid[b].velocity = frame.bodies[b].velocity;
    scene.rigid[b].angular_velocity = frame.bodies[b].angular_velocity;
  }
  return scene;
}

}  // namespace sluice::tests
