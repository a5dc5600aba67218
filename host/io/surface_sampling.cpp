#include "host/io/surface_sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

#include "host/io/point_grid.h"

namespace sluice::io {
namespace {

// Points thrown at random, none closer together than this (in spacings), end at about one point per h^2 after
// relaxation: measured on spheres, cubes and sheets.
constexpr double kDartDistance = 0.78;
constexpr double kCandidateDensity = 20;  // per h^2: 0.22 h apart, fine enough to find centroids and holes
constexpr double kEdgeStep = 0.25;        // in spacings, between points tried along edges
constexpr double kCell = 1.7;             // in spacings: twice the radii asked for, which is quickest
constexpr double kShortestCrease = 2;     // in spacings
constexpr double kBeside = 0.01;          // in spacings, off the surface: solid or not
constexpr double kNudge = 1e-3;           // of the way to a face's centre: no ray starts on an edge
constexpr double kStraight = 0.99;        // of a crease's length between its ends

// PCG32 (O'Neill 2014): the same numbers on every platform.
struct Random {
  std::uint64_t state = 0x853C49E6748FEA9Bu;
};
std::uint32_t next_random(Random& random) {
  const std::uint64_t old = random.state;
  random.state = old * 6364136223846793005u + 1442695040888963407u;
  const std::uint32_t mixed = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
  const std::uint32_t turn = static_cast<std::uint32_t>(old >> 59);
  return (mixed >> turn) | (mixed << ((32 - turn) & 31));
}

std::vector<std::uint32_t> shuffled_order(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  Random random;
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[next_random(random) % static_cast<std::uint32_t>(i)]);
  return order;
}

// Points of equal density on all triangles: the plastic-number sequence, folded into each triangle; what is left of a
// fraction of a point goes to the next triangle.
std::vector<Candidate> area_candidates(const TriangleMesh& mesh, double h) {
  std::vector<Candidate> candidates;
  std::uint32_t sequence = 0;
  double due = 0.5;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 a = mesh.vertices[mesh.triangles[t][0]];
    const Vec3 ab = mesh.vertices[mesh.triangles[t][1]] - a, ac = mesh.vertices[mesh.triangles[t][2]] - a;
    for (due += triangle_area(mesh, t) * kCandidateDensity / (h * h); due >= 1; --due) {
      ++sequence;
      double u = (sequence * 3242174889u) / 4294967296.0;
      double v = (sequence * 2447445414u) / 4294967296.0;
      if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
      }
      candidates.push_back({a + u * ab + v * ac, t, {}});
    }
  }
  return candidates;
}

// Points that area_candidates may miss: vertices and edges, where holes would open on sharp and on narrow parts.
std::vector<Candidate> edge_candidates(const TriangleMesh& mesh, double h, std::size_t count) {
  std::vector<Candidate> candidates;
  candidates.reserve(count);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = mesh.vertices[mesh.triangles[t][k]];
      const Vec3 edge = mesh.vertices[mesh.triangles[t][(k + 1) % 3]] - a;
      const double steps = std::ceil(length(edge) / (kEdgeStep * h));
      for (double i = 0; i < steps; ++i) candidates.push_back({a + (i / steps) * edge, t, {}});
    }
  return candidates;
}

