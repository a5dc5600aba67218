#include "tests/reference/rigid.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/reference/kernel.h"
#include "tests/reference/neighbors.h"
#include "tests/reference/passes.h"

namespace sluice::reference {
namespace {

Mat3 from_scene(const std::array<double, 6>& inertia) {
  const auto& [xx, yy, zz, xy, xz, yz] = inertia;
  return {{Vec3{xx, xy, xz}, Vec3{xy, yy, yz}, Vec3{xz, yz, zz}}};
}

Mat3 scaled(double s, const Mat3& m) { return {{s * m.row[0], s * m.row[1], s * m.row[2]}}; }

Vec3 masked(const std::array<bool, 3>& keep, Vec3 v) {
  return {keep[0] ? v.x : 0, keep[1] ? v.y : 0, keep[2] ? v.z : 0};
}

// One step of Newton's iteration for 1 / |q|, which is all that rounding needs.
Quat renormalized(Quat q) {
  const double s = 1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

Vec3 allowed_turn(const BodyState& body, Vec3 omega) {
  if (body.turning == Turning::none) return {};
  if (body.turning == Turning::about_axis) return dot(body.axis, omega) * body.axis;
  return omega;
}

}  // namespace

Vec3 operator*(const Mat3& m, Vec3 v) { return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)}; }

Mat3 inverse(const Mat3& m) {
  const auto& [a, b, c] = m.row;
  const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double s = 1.0 / dot(a, bc);
  return {{s * Vec3{bc.x, ca.x, ab.x}, s * Vec3{bc.y, ca.y, ab.y}, s * Vec3{bc.z, ca.z, ab.z}}};
}

std::array<double, 3> eigenvalues(Mat3 m) {
  double a[3][3] = {
      {m.row[0].x, m.row[0].y, m.row[0].z}, {m.row[1].x, m.row[1].y, m.row[1].z}, {m.row[2].x, m.row[2].y, m.row[2].z}};
  // Jacobi's rotations converge quadratically; ten sweeps are far more than three by three needs.
  for (int sweep = 0; sweep < 10; ++sweep) {
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      if (a[p][q] == 0) continue;
      const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const double t = (theta < 0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
      const double c = 1 / std::sqrt(t * t + 1), s = t * c;
      for (int k = 0; k < 3; ++k) {
        const double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
      }
      for (int k = 0; k < 3; ++k) {
        const double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
      }
      a[p][q] = a[q][p] = 0;
    }
  }
  std::array<double, 3> values{a[0][0], a[1][1], a[2][2]};
  std::sort(values.begin(), values.end());
  return values;
}

Quat turn_by(Vec3 angle) {
  Vec3 half = 0.5 * angle;
  int doublings = 0;
  for (; dot(half, half) > 0.25; ++doublings) half = 0.5 * half;
  const double x2 = dot(half, half);
  // Taylor series of sin(x) / x and cos(x) for x <= 1/2: the first term left out is below 1e-19 of the sum.
  double sine = 1, cosine = 1;
  for (int k = 8; k >= 1; --k) {
    sine = 1 - x2 / (2 * k * (2 * k + 1)) * sine;
    cosine = 1 - x2 / ((2 * k - 1) * 2 * k) * cosine;
  }
  Quat q{cosine, sine * half.x, sine * half.y, sine * half.z};
  for (; doublings > 0; --doublings) q = renormalized(q * q);
  return q;
}

Quat conjugate(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }

Quat turned_samples(const Revolution& round, Quat samples, Quat q, Quat next, Vec3 angle) {
  if (round.kind == Roundness::none) return next;
  if (round.kind == Roundness::ball) return samples;
  const Vec3 before = rotate(q, round.axis);
  samples = renormalized(turn_by(angle - dot(angle, before) * before) * samples);
  return renormalized(turn_by(cross(rotate(samples, round.axis), rotate(next, round.axis))) * samples);
}

std::vector<BodyState> make_bodies(const Scene& scene, double reference_density) {
  const double h = scene.spacing;
  const double t0 = scene.time.max_step;
  const double unit_mass = reference_density * h * h * h;
  std::vector<BodyState> bodies;
  const bool rolls = scene.solver.mode == SolverMode::robust && scene.solver.slip == Slip::midpoint;
  for (const RigidBody& from : scene.rigid) {
    BodyState& body = bodies.emplace_back();
    if (rolls && from.shape < scene.shapes.size()) body.round = scene.shapes[from.shape].round;
    body.round.center = 1 / h * body.round.center;
    if (from.shape < scene.shapes.size())
      for (const RigidSample& s : scene.shapes[from.shape].samples)
        body.round_side =
            std::max(body.round_side, length(cross(body.round.axis, 1 / h * s.position - body.round.center)));
    body.mass = from.mass / unit_mass;
    body.inertia = scaled(1 / (unit_mass * h * h), from_scene(from.inertia));
    body.smallest_inertia = eigenvalues(body.inertia)[0];
    if (!(body.mass > 0 && body.smallest_inertia > 0)) {
      throw Error("reference rigid bodies: \"" + from.name + "\" needs a positive mass and moments of inertia");
    }
    body.inverse_inertia = inverse(body.inertia);
    body.friction = from.friction;
    body.friction_class = from.friction_class;
    body.restitution = from.restitution;
    body.gravity_scale = from.gravity_scale;
    body.force = t0 * t0 / (unit_mass * h) * from.force;
    body.torque = t0 * t0 / (unit_mass * h * h) * from.torque;
    body.free_translation = from.free_translation;
    body.turning = from.turning;
    body.axis = from.axis;
    body.position = 1 / h * from.position;
    body.orientation = body.sample_orientation = from.orientation;
    body.velocity = masked(from.free_translation, t0 / h * from.velocity);
    body.angular_velocity = allowed_turn(body, t0 * from.angular_velocity);
    body.angular_momentum = apply_inertia(body, body.orientation, body.angular_velocity);
  }
  return bodies;
}

