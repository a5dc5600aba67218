// The geometry of an object of a scene file.
#pragma once

#include "host/sampling/geometry.h"
#include "host/sampling/revolution.h"
#include "host/scene/object_place.h"

namespace sluice::io {

// Throws Error with the object's place.
inline Geometry geometry_of(const Object& object, double h, const SceneFile& file) {
  return named_errors(file, object, [&] {
    Geometry geometry = make_geometry(object.shape, h);
    check_round(geometry);
    return geometry;
  });
}

}  // namespace sluice::io
