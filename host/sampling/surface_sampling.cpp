#include "host/sampling/surface_sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "host/sampling/even_out.h"
#include "host/sampling/point_grid.h"
#include "host/sampling/rest_volume.h"
#include "host/sampling/triangle_tree.h"

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
constexpr double kFromCandidate = 0.6;    // in spacings, that a sample may move off candidates
constexpr double kFromSurface = 0.3;      // in spacings, from a candidate to where its surface is
constexpr double kClose = 0.2;            // in spacings, to the mesh
constexpr double kFirstStep = 0.08, kLastStep = 0.008;  // in spacings, towards the middle of a hole
constexpr double kMayBeHole = 0.6;                      // in spacings: what lies farther from samples may lie in one
constexpr double kPiece = 6;                            // in spacings, of long triangles in the search for the nearest
constexpr double kCoplanar = 0.99995;                   // cosine of 0.6 degrees
constexpr int kRounds = 4;  // of evening out, each of which closes holes that the last one left
constexpr int kBalanceSteps = 10;
constexpr double kBalance = 8;        // by how much of itself a force changes, per share of the volume
constexpr double kStrongest = 3;      // that it becomes so
constexpr double kRowDistance = 0.8;  // in spacings, along edges at least
constexpr double kStraight = 0.99;    // of a crease's length between its ends

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

// Whether edge k of triangle t, entry 3 t + k, lies between two faces that are nearly one plane.
std::vector<bool> flat_edges(const TriangleMesh& mesh) {
  std::vector<bool> flat(3 * mesh.triangles.size(), false);
  const std::vector<MeshSide> sides = sides_of(mesh);
  const std::vector<Vec3> normals = face_normals(mesh);
  visit_edges(sides, [&](std::span<const MeshSide> edge) {
    if (edge.size() != 2) return;
    const Vec3 m = normals[edge[0].triangle], n = normals[edge[1].triangle];
    const double sizes = length(m) * length(n), product = edge[0].forward != edge[1].forward ? dot(m, n) : -dot(m, n);
    if (!(product > kCoplanar * sizes)) return;
    for (const MeshSide& side : edge) {
      const auto& corner = mesh.triangles[side.triangle];
      for (std::size_t k = 0; k < 3; ++k)
        if (std::minmax(corner[k], corner[(k + 1) % 3]) == std::minmax(side.a, side.b))
          flat[3 * side.triangle + k] = true;
    }
  });
  return flat;
}

