// Symmetric 3 x 3 tensors in double precision: inertia and its inverse.
#pragma once

#include <algorithm>
#include <array>

#include "sluice/scene.h"

namespace sluice {

struct Tensor {
  double xx, yy, zz, xy, xz, yz;
};

inline double determinant(const Tensor& t) {
  return t.xx * (t.yy * t.zz - t.yz * t.yz) - t.xy * (t.xy * t.zz - t.yz * t.xz) + t.xz * (t.xy * t.yz - t.yy * t.xz);
}

inline Tensor inverse(const Tensor& t) {
  const double d = 1 / determinant(t);
  return {d * (t.yy * t.zz - t.yz * t.yz), d * (t.xx * t.zz - t.xz * t.xz), d * (t.xx * t.yy - t.xy * t.xy),
          d * (t.xz * t.yz - t.xy * t.zz), d * (t.xy * t.yz - t.xz * t.yy), d * (t.xy * t.xz - t.xx * t.yz)};
}

inline bool positive_definite(const Tensor& t) {
  return t.xx > 0 && t.xx * t.yy - t.xy * t.xy > 0 && determinant(t) > 0;
}

inline Tensor scaled(const std::array<double, 6>& inertia, double factor) {
  return {inertia[0] * factor, inertia[1] * factor, inertia[2] * factor,
          inertia[3] * factor, inertia[4] * factor, inertia[5] * factor};
}

inline Vec3 times(const Tensor& t, Vec3 v) {
  return {t.xx * v.x + t.xy * v.y + t.xz * v.z, t.xy * v.x + t.yy * v.y + t.yz * v.z,
          t.xz * v.x + t.yz * v.y + t.zz * v.z};
}

// The tensor must be positive definite. By the power method from each axis: what it misses of a near tie is within
// that tie.
inline double largest_eigenvalue(const Tensor& t) {
  double best = 0;
  for (const Vec3 start : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    Vec3 v = start;
    double value = 0;
    for (int k = 0; k < 200; ++k) {
      v = times(t, v);
      value = length(v);
      v = 1 / value * v;
    }
    best = std::max(best, value);
  }
  return best;
}

}  // namespace sluice
