#include "host/sampling/inset_sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "host/sampling/parallel.h"
#include "host/sampling/point_grid.h"
#include "host/sampling/point_tree.h"
#include "host/sampling/triangle_tree.h"

namespace sluice::io {
namespace {

constexpr double kThinnest = 1;                                   // in spacings, between two faces' samples
constexpr double kRayLength = kThinnest + 2 * kFullInset + 0.01;  // in spacings: thicker than this is thick enough
constexpr double kBoxMargin = 1e-6;     // in spacings, around triangles: rounding must hide none
constexpr double kCandidateGap = 0.35;  // in spacings, from a point of a triangle to the nearest of its candidates
constexpr double kOutside = 0.01;       // in spacings: what is solid this far outside a face lies within another part
// A ray that leaves through a face whose outward normal is farther than 60 degrees from it does not tell a thin part
// but a blunt edge, whose inset surface ends a little before it: less inset there would hold the whole face off. Not
// quite 60, which rounding would decide for equilateral prisms.
constexpr double kBlunt = 0.5001;
constexpr double kFarthest = 3 * kFullInset;  // in spacings, that a point of an edge moves: not out of a slit's end
constexpr double kDeep = 0.95;                // of the full inset: faces of a scanned box are not quite flat
constexpr double kBevel = 0.4;                // in spacings: narrower faces along an edge vanish as it moves in
constexpr std::size_t kMostBeside = 64;       // vertices beside one that may belong to its bevel
constexpr double kLine = 1e-3;                // in spacings: a thinner triangle is a line
constexpr double kNudge = 1e-3;               // of the way to its face's centre: no ray starts on an edge

// Distance along the ray to the triangle's plane, inside the triangle; infinity if it is missed.
double ray_distance(Vec3 from, Vec3 direction, Vec3 a, Vec3 b, Vec3 c) {
  constexpr double kMiss = std::numeric_limits<double>::infinity();
  const Vec3 ab = b - a, ac = c - a, p = cross(direction, ac);
  const double determinant = dot(ab, p);
  if (determinant == 0) return kMiss;
  const Vec3 d = from - a, q = cross(d, ab);
  const double u = dot(d, p) / determinant, v = dot(direction, q) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 ? dot(ac, q) / determinant : kMiss;
}

struct Face {
  Vec3 inward;  // unit; zero for a line, which points nowhere: its neighbours have its edges, too
  Vec3 center;
};

// How thick the body is below a point of a triangle, at most kRayLength h; exact from kThinnest h on.
double thickness_at(const TriangleMesh& mesh, const TriangleTree& tree, const std::vector<Face>& faces,
                    std::uint32_t own, Vec3 from, double h) {
  const Vec3 inward = faces[own].inward;
  double nearest = kRayLength * h;
  visit_ray(tree, from, inward, -kBlunt, nearest, [&](std::uint32_t t) {
    // The ray leaves the body only through a face that points along it. How much thinner than kThinnest the body is
    // does not matter.
    if (t == own || dot(faces[t].inward, inward) >= -kBlunt) return true;
    const auto& [a, b, c] = mesh.triangles[t];
    const double distance = ray_distance(from, inward, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
    if (distance > 0) nearest = std::min(nearest, distance);
    return nearest > kThinnest * h;
  });
  return nearest;
}

struct SolidMesh {
  const TriangleMesh& mesh;
  const MeshColumns& columns;
  double h;
};
bool is_solid(const SolidMesh& solid, Vec3 p) { return inside_mesh(solid.mesh, solid.columns, p); }

std::vector<Face> faces_of(const SolidMesh& solid) {
  const TriangleMesh& mesh = solid.mesh;
  const std::vector<Vec3> normals = face_normals(mesh);
  std::vector<Face> faces;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const bool line = triangle_height(mesh, t) <= kLine * solid.h;
    Face face{line ? Vec3{} : (-1 / length(normals[t])) * normals[t],
              (1.0 / 3) * (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c])};
    if (!solid.columns.oriented && !is_solid(solid, face.center + (kOutside * solid.h) * face.inward))
      face.inward = -1.0 * face.inward;
    faces.push_back(face);
  }
  return faces;
}

// Whether a sample may lie at the moved point, `depth` from what is drawn.
bool fits(const SolidMesh& solid, const PointTree& drawn, Vec3 position, Vec3 shift, double depth) {
  const double size = length(shift);
  if (size > kFarthest * solid.h || any_near(drawn, position, 0.999 * depth)) return false;
  if (size == 0) return true;
  return is_solid(solid, position) && !is_solid(solid, position - shift - (kOutside * solid.h / size) * shift);
}

// How each vertex of a sharp edge moves when each face around it does, by its own inset; no other vertex does. Where
// a sample does not fit there, since faces around vertices beside it are in the way, as past the narrow face of a
// bevelled edge, when those do, too.
std::vector<Vec3> crease_shifts(const SolidMesh& solid, const PointTree& drawn, const std::vector<Crease>& creases,
                                const std::vector<Face>& faces, const TriangleTree& tree) {
  const TriangleMesh& mesh = solid.mesh;
  const double h = solid.h;
  std::vector<std::vector<std::uint32_t>> around(mesh.vertices.size());  // triangles
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t]) around[v].push_back(t);
  const auto add_planes = [&](Vec3 from, std::uint32_t v, std::vector<MovedPlane>& planes) {
    for (const std::uint32_t t : around[v]) {
      const double before = dot(faces[t].inward, from - mesh.vertices[v]);
      if (length(faces[t].inward) == 0 || before < -kOutside * h) continue;
      const Vec3 start = mesh.vertices[v] + kNudge * (faces[t].center - mesh.vertices[v]);
      const double thickness = thickness_at(mesh, tree, faces, t, start, h);
      planes.push_back({faces[t].inward, inset_of(thickness, h) - before});
    }
  };
  std::vector<Vec3> shifts(mesh.vertices.size());
  const auto set_shift = [&](std::uint32_t v, bool looks_beside) {
    const Vec3 from = mesh.vertices[v];
    const auto has_room = [&](Vec3 shift) { return fits(solid, drawn, from + shift, shift, kDeep * kFullInset * h); };
    std::vector<MovedPlane> planes;
    add_planes(from, v, planes);
    shifts[v] = shift_onto(planes).value_or(Vec3{});
    if (!looks_beside || has_room(shifts[v])) return;
    std::vector<std::uint32_t> reached{v};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const std::uint32_t t : around[reached[i]])
        for (const std::uint32_t w : mesh.triangles[t]) {
          if (reached.size() == kMostBeside || length(mesh.vertices[w] - from) > kBevel * h) continue;
          if (std::find(reached.begin(), reached.end(), w) != reached.end()) continue;
          reached.push_back(w);
          add_planes(from, w, planes);
        }
    if (const std::optional<Vec3> shift = shift_onto(planes); shift && has_room(*shift)) shifts[v] = *shift;
  };
  std::vector<bool> done(mesh.vertices.size(), false);
  // Those that get rows first: of the others, a rough mesh has as many as triangles.
  for (const bool long_ones : {true, false})
    for (const Crease& crease : creases) {
      if (has_row(crease, mesh, h) != long_ones) continue;
      for (const std::uint32_t v : crease.vertices) {
        if (!done[v]) set_shift(v, long_ones);
        done[v] = true;
      }
    }
  return shifts;
}

