#include "host/sampling/run_warnings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "host/scene/object_place.h"

namespace sluice::io {
namespace {

constexpr double kEndless = 1e6;   // steps
constexpr double kManySteps = 10;  // times more than maxStep asks for are worth a warning

// All digits, so that what is copied gives what was promised.
std::string exact_number(double value) {
  std::array<char, 32> buffer;
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

// The viscosity that limits the step, as largest_viscosity, and the material that has most part in it.
const FluidMaterial* thickest(const std::vector<FluidMaterial>& materials) {
  const FluidMaterial* found = nullptr;
  double most = 0;
  for (const FluidMaterial& a : materials)
    for (const FluidMaterial& b : materials) {
      const double other = b.viscosity * (b.density / a.density);
      const double felt = &a == &b ? a.viscosity : 0.5 * (a.viscosity + other);
      if (felt <= most) continue;
      most = felt;
      found = other > a.viscosity ? &b : &a;
    }
  return found;
}

}  // namespace

void warn_falling(const Scene& scene, std::vector<std::string>& warnings) {
  const bool falls = length(scene.gravity) > 0 && (!scene.fluid.empty() || !scene.rigid.empty());
  const bool held = std::any_of(scene.rigid.begin(), scene.rigid.end(), [](const RigidBody& body) {
    return body.turning == Turning::none && !body.free_translation[0] && !body.free_translation[1] &&
           !body.free_translation[2];
  });
  if (falls && !held && scene.boundary.empty())
    warnings.push_back(
        "there is no boundary and no fixed body, so all of it falls for ever; add a floor or a tank, or set "
        "\"gravity\" to [0, 0, 0]");
}

void warn_many_steps(const Scene& scene, std::vector<std::string>& warnings) {
  const double step = std::min(scene.time.max_step, scene.time.frame_interval), steps = scene.time.end / step;
  if (steps > kEndless)
    warnings.push_back("the run ends at " + short_number(scene.time.end) + " s and takes at least " +
                       short_number(steps) + " steps, which are " + short_number(step) +
                       " s long at most; end sooner, or allow longer steps by \"maxStep\" and \"frameRate\"");
}

// A step is at most cfl h of the fastest point's way.
void warn_endless(const Scene& scene, std::vector<std::string>& warnings) {
  double fastest = 0;
  std::string name;
  const auto take = [&](double speed, const std::string& whose) {
    if (speed > fastest) fastest = speed, name = whose;
  };
  for (const FluidParticle& particle : scene.fluid) take(length(particle.velocity), "fluid");
  for (const RigidBody& body : scene.rigid) {
    double reach = 0;
    for (const RigidSample& sample : scene.shapes[body.shape].samples) reach = std::max(reach, length(sample.position));
    take(length(body.velocity) + length(body.angular_velocity) * reach, "object \"" + body.name + "\"");
  }
  const double steps = fastest * scene.time.end / (scene.time.cfl * scene.spacing);
  if (steps > kEndless)
    warnings.push_back(name + " starts at up to " + short_number(fastest) + " m/s, at which the run would take " +
                       short_number(steps) + " steps; give it a lower speed, or end sooner");
}

void warn_end_between_frames(const Scene& scene, std::vector<std::string>& warnings) {
  const double interval = scene.time.frame_interval, frames = scene.time.end / interval;
  const double last = std::max(1.0, std::floor(frames + 0.5));
  constexpr double kWhole = 1e-6;  // of a frame: rounding of the rate and the end
  if (std::abs(frames - last) <= kWhole * std::max(1.0, 1e-6 * last)) return;
  warnings.push_back("the end, at " + exact_number(scene.time.end) + " s, lies between frames, which are " +
                     short_number(interval) + " s apart: the run ends at " + short_number(last * interval) +
                     " s, with frame " + exact_number(last) +
                     "; give a whole number of frames, or another \"frameRate\" of \"output\"");
}

void warn_viscous(const Scene& scene, std::vector<std::string>& warnings) {
  const FluidMaterial* material = thickest(scene.materials);
  if (!material || scene.fluid.empty()) return;
  // 0.05 h^2 / nu keeps the explicit viscosity stable.
  const double step = 0.05 * scene.spacing * scene.spacing / largest_viscosity(scene.materials);
  const double wanted = std::min(scene.time.max_step, scene.time.frame_interval);
  if (step * kManySteps >= wanted) return;
  warnings.push_back("\"" + material->name + "\" has a viscosity of " + short_number(material->viscosity) +
                     " m^2/s, which limits steps to " + short_number(step) + " s where " + short_number(wanted) +
                     " s are allowed: the run would take " + short_number(scene.time.end / step) +
                     " steps; \"viscosity\" is the kinematic one, m^2/s, the dynamic one (Pa s) over the density: at "
                     "20 C of water 1e-6 "
                     "(0.001 Pa s), of olive oil 9e-5 (0.084 Pa s), of glycerol 0.0011 (1.4 Pa s), of honey about "
                     "0.007 (10 Pa s); if " +
                     short_number(material->viscosity) + " Pa s were meant, write " +
                     short_number(material->viscosity / material->density) +
                     ", else a larger particleSpacing helps, by its square");
}

}  // namespace sluice::io
