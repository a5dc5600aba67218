// Bodies of revolution in contact: shaders/lib/round.glsl in double precision.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/reference/rigid.h"

namespace sluice::reference {

// A body as a row's sample sees it.
struct RoundBody {
  Roundness kind = Roundness::none;
  Vec3 axis;
  Vec3 center;      // from the sample
  double side = 0;  // distance of its outermost samples from the axis
};
inline RoundBody round_body(const BodyState& body, Vec3 sample) {
  return {body.round.kind, rotate(body.orientation, body.round.axis),
          body.position + rotate(body.orientation, body.round.center) - sample, body.round_side};
}

// How a pair acts on its two bodies; places are from the row's sample.
struct Lever {
  Vec3 at;   // of pressure
  Vec3 rub;  // of friction
  double whole = 1, along = 0;
  Vec3 t, s;
  // What is left of a force.
  Vec3 left(Vec3 f) const {
    const Vec3 g = whole * f + along * dot(f, t) * t;
    return g - dot(g, s) * s;
  }
};

inline Vec3 unit(Vec3 v) { return 1 / std::max(length(v), 1e-6) * v; }
inline Vec3 across(Vec3 axis, Vec3 v) { return v - dot(axis, v) * axis; }
inline double share_of(Vec3 axis, Vec3 n) { return std::clamp((0.98 - dot(axis, n) * dot(axis, n)) * 12.5, 0.0, 1.0); }

// The direction that turns a body about its axis at `at`; nearly none on the axis.
inline Vec3 about_axis(const RoundBody& body, Vec3 at) {
  const Vec3 w = cross(body.axis, at - body.center);
  return 1 / std::sqrt(dot(w, w) + 1e-4) * w;
}

// From a sample to where the line along n meets the plane of n and the axis.
inline Vec3 shift_to(const RoundBody& body, Vec3 n) {
  const Vec3 radial = -1 * across(body.axis, body.center), m = across(body.axis, n);
  return dot(radial, m) / std::max(dot(m, m), 1e-4) * m - radial;
}

// A place of friction, moved to the drawn side of a wheel if the body's sample is one of its outermost.
inline Vec3 on_side(const RoundBody& body, Vec3 place, Vec3 body_sample) {
  const double outer = length(across(body.axis, body_sample - body.center));
  const Vec3 q = across(body.axis, place - body.center);
  const double share = std::clamp((outer - body.side) * 6 + 2, 0.0, 1.0);
  return place + share * ((body.side + 0.5) / std::max(length(q), 0.01) - 1) * q;
}

// The lever of a row's sample, of body a, whose normal force has direction n, and a neighbour at -d from it, of body b.
inline Lever lever_of(const RoundBody& a, const RoundBody& b, Vec3 n, Vec3 d) {
  Lever lever;
  lever.rub = -0.5 * d;
  if (a.kind == Roundness::none && b.kind == Roundness::none) return lever;
  Vec3 u = n;
  if (a.kind == Roundness::ball) {
    lever.at = a.center;
    const Vec3 between = a.center - b.center;
    if (b.kind == Roundness::ball && dot(between, between) > 0.25) {
      lever.t = u = unit(between);
      lever.whole = 0;
      lever.along = 1;
    } else if (b.kind == Roundness::axis) {
      lever.s = about_axis(b, lever.at);
      u = unit(lever.left(n));
    }
    lever.rub = a.center - (length(a.center) + 0.5) * u;
  } else if (b.kind == Roundness::ball) {
    lever.at = b.center;
    if (a.kind == Roundness::axis) {
      lever.s = about_axis(a, lever.at);
      u = unit(lever.left(n));
    }
    lever.rub = b.center - (dot(b.center, u) + 0.5) * u;
  } else if (b.kind == Roundness::none) {
    const double share = share_of(a.axis, n);
    lever.at = share * shift_to(a, n);
    lever.s = about_axis(a, lever.at);
    lever.rub = lever.at + (0.5 - dot(d, n)) * n;
    lever.rub = lever.rub + share * (on_side(a, lever.rub, {}) - lever.rub);
  } else if (a.kind == Roundness::none) {
    const double share = share_of(b.axis, n);
    lever.at = share * shift_to(b, n);
    lever.s = about_axis(b, lever.at);
    lever.rub = lever.at - 0.5 * n;
    lever.rub = lever.rub + share * (on_side(b, lever.rub, -1 * d) - lever.rub);
  } else if (share_of(a.axis, n) > 0.5) {
    const Vec3 m = across(a.axis, n);
    Vec3 at = shift_to(a, n);
    lever.rub = on_side(a, at - 0.5 * dot(d, n) * n, {});
    at = at - dot(across(a.axis, at - a.center), m) / std::max(dot(m, m), 1e-4) * n;
    const double miss = dot(n, cross(b.axis, at - b.center)), gain = dot(n, cross(b.axis, a.axis));
    lever.at = at + std::clamp(-miss * gain / (gain * gain + 0.01), -0.75, 0.75) * a.axis;
    lever.s = about_axis(b, lever.at);
  } else {
    lever.at = share_of(b.axis, n) * shift_to(b, n);
    lever.t = about_axis(a, lever.at);
    lever.along = -1;
    lever.s = about_axis(b, lever.at);
    lever.s = lever.s - dot(lever.s, lever.t) * lever.t;
    lever.s = 1 / std::max(length(lever.s), 0.1) * lever.s;
    lever.rub = lever.at - 0.5 * n;
  }
  return lever;
}

// What is left of a gradient of the fluid's pressure, which acts at the particle; `body` as that sees it.
inline Vec3 left_at_particle(const RoundBody& body, Vec3 f) {
  const double rr = dot(body.center, body.center);
  if (body.kind == Roundness::ball) return rr > 0.25 ? dot(f, body.center) / rr * body.center : f;
  if (body.kind == Roundness::none) return f;
  const Vec3 s = about_axis(body, {});
  return f - dot(f, s) * s;
}

}  // namespace sluice::reference
