#include "tests/reference/rigid_passes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/reference/kernel.h"
#include "tests/reference/round.h"

namespace sluice::reference {
namespace {

// Samples thin out at corners and rims; a corner must not count for much more than a face next to fluid.
constexpr double kLargestWeight = 1.2;
constexpr double kWeightUnit = 1.0 / 2048;  // as the engine's records hold them: else contacts differ by 1e-4 h

// As of walls [Monaghan 1992].
constexpr double kViscositySoftening = 0.01;
constexpr double kViscosityFactor = 10.0;
// The largest share of a relative velocity that explicit drag may take away in a step.
constexpr double kLargestDrag = 0.5;

// A force and its torque about a body's centre of mass, or a small motion of the body.
struct Screw {
  Vec3 linear, angular;
};
Displacement at_arm(const Screw& motion, Vec3 arm) { return displacement_at(arm, motion.linear, motion.angular); }

Screw respond(const BodyState& body, const Screw& load) {
  return {apply_inverse_mass(body, load.linear), apply_inverse_inertia(body, body.orientation, load.angular)};
}

void add_at(Screw& load, Vec3 force, Vec3 arm) {
  load.linear = load.linear + force;
  load.angular = load.angular + cross(arm, force);
}

// The loads of one row on the few bodies that it touches, in the order in which they are met.
struct Loads {
  std::vector<std::uint32_t> body;
  std::vector<Screw> load;
  Screw& of(std::uint32_t b) {
    const auto found = std::find(body.begin(), body.end(), b);
    const auto slot = static_cast<std::size_t>(found - body.begin());
    if (found == body.end()) {
      body.push_back(b);
      load.emplace_back();
    }
    return load[slot];
  }
};

bool has_neighbors(const RigidSystem& s, std::size_t r) {
  return s.rigid_rigid.rows.start[r] < s.rigid_rigid.rows.start[r + 1] ||
         s.rigid_boundary.rows.start[r] < s.rigid_boundary.rows.start[r + 1];
}

// From a body's centre to sample r.
Vec3 arm_of(const RigidSystem& s, std::uint32_t body, std::size_t r) { return s.position[r] - s.bodies[body].position; }

// The loads of lambda_r = e [A.14].
Loads friction_loads(const RigidSystem& s, std::size_t r, Vec3 e) {
  Loads loads;
  Screw own;
  const auto& rr = s.rigid_rigid;
  const auto& rb = s.rigid_boundary;
  const double mirror = s.mirror_volume[r];
  const Vec3 center = s.bodies[s.samples.body[r]].position;
  for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k) {
    const Vec3 middle = s.position[r] + rr.rub[k];
    add_at(own, mirror * rr.kernel[k] * e, middle - center);
  }
  for (auto k = rb.rows.start[r]; k < rb.rows.start[r + 1]; ++k) {
    const Vec3 middle = s.position[r] + rb.rub[k];
    add_at(own, mirror * rb.kernel[k] * e, middle - center);
  }
  loads.of(s.samples.body[r]) = own;
  for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k) {
    const auto j = rr.rows.index[k];
    if (rr.weight[k] == 0) continue;
    const auto other = s.samples.body[j];
    const Vec3 middle = s.position[r] + rr.rub[k];
    add_at(loads.of(other), -mirror * rr.kernel[k] * e, middle - s.bodies[other].position);
  }
  return loads;
}

// The loads of p_r = 1 [A.5].
Loads pressure_loads(const RigidSystem& s, std::size_t r) {
  Loads loads;
  const double v0 = s.samples.rest_volume[r];
  Screw own;
  const auto& rr = s.rigid_rigid;
  const auto& rb = s.rigid_boundary;
  for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k) {
    add_at(own, -v0 * v0 * rr.push[k], s.arm[r] + rr.at[k]);
  }
  for (auto k = rb.rows.start[r]; k < rb.rows.start[r + 1]; ++k) {
    add_at(own, -v0 * v0 * rb.push[k], s.arm[r] + rb.at[k]);
  }
  loads.of(s.samples.body[r]) = own;
  for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k) {
    const auto j = rr.rows.index[k];
    if (rr.weight[k] == 0) continue;  // a carrier, or off the row's face
    add_at(loads.of(s.samples.body[j]), v0 * v0 * rr.push[k], arm_of(s, s.samples.body[j], r) + rr.at[k]);
  }
  const Loads tilt = friction_loads(s, r, v0 * v0 * face_tilt(s, r));
  for (std::size_t m = 0; m < tilt.body.size(); ++m) {
    Screw& load = loads.of(tilt.body[m]);
    load = {load.linear + tilt.load[m].linear, load.angular + tilt.load[m].angular};
  }
  return loads;
}