// How many edge_candidates makes, at most.
double edge_points_of(const TriangleMesh& mesh, double h) {
  double count = 0;
  for (const auto& corner : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      count += 1 + length(mesh.vertices[corner[(k + 1) % 3]] - mesh.vertices[corner[k]]) / (kEdgeStep * h);
  return count;
}

Vec3 closest_on_segment(Vec3 a, Vec3 b, Vec3 p) {
  const Vec3 ab = b - a;
  const double square = dot(ab, ab);
  return square > 0 ? a + std::clamp(dot(p - a, ab) / square, 0.0, 1.0) * ab : a;
}

Vec3 closest_on_triangle(Vec3 a, Vec3 b, Vec3 c, Vec3 p) {
  const Vec3 normal = cross(b - a, c - a);
  const double square = dot(normal, normal);
  if (square > 0) {
    const Vec3 foot = p - (dot(p - a, normal) / square) * normal;
    if (dot(cross(b - a, foot - a), normal) >= 0 && dot(cross(c - b, foot - b), normal) >= 0 &&
        dot(cross(a - c, foot - c), normal) >= 0)
      return foot;
  }
  Vec3 best = closest_on_segment(a, b, p);
  for (const Vec3 other : {closest_on_segment(b, c, p), closest_on_segment(c, a, p)})
    if (dot(other - p, other - p) < dot(best - p, best - p)) best = other;
  return best;
}

// One step towards even cells: each sample but the first `fixed` moves to the centroid of the candidates nearest to it,
// then back onto the surface (Lloyd's method on a point cloud).
void relax(std::vector<Vec3>& samples, std::size_t fixed, const std::vector<Candidate>& candidates,
           const TriangleMesh& mesh, double h) {
  const PointGrid grid = grid_of(samples, h);
  std::vector<std::uint32_t> owner(candidates.size());
  std::vector<Vec3> sum(samples.size());
  std::vector<double> count(samples.size(), 0);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    owner[c] = nearest_point(grid, candidates[c].position, h);
    if (owner[c] == kNoPoint) continue;
    sum[owner[c]] = sum[owner[c]] + candidates[c].position;
    ++count[owner[c]];
  }
  std::vector<double> best(samples.size(), std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> nearest(samples.size(), 0);  // candidate
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (owner[c] == kNoPoint) continue;
    const Vec3 d = candidates[c].position - (1 / count[owner[c]]) * sum[owner[c]];
    if (dot(d, d) >= best[owner[c]]) continue;
    best[owner[c]] = dot(d, d);
    nearest[owner[c]] = static_cast<std::uint32_t>(c);
  }
  for (std::size_t i = fixed; i < samples.size(); ++i) {
    if (count[i] == 0) continue;
    const Vec3 shift = candidates[nearest[i]].shift;
    const auto& [a, b, c] = mesh.triangles[candidates[nearest[i]].triangle];
    samples[i] = closest_on_triangle(mesh.vertices[a] + shift, mesh.vertices[b] + shift, mesh.vertices[c] + shift,
                                     (1 / count[i]) * sum[i]);
  }
}

}  // namespace

Vec3 sampled_lengths(Vec3 drawn, bool solid_outside, double h) {
  if (solid_outside) return drawn + Vec3{2 * kBoxInset * h, 2 * kBoxInset * h, 2 * kBoxInset * h};
  const double thickness = std::min({drawn.x, drawn.y, drawn.z});
  const double inset = std::clamp((thickness - h) / 2, 0.0, kBoxInset * h);
  return drawn - Vec3{2 * inset, 2 * inset, 2 * inset};
}

// Of samples, in spacings. A thin body has two planes 1.25 h apart rather than three.
constexpr double kClosest = 0.7;

std::vector<Vec3> sample_box(Vec3 lengths, Open open, double h, BoxSpacing spacing) {
  const auto cells = [&](double length) {
    const double n = length / h, more = std::ceil(n * (1 - 1e-9));
    return spacing == BoxSpacing::at_most_h && n > kClosest * more ? more : std::round(n);
  };
  const double nx = cells(lengths.x), ny = cells(lengths.y), nz = cells(lengths.z);
  if ((nx + 1) * (ny + 1) + (ny + 1) * (nz + 1) + (nz + 1) * (nx + 1) > kMaxParticles / 2)
    throw Error("the box would have more than 268 million samples; use a larger particleSpacing or a smaller box");
  const auto at = [](double k, double n, double size) { return n > 0 ? (2 * k - n) * size / (2 * n) : 0.0; };
  std::vector<Vec3> samples;
  for (double z = 0; z <= nz; ++z)
    for (double y = 0; y <= ny; ++y) {
      const bool on_side = (z == 0 && open != Open::z_min) || (z == nz && open != Open::z_max) ||
                           (y == 0 && open != Open::bottom) || (y == ny && open != Open::top);
      // Inside a face of x, a row meets the surface only at its two ends.
      const double step = on_side || nx == 0 ? 1 : nx;
      for (double x = 0; x <= nx; x += step) {
        if (!on_side && !((x == 0 && open != Open::x_min) || (x == nx && open != Open::x_max))) continue;
        samples.push_back({at(x, nx, lengths.x), at(y, ny, lengths.y), at(z, nz, lengths.z)});
      }
    }
  return samples;
}

Vec3 boundary_lengths(const Object& object, double h) {
  if (object.surface == SurfaceSetting::sampled) return object.shape.box;
  const bool container = object.solid == Solid::outside || object.shape.open != Open::none;
  return sampled_lengths(object.shape.box, container, h);
}

bool has_too_many_samples(const TriangleMesh& mesh, double h) {
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += triangle_area(mesh, t);
  return !(area / (h * h) < kMaxParticles / kCandidateDensity) || !(edge_points_of(mesh, h) < kMaxParticles);
}