RigidSamples make_samples(const Scene& scene) {
  RigidSamples samples;
  for (std::uint32_t b = 0; b < scene.rigid.size(); ++b) {
    const RigidBody& body = scene.rigid[b];
    if (body.shape >= scene.shapes.size() || scene.shapes[body.shape].samples.empty()) {
      throw Error("reference rigid bodies: \"" + body.name + "\" has no shape with samples");
    }
    std::vector<Vec3> local;
    for (const RigidSample& sample : scene.shapes[body.shape].samples) {
      local.push_back(1 / scene.spacing * sample.position);
      samples.rest_volume.push_back(sample.rest_volume);
      samples.body.push_back(b);
    }
    const Rows own = find_by_grid(local, local, false);
    for (std::size_t r = 0; r < local.size(); ++r) {
      double sum = 0;
      for (auto k = own.start[r]; k < own.start[r + 1]; ++k) sum += kernel(length(local[r] - local[own.index[k]]));
      samples.own_sum.push_back(sum);
    }
    samples.local.insert(samples.local.end(), local.begin(), local.end());
  }
  return samples;
}

Vec3 apply_inertia(const BodyState& body, Quat orientation, Vec3 omega) {
  return rotate(orientation, body.inertia * rotate(conjugate(orientation), omega));
}

Vec3 apply_inverse_inertia(const BodyState& body, Quat orientation, Vec3 angular_momentum) {
  if (body.turning == Turning::none) return {};
  if (body.turning == Turning::about_axis) {
    const double moment = dot(body.axis, apply_inertia(body, orientation, body.axis));
    return dot(body.axis, angular_momentum) / moment * body.axis;
  }
  return rotate(orientation, body.inverse_inertia * rotate(conjugate(orientation), angular_momentum));
}

Vec3 apply_inverse_mass(const BodyState& body, Vec3 force) {
  return masked(body.free_translation, 1 / body.mass * force);
}

BodyPrediction predict_body(const BodyState& body, SolverMode mode, Vec3 gravity, Vec3 force, Vec3 torque, double tau) {
  if (body.driven) return {body.velocity, body.angular_velocity, {}};
  BodyPrediction predicted;
  const Vec3 total_force = body.mass * body.gravity_scale * gravity + body.force + force;
  const Vec3 total_torque = body.torque + torque;
  predicted.velocity = body.velocity + tau * apply_inverse_mass(body, total_force);
  predicted.angular_momentum = body.angular_momentum + tau * total_torque;
  if (mode == SolverMode::paper) {
    const Vec3 omega = body.angular_velocity;
    const Vec3 gyroscopic = cross(apply_inertia(body, body.orientation, omega), omega);
    predicted.angular_velocity = omega + tau * apply_inverse_inertia(body, body.orientation, gyroscopic + total_torque);
  } else {
    predicted.angular_velocity = apply_inverse_inertia(body, body.orientation, predicted.angular_momentum);
  }
  return predicted;
}

namespace {

Vec3 free_part(const BodyState& body, Vec3 angular_momentum) {
  if (body.turning == Turning::none) return {};
  return body.turning == Turning::about_axis ? dot(body.axis, angular_momentum) * body.axis : angular_momentum;
}

}  // namespace

void integrate_body(BodyState& body, SolverMode mode, Vec3 gravity, const BodyPrediction& predicted, Vec3 translation,
                    Vec3 rotation, Vec3 angular_momentum, double tau) {
  const Vec3 push = 1 / tau * translation;
  body.velocity = predicted.velocity + push;
  const Vec3 kick = tau * apply_inverse_mass(body, body.mass * body.gravity_scale * gravity + body.force);
  body.position = body.position + tau * mean_over_step(mode, body.velocity, kick, push);
  if (mode == SolverMode::paper) {
    body.angular_velocity = predicted.angular_velocity + 1 / tau * rotation;
    body.orientation = body.sample_orientation = turn_by(tau * body.angular_velocity) * body.orientation;
    body.angular_momentum = apply_inertia(body, body.orientation, body.angular_velocity);
    return;
  }
  const Vec3 momentum = predicted.angular_momentum + angular_momentum;
  const Vec3 first = apply_inverse_inertia(body, body.orientation, momentum);
  const Quat halfway = turn_by(0.5 * tau * first) * body.orientation;
  const Vec3 mean =
      mean_over_step(mode, momentum, free_part(body, tau * body.torque), free_part(body, angular_momentum));
  const Vec3 middle = apply_inverse_inertia(body, halfway, mean);
  const Quat before = body.orientation;
  body.orientation = renormalized(turn_by(tau * middle) * before);
  body.sample_orientation = turned_samples(body.round, body.sample_orientation, before, body.orientation, tau * middle);
  body.angular_momentum = momentum;
  body.angular_velocity = apply_inverse_inertia(body, body.orientation, momentum);
}

}  // namespace sluice::reference
