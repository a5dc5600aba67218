// Rotations made of + - * / and sqrt, so that every machine gets the same bits.
#pragma once

#include "sluice/scene.h"

namespace sluice::io {

struct SineCosine {
  double sine = 0, cosine = 1;
};
// Exact at multiples of 90 degrees.
SineCosine sine_cosine(double degrees);

// Right-handed, about a non-zero axis of any length.
Quat rotation_about(Vec3 axis, double degrees);

// Unit vector along a non-zero one of any length.
Vec3 normalized(Vec3 v);

struct Pose {
  Vec3 position;     // m
  Quat orientation;  // from the pose at the start
};
// Of a body that moves at constant rates.
Pose pose_at(const Body& body, double time);

inline Quat inverse(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }

}  // namespace sluice::io
