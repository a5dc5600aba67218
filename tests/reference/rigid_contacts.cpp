// The rules of rigid contacts: levers of round bodies, friction of pairs, and how contacts share a load.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "tests/reference/kernel.h"
#include "tests/reference/rigid_passes.h"
#include "tests/reference/round.h"

namespace sluice::reference {
namespace {

// See RigidSystem::load_sharing.
constexpr double kElasticError = 0.0015;
constexpr double kSticking = 0.998;
constexpr double kSlipUndone = 0.15, kMostSlip = 0.02;

constexpr double kContactWeight = 2;

// See lib/coverage.glsl.
constexpr double kLeastCoverage = 0.75, kMostCoverage = 1.15, kAcross = 0.85, kAlong = 0.95, kFlat = 0.02;

// See lib/restitution.glsl.
constexpr double kSlowApproach = 4, kUnsureApproach = 20;

// The face that a row is of, if it is near several.
using OneFace = std::optional<Vec3>;
bool meets(const OneFace& face, Vec3 d) {
  return !face || (dot(*face, d) > 0 && dot(*face, d) * dot(*face, d) > 0.16 * dot(d, d));
}

// Calls visit(d, w_k) of row r's solid neighbours on a face, d from them.
template <class Visit>
void visit_contacts(const RigidSystem& s, std::size_t r, const OneFace& face, Visit visit) {
  const auto &rr = s.rigid_rigid, &rb = s.rigid_boundary;
  const auto take = [&](Vec3 d, double weight) {
    if (meets(face, d)) visit(d, weight);
  };
  for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k)
    take(s.position[r] - s.position[rr.rows.index[k]], s.fluid_weight[rr.rows.index[k]]);
  for (auto k = rb.rows.start[r]; k < rb.rows.start[r + 1]; ++k)
    take(s.position[r] - s.boundary_position[rb.rows.index[k]], s.boundary_weight[rb.rows.index[k]]);
}

// Against the gradient of the sum; 0 without one.
Vec3 up_of(const RigidSystem& s, std::size_t r, const OneFace& face) {
  Vec3 gradient;
  visit_contacts(s, r, face, [&](Vec3 d, double weight) { gradient = gradient + weight * kernel_gradient(d); });
  return length(gradient) < kSmallestNormal ? Vec3{} : -1 / length(gradient) * gradient;
}

// The plane of the contacts: its normal by the adjugate of their covariance, towards r; r's height above it; their mean
// square distance from it.
struct Plane {
  Vec3 normal;
  double height = 0, spread = 0;
};
Plane plane_of(const RigidSystem& s, std::size_t r, Vec3 up, const OneFace& face) {
  double sum = 0, cxx = 0, cyy = 0, czz = 0, cyz = 0, czx = 0, cxy = 0;
  Vec3 mean;
  visit_contacts(s, r, face, [&](Vec3 d, double weight) {
    const double share = std::pow(weight * kernel(length(d)), 2);
    sum += share;
    mean = mean + share * d;
  });
  if (!(sum > 1e-9)) return {};
  mean = 1 / sum * mean;
  visit_contacts(s, r, face, [&](Vec3 d, double weight) {
    const double share = std::pow(weight * kernel(length(d)), 2) / sum;
    const Vec3 e = d - mean;
    cxx += share * e.x * e.x, cyy += share * e.y * e.y, czz += share * e.z * e.z;
    cyz += share * e.y * e.z, czx += share * e.z * e.x, cxy += share * e.x * e.y;
  });
  const double ayz = czx * cxy - cxx * cyz, azx = cxy * cyz - cyy * czx, axy = cyz * czx - czz * cxy;
  const Vec3 n{(cyy * czz - cyz * cyz) * up.x + axy * up.y + azx * up.z,
               axy * up.x + (czz * cxx - czx * czx) * up.y + ayz * up.z,
               azx * up.x + ayz * up.y + (cxx * cyy - cxy * cxy) * up.z};
  if (!(length(n) > 1e-4)) return {};
  const Vec3 u = 1 / length(n) * n;
  const double spread =
      cxx * u.x * u.x + cyy * u.y * u.y + czz * u.z * u.z + 2 * (cyz * u.y * u.z + czx * u.z * u.x + cxy * u.x * u.y);
  return {u, dot(mean, u), spread};
}

OneFace nearest_face(const RigidSystem& s, std::size_t r) {
  double most = 0;
  Vec3 up;
  visit_contacts(s, r, {}, [&](Vec3 d, double weight) {
    const double share = weight * kernel(length(d));
    if (share > most) most = share, up = d;
  });
  if (most == 0) return {};
  up = 1 / length(up) * up;
  for (int n = 0; n < 2; ++n) up = up_of(s, r, up);
  if (length(up) == 0) return {};
  const Plane plane = plane_of(s, r, up, up);
  return dot(plane.normal, up) > kAcross ? plane.normal : up;
}

}  // namespace