// v_rel of row r [eq. 3.21a] if only `body` moves.
Vec3 relative_of(const RigidSystem& s, std::size_t r, std::uint32_t body, const Screw& motion) {
  const bool own = s.samples.body[r] == body;
  const Displacement u_r = own ? at_arm(motion, s.arm[r]) : Displacement{};
  const auto& rr = s.rigid_rigid;
  const auto& rb = s.rigid_boundary;
  Vec3 sum;
  for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k) {
    const auto j = rr.rows.index[k];
    const Displacement u_k = s.samples.body[j] == body ? at_arm(motion, s.arm[j]) : Displacement{};
    sum = sum + sliding(s, r, s.position[r] - s.position[j], rr.rub[k], s.volume[j], rr.kernel[k], u_r, u_k);
  }
  for (auto k = rb.rows.start[r]; k < rb.rows.start[r + 1]; ++k) {
    const auto b = rb.rows.index[k];
    sum = sum +
          sliding(s, r, s.position[r] - s.boundary_position[b], rb.rub[k], s.boundary_volume[b], rb.kernel[k], u_r, {});
  }
  return sum;
}

// V0_r times the rate at which row r's neighbours come closer if only `body` moves [eq. 3.10].
double compression_of(const RigidSystem& s, std::size_t r, std::uint32_t body, const Screw& motion) {
  const bool own = s.samples.body[r] == body;
  const auto& rr = s.rigid_rigid;
  const auto& rb = s.rigid_boundary;
  double sum = 0;
  for (auto k = rr.rows.start[r]; k < rr.rows.start[r + 1]; ++k) {
    const auto j = rr.rows.index[k];
    const Vec3 u = at_arm(motion, arm_of(s, body, r) + rr.at[k]).linear;
    if (own) sum += dot(u, rr.push[k]);
    if (s.samples.body[j] == body) sum -= dot(u, rr.push[k]);
  }
  for (auto k = rb.rows.start[r]; own && k < rb.rows.start[r + 1]; ++k)
    sum += dot(at_arm(motion, s.arm[r] + rb.at[k]).linear, rb.push[k]);
  return s.samples.rest_volume[r] * (sum - dot(face_tilt(s, r), relative_of(s, r, body, motion)));
}

}  // namespace

bool is_movable(const BodyState& body) {
  const auto& along = body.free_translation;
  return along[0] || along[1] || along[2] || body.turning != Turning::none;
}

bool is_fixed(const RigidSystem& system, std::uint32_t body) {
  return system.fixed_rows && !is_movable(system.bodies[body]);
}

Multipliers zero_multipliers(const RigidSystem& system) {
  const std::size_t fluid = system.fluid.mass.size(), rigid = system.position.size();
  return {std::vector<double>(fluid, 0.0), std::vector<double>(rigid, 0.0), std::vector<Vec3>(rigid)};
}

Pairs make_pairs(Rows rows, const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  Pairs pairs;
  pairs.kernel.resize(rows.index.size());
  pairs.gradient.resize(rows.index.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (auto k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      const Vec3 x = from[i] - to[rows.index[k]];
      pairs.kernel[k] = kernel(length(x));
      pairs.gradient[k] = kernel_gradient(x);
    }
  }
  pairs.weight.assign(rows.index.size(), 1);
  pairs.rows = std::move(rows);
  return pairs;
}

