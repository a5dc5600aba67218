// Samples on surfaces, in the object's own frame: about one per h^2, none closer together than fluid
// particles would stand, and no hole that a fluid particle fits through.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "host/sampling/creases.h"
#include "host/sampling/mesh.h"
#include "host/scene/scene_file.h"
#include "sluice/scene.h"

namespace sluice::io {

// No scene may hold more particles than this: 2^28 already need 15 GB on the host, more than one device takes.
inline constexpr double kMaxParticles = 268435456;

// How far the samples of a box lie on the solid side of the drawn surface, in spacings. The centre of water drawn
// flush with a wall is h/2 from the drawn surface and rests h from a plane of samples.
inline constexpr double kBoxInset = 0.5;

// Lengths of the box on which the samples of a boundary box lie: kBoxInset h outwards on each side if the solid is
// outside; inwards if it is inside, but less in a box thinner than 2h, so that two faces stay h apart, and not at
// all below h.
Vec3 sampled_lengths(Vec3 drawn, bool solid_outside, double h);

// Lengths of the box on which the samples of a boundary's box lie: with SurfaceSetting::sampled as drawn.
Vec3 boundary_lengths(const Object& object, double h);

// A lattice on the surface of a box centred in the origin. An axis shorter than h / 2, or of length 0, has one plane.
// An open face keeps its rim. at_most_h: but for lengths of 1 to 1.4 h, which have one cell.
enum class BoxSpacing { nearest_to_h, at_most_h };
std::vector<Vec3> sample_box(Vec3 lengths, Open open, double h, BoxSpacing spacing = BoxSpacing::nearest_to_h);

// A point that may become a sample or pull one towards it: on a triangle that is moved by `shift`.
struct Candidate {
  Vec3 position;  // shift included
  std::uint32_t triangle = 0;
  Vec3 shift;
};
struct SurfaceCandidates {
  std::vector<Candidate> area;     // about 20 per h^2
  std::vector<Candidate> edges;    // all vertices, and points along the edges at most h/4 apart
  std::vector<Candidate> creases;  // along sharp edges, about h apart, corners first: samples stay there
};
bool has_too_many_samples(const TriangleMesh& mesh, double h);  // more than 13 million
// Throws Error where there are too many.
SurfaceCandidates surface_candidates(const TriangleMesh& mesh, double h);

// Whether a crease gets a row of samples. Those shorter than 2h, of which a scanned mesh has many, do not; nor do rims,
// which even rows would turn into gears: a cylinder of radius 10 h lost 4.2 % of its acceleration by them, of 3 %
// without.
bool has_row(const Crease& crease, const TriangleMesh& mesh, double h);

// Samples along the creases that get rows, whose vertices are moved by `shifts`, a vector per vertex of the mesh, m.
std::vector<Candidate> crease_candidates(const TriangleMesh& mesh, const std::vector<Crease>& creases,
                                         const std::vector<Vec3>& shifts, double h);

// Samples thrown at random that then repel each other: no two are closer than kMinDistance h, and no point of the
// surface is farther than kLargestHole h from one: water passes wider holes. While they are evened out, candidates get
// one within kGapBetween h; with 0.74 holes of 0.77 were left, and closed at the end they made rest volumes of 0.67
// among those of 0.95. `fits`: whether a sample may lie at a place of a triangle; empty where all may.
inline constexpr double kMinDistance = 0.7;
inline constexpr double kGapBetween = 0.70;
inline constexpr double kLargestHole = 0.75;
using SampleFits = std::function<bool(Vec3 place, std::uint32_t triangle)>;
std::vector<Vec3> spread_samples(const TriangleMesh& mesh, const SurfaceCandidates& candidates, double h,
                                 const SampleFits& fits = {});

// Samples on the mesh as drawn; with the columns of a closed mesh, only where it parts solid from free space.
std::vector<Vec3> sample_mesh(const TriangleMesh& mesh, double h, const MeshColumns* columns = nullptr);

}  // namespace sluice::io