// Points that area_candidates may miss: vertices and edges, where holes would open on sharp and on narrow parts. Not of
// flat edges: the caps of a cylinder of 2000 segments
// have 1000 times its circumference of them.
std::vector<Candidate> edge_candidates(const TriangleMesh& mesh, double h) {
  const std::vector<bool> flat = flat_edges(mesh);
  std::vector<Candidate> candidates;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      if (flat[3 * t + k]) continue;
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

// Where samples move: points as far from the mesh as the nearest candidate.
struct InsetSurface {
  const TriangleMesh& mesh;
  const std::vector<Candidate>& candidates;
  const SampleFits& fits;
  double h;
  PointGrid grid;             // of candidates
  std::vector<Vec3> normals;  // unit, of triangles; zero of points
  TriangleTree tree;
};

InsetSurface make_surface(const TriangleMesh& mesh, const std::vector<Candidate>& candidates, const SampleFits& fits,
                          double h) {
  const PointGrid grid = make_point_grid(kFromCandidate * h, candidates.size());
  InsetSurface surface{mesh, candidates, fits, h, grid, face_normals(mesh), {}};
  for (const Candidate& candidate : candidates) insert_point(surface.grid, candidate.position);
  for (Vec3& normal : surface.normals)
    if (const double size = length(normal); size > 0) normal = (1 / size) * normal;
  surface.tree = make_triangle_tree(mesh, surface.normals, 0, kPiece * h);
  return surface;
}

struct SurfacePoint {
  Vec3 position, normal;
};

// The point of the inset surface nearest to `p`; nothing far from candidates.
std::optional<SurfacePoint> onto_surface(const InsetSurface& surface, Vec3 p) {
  const double h = surface.h;
  const std::uint32_t near = nearest_point(surface.grid, p, kFromCandidate * h);
  if (near == kNoPoint) return {};
  const Candidate& candidate = surface.candidates[near];
  const double inset = length(candidate.shift);
  const TriangleMesh& mesh = surface.mesh;
  Vec3 nearest;
  double best = std::numeric_limits<double>::infinity();
  std::uint32_t face = candidate.triangle;
  const auto look_at = [&](std::uint32_t t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const double off_plane = dot(p - mesh.vertices[a], surface.normals[t]);
    if (off_plane * off_plane >= best) return;  // as most of a flat cap's, once one holds the foot
    const Vec3 q = closest_on_triangle(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], p), d = p - q;
    if (dot(d, d) >= best) return;
    best = dot(d, d);
    nearest = q;
    face = t;
  };
  look_at(candidate.triangle);
  visit_nearer(surface.tree, p, best, look_at);
  // Close to what is drawn, the way in is that of the candidate.
  const double distance = std::sqrt(best);
  const Vec3 in = inset == 0              ? -1.0 * surface.normals[face]
                  : distance > kClose * h ? (1 / distance) * (p - nearest)
                                          : (1 / inset) * candidate.shift;
  const Vec3 place = nearest + inset * in;
  if (length(place - candidate.position) > kFromSurface * h || (surface.fits && !surface.fits(place, face)))
    return SurfacePoint{candidate.position, surface.normals[candidate.triangle]};
  return SurfacePoint{place, -1.0 * in};
}

// Evens out all samples but the first `fixed`: distances first, then rest volumes, which would stay 7 % apart. Those of
// faces that look the other way are not felt: they lie on the other side of a thin wall.
void even_out(std::vector<Vec3>& samples, std::size_t fixed, const InsetSurface& surface) {
  std::vector<Vec3> normal(samples.size());
  for (std::size_t i = fixed; i < samples.size(); ++i)
    if (const auto at = onto_surface(surface, samples[i])) normal[i] = at->normal;
  const auto facing = [&](std::uint32_t i, std::uint32_t j) {
    return j < fixed ? 1.0 : std::min(1.0, 1 + dot(normal[i], normal[j]));
  };
  const auto onto = [&](std::uint32_t i, Vec3 p) {
    const auto at = i < fixed ? std::nullopt : onto_surface(surface, p);
    if (!at) return samples[i];
    normal[i] = at->normal;
    return at->position;
  };
  repel(samples, surface.h, kRepelSteps, facing, onto);
  for (int step = 0; step < kBalanceSteps; ++step) {
    const std::vector<double> volumes = rest_weights(samples, surface.h, 1, std::numeric_limits<double>::infinity());
    const double mean = std::accumulate(volumes.begin(), volumes.end(), 0.0) / static_cast<double>(volumes.size());
    const auto share_of = [&](std::uint32_t i, std::uint32_t j) {
      const double crowded = 1 - 0.5 * (volumes[i] + volumes[j]) / mean;
      return facing(i, j) * std::clamp(1 + kBalance * crowded, 0.0, kStrongest);
    };
    repel(samples, surface.h, 1, share_of, onto);
  }
}

