#include "host/sampling/round_sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "host/sampling/even_out.h"
#include "host/scene/rotation.h"

namespace sluice::io {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kThinnest = 1.5;        // in spacings: thinner bodies are a line or a point of samples
constexpr double kThinnestInside = 0.5;  // in spacings: the least radius and height of a cone's inset surface
constexpr double kNarrowest = 0.35;      // in spacings: the radius below which one sample stands for a ring
constexpr double kRounding = 1e-9;       // of a count of intervals
constexpr double kMostSamples = 13e6;    // meshes have no more; a minute of evening out

void check_count(double count) {
  if (!(count < kMostSamples))
    throw Error("the shape would have more than 13 million samples; use a larger particleSpacing or smaller lengths");
}

// In the plane through the axis.
struct Place {
  double radius = 0, y = 0;
};

// Part of a profile: a straight line from one corner to the next, or a circle of radius `tube` about `from`.
struct Piece {
  Place from, to;
  double tube = 0;
};

Place onto_piece(const Piece& piece, Place p) {
  const double out = p.radius - piece.from.radius, up = p.y - piece.from.y;
  if (piece.tube > 0) {
    const double share = piece.tube / std::sqrt(out * out + up * up);
    return {piece.from.radius + share * out, piece.from.y + share * up};
  }
  const double x = piece.to.radius - piece.from.radius, y = piece.to.y - piece.from.y;
  const double share = std::clamp((out * x + up * y) / (x * x + y * y), 0.0, 1.0);
  return {piece.from.radius + share * x, piece.from.y + share * y};
}

struct Ring {
  Place place;
  double inset = 0;
  std::optional<Piece> piece = {};  // on which its samples may move
};

double intervals(double length, double h) { return std::max(1.0, std::ceil(length / h - kRounding)); }

// Rings from the last one to `end`, which is the last then. Those between have the inset `inset`.
enum class Between { stay, move };
void add_rings(std::vector<Ring>& rings, const Ring& end, double inset, Between between, double h) {
  const Piece piece{rings.back().place, end.place};
  const double out = piece.to.radius - piece.from.radius, up = piece.to.y - piece.from.y;
  const double count = intervals(std::sqrt(out * out + up * up), h);
  check_count(count);
  for (double k = 1; k < count; ++k) {
    Ring& ring = rings.emplace_back();
    ring.place = {piece.from.radius + k / count * out, piece.from.y + k / count * up};
    ring.inset = inset;
    if (between == Between::move) ring.piece = piece;
  }
  rings.push_back(end);
}

double ring_count(const Ring& ring, double h) {
  return ring.place.radius < kNarrowest * h ? 1 : std::max(3.0, std::round(2 * kPi * ring.place.radius / h));
}

// Evens out the samples of rings that may move, from the ring before them to the one after. What lies past those is
// not felt: it would push samples away from rims.
void even_out(std::vector<Vec3>& samples, const std::vector<Ring>& rings, const std::vector<std::size_t>& begins,
              double h) {
  for (std::size_t first = 0; first < rings.size(); ++first) {
    if (!rings[first].piece) continue;
    std::size_t last = first;
    while (last < rings.size() && rings[last].piece) ++last;
    const std::size_t before = first > 0 ? first - 1 : first, after = std::min(last + 1, rings.size());
    const std::size_t begin = begins[before], move_begin = begins[first], move_end = begins[last];
    const Piece piece = *rings[first].piece;
    std::vector<Vec3> near(samples.begin() + static_cast<std::ptrdiff_t>(begin),
                           samples.begin() + static_cast<std::ptrdiff_t>(begins[after]));
    repel(near, h, kRepelSteps, whole_force, [&](std::uint32_t i, Vec3 p) {
      const Vec3 from = samples[begin + i];
      if (begin + i < move_begin || begin + i >= move_end || (from.x == 0 && from.z == 0)) return from;
      const double radius = std::sqrt(p.x * p.x + p.z * p.z);
      const Place place = onto_piece(piece, {radius, p.y});
      return Vec3{place.radius / radius * p.x, place.y, place.radius / radius * p.z};
    });
    std::copy(near.begin(), near.end(), samples.begin() + static_cast<std::ptrdiff_t>(begin));
    first = last;
  }
}

InsetSamples samples_of(const std::vector<Ring>& rings, double h) {
  double expected = 0;
  for (const Ring& ring : rings) expected += ring_count(ring, h);
  check_count(expected);
  InsetSamples out;
  std::vector<std::size_t> begins;  // of each ring's samples, and their end
  for (const Ring& ring : rings) {
    begins.push_back(out.positions.size());
    const double count = ring_count(ring, h), radius = count > 1 ? ring.place.radius : 0;
    for (double k = 0; k < count; ++k) {
      const auto [sine, cosine] = sine_cosine(360 * k / count);
      out.positions.push_back({radius * cosine, ring.place.y, radius * sine});
      out.insets.push_back(ring.inset);
    }
  }
  begins.push_back(out.positions.size());
  even_out(out.positions, rings, begins, h);
  return out;
}

std::vector<Ring> cylinder_rings(const Shape& shape, bool on_surface, double h) {
  const double side = on_surface ? 0 : inset_of(2 * shape.radius, h), flat = on_surface ? 0 : inset_of(shape.height, h);
  const double radius = shape.radius - side, y = 0.5 * shape.height - flat, rim = std::min(side, flat);
  std::vector<Ring> rings{{{0, -y}, flat}};
  add_rings(rings, {{radius, -y}, rim}, flat, Between::move, h);
  add_rings(rings, {{radius, y}, rim}, side, Between::stay, h);
  add_rings(rings, {{0, y}, flat}, flat, Between::move, h);
  return rings;
}

// The rim of a flat cone and the tip of a thin one end far inside what is drawn. So flat ones get no rings, and a thin
// tip a line of samples up to its point. Thin is what sample_inset_mesh takes for thin: an angle below 60 degrees.
std::vector<Ring> cone_rings(const Shape& shape, bool on_surface, double h) {
  constexpr double kLine = 1.1;  // in spacings, between samples of the line: no ring leaves a hole beside them
  const double inset = on_surface ? 0 : kFullInset * h;
  const double side = std::sqrt(shape.radius * shape.radius + shape.height * shape.height);
  const double sine = shape.radius / side;  // of half the angle at the tip
  const double base = -0.5 * shape.height + inset, height = shape.height - inset * (1 + 1 / sine);
  const double radius = shape.radius * height / shape.height;
  if (shape.height < 0.5 * side || std::min(radius, height) < kThinnestInside * h) return {};
  std::vector<Ring> rings{{{0, base}, inset}};
  add_rings(rings, {{radius, base}, inset}, inset, Between::move, h);
  add_rings(rings, {{0, base + height}, inset}, inset, Between::move, h);
  if (on_surface || sine >= 0.5) return rings;
  const double length = inset / sine, count = intervals(length, kLine * h);
  check_count(count);
  for (double k = 1; k <= count; ++k)
    rings.push_back({{0, base + height + k / count * length}, (1 - k / count) * inset});
  return rings;
}

std::vector<Ring> torus_rings(const Shape& shape, bool on_surface, double h) {
  const double inset = on_surface ? 0 : inset_of(2 * shape.tube, h), tube = shape.tube - inset;
  if (shape.radius - tube < kNarrowest * h) return {};
  const double count = intervals(2 * kPi * tube, h);
  check_count(count);
  const Piece piece{{shape.radius, 0}, {}, tube};
  std::vector<Ring> rings;
  for (double k = 0; k < count; ++k) {
    const auto [sine, cosine] = sine_cosine(360 * k / count);
    rings.push_back({{shape.radius + tube * cosine, tube * sine}, inset, piece});
  }
  return rings;
}

}  // namespace