Coverage face_coverage(const RigidSystem& s, std::size_t r, double gamma) {
  OneFace face;
  Vec3 up = up_of(s, r, face);
  if (length(up) == 0) return {};
  Plane plane = plane_of(s, r, up, face);
  bool rolls = s.bodies[s.samples.body[r]].round.kind != Roundness::none;
  for (auto k = s.rigid_rigid.rows.start[r]; k < s.rigid_rigid.rows.start[r + 1]; ++k)
    rolls = rolls || s.bodies[s.samples.body[s.rigid_rigid.rows.index[k]]].round.kind != Roundness::none;
  if ((dot(plane.normal, up) < kAlong || plane.spread >= kFlat) && !rolls && s.slip != Slip::sample) {
    face = nearest_face(s, r);
    if (face) {
      up = up_of(s, r, face);
      plane = plane_of(s, r, up, face);
    }
  }
  const double part = std::clamp((dot(plane.normal, up) - kAcross) / (kAlong - kAcross), 0.0, 1.0);
  const Vec3 n = up + part * (plane.normal - up);
  const Vec3 normal = face ? *face : 1 / length(n) * n;
  if (part == 0) return {normal, 1, face.has_value()};
  double met = 0;
  visit_contacts(s, r, face,
                 [&](Vec3 d, double weight) { met += weight * kernel(length(d + (1 - plane.height) * plane.normal)); });
  const double share = std::clamp(met * kContactWeight / (1 - gamma), kLeastCoverage, kMostCoverage);
  return {normal, 1 + part * (share - 1), face.has_value()};
}

std::vector<Coverage> face_coverages(const RigidSystem& s, double gamma) {
  std::vector<Coverage> found;
  for (std::size_t r = 0; r < s.position.size(); ++r) found.push_back(face_coverage(s, r, gamma));
  return found;
}

void weigh_contacts(RigidSystem& s, const std::vector<Coverage>& coverages) {
  const auto weigh = [&](Pairs& pairs, auto weight_of) {
    for (std::size_t r = 0; r < s.position.size(); ++r) {
      const double scale = kContactWeight / (s.samples.rest_volume[r] * coverages[r].share);
      for (auto k = pairs.rows.start[r]; k < pairs.rows.start[r + 1]; ++k) {
        const auto j = pairs.rows.index[k];
        const Vec3 d = s.position[r] - (&pairs == &s.rigid_rigid ? s.position[j] : s.boundary_position[j]);
        const bool met = !coverages[r].one_of_several || meets(coverages[r].normal, d);
        pairs.weight[k] = met ? scale * weight_of(j) : 0;
        pairs.gradient[k] = pairs.weight[k] * pairs.gradient[k];
        if (pairs.weight[k] == 0) pairs.kernel[k] = 0;  // nor does friction see it
      }
    }
  };
  weigh(s.rigid_rigid, [&](std::uint32_t j) { return s.fluid_weight[j]; });
  weigh(s.rigid_boundary, [&](std::uint32_t b) { return s.boundary_weight[b]; });
  s.face.clear();
  for (const Coverage& coverage : coverages) s.face.push_back(coverage.normal);
}

Vec3 face_tilt(const RigidSystem& s, std::size_t r) {
  if (s.face.empty() || s.slip == Slip::sample) return {};
  const double v0 = s.samples.rest_volume[r];
  return tangential_to(s.normal[r], -1 / (v0 * v0) * s.normal_force[r]);
}

double normal_load(const RigidSystem& s, std::size_t r) { return std::max(0.0, dot(s.normal_force[r], s.normal[r])); }

