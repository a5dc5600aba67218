// What a scene says of its pictures.
#pragma once

#include <optional>

#include "sluice/scene.h"

namespace sluice::io {

struct Camera {
  Vec3 eye, target;     // m
  double degrees = 30;  // of view, from bottom to top
};

// What colours the particles. Friction is the share of its cone that a sample of a rigid body uses; samples are then
// drawn in place of bodies and of water.
enum class PictureField { speed, pressure, density_error, material, friction };

// Containers: cut away at the camera's side, with an outline; obstacles whole. Or both as wires, or not at all.
enum class BoundaryLook { cut, wires, hidden };

// Of values along a colour bar.
struct ValueRange {
  float min = 0, max = 1;
};

struct PictureSettings {
  std::optional<Camera> camera;  // without it, all that the scene holds at the start
  PictureField field = PictureField::speed;
  std::optional<ValueRange> range;  // without it, from the scene's size, so that it holds for all frames
  BoundaryLook boundaries = BoundaryLook::cut;
};

}  // namespace sluice::io