// Points of the faces and their edges, in this order.
PointTree tree_of(const SurfaceCandidates& candidates) {
  std::vector<Vec3> points;
  points.reserve(candidates.area.size() + candidates.edges.size());
  for (const std::vector<Candidate>* list : {&candidates.area, &candidates.edges})
    for (const Candidate& candidate : *list) points.push_back(candidate.position);
  return make_point_tree(points);
}

}  // namespace

double inset_of(double thickness, double h) { return std::clamp((thickness - kThinnest * h) / 2, 0.0, kFullInset * h); }

Vec3 inset_lengths(Vec3 drawn, bool on_surface, double h) {
  const auto one = [&](double length) {
    if (length < (1 - 1e-9) * h) return 0.0;
    return on_surface ? length : length - 2 * inset_of(length, h);
  };
  return {one(drawn.x), one(drawn.y), one(drawn.z)};
}

InsetSamples sample_inset_mesh(const TriangleMesh& mesh, const MeshColumns& columns, double h) {
  const SolidMesh solid{mesh, columns, h};
  const SurfaceCandidates drawn = surface_candidates(mesh, h);
  const std::vector<Face> faces = faces_of(solid);
  std::vector<Vec3> inward;
  for (const Face& face : faces) inward.push_back(face.inward);
  const TriangleTree tree = make_triangle_tree(mesh, inward, kBoxMargin * h);
  const PointTree cloud = tree_of(drawn);

  SurfaceCandidates moved;
  const auto move = [&](const std::vector<Candidate>& from, std::size_t begin, std::size_t end,
                        std::vector<Candidate>& to) {
    for (std::size_t i = begin; i < end; ++i) {
      const Candidate& candidate = from[i];
      const Face& face = faces[candidate.triangle];
      if (length(face.inward) == 0) continue;
      const Vec3 start = candidate.position + kNudge * (face.center - candidate.position);
      if (is_solid(solid, start - (kOutside * h) * face.inward)) continue;
      const double inset = inset_of(thickness_at(mesh, tree, faces, candidate.triangle, start, h), h);
      const Vec3 shift = inset * face.inward, position = candidate.position + shift;
      // Nearer to another part of the surface than to where it comes from: past the edge of the inset surface.
      if (inset > 0 && (any_near(cloud, position, 0.999 * inset) || !is_solid(solid, position))) continue;
      to.push_back({position, candidate.triangle, shift});
    }
  };
  const auto move_all = [&](const std::vector<Candidate>& from, std::vector<Candidate>& to) {
    append_in_pieces(from.size(), to, [&](std::size_t begin, std::size_t end, std::vector<Candidate>& some) {
      move(from, begin, end, some);
    });
  };
  move_all(drawn.area, moved.area);
  move_all(drawn.edges, moved.edges);
  const std::vector<Crease> creases = creases_of(mesh);
  const std::vector<Vec3> shifts = crease_shifts(solid, cloud, creases, faces, tree);
  // Points of the inset surface that no face's own points reach: along concave edges the faces part as they move.
  PointGrid reached = make_point_grid(h, moved.area.size());
  for (const Candidate& candidate : moved.area) insert_point(reached, candidate.position);
  for (const Crease& crease : creases)
    for (const CreasePoint& p : points_along(crease, mesh, shifts, 0.25 * h, 0)) {
      const double depth = std::min(length(p.shift), kFullInset * h);
      if (!any_near(reached, p.position, kCandidateGap * h) && fits(solid, cloud, p.position, p.shift, depth))
        moved.edges.push_back({p.position, p.triangle, p.shift});
    }
  // Not on tips and in thin parts, where samples lie nearer to the drawn surface: rows there would hold others off.
  for (const Candidate& candidate : crease_candidates(mesh, creases, shifts, h))
    if (fits(solid, cloud, candidate.position, candidate.shift, kDeep * kFullInset * h))
      moved.creases.push_back(candidate);

  InsetSamples out;
  if (moved.area.empty() && moved.edges.empty()) {
    out.positions = spread_samples(mesh, drawn, h);
    out.insets.assign(out.positions.size(), 0);
    return out;
  }
  out.positions = spread_samples(mesh, moved, h);
  const PointTree near = tree_of(moved);
  std::vector<double> insets;
  for (const std::vector<Candidate>* list : {&moved.area, &moved.edges})
    for (const Candidate& candidate : *list) insets.push_back(std::min(length(candidate.shift), kFullInset * h));
  for (const Vec3& p : out.positions) {
    const std::uint32_t nearest = nearest_point(near, p, h);
    out.insets.push_back(nearest == kNoPoint ? 0 : insets[nearest]);
  }
  return out;
}

}  // namespace sluice::io
