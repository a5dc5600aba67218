#include "host/sampling/inner_layer.h"

#include <algorithm>
#include <cmath>

#include "host/sampling/backing.h"
#include "host/sampling/round_sampling.h"
#include "host/sampling/surface_sampling.h"

namespace sluice::io {
namespace {

// In spacings, from the first layer: what rests a spacing off that, and lies in it by up to a twentieth, does not reach
// the second.
constexpr double kBehind = 1.05;
// Likewise of a mesh, from the nearest sample: kBehind below a hole of 0.6, and nearer to none.
constexpr double kNearest = 1.2;

std::vector<Vec3> inner_box(const Shape& shape, bool on_surface, double h) {
  const Vec3 lengths = inset_lengths(shape.box, on_surface, h) - 2 * kBehind * h * Vec3{1, 1, 1};
  if (std::min({lengths.x, lengths.y, lengths.z}) < 0) return {};
  return sample_box(lengths, Open::none, h, BoxSpacing::at_most_h);
}

// The shape whose surface lies `depth` inside, and how far its centre lies above.
struct Smaller {
  Shape shape;
  double up = 0;
};
Smaller smaller_shape(Shape shape, double depth) {
  double up = 0;
  switch (shape.kind) {
    case ShapeKind::torus:
      shape.tube -= depth;
      break;
    case ShapeKind::cone: {
      const double side = std::sqrt(shape.radius * shape.radius + shape.height * shape.height);
      const double height = shape.height - depth * (1 + side / shape.radius);
      up = 0.5 * (height - shape.height) + depth;
      shape.radius *= height / shape.height;
      shape.height = height;
      break;
    }
    case ShapeKind::cylinder:
      shape.height -= 2 * depth;
      [[fallthrough]];
    default:
      shape.radius -= depth;
  }
  return {shape, up};
}

}  // namespace

std::vector<Vec3> inner_layer(const Object& object, const Geometry& geometry, const InsetSamples& first, double h) {
  const bool on_surface = object.surface == SurfaceSetting::sampled;
  const Shape& shape = geometry.shape;
  if (shape.kind == ShapeKind::box) return inner_box(shape, on_surface, h);
  if (sample_round(shape, on_surface, h)) {
    const Smaller inner = smaller_shape(shape, (kBehind + (on_surface ? 0 : kFullInset)) * h);
    if (std::optional<InsetSamples> round = sample_round(inner.shape, true, h)) {
      for (Vec3& p : round->positions) p.y += inner.up;
      return std::move(round->positions);
    }
  }
  if (!geometry.closed) return {};
  return backing_samples({&object, &geometry, {}, 0, false}, first.positions, h, kNearest);
}

}  // namespace sluice::io
