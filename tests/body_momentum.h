// Linear and angular momentum of a frame's rigid bodies.
#pragma once

#include "sluice/sluice.h"

namespace sluice::tests {

struct BodyMomentum {
  Vec3 linear, angular;  // about the origin
  double linear_scale = 0, angular_scale = 0;
};
inline BodyMomentum momentum_of(const Scene& scene, const Frame& frame) {
  BodyMomentum sum;
  for (std::size_t b = 0; b < scene.rigid.size(); ++b) {
    const BodyRecord& body = frame.bodies[b];
    const auto& [xx, yy, zz, xy, xz, yz] = scene.rigid[b].inertia;
    const Quat q = body.orientation;
    const Vec3 w = rotate({q.w, -q.x, -q.y, -q.z}, body.angular_velocity);
    const Vec3 spin =
        rotate(q, {xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z, xz * w.x + yz * w.y + zz * w.z});
    const Vec3 linear = scene.rigid[b].mass * body.velocity;
    const Vec3 angular = spin + cross(body.position, linear);
    sum.linear = sum.linear + linear;
    sum.angular = sum.angular + angular;
    sum.linear_scale += length(linear);
    sum.angular_scale += length(angular);
  }
  return sum;
}

}  // namespace sluice::tests
