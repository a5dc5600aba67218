#include "host/io/revolution.h"

#include "host/io/mass.h"
#include "host/io/rotation.h"

namespace sluice::io {

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

Revolution moved(Revolution round, Quat rotation, Vec3 offset) {
  round.axis = rotate(rotation, round.axis);
  round.center = offset + rotate(rotation, round.center);
  return round;
}

}  // namespace sluice::io