std::vector<Vec3> sample_capsule(double radius, double height, double h) {
  constexpr std::uint32_t kGolden = 2654435769u;  // 2^32 over the golden section
  constexpr double kPole = 0.46;                  // of a sample's share, between a pole and the first
  const double length = height + 2 * radius, expected = std::round(2 * kPi * radius * length / (h * h));
  check_count(expected);
  const auto count = static_cast<std::uint32_t>(std::max(expected, 4.0));
  std::vector<Vec3> samples;
  samples.reserve(count);
  for (std::uint32_t k = 0; k < count; ++k) {
    const double y = (2 * (k + kPole) / (count - 1 + 2 * kPole) - 1) * 0.5 * length;
    const double above = std::max(std::abs(y) - 0.5 * height, 0.0);  // the centre of the nearer cap
    const double around = std::sqrt(std::max(radius * radius - above * above, 0.0));
    const auto [sine, cosine] = sine_cosine(360.0 * ((k * kGolden) / 4294967296.0));
    samples.push_back({around * cosine, y, around * sine});
  }
  repel(samples, h, kRepelSteps, whole_force, [&](std::uint32_t, Vec3 p) {
    const Vec3 middle{0, std::clamp(p.y, -0.5 * height, 0.5 * height), 0};
    return middle + radius * normalized(p - middle);
  });
  return samples;
}

std::optional<InsetSamples> sample_round(const Shape& shape, bool on_surface, double h) {
  std::vector<Ring> rings;
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule: {
      if (shape.radius < kThinnest * h) return {};
      const double inset = on_surface ? 0 : inset_of(2 * shape.radius, h);
      InsetSamples out{sample_capsule(shape.radius - inset, shape.kind == ShapeKind::capsule ? shape.height : 0, h),
                       {}};
      out.insets.assign(out.positions.size(), inset);
      return out;
    }
    case ShapeKind::cylinder:
      if (shape.radius >= kThinnest * h && shape.height >= (1 - kRounding) * h)
        rings = cylinder_rings(shape, on_surface, h);
      break;
    case ShapeKind::cone:
      if (shape.radius >= kThinnest * h) rings = cone_rings(shape, on_surface, h);
      break;
    case ShapeKind::torus:
      if (shape.tube >= kThinnest * h) rings = torus_rings(shape, on_surface, h);
      break;
    default:
      break;
  }
  if (rings.empty()) return {};
  return samples_of(rings, h);
}

}  // namespace sluice::io