std::vector<Vec3> sample_positions(const std::vector<BodyState>& bodies, const RigidSamples& samples) {
  std::vector<Vec3> position(samples.body.size());
  for (std::size_t r = 0; r < position.size(); ++r) {
    const BodyState& body = bodies[samples.body[r]];
    position[r] = body.round.kind == Roundness::none
                      ? body.position + rotate(body.orientation, samples.local[r])
                      : body.position + rotate(body.orientation, body.round.center) +
                            rotate(body.sample_orientation, samples.local[r] - body.round.center);
  }
  return position;
}

std::vector<double> fluid_weights(const RigidSamples& samples) {
  std::vector<double> weight;
  for (const double v0 : samples.rest_volume)
    weight.push_back(std::round(std::min(v0, kLargestWeight) / kWeightUnit) * kWeightUnit);
  std::fill(weight.end() - static_cast<std::ptrdiff_t>(samples.carriers), weight.end(), 0.0);
  return weight;
}

void compute_volumes(RigidSystem& s) {
  const std::size_t count = s.position.size();
  s.volume.resize(count);
  s.foreign_sum.assign(count, 0.0);
  s.mirror_volume.assign(count, 0.0);
  s.toward.assign(count, {});
  s.normal_force.assign(count, {});
  s.normal.assign(count, {});
  for (std::size_t r = 0; r < count; ++r) {
    Vec3 gradient;
    double filled = s.samples.own_sum[r];
    for (const Pairs* pairs : {&s.rigid_rigid, &s.rigid_boundary}) {
      for (auto k = pairs->rows.start[r]; k < pairs->rows.start[r + 1]; ++k) {
        s.foreign_sum[r] += pairs->kernel[k];
        filled += pairs->weight[k] * pairs->kernel[k];
        gradient = gradient + pairs->gradient[k];
      }
    }
    s.volume[r] = 1 / filled;
    if (s.foreign_sum[r] > 0) s.mirror_volume[r] = 1 / s.foreign_sum[r];
    if (length(gradient) >= kSmallestNormal) s.toward[r] = -1 / length(gradient) * gradient;
  }
  compute_levers(s);
}

Vec3 carrier_velocity(const BodyState& body, Vec3 arm, double tau) {
  return body.velocity + 1 / tau * (rotate(turn_by(tau * body.angular_velocity), arm) - arm);
}

Displacement displacement_at(Vec3 arm, Vec3 linear, Vec3 turn) { return {linear + cross(turn, arm), turn, {}}; }

Vec3 sliding(const RigidSystem& s, std::size_t r, Vec3 d, Vec3 rub, double volume, double kernel,
             const Displacement& own, const Displacement& other) {
  if (s.slip == Slip::sample) return volume * kernel * (own.linear - other.linear);
  const Vec3 bend = 2.0 * cross(other.bow, cross(other.bow, rub + d));
  return s.mirror_volume[r] * kernel *
         (own.linear - other.linear + cross(own.turn, rub) - cross(other.turn, rub + d) - bend);
}

Displacement boundary_displacement(const Boundary& boundary, std::size_t b, double tau) {
  return {tau * boundary.chord[b], boundary.turn[b], tau * boundary.approach[b], boundary.bow[b]};
}

void compute_sources(RigidSystem& s, const std::vector<Displacement>& samples,
                     const std::vector<Displacement>& boundary, double penetration_cap) {
  const std::size_t count = s.position.size();
  s.pressure_source.resize(count);
  s.overlap.resize(count);
  s.penetration_cap = penetration_cap;
  s.friction_source.resize(count);
  for (std::size_t r = 0; r < count; ++r) {
    double compression = 0;
    Vec3 relative;
    for (auto k = s.rigid_rigid.rows.start[r]; k < s.rigid_rigid.rows.start[r + 1]; ++k) {
      const auto j = s.rigid_rigid.rows.index[k];
      const Vec3 d = s.position[r] - s.position[j], at = s.rigid_rigid.at[k];
      const Vec3 u_r = samples[r].linear + cross(samples[r].turn, at);
      const Vec3 u_k = samples[j].linear + cross(samples[j].turn, at + d);
      compression += dot(u_r - u_k, s.rigid_rigid.push[k]);
      relative = relative +
                 sliding(s, r, d, s.rigid_rigid.rub[k], s.volume[j], s.rigid_rigid.kernel[k], samples[r], samples[j]);
    }
    for (auto k = s.rigid_boundary.rows.start[r]; k < s.rigid_boundary.rows.start[r + 1]; ++k) {
      const auto b = s.rigid_boundary.rows.index[k];
      const Vec3 u_r = samples[r].linear + cross(samples[r].turn, s.rigid_boundary.at[k]);
      compression += dot(u_r - boundary[b].approach, s.rigid_boundary.push[k]);
      relative = relative + sliding(s, r, s.position[r] - s.boundary_position[b], s.rigid_boundary.rub[k],
                                    s.boundary_volume[b], s.rigid_boundary.kernel[k], samples[r], boundary[b]);
    }
    const double v0 = s.samples.rest_volume[r];
    s.overlap[r] = 1 - v0 / s.volume[r];
    s.pressure_source[r] = -v0 * (compression - dot(face_tilt(s, r), relative));
    s.friction_source[r] = tangential_to(s.normal[r], relative);
  }
}

