#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/sampling/inset_sampling.h"
#include "tools/sluice/commands.h"

namespace sluice::program {
namespace {

void print_objects(const io::SamplingReport& report) {
  std::size_t width = 6;
  for (const io::ObjectReport& object : report.objects) width = std::max(width, object.name.size());
  std::printf("%-*s  %-8s  %10s  %8s\n", static_cast<int>(width), "object", "role", "particles", "cut");
  bool any_cut = false;
  for (const io::ObjectReport& object : report.objects) {
    const bool fluid = object.role == io::Role::fluid;
    const char* role = fluid ? "fluid" : object.role == io::Role::rigid ? "rigid" : "boundary";
    std::printf("%-*s  %-8s  %10zu  %8s\n", static_cast<int>(width), object.name.c_str(), role, object.particles,
                fluid ? std::to_string(object.cut).c_str() : "-");
    any_cut |= fluid && object.cut > 0;
  }
  if (any_cut)
    std::printf("(cut: left out, as inside a solid, outside all containers or too near to something else)\n");
}

void print_backing(const Scene& scene) {
  const auto backing = std::count_if(scene.boundary.begin(), scene.boundary.end(),
                                     [](const BoundarySample& sample) { return sample.backing; });
  if (backing > 0)
    std::printf(
        "(%lld of the %zu boundary samples are of a second layer behind the surface, which keeps water in; files "
        "and pictures leave it out)\n",
        static_cast<long long>(backing), scene.boundary.size());
}

void print_rigid_objects(const io::SamplingReport& report) {
  std::size_t width = 12;
  bool any = false;
  for (const io::ObjectReport& object : report.objects) {
    if (object.role != io::Role::rigid) continue;
    width = std::max(width, object.name.size());
    any = true;
  }
  if (!any) return;
  std::printf("\n%-*s  %7s  %12s  %12s  %9s  V0 / h^3\n", static_cast<int>(width), "rigid object", "bodies",
              "samples each", "kg each", "shallow");
  for (const io::ObjectReport& object : report.objects) {
    if (object.role != io::Role::rigid) continue;
    std::printf("%-*s  %7zu  %12zu  %12.6g  %7.1f %%  %.3f to %.3f, mean %.3f, deviation %.3f\n",
                static_cast<int>(width), object.name.c_str(), object.bodies, object.particles / object.bodies,
                object.mass, 100 * object.shallow, object.volume_min, object.volume_max, object.volume_mean,
                object.volume_deviation);
  }
  std::printf("(shallow: samples less than %.3f h below the drawn surface, as in thin parts)\n", io::kFullInset);
}

void print_box(const Scene& scene) {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  const auto take = [&](Vec3 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  };
  for (const FluidParticle& particle : scene.fluid) take(particle.position);
  for (const BoundarySample& sample : scene.boundary) {
    if (!sample.backing) take(sample.position);
  }
  for (const RigidBody& body : scene.rigid) {
    for (const RigidSample& sample : scene.shapes[body.shape].samples) {
      take(body.position + rotate(body.orientation, sample.position));
    }
  }
  if (low.x > high.x) return;
  std::printf("bounding box        (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m\n", low.x, low.y, low.z, high.x, high.y,
              high.z);
}

void print_domain(const Domain& domain) {
  if (!std::isfinite(domain.low.x)) {
    std::printf("domain              unlimited\n");
    return;
  }
  std::printf("domain              (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m; what leaves it for good is taken out\n",
              domain.low.x, domain.low.y, domain.low.z, domain.high.x, domain.high.y, domain.high.z);
}

void print_steps(const Scene& scene) {
  const TimeSettings& time = scene.time;
  const double viscosity = largest_viscosity(scene.materials);
  const std::uint32_t frames = frame_count(time);
  std::printf("time                %.4g s, %u %s every %.4g s after the start\n", frames * time.frame_interval, frames,
              frames == 1 ? "frame" : "frames", time.frame_interval);
  std::printf("step limits         %.4g ms by maxStep", 1e3 * time.max_step);
  if (viscosity > 0) {
    // 0.05 h^2 / nu keeps the explicit viscosity stable.
    std::printf(", %.4g ms by viscosity", 50 * scene.spacing * scene.spacing / viscosity);
  }
  if (std::isfinite(time.cfl)) {
    std::printf(", by speed from %.3g m/s on", time.cfl * scene.spacing / time.max_step);
  }
  std::printf("\n");
}

void print_memory(const Scene& scene) {
  const std::vector<MemoryPart> parts = or_exit(kWrongInput, kProgramPrefix, [&] { return estimate_memory(scene); });
  std::uint64_t total = 0, boundary = 0, bodies = 0;
  for (const MemoryPart& part : parts) {
    total += part.bytes;
    if (part.name == "boundary") boundary += part.bytes;
    if (part.name == "rigid bodies") bodies += part.bytes;
  }
  constexpr double kMiB = 1 << 20;
  std::printf("\ndevice memory       %.2f MiB\n", static_cast<double>(total) / kMiB);
  for (const MemoryPart& part : parts) {
    std::printf("  %-18s%.2f MiB\n", part.name.c_str(), static_cast<double>(part.bytes) / kMiB);
  }
  // What the sets share (the sort's scratch, the row pages) is counted with the fluid.
  if (!scene.fluid.empty()) {
    std::printf("  %.0f bytes per fluid particle", static_cast<double>(total - boundary - bodies) / scene.fluid.size());
    if (!scene.boundary.empty()) {
      std::printf(", %.0f per boundary sample", static_cast<double>(boundary) / scene.boundary.size());
    }
    std::printf("\n");
  }
}

}  // namespace

int check_command(const std::filesystem::path& path) {
  const LoadedScene loaded = load_scene(path, 0);
  const Scene& scene = loaded.scene;
  const io::SamplingReport& report = loaded.report;

  std::printf("%s: %zu fluid particles, %zu boundary samples", scene.name.c_str(), scene.fluid.size(),
              scene.boundary.size());
  if (!scene.rigid.empty())
    std::printf(", %zu rigid %s", scene.rigid.size(), scene.rigid.size() == 1 ? "body" : "bodies");
  std::printf("\n\n");
  print_objects(report);
  print_backing(scene);
  print_rigid_objects(report);
  std::printf("\nparticle radius     %.4g m (spacing %.4g m, kernel support %.4g m)\n", scene.spacing / 2,
              scene.spacing, 2 * scene.spacing);
  print_box(scene);
  print_domain(scene.domain);
  print_steps(scene);
  if (!scene.boundary.empty()) {
    std::printf("boundary weights    %.3f to %.3f, mean %.3f, deviation %.3f (V0 / h^3; 1 on a regular face)\n",
                report.weight_min, report.weight_max, report.weight_mean, report.weight_deviation);
  }
  std::printf("starting density    at most %.2f %% above rest\n", 100 * report.start_error_max);
  print_memory(scene);
  for (const std::string& warning : report.warnings) std::printf("\nwarning: %s\n", warning.c_str());
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw CommandError{kRunFailed, kProgramPrefix + std::string("standard output cannot be written")};
  return kDone;
}

}  // namespace sluice::program
