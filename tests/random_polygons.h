// Simple polygons from a seed: stars, combs, and rings of random points without crossings.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace sluice::tests {

// PCG32 (O'Neill 2014): the same numbers on every platform.
struct Pcg {
  std::uint64_t state = 0x853C49E6748FEA9Bu;
  explicit Pcg(std::uint64_t seed) : state(seed * 0x9E3779B97F4A7C15u + 0x853C49E6748FEA9Bu) { (*this)(); }
  std::uint32_t operator()() {
    const std::uint64_t old = state;
    state = old * 6364136223846793005u + 1442695040888963407u;
    const auto mixed = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
    const auto turn = static_cast<std::uint32_t>(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
  }
  std::uint32_t below(std::uint32_t count) { return (*this)() % count; }
  double real(double low, double high) { return low + (high - low) * ((*this)() / 4294967296.0); }
};

struct Flat {
  double x, y;
};
using Outline = std::vector<Flat>;

inline double turn_of(Flat a, Flat b, Flat c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

inline double area_of(const Outline& p) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < p.size(); ++i) sum += turn_of(p[0], p[i], p[i + 1]);
  return sum / 2;
}

// Whether two segments have a point in common.
inline bool meet(Flat a, Flat b, Flat c, Flat d) {
  const auto sign = [](double v) { return (v > 0) - (v < 0); };
  const auto within = [](Flat p, Flat q, Flat r) {
    return std::min(p.x, q.x) <= r.x && r.x <= std::max(p.x, q.x) && std::min(p.y, q.y) <= r.y &&
           r.y <= std::max(p.y, q.y);
  };
  const int s = sign(turn_of(a, b, c)), t = sign(turn_of(a, b, d)), u = sign(turn_of(c, d, a)),
            v = sign(turn_of(c, d, b));
  if (s != t && u != v && s * t <= 0 && u * v <= 0 && (s || t) && (u || v)) return true;
  return (s == 0 && within(a, b, c)) || (t == 0 && within(a, b, d)) || (u == 0 && within(c, d, a)) ||
         (v == 0 && within(c, d, b));
}

inline bool contains(const Outline& p, Flat q) {
  bool inside = false;
  for (std::size_t i = 0, j = p.size() - 1; i < p.size(); j = i++)
    if ((p[i].y > q.y) != (p[j].y > q.y) && q.x < p[i].x + (q.y - p[i].y) * (p[j].x - p[i].x) / (p[j].y - p[i].y))
      inside = !inside;
  return inside;
}

inline double distance_to_rim(const Outline& p, Flat q) {
  double least = 1e300;
  for (std::size_t i = 0, j = p.size() - 1; i < p.size(); j = i++) {
    const double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
    const double s = std::clamp(((q.x - p[j].x) * dx + (q.y - p[j].y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    least = std::min(least, std::hypot(p[j].x + s * dx - q.x, p[j].y + s * dy - q.y));
  }
  return least;
}

inline Outline star(Pcg& random, std::uint32_t corners) {
  std::vector<double> angles;
  for (std::uint32_t i = 0; i < corners; ++i)
    angles.push_back((i + random.real(0.1, 0.9)) * 6.283185307179586 / corners);
  Outline out;
  for (const double a : angles) {
    const double r = random.real(0.15, 1);
    out.push_back({r * std::cos(a), r * std::sin(a)});
  }
  return out;
}

inline Outline comb(Pcg& random, std::uint32_t corners) {
  Outline out{{0, 0}, {1, 0}};
  const std::uint32_t teeth = std::max(1u, (corners - 2) / 3);
  for (std::uint32_t i = teeth; i-- > 0;) {
    const double right = (i + 0.9) / teeth, left = (i + 0.1) / teeth;
    out.push_back({right, random.real(0.5, 1)});
    out.push_back({left, random.real(0.5, 1)});
    if (i > 0) out.push_back({static_cast<double>(i) / teeth, 0.0625});
  }
  return out;
}

// Random places, the edges exchanged until none cross.
inline Outline untangled(Pcg& random, std::uint32_t corners) {
  Outline out;
  for (std::uint32_t i = 0; i < corners; ++i) out.push_back({random.real(0, 1), random.real(0, 1)});
  const std::size_t n = out.size();
  for (bool crossing = true; crossing;) {
    crossing = false;
    for (std::size_t i = 0; i + 2 < n; ++i)
      for (std::size_t j = i + 2; j < n; ++j) {
        if ((j + 1) % n == i || !meet(out[i], out[i + 1], out[j], out[(j + 1) % n])) continue;
        std::reverse(out.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     out.begin() + static_cast<std::ptrdiff_t>(j) + 1);
        crossing = true;
      }
  }
  if (area_of(out) < 0) std::reverse(out.begin(), out.end());
  return out;
}

// Points of a coarse lattice, each put into an edge where the ring stays simple: with many corners in line.
inline Outline latticed(Pcg& random, std::uint32_t corners) {
  Outline out{{0, 0}, {1, 0}, {0.5, 1}};
  for (int tries = 0; out.size() < corners && tries < 2000; ++tries) {
    const Flat p{random.below(17) / 16.0, random.below(17) / 16.0};
    const std::size_t n = out.size(), at = random.below(static_cast<std::uint32_t>(n));
    const Flat a = out[at], b = out[(at + 1) % n];
    bool free = true;
    for (std::size_t i = 0; i < n && free; ++i) {
      const Flat c = out[i], d = out[(i + 1) % n];
      const auto is = [](Flat u, Flat v) { return u.x == v.x && u.y == v.y; };
      if (is(c, p) || (i != at && turn_of(c, d, p) == 0 && meet(c, d, p, p))) free = false;
      if (i == at || !free) continue;
      // The neighbours share an end, and may only meet there.
      free = is(d, a) ? !meet(c, d, p, b) && turn_of(c, a, p) != 0 : !meet(c, d, a, p);
      free = free && (is(c, b) ? turn_of(d, b, p) != 0 && !meet(c, d, a, a) : !meet(c, d, p, b));
    }
    if (free) out.insert(out.begin() + static_cast<std::ptrdiff_t>(at) + 1, p);
  }
  if (area_of(out) < 0) std::reverse(out.begin(), out.end());
  return out;
}

// Counter-clockwise, of 4 to 60 corners, about 1 wide.
inline Outline random_outline(Pcg& random) {
  const std::uint32_t corners = 4 + random.below(57);
  switch (random.below(10)) {
    case 0:
      return untangled(random, corners);
    case 1:
    case 2:
      return latticed(random, corners);
    case 3:
    case 4:
      return comb(random, std::max(6u, corners));
    default:
      return star(random, corners);
  }
}

}  // namespace sluice::tests
