#include "engine/rigid_state.h"

#include <algorithm>
#include <iterator>

#include "engine/tensor.h"

namespace sluice {
namespace {

using gpu::kChunk;
using gpu::kGroup;
using gpu::kPartChunks;

std::uint64_t groups_of(std::uint64_t count, std::uint64_t size) { return (count + size - 1) / size; }

// A fluid particle next to a sample lies within 2h of it; so many find room around one [kissing shells of a lattice].
constexpr std::uint64_t kFluidAroundSample = 64;

constexpr std::uint32_t kNoShape = ~std::uint32_t{0};
const RigidShape& shape_of(const Scene& scene, const RigidBody& body) {
  static const RigidShape none;
  return body.shape == kNoShape ? none : scene.shapes[body.shape];
}

// Whether all that rigid bodies touch has one coefficient, their own: then no pass need look at pairs.
bool has_one_friction(const Scene& scene) {
  if (scene.rigid.empty()) return true;
  const double friction = scene.rigid[0].friction;
  const bool same =
      std::all_of(scene.rigid.begin(), scene.rigid.end(), [&](const RigidBody& b) { return b.friction == friction; }) &&
      std::all_of(scene.bodies.begin(), scene.bodies.end(),
                  [&](const Body& b) { return b.friction.value_or(friction) == friction; });
  return same && scene.pairs.empty();
}

// The body, as the device sees it, that has a boundary's carriers.
RigidBody held_body(const Scene& scene, const Carriers& carriers) {
  const Body& boundary = scene.bodies[carriers.boundary];
  RigidBody body;
  body.shape = kNoShape;
  body.position = carriers.center;
  // Where all coefficients are one, rows read their own body's.
  body.friction = boundary.friction.value_or(has_one_friction(scene) ? scene.rigid[0].friction : -1);
  body.friction_class = boundary.friction_class;
  body.restitution = boundary.restitution;
  body.gravity_scale = 0;
  body.free_translation = {false, false, false};
  body.turning = Turning::none;
  return body;
}

std::uint64_t chunks_of(const Scene& scene, const RigidBody& body) {
  return groups_of(scene.shapes[body.shape].samples.size(), kChunk);
}

// Any where the body has none to turn about: nothing reads it then.
Vec3 unit_axis(const RigidBody& body) {
  return body.turning == Turning::about_axis ? 1 / length(body.axis) * body.axis : Vec3{0, 1, 0};
}

gpu::RigidBody make_body(const Scene& scene, const RigidBody& body, const Units& units) {
  const double moment = units.mass() * units.length * units.length;
  const Tensor inertia = scaled(body.inertia, 1 / moment);
  const Tensor inverted = inverse(inertia);
  const double mass = body.mass / units.mass();
  double radius = 0;
  for (const RigidSample& s : shape_of(scene, body).samples) radius = std::max(radius, length(s.position));
  const auto inverse_mass = [&](int axis) { return body.free_translation[axis] ? 1 / mass : 0.0; };
  const float turning = body.turning == Turning::free         ? gpu::kTurnFree
                        : body.turning == Turning::about_axis ? gpu::kTurnAxis
                                                              : gpu::kTurnNone;
  const double response = largest_eigenvalue(inverted);
  gpu::RigidBody out{};
  out.inverse_mass = packed({inverse_mass(0), inverse_mass(1), inverse_mass(2)}, mass);
  out.inertia_diagonal = packed({inertia.xx, inertia.yy, inertia.zz}, body.gravity_scale);
  out.inertia_mixed = packed({inertia.xy, inertia.xz, inertia.yz}, radius / units.length);
  out.inverse_diagonal = packed({inverted.xx, inverted.yy, inverted.zz}, body.friction);
  out.inverse_mixed = packed({inverted.xy, inverted.xz, inverted.yz}, turning);
  out.force = packed(1 / units.force() * body.force, body.restitution);
  out.torque = packed(1 / (units.force() * units.length) * body.torque, body.friction_class);
  out.axis = packed(unit_axis(body), response);
  const Revolution& round = shape_of(scene, body).round;
  out.round_axis = packed(round.axis, rolls(scene.solver) ? roundness(round) : gpu::kRoundNone);
  double side = 0;  // of its samples from the axis
  for (const RigidSample& s : shape_of(scene, body).samples)
    side = std::max(side, length(cross(round.axis, s.position - round.center)));
  out.round_center = packed(1 / units.length * round.center, side / units.length);
  return out;
}

gpu::RigidState make_state(const RigidBody& body, const Units& units) {
  const FixedPoint fixed = to_fixed(units, body.position);
  const double moment = units.mass() * units.length * units.length;
  Vec3 spin = units.time * body.angular_velocity;
  const Vec3 axis = unit_axis(body);
  if (body.turning == Turning::none) spin = {};
  if (body.turning == Turning::about_axis) spin = dot(spin, axis) * axis;
  const Quat q = body.orientation;
  const Quat back{q.w, -q.x, -q.y, -q.z};
  Vec3 momentum = rotate(q, times(scaled(body.inertia, 1 / moment), rotate(back, spin)));
  if (body.turning == Turning::about_axis) momentum = dot(momentum, axis) * axis;
  gpu::RigidState out{};
  out.position = {fixed.position[0], fixed.position[1], fixed.position[2], 0};
  out.low = {0, 0, 0, pack_low_word(fixed.wraps, 0)};
  out.orientation = packed({q.x, q.y, q.z}, q.w);
  const auto free = [&](int axis, double speed) { return body.free_translation[axis] ? speed : 0.0; };
  const Vec3 v = body.velocity;
  out.sample_orientation = out.orientation;
  out.velocity = packed(1 / units.velocity() * Vec3{free(0, v.x), free(1, v.y), free(2, v.z)});
  out.spin = packed(spin);
  out.angular_momentum = packed(momentum);
  return out;
}

// Whether any two bodies rebound, so that passes look at pairs.
bool rebounds(const Scene& scene) {
  const auto rebounds_alone = [](const auto& b) { return b.restitution > 0; };
  return std::any_of(scene.rigid.begin(), scene.rigid.end(), rebounds_alone) ||
         std::any_of(scene.bodies.begin(), scene.bodies.end(), rebounds_alone) ||
         std::any_of(scene.pairs.begin(), scene.pairs.end(),
                     [](const FrictionPair& pair) { return pair.restitution.value_or(0) > 0; });
}

}  // namespace

void set_pairs(const Scene& scene, gpu::Params& p) {
  const bool paper = scene.solver.mode == SolverMode::paper;
  p.own_friction = paper || has_one_friction(scene) ? 1 : 0;
  p.restitution = !paper && rebounds(scene) ? 1 : 0;
  const auto set = [](gpu::vec4* table, std::uint32_t a, std::uint32_t b, double value) {
    const std::uint32_t place = a * gpu::kFrictionClasses + b;
    gpu::vec4& four = table[place / 4];
    (place % 4 == 0 ? four.x : place % 4 == 1 ? four.y : place % 4 == 2 ? four.z : four.w) = static_cast<float>(value);
  };
  for (gpu::vec4* table : {p.pair_friction, p.pair_restitution})
    std::fill_n(table, gpu::kFrictionClasses * gpu::kFrictionClasses / 4, gpu::vec4{-1, -1, -1, -1});
  for (const FrictionPair& pair : scene.pairs) {
    set(p.pair_friction, pair.a, pair.b, pair.friction);
    set(p.pair_friction, pair.b, pair.a, pair.friction);
    set(p.pair_restitution, pair.a, pair.b, pair.restitution.value_or(-1));
    set(p.pair_restitution, pair.b, pair.a, pair.restitution.value_or(-1));
  }
}

bool rolls(const SolverSettings& solver) { return solver.mode == SolverMode::robust && solver.slip == Slip::midpoint; }

float roundness(const Revolution& round) {
  return round.kind == Roundness::ball   ? gpu::kRoundBall
         : round.kind == Roundness::axis ? gpu::kRoundAxis
                                         : gpu::kRoundNone;
}

RigidSizes rigid_sizes(const Scene& scene, std::uint64_t fluid, bool any_body_may_move) {
  RigidSizes s;
  s.bodies = scene.rigid.size();
  s.carriers = find_carriers(scene, any_body_may_move);
  for (const RigidBody& body : scene.rigid) {
    const std::uint64_t chunks = chunks_of(scene, body);
    s.chunks += chunks;
    s.parts += groups_of(chunks, kPartChunks);
  }
  s.body_chunks = s.chunks;
  for (const RigidShape& shape : scene.shapes) s.shape_samples += shape.samples.size();
  for (const Carriers& carriers : s.carriers) {
    const std::uint64_t chunks = groups_of(carriers.samples.size(), kChunk);
    s.chunks += chunks;
    s.parts += groups_of(chunks, kPartChunks);
    s.shape_samples += carriers.samples.size();
  }
  s.samples = s.chunks * kChunk;
  s.coupled = std::min(fluid, kFluidAroundSample * s.samples);
  s.body_groups = groups_of(s.bodies, kGroup);
  s.sample_groups = groups_of(s.samples, kGroup);
  s.coupled_groups = groups_of(s.coupled, kGroup);
  return s;
}

RigidTables rigid_tables(const Scene& scene, const Units& units, const RigidSizes& s) {
  RigidTables t;
  std::vector<std::uint64_t> shape_first;
  t.shapes.reserve(s.shape_samples);
  for (const RigidShape& shape : scene.shapes) {
    shape_first.push_back(t.shapes.size());
    for (const RigidSample& sample : shape.samples)
      t.shapes.push_back(packed(1 / units.length * sample.position, sample.rest_volume));
  }
  // Appends a body whose samples have rows [first, first + count) of the shape table.
  const auto add_body = [&](gpu::RigidBody record, const gpu::RigidState& state, std::uint64_t first,
                            std::uint64_t samples, std::uint32_t kind) {
    const auto b = static_cast<std::uint32_t>(t.bodies.size());
    const auto count = static_cast<std::uint32_t>(samples);
    const auto body_chunks = static_cast<std::uint32_t>(groups_of(samples, kChunk));
    const auto first_chunk = static_cast<std::uint32_t>(t.chunks.size());
    record.first_chunk = first_chunk;
    record.chunks = body_chunks;
    record.first_part = static_cast<std::uint32_t>(t.parts.size());
    for (std::uint32_t c = 0; c < body_chunks; ++c) {
      t.chunks.push_back({b, static_cast<std::uint32_t>(first) + c * kChunk, std::min(count - c * kChunk, kChunk),
                          first_chunk * kChunk, body_chunks * kChunk, 0,
                          1,  // a stored state may hold unknowns of any sample
                          record.first_part + c / kPartChunks, 0, kind});
      if (c % kPartChunks == 0) t.parts.push_back({first_chunk + c, std::min(body_chunks - c, kPartChunks)});
    }
    record.parts = static_cast<std::uint32_t>(t.parts.size()) - record.first_part;
    t.bodies.push_back(record);
    t.states.push_back(state);
  };
  for (const RigidBody& body : scene.rigid) {
    const bool fixed = has_fixed_rows(scene.solver) && !can_move(body);
    add_body(make_body(scene, body, units), make_state(body, units), shape_first[body.shape],
             scene.shapes[body.shape].samples.size(), fixed ? gpu::kChunkFixed : gpu::kChunkMoves);
  }
  for (const Carriers& carriers : s.carriers) {
    const std::uint64_t first = t.shapes.size();
    for (const RigidSample& sample : carriers.samples)
      t.shapes.push_back(packed(1 / units.length * sample.position, sample.rest_volume));
    const RigidBody body = held_body(scene, carriers);
    gpu::RigidBody record = make_body(scene, body, units);
    record.boundary = carriers.boundary;
    add_body(record, make_state(body, units), first, carriers.samples.size(), gpu::kChunkCarriers);
  }
  return t;
}

}  // namespace sluice
