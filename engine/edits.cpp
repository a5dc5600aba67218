#include "engine/edits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sluice {
namespace {

static_assert(Edit::kNextStep == gpu::kNextStep);

std::uint32_t kind_of(Edit::Kind kind) {
  switch (kind) {
    case Edit::Kind::motion:
      return gpu::kEditMotion;
    case Edit::Kind::force:
      return gpu::kEditForce;
    case Edit::Kind::impulse:
      return gpu::kEditImpulse;
    case Edit::Kind::pose:
      return gpu::kEditPose;
    default:
      return gpu::kEditGravity;
  }
}

gpu::Edit encode(Edits& edits, const State& state, const Edit& edit) {
  const Units& u = state.units;
  gpu::Edit out{};
  out.kind = kind_of(edit.kind);
  out.body = edit.body;
  out.step = edit.step;
  switch (edit.kind) {
    case Edit::Kind::motion: {
      edits.velocity[edit.body] = edit.linear;
      edits.spin[edit.body] = edit.angular;
      double fastest = 0;
      for (std::size_t b = 0; b < edits.reach.size(); ++b)
        fastest = std::max(fastest, length(edits.velocity[b]) + length(edits.spin[b]) * edits.reach[b]);
      out.number = static_cast<float>(fastest / u.velocity());
      out.a = packed(1 / u.velocity() * edit.linear);
      out.b = packed(u.time * edit.angular);
      break;
    }
    case Edit::Kind::force:
      out.a = packed(1 / u.force() * edit.linear);
      out.b = packed(1 / (u.force() * u.length) * edit.angular);
      break;
    case Edit::Kind::impulse:
      out.a = packed(1 / (u.force() * u.time) * edit.linear);
      out.b = packed(1 / (u.force() * u.length * u.time) * edit.angular);
      break;
    case Edit::Kind::pose: {
      const FixedPoint fixed = to_fixed(u, edit.linear);
      const Quat q = edit.orientation;
      out.position = {fixed.position[0], fixed.position[1], fixed.position[2], 0};
      out.low = {0, 0, 0, pack_low_word(fixed.wraps, 0)};
      out.a = packed({q.x, q.y, q.z}, q.w);
      break;
    }
    case Edit::Kind::gravity: {
      const double scale = u.time * u.time / u.length, g = length(edit.linear);
      out.a = packed(scale * edit.linear, scale * g);
      out.number = static_cast<float>(edits.tolerance * std::max(g, 1.0) * scale);
      break;
    }
  }
  return out;
}

}  // namespace

Edits::Edits(const Scene& scene) : reach(scene.bodies.size(), 0), tolerance(scene.solver.tolerance) {
  for (const Body& body : scene.bodies) {
    velocity.push_back(body.velocity);
    spin.push_back(body.angular_velocity);
  }
  for (const BoundarySample& s : scene.boundary)
    reach[s.body] = std::max(reach[s.body], length(s.position - scene.bodies[s.body].position));
}

void add_edit(Edits& edits, const State& state, std::uint32_t completed, const Edit& edit) {
  const auto need = [](bool holds, const std::string& sentence) {
    if (!holds) throw Error(sentence);
  };
  const auto kind = static_cast<int>(edit.kind);
  need(kind >= 0 && kind <= static_cast<int>(Edit::Kind::gravity),
       "an edit is of kind " + std::to_string(kind) + ", which does not exist");
  const bool motion = edit.kind == Edit::Kind::motion;
  const std::uint64_t bodies = motion ? state.sizes.bodies : state.sizes.rigid.bodies;
  need(edit.kind == Edit::Kind::gravity || edit.body < bodies,
       "an edit names " + std::string(motion ? "boundary " : "rigid body ") + std::to_string(edit.body) +
           ", but the scene has " + std::to_string(bodies));
  need(!motion || state.sizes.any_body_may_move,
       "set_motion needs a simulation that was made with SimulationOptions::moving_boundaries");
  need(std::isfinite(length(edit.linear)) && std::isfinite(length(edit.angular)),
       "an edit has a vector that is not finite");
  const Units& u = state.units;
  const auto need_within = [&](double value, double most, const char* what) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", most);
    need(value <= most, std::string("an edit's ") + what + " is more than " + text);
  };
  const double linear = length(edit.linear), angular = length(edit.angular);
  switch (edit.kind) {
    case Edit::Kind::motion:
      need_within(linear, kMaxSpeed, "velocity in m/s");
      need_within(angular, kMaxSpin, "angular velocity in rad/s");
      need_within(linear + angular * edits.reach[edit.body], kMaxSpeed, "speed of a sample in m/s");
      need_within(linear / u.velocity(), kMaxSolverValue, "velocity in particle spacings a step");
      break;
    case Edit::Kind::force:
      need_within(linear / u.force(), kMaxSolverValue, "force in the solver's units");
      need_within(angular / (u.force() * u.length), kMaxSolverValue, "torque in the solver's units");
      break;
    case Edit::Kind::impulse:
      need_within(linear / (u.force() * u.time), kMaxSolverValue, "impulse in the solver's units");
      need_within(angular / (u.force() * u.length * u.time), kMaxSolverValue, "angular impulse in the solver's units");
      break;
    case Edit::Kind::gravity:
      need_within(linear, kMaxGravity, "gravity in m/s^2");
      need_within(linear * u.time * u.time / u.length, kMaxSolverValue, "gravity in the solver's units");
      break;
    case Edit::Kind::pose:
      break;
  }
  const Quat q = edit.orientation;
  const double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  need(edit.kind != Edit::Kind::pose || std::abs(norm - 1) < 1e-6, "an edit's orientation is not a unit quaternion");
  const double reach = kMaxSpacingsAcross * u.length;
  need(edit.kind != Edit::Kind::pose || length(edit.linear - u.origin) < reach,
       "an edit puts a body more than 2 million particle spacings from the scene");
  need(edit.step == Edit::kNextStep || edit.step >= completed, "an edit is due after step " +
                                                                   std::to_string(edit.step) + ", but " +
                                                                   std::to_string(completed) + " steps are complete");
  need(edit.step == Edit::kNextStep || edit.step >= edits.last_step,
       "an edit is due after step " + std::to_string(edit.step) + ", before one that was given earlier (" +
           std::to_string(edits.last_step) + "); give edits in the order of their steps");
  if (edit.step != Edit::kNextStep) edits.last_step = edit.step;
  edits.waiting.push_back(edit);
}

void send_edits(Edits& edits, const State& state) {
  while (!edits.waiting.empty() && edits.sent - edits.applied < gpu::kEditRing) {
    const Edit edit = edits.waiting.front();
    state.edit.mapped()[edits.sent % gpu::kEditRing] = encode(edits, state, edit);
    edits.on_device.push_back(edit);
    edits.waiting.pop_front();
    ++edits.sent;
  }
}

void log_edits(Edits& edits, const State& state, std::uint32_t applied) {
  for (; edits.applied < applied; ++edits.applied) {
    Edit edit = edits.on_device.front();
    edits.on_device.pop_front();
    edit.step = state.edit_step.mapped()[edits.applied % gpu::kEditRing];
    edits.log.push_back(edit);
  }
}

}  // namespace sluice