void compute_diagonals(RigidSystem& s) {
  const std::size_t count = s.position.size();
  s.pressure_on.assign(count, 0);
  s.friction_on.assign(count, 0);
  s.pressure_compliance.assign(count, 0);
  s.stuck_slip.assign(count, {});
  s.friction_compliance.assign(count, 0);
  s.rigid_diagonal = {};
  for (std::size_t r = 0; r < count; ++r) {
    if (has_neighbors(s, r)) {
      const std::size_t first = s.rigid_diagonal.part.size();
      const Loads pressure = pressure_loads(s, r);
      double pressure_sum = 0, friction_sum = 0;
      for (std::size_t m = 0; m < pressure.body.size(); ++m) {
        const std::uint32_t b = pressure.body[m];
        const double part = -compression_of(s, r, b, respond(s.bodies[b], pressure.load[m]));
        s.rigid_diagonal.part.push_back({b, part, 0});
        pressure_sum += part;
      }
      for (const Vec3 e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const Loads friction = friction_loads(s, r, e);  // meets the bodies in the order of pressure_loads
        for (std::size_t m = 0; m < friction.body.size(); ++m) {
          const std::uint32_t b = friction.body[m];
          const Vec3 u = relative_of(s, r, b, respond(s.bodies[b], friction.load[m]));
          const double part = dot(e, tangential_to(s.normal[r], u)) / 3;
          s.rigid_diagonal.part[first + m].friction += part;
          friction_sum += part;
        }
      }
      // Times the own mass: heavy bodies have small diagonals, which are no reason to switch their contacts off.
      const double mass = s.bodies[s.samples.body[r]].mass;
      s.pressure_on[r] = (s.fixed_rows || is_movable(s.bodies[s.samples.body[r]])) && row_is_on(mass * pressure_sum);
      s.friction_on[r] = s.pressure_on[r] && dot(s.normal[r], s.normal[r]) > 0 && row_is_on(mass * friction_sum);
    }
    s.rigid_diagonal.start.push_back(static_cast<std::uint32_t>(s.rigid_diagonal.part.size()));
  }

  // Bodies next to fluid [A.7c to A.7e, A.9].
  s.fluid_diagonal = {};
  for (std::size_t f = 0; f < s.fluid.mass.size(); ++f) {
    Loads loads;
    for (auto k = s.fluid_rigid.rows.start[f]; k < s.fluid_rigid.rows.start[f + 1]; ++k) {
      const auto j = s.fluid_rigid.rows.index[k];
      add_at(loads.of(s.samples.body[j]), s.fluid_weight[j] * s.fluid_rigid.gradient[k],
             s.arm[j] + s.fluid_rigid.at[k]);
    }
    for (std::size_t m = 0; m < loads.body.size(); ++m) {
      const Screw motion = respond(s.bodies[loads.body[m]], loads.load[m]);
      double part = 0;
      for (auto k = s.fluid_rigid.rows.start[f]; k < s.fluid_rigid.rows.start[f + 1]; ++k) {
        const auto j = s.fluid_rigid.rows.index[k];
        if (s.samples.body[j] != loads.body[m]) continue;
        part +=
            s.fluid_weight[j] * dot(at_arm(motion, s.arm[j] + s.fluid_rigid.at[k]).linear, s.fluid_rigid.gradient[k]);
      }
      s.fluid_diagonal.part.push_back({loads.body[m], part, 0});
    }
    s.fluid_diagonal.start.push_back(static_cast<std::uint32_t>(s.fluid_diagonal.part.size()));
  }
}