void compute_levers(RigidSystem& s) {
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    const RoundBody own = round_body(s.bodies[s.samples.body[r]], s.position[r]);
    bool rolls = own.kind != Roundness::none;
    Vec3 gradient;
    for (Pairs* pairs : {&s.rigid_rigid, &s.rigid_boundary}) {
      const bool rigid = pairs == &s.rigid_rigid;
      pairs->at.resize(pairs->rows.index.size());
      pairs->rub.resize(pairs->rows.index.size());
      pairs->push.resize(pairs->rows.index.size());
      for (auto k = pairs->rows.start[r]; k < pairs->rows.start[r + 1]; ++k) {
        const auto j = pairs->rows.index[k];
        const Vec3 away = s.position[r] - (rigid ? s.position[j] : s.boundary_position[j]);
        const RoundBody other = rigid ? round_body(s.bodies[s.samples.body[j]], s.position[r]) : RoundBody{};
        const Lever lever = lever_of(own, other, s.toward[r], away);
        rolls = rolls || other.kind != Roundness::none;
        pairs->at[k] = lever.at;
        pairs->rub[k] = lever.rub;
        pairs->push[k] = lever.left(pairs->gradient[k]);
        gradient = gradient + pairs->push[k];
      }
    }
    const double v0 = s.samples.rest_volume[r];
    s.normal_force[r] = -v0 * v0 * gradient;
    s.normal[r] = length(gradient) >= kSmallestNormal ? -1 / length(gradient) * gradient : Vec3{};
    if (!rolls && !s.face.empty()) s.normal[r] = s.face[r];
  }
}

FrictionRules friction_rules(const Scene& scene) {
  FrictionRules rules{{}, scene.pairs, scene.solver.mode == SolverMode::paper};
  for (const BoundarySample& sample : scene.boundary) rules.boundary.push_back(scene.bodies[sample.body]);
  return rules;
}

void compute_friction(RigidSystem& s) {
  const auto of_pair = [&](const BodyState& own, std::optional<double> friction, std::uint32_t friction_class) {
    for (const FrictionPair& pair : s.friction_rules.pairs) {
      if (std::minmax(pair.a, pair.b) == std::minmax(own.friction_class, friction_class)) return pair.friction;
    }
    if (own.friction < 0) return friction.value_or(0);  // of a boundary's carriers: the other's counts
    return friction && *friction >= 0 ? std::sqrt(own.friction * *friction) : own.friction;
  };
  s.friction.clear();
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    const BodyState& own = s.bodies[s.samples.body[r]];
    double force = 0, sum = 0;
    const auto add = [&](Vec3 gradient, double friction) {
      const double share = std::max(0.0, -dot(gradient, s.normal[r]));
      force += share;
      sum += share * friction;
    };
    const Pairs &rr = s.rigid_rigid, &rb = s.rigid_boundary;
    for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k) {
      const BodyState& other = s.bodies[s.samples.body[rr.rows.index[k]]];
      add(rr.gradient[k], of_pair(own, other.friction, other.friction_class));
    }
    for (auto k = rb.rows.start[r]; k < rb.rows.start[r + 1]; ++k) {
      const Body& other = s.friction_rules.boundary[rb.rows.index[k]];
      add(rb.gradient[k], of_pair(own, other.friction, other.friction_class));
    }
    s.friction.push_back(!s.friction_rules.own_body && force > 0 ? sum / force : std::max(own.friction, 0.0));
  }
}

void compute_particle_levers(RigidSystem& s, const std::vector<Vec3>& particles) {
  Pairs& pairs = s.fluid_rigid;
  pairs.at.assign(pairs.rows.index.size(), {});
  for (std::size_t f = 0; f < particles.size(); ++f) {
    for (auto k = pairs.rows.start[f]; k < pairs.rows.start[f + 1]; ++k) {
      const auto j = pairs.rows.index[k];
      const BodyState& body = s.bodies[s.samples.body[j]];
      if (body.round.kind == Roundness::none) continue;
      pairs.at[k] = particles[f] - s.position[j];
      pairs.gradient[k] = left_at_particle(round_body(body, particles[f]), pairs.gradient[k]);
    }
  }
}

PastLoads no_past(const RigidSystem& system) {
  const std::size_t count = system.position.size();
  return {std::vector<double>(count), std::vector<Vec3>(count), std::vector<Vec3>(count), std::vector<Vec3>(count)};
}