// Away from the nearest samples, by steps that grow shorter: near the middle of the hole around `p`.
Vec3 middle_of_hole(const PointGrid& samples, const InsetSurface& surface, Vec3 p) {
  const double h = surface.h;
  const auto distance_of = [&](Vec3 from) {
    const std::uint32_t nearest = nearest_point(samples, from, 2 * h);
    return nearest == kNoPoint ? 0 : length(from - samples.points[nearest]);
  };
  double distance = distance_of(p);
  for (double step = kFirstStep * h; step > kLastStep * h && distance > 0;) {
    Vec3 away{};
    visit_near(samples, p, distance + step, [&](std::uint32_t i, double distance2) {
      away = away + (1 / std::sqrt(distance2)) * (p - samples.points[i]);
      return true;
    });
    const double size = length(away);
    const auto next = size > 0 ? onto_surface(surface, p + (step / size) * away) : std::nullopt;
    const double reached = next ? distance_of(next->position) : 0;
    if (reached > distance) {
      p = next->position;
      distance = reached;
    } else {
      step *= 0.5;
    }
  }
  return p;
}

// Adds a sample in the middle of each hole that is too large.
void close_holes(PointGrid& samples, const InsetSurface& surface, const std::vector<Candidate>& candidates,
                 const std::vector<std::uint32_t>& order) {
  const double h = surface.h;
  for (const std::uint32_t i : order) {
    const Vec3 p = candidates[i].position;
    if (any_near(samples, p, kMayBeHole * h)) continue;
    const Vec3 middle = middle_of_hole(samples, surface, p);
    if (!any_near(samples, middle, kLargestHole * h)) insert_point(samples, middle);
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
  return {area_candidates(mesh, h), edge_candidates(mesh, h), crease_candidates(mesh, creases_of(mesh), as_drawn, h)};
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
    const std::vector<CreasePoint> points = points_along(crease, mesh, shifts, h, kRowDistance * h);
    for (std::size_t i = 0; i < points.size(); ++i)
      (i == 0 || i + 1 == points.size() ? ends : between)
          .push_back({points[i].position, points[i].triangle, points[i].shift});
  }
  ends.insert(ends.end(), between.begin(), between.end());
  return ends;
}

std::vector<Vec3> spread_samples(const TriangleMesh& mesh, const SurfaceCandidates& candidates, double h,
                                 const SampleFits& fits) {
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
    if (!any_near(grid, candidate.position, kRowDistance * h)) insert_point(grid, candidate.position);
  const std::size_t fixed = grid.points.size();
  fill(grid, kDartDistance * h);
  std::vector<Vec3> samples = std::move(grid.points);
  const InsetSurface surface = make_surface(mesh, area, fits, h);
  for (int round = 0; round < kRounds; ++round) {
    even_out(samples, fixed, surface);
    PointGrid apart = make_point_grid(kCell * h, expected);
    for (const Vec3& sample : samples)
      if (!any_near(apart, sample, kMinDistance * h)) insert_point(apart, sample);
    if (round + 1 < kRounds) {
      fill(apart, kGapBetween * h);
    } else {
      close_holes(apart, surface, area, order);
      close_holes(apart, surface, edges, edge_order);
    }
    samples = std::move(apart.points);
  }
  return samples;
}

std::vector<Vec3> sample_mesh(const TriangleMesh& mesh, double h, const MeshColumns* columns) {
  SurfaceCandidates candidates = surface_candidates(mesh, h);
  if (!columns) return spread_samples(mesh, candidates, h);
  const std::vector<Vec3> normals = face_normals(mesh);
  const auto fits = [&](Vec3 place, std::uint32_t triangle) {
    const auto& [a, b, c] = mesh.triangles[triangle];
    const Vec3 normal = normals[triangle];
    const Vec3 center = (1.0 / 3) * (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]);
    const Vec3 p = place + kNudge * (center - place), out = (kBeside * h / length(normal)) * normal;
    return length(normal) == 0 || inside_mesh(mesh, *columns, p + out) != inside_mesh(mesh, *columns, p - out);
  };
  for (std::vector<Candidate>* list : {&candidates.area, &candidates.edges, &candidates.creases})
    std::erase_if(*list, [&](const Candidate& c) { return !fits(c.position, c.triangle); });
  return spread_samples(mesh, candidates, h, fits);
}

}  // namespace sluice::io
