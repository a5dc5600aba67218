// A start without overlaps: which fluid particles must go, and how dense the rest is.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "host/sampling/geometry.h"
#include "host/sampling/point_grid.h"
#include "host/scene/scene_file.h"
#include "sluice/scene.h"

namespace sluice::io {

// A copy of a boundary or a rigid object: where its surface as drawn divides solid from free space.
struct Surface {
  const Object* object = nullptr;
  const Geometry* geometry = nullptr;
  Vec3 position;           // m, of the geometry's origin
  std::uint32_t body = 0;  // index into Scene::bodies; of a rigid body, their number plus its index into Scene::rigid
  bool container = false;  // solid outside: by the file, or because a face is open
};

// All solids of a scene.
struct Solids {
  std::vector<Surface> surfaces;
  // Obstacles by cells that their bounding balls touch: key of a cell, index into `surfaces`; sorted.
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cells;
  std::vector<std::uint32_t> everywhere;  // obstacles too large to be listed by cells
  double cell = 1;                        // m
  // Samples in the world, the boundaries' first, in the order of Scene::boundary.
  PointGrid samples;
  std::vector<std::uint32_t> body;  // of each sample, as in Surface
  std::vector<double> weight;       // of each sample to the fluid
};

// From surfaces and the scene's samples.
void fill_solids(const Scene& scene, Solids& solids);

// Name of a body, counted as in Surface.
const std::string& solid_name(const Scene& scene, std::uint32_t body);

std::uint64_t solid_cell_key(GridCell cell);

// Calls visit(surface) for the obstacles that may hold p, until it returns true; then true too.
template <class Visit>
bool any_obstacle(const Solids& solids, Vec3 p, Visit visit) {
  for (const std::uint32_t i : solids.everywhere)
    if (visit(solids.surfaces[i])) return true;
  const auto index = [&](double v) { return static_cast<std::int64_t>(std::floor(v / solids.cell)); };
  const std::uint64_t key = solid_cell_key({index(p.x), index(p.y), index(p.z)});
  for (auto at = std::lower_bound(solids.cells.begin(), solids.cells.end(), std::pair{key, std::uint32_t{0}});
       at != solids.cells.end() && at->first == key; ++at)
    if (visit(solids.surfaces[at->second])) return true;
  return false;
}

// Whether p (in the world) is farther than `margin` inside an obstacle's solid.
bool in_obstacle(const Surface& surface, Vec3 p, double margin);
bool in_any_obstacle(const Solids& solids, Vec3 p, double margin);
// Whether p is inside a container, or beyond the plane of its open face, or at most `margin` outside.
bool in_container(const Surface& surface, Vec3 p, double margin);

inline constexpr double kRestDistance = 0.75;     // in spacings: no resting fluid particle is nearer to a sample
inline constexpr double kFluidDistance = 0.5;     // in spacings: nearer than this, two objects fill the same place
inline constexpr double kStartErrorLimit = 0.05;  // V0/V - 1 above which a start is worth a warning

struct FluidBlock {
  const Object* object = nullptr;
  std::size_t begin = 0, end = 0;                                                // in Scene::fluid
  std::size_t near_samples = 0, in_solids = 0, outside = 0, in_other_fluid = 0;  // removed, by reason
  std::size_t cut() const { return near_samples + in_solids + outside + in_other_fluid; }
  std::string densest_beside;  // the other object that presses most on the particle of start_error
  double start_error = 0;      // the block's largest V0/V - 1; 0 if nothing is denser than at rest
};

// Appends to scene.fluid those of `centres` that may stay, and says in `block` what became of the rest. Earlier
// blocks have precedence: `earlier` holds their particles.
void add_fluid(Scene& scene, FluidBlock& block, const std::vector<Vec3>& centres, std::uint32_t material,
               const Solids& solids, const PointGrid& earlier);

// Fills start_error of every block: h^3 (sum W over fluid + sum w W over samples) - 1.
void measure_start_errors(const Scene& scene, const Solids& solids, std::vector<FluidBlock>& blocks);

}  // namespace sluice::io
