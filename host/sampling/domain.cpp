#include "host/sampling/domain.h"

#include <algorithm>

namespace sluice::io {
namespace {

void take(Domain& box, Vec3 p, double radius) {
  box.low = {std::min(box.low.x, p.x - radius), std::min(box.low.y, p.y - radius), std::min(box.low.z, p.z - radius)};
  box.high = {std::max(box.high.x, p.x + radius), std::max(box.high.y, p.y + radius),
              std::max(box.high.z, p.z + radius)};
}

bool is_held(const RigidBody& body) {
  return !body.free_translation[0] && !body.free_translation[1] && !body.free_translation[2];
}

}  // namespace

Domain extent_of(const Scene& scene, double end) {
  if (scene.boundary.empty() && std::none_of(scene.rigid.begin(), scene.rigid.end(), is_held)) return {};
  constexpr double kFar = 1e300;
  Domain box{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
  for (const FluidParticle& particle : scene.fluid) take(box, particle.position, 0);
  for (const RigidBody& body : scene.rigid) {
    double radius = 0;
    for (const RigidSample& sample : scene.shapes[body.shape].samples)
      radius = std::max(radius, length(sample.position));
    take(box, body.position, radius);
  }
  // A boundary that turns stays within a ball around its centre, which moves along a line.
  std::vector<double> reach(scene.bodies.size(), 0);
  for (const BoundarySample& sample : scene.boundary) {
    const Body& body = scene.bodies[sample.body];
    if (!body.moving()) take(box, sample.position, 0);
    reach[sample.body] = std::max(reach[sample.body], length(sample.position - body.position));
  }
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    if (!body.moving()) continue;
    take(box, body.position, reach[b]);
    take(box, body.position + end * body.velocity, reach[b]);
  }
  // A sheet has no thickness of its own.
  const Vec3 particle{scene.spacing, scene.spacing, scene.spacing};
  return {box.low - particle, box.high + particle};
}

Domain default_domain(const Scene& scene, double end) {
  const Domain box = extent_of(scene, end);
  const double diagonal = length(box.high - box.low);
  const Vec3 margin{diagonal, diagonal, diagonal};
  return {box.low - margin, box.high + margin};
}

}  // namespace sluice::io