double elastic_error(const RigidSystem& s, std::size_t r, double pressure) {
  const double x = s.pressure_compliance[r] * pressure / kElasticError;
  return 4 * kElasticError * (std::pow(1 + x, 0.25) - 1);
}

OverlapToMend overlap_to_mend(const RigidSystem& s, std::size_t r, double pressure) {
  const double elastic = elastic_error(s, r, pressure), left = s.overlap[r] + elastic;
  if (left < -s.penetration_cap) return {-s.penetration_cap, 0};
  return {left, pressure > 0 ? elastic / pressure : s.pressure_compliance[r]};
}

void share_loads(RigidSystem& s, const PastLoads& past, double tolerance) {
  if (s.load_sharing == 0) return;
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    s.pressure_compliance[r] = s.friction_compliance[r] = 0;
    for (auto m = s.rigid_diagonal.start[r]; m < s.rigid_diagonal.start[r + 1]; ++m) {
      s.pressure_compliance[r] += s.load_sharing * s.sharing_factor * s.rigid_diagonal.part[m].pressure;
      s.friction_compliance[r] += s.load_sharing * s.rigid_diagonal.part[m].friction;
    }
    const double radius = s.friction[r] * past.pressure[r] * normal_load(s, r), unfinished = 10 * tolerance;
    const bool sticks =
        dot(past.friction[r], past.friction[r]) < kSticking * radius * radius && length(past.left[r]) < unfinished;
    const Vec3 slip = sticks ? past.left[r] + (1 - kSlipUndone) * past.slip[r] : Vec3{};
    s.stuck_slip[r] = length(slip) < kMostSlip ? slip : Vec3{};
    s.friction_source[r] = tangential_to(s.normal[r], s.friction_source[r] + kSlipUndone * s.stuck_slip[r] -
                                                          s.friction_compliance[r] * past.friction[r]);
  }
}

void add_rebounds(RigidSystem& s, const PastLoads& past, Vec3 gravity_step, double tolerance) {
  const auto fall_of = [&](const BodyState& body) {
    const auto& free = body.free_translation;
    return Vec3{free[0] ? gravity_step.x : 0, free[1] ? gravity_step.y : 0, free[2] ? gravity_step.z : 0};
  };
  const auto of_pair = [&](const BodyState& own, double restitution, std::uint32_t friction_class) {
    for (const FrictionPair& pair : s.friction_rules.pairs) {
      if (pair.restitution && std::minmax(pair.a, pair.b) == std::minmax(own.friction_class, friction_class))
        return *pair.restitution;
    }
    return std::max(own.restitution, restitution);
  };
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    const double closing = -s.pressure_source[r];
    const double unit = length(s.normal_force[r]) / s.samples.rest_volume[r];
    const double slow = std::max(kSlowApproach * length(gravity_step) * unit, kUnsureApproach * tolerance);
    if (!s.pressure_on[r] || past.pressure[r] > 0 || !(closing > slow) || !(s.overlap[r] < closing)) continue;
    const BodyState& own = s.bodies[s.samples.body[r]];
    double force = 0, sum = 0, pull = 0;
    const auto add = [&](Vec3 gradient, double restitution, Vec3 fall) {
      const double share = std::max(0.0, -dot(gradient, s.normal[r]));
      force += share;
      sum += share * restitution;
      pull += dot(gradient, fall);
    };
    const Pairs &rr = s.rigid_rigid, &rb = s.rigid_boundary;
    for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k) {
      const BodyState& other = s.bodies[s.samples.body[rr.rows.index[k]]];
      add(rr.gradient[k], of_pair(own, other.restitution, other.friction_class), fall_of(own) - fall_of(other));
    }
    for (auto k = rb.rows.start[r]; k < rb.rows.start[r + 1]; ++k) {
      const Body& other = s.friction_rules.boundary[rb.rows.index[k]];
      add(rb.gradient[k], of_pair(own, other.restitution, other.friction_class), fall_of(own));
    }
    if (!(sum > 0)) continue;
    const double approach = std::max(0.0, closing - s.samples.rest_volume[r] * pull);
    const double separation = sum / force * approach;
    s.pressure_compliance[r] = 0;
    if (overlap_to_mend(s, r, 0).error < -separation) continue;
    s.pressure_source[r] -= separation;
    s.overlap[r] = 0;
  }
}

}  // namespace sluice::reference