Motion motion_of(const RigidSystem& s, const Multipliers& x) {
  std::vector<Screw> load(s.bodies.size());
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    const std::uint32_t own = s.samples.body[r];
    const double v0 = s.samples.rest_volume[r], pressure = v0 * v0 * x.rigid_pressure[r];
    const Vec3 mirrored = s.mirror_volume[r] * (x.friction[r] + pressure * face_tilt(s, r));
    for (auto k = s.rigid_rigid.rows.start[r]; k < s.rigid_rigid.rows.start[r + 1]; ++k) {
      const auto j = s.rigid_rigid.rows.index[k];
      const std::uint32_t other = s.samples.body[j];
      const Vec3 push = -pressure * s.rigid_rigid.push[k], rub = s.rigid_rigid.kernel[k] * mirrored;
      add_at(load[own], push, s.arm[r] + s.rigid_rigid.at[k]);
      add_at(load[other], -1 * push, arm_of(s, other, r) + s.rigid_rigid.at[k]);
      add_at(load[own], rub, s.arm[r] + s.rigid_rigid.rub[k]);
      add_at(load[other], -1 * rub, arm_of(s, other, r) + s.rigid_rigid.rub[k]);
    }
    for (auto k = s.rigid_boundary.rows.start[r]; k < s.rigid_boundary.rows.start[r + 1]; ++k) {
      add_at(load[own], -pressure * s.rigid_boundary.push[k], s.arm[r] + s.rigid_boundary.at[k]);
      add_at(load[own], s.rigid_boundary.kernel[k] * mirrored, s.arm[r] + s.rigid_boundary.rub[k]);
    }
  }
  for (std::size_t f = 0; f < s.fluid.mass.size(); ++f) {
    for (auto k = s.fluid_rigid.rows.start[f]; k < s.fluid_rigid.rows.start[f + 1]; ++k) {
      const auto j = s.fluid_rigid.rows.index[k];
      add_at(load[s.samples.body[j]], x.fluid_pressure[f] * s.fluid_weight[j] * s.fluid_rigid.gradient[k],
             s.arm[j] + s.fluid_rigid.at[k]);
    }
  }

  Motion motion;
  motion.fluid = pressure_displacement(s.fluid, x.fluid_pressure);
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const Screw moved = respond(s.bodies[b], load[b]);
    motion.force.push_back(load[b].linear);
    motion.torque.push_back(load[b].angular);
    motion.translation.push_back(moved.linear);
    motion.rotation.push_back(moved.angular);
  }
  return motion;
}