SurfaceCandidates surface_candidates(const TriangleMesh& mesh, double h) {
  if (has_too_many_samples(mesh, h)) {
    const auto [low, high] = bounds_of(mesh);
    char size[96];
    std::snprintf(size, sizeof size, "%.3g x %.3g x %.3g m", high.x - low.x, high.y - low.y, high.z - low.z);
    throw Error(std::string("the mesh would have more than 13 million samples: it is ") + size +
                "; use a larger particleSpacing, or make it smaller");
  }
  const std::vector<Vec3> as_drawn(mesh.vertices.size());
  return {area_candidates(mesh, h), edge_candidates(mesh, h, static_cast<std::size_t>(edge_points_of(mesh, h))),
          crease_candidates(mesh, creases_of(mesh), as_drawn, h)};
}

bool has_row(const Crease& crease, const TriangleMesh& mesh, double h) {
  double drawn = 0;
  for (std::size_t i = 1; i < crease.vertices.size(); ++i)
    drawn += length(mesh.vertices[crease.vertices[i]] - mesh.vertices[crease.vertices[i - 1]]);
  const Vec3 ends_apart = mesh.vertices[crease.vertices.back()] - mesh.vertices[crease.vertices.front()];
  return drawn >= kShortestCrease * h && length(ends_apart) >= kStraight * drawn;
}

std::vector<Candidate> crease_candidates(const TriangleMesh& mesh, const std::vector<Crease>& creases,
                                         const std::vector<Vec3>& shifts, double h) {
  std::vector<Candidate> ends, between;
  for (const Crease& crease : creases) {
    if (!has_row(crease, mesh, h)) continue;
    const std::vector<CreasePoint> points = points_along(crease, mesh, shifts, h, kMinDistance * h);
    for (std::size_t i = 0; i < points.size(); ++i)
      (i == 0 || i + 1 == points.size() ? ends : between)
          .push_back({points[i].position, points[i].triangle, points[i].shift});
  }
  ends.insert(ends.end(), between.begin(), between.end());
  return ends;
}

std::vector<Vec3> spread_samples(const TriangleMesh& mesh, const SurfaceCandidates& candidates, double h,
                                 double max_gap) {
  const std::vector<Candidate>&area = candidates.area, &edges = candidates.edges;
  const std::size_t expected = static_cast<std::size_t>(static_cast<double>(area.size()) / kCandidateDensity) + 1;
  const std::vector<std::uint32_t> order = shuffled_order(area.size()), edge_order = shuffled_order(edges.size());
  const auto fill = [&](PointGrid& grid, double distance) {
    for (const std::uint32_t i : order)
      if (!any_near(grid, area[i].position, distance)) insert_point(grid, area[i].position);
    for (const std::uint32_t i : edge_order)
      if (!any_near(grid, edges[i].position, distance)) insert_point(grid, edges[i].position);
  };
  PointGrid grid = make_point_grid(kCell * h, expected);
  for (const Candidate& candidate : candidates.creases)
    if (!any_near(grid, candidate.position, kMinDistance * h)) insert_point(grid, candidate.position);
  const std::size_t fixed = grid.points.size();
  fill(grid, kDartDistance * h);
  std::vector<Vec3> samples = std::move(grid.points);
  for (const int steps : {10, 5}) {
    for (int i = 0; i < steps; ++i) relax(samples, fixed, area, mesh, h);
    PointGrid apart = make_point_grid(kCell * h, expected);
    for (const Vec3& sample : samples)
      if (!any_near(apart, sample, kMinDistance * h)) insert_point(apart, sample);
    fill(apart, max_gap * h);
    samples = std::move(apart.points);
  }
  return samples;
}

std::vector<Vec3> sample_mesh(const TriangleMesh& mesh, double h, double max_gap, const MeshColumns* columns) {
  SurfaceCandidates candidates = surface_candidates(mesh, h);
  if (columns) {
    const std::vector<Vec3> normals = face_normals(mesh);
    const auto within = [&](const Candidate& candidate) {
      const auto& [a, b, c] = mesh.triangles[candidate.triangle];
      const Vec3 normal = normals[candidate.triangle];
      const Vec3 center = (1.0 / 3) * (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]);
      const Vec3 p = candidate.position + kNudge * (center - candidate.position);
      const Vec3 out = (kBeside * h / length(normal)) * normal;
      return length(normal) > 0 && inside_mesh(mesh, *columns, p + out) == inside_mesh(mesh, *columns, p - out);
    };
    for (std::vector<Candidate>* list : {&candidates.area, &candidates.edges, &candidates.creases})
      std::erase_if(*list, within);
  }
  return spread_samples(mesh, candidates, h, max_gap);
}

}  // namespace sluice::io
