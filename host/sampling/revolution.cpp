#include "host/sampling/revolution.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "host/sampling/mass.h"
#include "host/scene/object_place.h"
#include "host/scene/rotation.h"

namespace sluice::io {
namespace {

// Two unit vectors at right angles to each other and to `axis`.
std::pair<Vec3, Vec3> across(Vec3 axis) {
  const Vec3 other = std::abs(axis.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 first = normalized(cross(axis, other));
  return {first, cross(axis, first)};
}

}  // namespace

Revolution revolution_of(const Geometry& geometry) {
  const Shape& shape = geometry.shape;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return {Roundness::ball, {0, 1, 0}, {}};
    case ShapeKind::cylinder:
    case ShapeKind::capsule:
    case ShapeKind::cone:
    case ShapeKind::torus:
      return {Roundness::axis, {0, 1, 0}, {}};
    case ShapeKind::mesh:
      if (!shape.round_about) return {};
      return {
          Roundness::axis, normalized(*shape.round_about),
          geometry.closed ? mesh_mass(geometry.mesh, geometry.shells.excess).center : shell_mass(geometry.mesh).center};
    default:
      return {};
  }
}

void check_round(const Geometry& geometry) {
  if (!geometry.shape.round_about) return;
  constexpr int kTurns = 36;
  constexpr double kFlattest = 0.06;  // of the largest distance; a prism of ten sides has 0.049
  const Revolution round = revolution_of(geometry);
  const auto [first, second] = across(round.axis);
  for (const double lean : {0.0, 45.0, -45.0}) {
    // How far out planes at this angle to the axis lie that touch the mesh, from one side and another.
    const auto [up, out] = sine_cosine(lean);
    std::vector<double> distances;
    for (int k = 0; k < kTurns; ++k) {
      const auto [sine, cosine] = sine_cosine(360.0 * k / kTurns);
      const Vec3 direction = out * (cosine * first + sine * second) + up * round.axis;
      double distance = 0;
      for (const Vec3& v : geometry.mesh.vertices) distance = std::max(distance, dot(v - round.center, direction));
      distances.push_back(distance);
    }
    const auto [least, most] = std::minmax_element(distances.begin(), distances.end());
    if (*least >= (1 - kFlattest) * *most) continue;
    throw Error(describe_shape(geometry.shape) +
                " is not round about its \"roundAbout\": turned about that, it reaches " + short_number(*least) +
                " to " + short_number(*most) +
                " m out from the middle of its volume; write the direction of its axis, or remove the key");
  }
}

Revolution moved(Revolution round, Quat rotation, Vec3 offset) {
  round.axis = rotate(rotation, round.axis);
  round.center = offset + rotate(rotation, round.center);
  return round;
}

}  // namespace sluice::io
