#include "host/render/view.h"

#include <algorithm>
#include <cmath>

#include "engine/units.h"

namespace sluice::render {
namespace {

constexpr double kRadians = 0.017453292519943295;
constexpr double kLegendShare = 0.085;  // of the width, that the legend takes at the right

struct Axes {
  Vec3 right, up, back;
};

Axes axes_towards(Vec3 back) {
  Axes axes;
  axes.back = (1 / length(back)) * back;
  const Vec3 up = std::fabs(axes.back.y) > 0.999 ? Vec3{0, 0, -1} : Vec3{0, 1, 0};
  const Vec3 right = cross(up, axes.back);
  axes.right = (1 / length(right)) * right;
  axes.up = cross(axes.back, axes.right);
  return axes;
}

Vec3 corner_of(const Box& box, int k) {
  return {k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y, k & 4 ? box.high.z : box.low.z};
}

gpu::vec4 row_of(Vec3 axis, Vec3 origin, double scale, double shift = 0) {
  return packed(scale * axis, shift - scale * dot(axis, origin));
}

}  // namespace

Camera frame_box(const Box& box, int width, int height) {
  Camera camera;
  camera.target = 0.5 * (box.low + box.high);
  const Axes axes = axes_towards({0.52, 0.46, 1});
  const double focal = 1 / std::tan(0.5 * camera.degrees * kRadians);
  const double aspect = static_cast<double>(width) / height;
  // As near as all corners allow, then shifted so that the middle of what they take is the middle of the free part.
  double distance = 1e-6;
  for (int k = 0; k < 8; ++k) {
    const Vec3 p = corner_of(box, k) - camera.target;
    const double x = std::fabs(dot(p, axes.right)) * focal / aspect / (0.92 - kLegendShare);
    const double y = std::fabs(dot(p, axes.up)) * focal / 0.86;
    distance = std::max(distance, std::max(x, y) + dot(p, axes.back));
  }
  const Vec3 aside = (kLegendShare * distance * aspect / focal) * axes.right;
  camera.target = camera.target + aside;
  camera.eye = camera.target + distance * axes.back;
  return camera;
}

void place_view(gpu::View& view, const Camera& camera, const Box& box, int width, int height) {
  const Axes axes = axes_towards(camera.eye - camera.target);
  view.camera[0] = row_of(axes.right, camera.eye, 1);
  view.camera[1] = row_of(axes.up, camera.eye, 1);
  view.camera[2] = row_of(axes.back, camera.eye, 1);

  const Vec3 middle = 0.5 * (box.low + box.high);
  const double reach = std::max(0.5 * length(box.high - box.low), 1e-9), away = length(camera.eye - middle);
  const double near = std::max(away - 1.5 * reach, 0.02 * reach), far = away + 8 * reach;
  const double focal = 1 / std::tan(0.5 * camera.degrees * kRadians);
  view.projection = packed({focal * height / width, focal, -near * far / (far - near)}, -far / (far - near));

  const Axes sun = axes_towards({-0.5, 1, 0.75});
  view.light[0] = row_of(sun.right, middle, 1 / (1.05 * reach));
  view.light[1] = row_of(sun.up, middle, 1 / (1.05 * reach));
  view.light[2] = row_of(sun.back, middle, -1 / (2.2 * reach), 0.5);
  view.sun = packed(sun.back, 0.58);
  view.ground = {static_cast<float>(box.low.y), static_cast<float>(3.2 * reach), static_cast<float>(middle.x),
                 static_cast<float>(middle.z)};
}

}  // namespace sluice::render
