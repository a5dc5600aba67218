// What the tests of rigid bodies' passes share: scenes in which every term acts, their state as the reference sees it,
// and bounds of rounding.
//
// Bounds are in units of kHalfUlp. rsqrt is good to 2e-7 and 2 - q cancels near the support, so that a kernel value
// errs by its slope times an error of q, however small it is itself; each term of a sum is rounded when it is added.
// Tensors in world axes have gone through two rotations, about 40 operations. Constants are for unlucky signs; a wrong
// term is off by thousands.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/gpu.h"
#include "tests/reference/rigid_scenes.h"
#include "tests/reference/rigid_solver.h"

namespace sluice::tests {

// The largest ratio of difference and bound, the latter in half ulps.
struct Worst {
  double ratio = 0;
  void take(double difference, double bound) {
    const double r = std::fabs(difference) / (kHalfUlp * bound + 1e-30);
    if (!(r <= ratio)) ratio = r;  // a NaN is taken, too
  }
  void take(Vec3 difference, double bound) { take(length(difference), bound); }
};

// A scene with rigid bodies after the set-up of its first step, and that state as the reference sees it: device inputs,
// double-precision volumes. Padding lanes have no sample here.
struct RigidRig : Rig {
  RigidRig(Gpu& gpu, const Scene& scene, const SimulationOptions& options = {}, std::uint32_t row_interleave = 1);

  // From now on the device's V, G, 1 / S and sources, so that the passes after them are tested alone.
  void take_device_volumes();
  // p and lambda that the next iteration starts from. Values must be floats.
  void set_multipliers(const reference::Multipliers& x);
  void iterate();   // one iteration, as if it were the first; it does not end the solve
  void end_step();  // the same at the cap: integrates with the multipliers that are set
  std::uint32_t samples() const { return static_cast<std::uint32_t>(lane.size()); }
  double tau() const { return begun.tau; }

  gpu::Control begun;       // as the solve starts
  reference::Fluid before;  // sorted
  reference::Boundary walls;
  reference::Neighbors fluid_rows;
  std::vector<gpu::RigidBody> body_records;
  std::vector<gpu::RigidState> states;         // as the step starts
  std::vector<std::uint32_t> lane;             // place of each sample on the device
  std::vector<reference::Coverage> coverages;  // the reference's; `system` has the device's
  std::vector<std::uint32_t> sample_at;        // and back; kNoBody in padding lanes
  reference::RigidSystem system;
};

// Floats, a third of the pressures 0, friction inside and on the cones. Needs the device's volumes and the diagonals.
reference::Multipliers random_multipliers(const RigidRig& rig, std::uint64_t seed);

// Two tilted, moving boxes beside each other, a floor and a wall that moves and turns; perhaps two liquids around them.
Scene two_boxes(const std::string& name, bool with_fluid);
// Bodies of one to three samples, so close that a row meets a dozen of them.
Scene crowd();
// These; a body alone; a light one in fluid, where the drag limit acts; bodies that are held; one of 1178 samples: two
// parts, the last chunk with padding.
std::vector<Scene> all_rigid_scenes();

template <typename Test>
void on_every_rigid_scene(bool both_modes, Test test) {
  for (Gpu* gpu : drivers()) {
    CAPTURE(gpu->info().name);
    MessageGuard guard(*gpu);
    for (Scene scene : all_rigid_scenes()) {
      for (const bool paper : {false, true}) {
        if (paper && !both_modes) continue;
        if (paper) reference::use_paper_rigid_mode(scene.solver);
        CAPTURE(scene.name);
        CAPTURE(paper);
        test(*gpu, scene);
      }
    }
  }
}

struct PairBound {
  double kernel, gradient;
};
// Of W and grad W at x_ij.
PairBound pair_bound(Vec3 x_ij);
// A neighbour of a sample's row: a sample of another body, or of a boundary.
struct RowContact {
  bool rigid;
  std::uint32_t index;
  std::uint32_t body;  // of a rigid one
  double volume, kernel;
  Vec3 gradient, away;  // gradient: weighted; away: x_r - x_k
  double weight;        // in the volume of r
  PairBound bound;      // of the kernel, and of the weighted gradient
};
std::vector<RowContact> contacts_of(const reference::RigidSystem& s, std::size_t r);

// By what a contact counts in the sliding of row r, and the bound of its error.
struct SlipWeight {
  double value, bound;
};
SlipWeight slip_weight(const reference::RigidSystem& s, std::size_t r, const RowContact& c);

// Of the error of a row's coefficient of friction: that of each pair's share in the normal force, by how far apart the
// pairs' coefficients may be.
double friction_bound(const reference::RigidSystem& s, std::size_t r);

// Entry by entry of the fluid's rigid neighbours: f(particle, sample, gradient, bound).
template <typename Use>
void for_coupled(const reference::RigidSystem& s, Use use) {
  const auto& rows = s.fluid_rigid.rows;
  for (std::uint32_t f = 0; f + 1 < rows.start.size(); ++f) {
    for (auto k = rows.start[f]; k < rows.start[f + 1]; ++k) use(f, rows.index[k], s.fluid_rigid.gradient[k]);
  }
}

inline constexpr double kTensor = 16;
// The trace of I^-1, which bounds it; 0 if the body does not turn.
double inverse_moment(const reference::BodyState& body);

// A body's place in a record, 4 if it has none, and the part there.
inline std::uint32_t slot_of(const gpu::uvec4& bodies, std::uint32_t body) {
  const std::uint32_t words[] = {bodies.x, bodies.y, bodies.z, bodies.w};
  return static_cast<std::uint32_t>(std::find(words, words + 4, body) - words);
}
inline float part_in(const gpu::vec4& parts, std::uint32_t slot) {
  return slot == 0 ? parts.x : slot == 1 ? parts.y : slot == 2 ? parts.z : parts.w;
}
// The device's diagonals and compliances instead of the reference's; the same rows are on. A record holds four bodies'
// parts, and the compliance is a share of their sum.
void take_device_diagonals(RigidRig& rig);

template <typename T>
std::vector<T> by_sample(RigidRig& rig, const vulkan::Buffer<T>& buffer) {
  return vulkan::download(rig.device, buffer, rig.state.sizes.rigid.samples);
}
inline std::vector<gpu::RigidStep> steps_of(RigidRig& rig) {
  const RigidSizes& sizes = rig.state.sizes.rigid;
  return vulkan::download(rig.device, rig.state.rigid_step, sizes.bodies + sizes.carriers.size());
}

inline bool has_row(const reference::RigidSystem& s, std::size_t r) {
  const reference::BodyState& body = s.bodies[s.samples.body[r]];
  return length(s.normal[r]) > 0 && (s.fixed_rows || reference::is_movable(body));
}
inline double solid_weight(const reference::RigidSystem& s, const RowContact& c) {
  return c.rigid ? s.fluid_weight[c.index] : s.boundary_weight[c.index];
}

}  // namespace sluice::tests
