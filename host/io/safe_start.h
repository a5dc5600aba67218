// A start without overlaps: which fluid particles must go, and how dense the rest is.
#pragma once

#include <string>
#include <vector>

#include "host/io/mesh.h"
#include "host/io/point_grid.h"
#include "host/io/scene_file.h"
#include "sluice/scene.h"

namespace sluice::io {

// A boundary object with what its surface as drawn needs to tell solid from free space.
struct Surface {
  const Object* object = nullptr;
  std::uint32_t body = 0;
  bool container = false;  // solid outside: by the file, or because a face is open
  bool closed = true;      // false for an open mesh, which has no sides
  double radius = 0;       // m, around the object's position: nothing drawn lies farther away
  TriangleMesh mesh;       // in the object's frame; empty for a box
  MeshColumns columns;
};

// Whether p (in the world) is farther than `margin` inside an obstacle's solid.
bool in_obstacle(const Surface& surface, Vec3 p, double margin);
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
               const std::vector<Surface>& surfaces, const PointGrid& boundary, const PointGrid& earlier);

// Fills start_error of every block: h^3 (sum W over fluid + sum w W over samples) - 1.
void measure_start_errors(const Scene& scene, std::vector<FluidBlock>& blocks);

// One sentence for each body that overlaps another of which at least one moves. `boundary` holds scene.boundary.
void warn_overlapping_bodies(const Scene& scene, const std::vector<Surface>& surfaces, const PointGrid& boundary,
                             std::vector<std::string>& warnings);

}  // namespace sluice::io