Errors errors_of(const RigidSystem& s, const Motion& motion, const Multipliers& x) {
  Errors errors;
  const auto displacement = [&](std::size_t r) {
    const std::uint32_t b = s.samples.body[r];
    return at_arm({motion.translation[b], motion.rotation[b]}, s.arm[r]);
  };
  errors.rigid = s.pressure_source;
  errors.tangential = s.friction_source;
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    if (!has_neighbors(s, r)) continue;
    const Displacement u_r = displacement(r);
    double compression = 0;
    Vec3 relative;
    for (auto k = s.rigid_rigid.rows.start[r]; k < s.rigid_rigid.rows.start[r + 1]; ++k) {
      const auto j = s.rigid_rigid.rows.index[k];
      const Vec3 d = s.position[r] - s.position[j], at = s.rigid_rigid.at[k];
      const Displacement u_k = displacement(j);
      compression +=
          dot(u_r.linear + cross(u_r.turn, at) - u_k.linear - cross(u_k.turn, at + d), s.rigid_rigid.push[k]);
      relative = relative + sliding(s, r, d, s.rigid_rigid.rub[k], s.volume[j], s.rigid_rigid.kernel[k], u_r, u_k);
    }
    for (auto k = s.rigid_boundary.rows.start[r]; k < s.rigid_boundary.rows.start[r + 1]; ++k) {
      const auto b = s.rigid_boundary.rows.index[k];
      compression += dot(u_r.linear + cross(u_r.turn, s.rigid_boundary.at[k]), s.rigid_boundary.push[k]);
      relative = relative + sliding(s, r, s.position[r] - s.boundary_position[b], s.rigid_boundary.rub[k],
                                    s.boundary_volume[b], s.rigid_boundary.kernel[k], u_r, {});
    }
    compression -= dot(face_tilt(s, r), relative);
    errors.rigid[r] += overlap_to_mend(s, r, x.rigid_pressure[r]).error - s.samples.rest_volume[r] * compression;
    errors.tangential[r] =
        errors.tangential[r] + s.friction_compliance[r] * x.friction[r] + tangential_to(s.normal[r], relative);
  }
  errors.fluid = volume_error(s.fluid, motion.fluid);
  for (std::size_t f = 0; f < errors.fluid.size(); ++f) {
    for (auto k = s.fluid_rigid.rows.start[f]; k < s.fluid_rigid.rows.start[f + 1]; ++k) {
      const auto j = s.fluid_rigid.rows.index[k];
      const Displacement u = displacement(j);
      errors.fluid[f] +=
          s.fluid_weight[j] * dot(u.linear + cross(u.turn, s.fluid_rigid.at[k]), s.fluid_rigid.gradient[k]);
    }
  }
  return errors;
}

Drag rigid_drag(const RigidSystem& s, const Fluid& fluid, double tau) {
  const std::size_t samples = s.position.size(), bodies = s.bodies.size();
  Drag drag{std::vector<double>(samples, 0.0), std::vector<double>(bodies, 1.0),
            std::vector<Vec3>(fluid.position.size()), std::vector<Vec3>(bodies), std::vector<Vec3>(bodies)};
  // The pair's coefficient c in the force c (v . x) x, from the row of particle f.
  const auto coefficient = [&](std::size_t f, std::uint32_t r) {
    const double mu = fluid.viscosity[f] * fluid.mass[f];
    const Vec3 x = fluid.position[f] - s.position[r];
    return kViscosityFactor * mu * s.fluid_weight[r] * kernel_slope_over_distance(length(x)) /
           (dot(x, x) + kViscositySoftening);
  };
  const auto& pairs = s.fluid_rigid.rows;
  for (std::size_t f = 0; f < fluid.position.size(); ++f) {
    for (auto k = pairs.start[f]; k < pairs.start[f + 1]; ++k) {
      const auto r = pairs.index[k];
      const Vec3 x = fluid.position[f] - s.position[r];
      drag.bound[r] += std::fabs(coefficient(f, r)) * dot(x, x);
    }
  }
  std::vector<double> stiffness(bodies, 0.0);
  for (std::size_t r = 0; r < samples; ++r) {
    const BodyState& body = s.bodies[s.samples.body[r]];
    stiffness[s.samples.body[r]] += drag.bound[r] * (1 / body.mass + dot(s.arm[r], s.arm[r]) / body.smallest_inertia);
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    if (tau * stiffness[b] > kLargestDrag) drag.scale[b] = kLargestDrag / (tau * stiffness[b]);
  }
  for (std::size_t f = 0; f < fluid.position.size(); ++f) {
    for (auto k = pairs.start[f]; k < pairs.start[f + 1]; ++k) {
      const auto r = pairs.index[k];
      const auto b = s.samples.body[r];
      const BodyState& body = s.bodies[b];
      const Vec3 x = fluid.position[f] - s.position[r];
      const Vec3 v = fluid.velocity[f] - at_arm({body.velocity, body.angular_velocity}, s.arm[r]).linear;
      const Vec3 force = drag.scale[b] * coefficient(f, r) * dot(v, x) * x;
      drag.acceleration[f] = drag.acceleration[f] + 1 / fluid.mass[f] * force;
      drag.force[b] = drag.force[b] - force;
      drag.torque[b] = drag.torque[b] - cross(s.arm[r], force);
    }
  }
  return drag;
}

}  // namespace sluice::reference
