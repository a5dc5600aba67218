#include "engine/frame.h"

#include <algorithm>
#include <bit>

namespace sluice {
namespace {

struct Hash {
  std::uint64_t value = 14695981039346656037ull;
  void add(std::uint32_t word) {
    for (int byte = 0; byte < 4; ++byte) {
      value ^= (word >> (8 * byte)) & 0xff;
      value *= 1099511628211ull;
    }
  }
  void add(float number) { add(std::bit_cast<std::uint32_t>(number)); }
  void add(const gpu::uvec4& position, const gpu::uvec4& low) {
    for (const std::uint32_t word : {position.x, position.y, position.z, low.x, low.y, low.z}) add(word);
    for (const std::int32_t wraps : unpack_wraps(low.w)) add(static_cast<std::uint32_t>(wraps));
  }
};

Vec3 to_vec(const gpu::vec4& v) { return {v.x, v.y, v.z}; }
Quat to_quat(const gpu::vec4& q) { return {q.w, q.x, q.y, q.z}; }

constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};

// Where each of `ids` ids lies in the device's order; kNoPlace for a particle that was taken out.
std::vector<std::uint32_t> places_by_id(const std::vector<gpu::uvec4>& velocity, std::uint64_t ids) {
  std::vector<std::uint32_t> places(ids, kNoPlace);
  for (std::uint32_t i = 0; i < velocity.size(); ++i) {
    const std::uint32_t id = velocity[i].w;
    need_index(id, ids, "particle");
    if (places[id] != kNoPlace)
      throw DeviceError("the device handed back particle " + std::to_string(id) +
                        " twice: its memory or driver is faulty; start again from the last frame, or use another "
                        "device");
    places[id] = i;
  }
  return places;
}

// Only a search for neighbours that found room for all of them is followed by densities of its order.
bool densities_follow(const gpu::Control& c) {
  return c.phase != gpu::kPhaseCapacity && c.failure != gpu::kFailureCrowded;
}

void read_fluid(const State& s, const std::vector<FluidMaterial>& materials, double pressure_unit, bool with_densities,
                Frame& frame) {
  const std::uint64_t n = particles_in(s);
  const auto position = download(s.device, s.stored_position, n);
  const auto low = download(s.device, s.stored_low, n);
  const auto velocity = download(s.device, s.stored_velocity, n);
  const auto sorted_velocity = download(s.device, s.velocity, n);
  const auto acceleration = download(s.device, s.acceleration, n);
  const std::vector<std::uint32_t> place = places_by_id(velocity, s.sizes.particles),
                                   sorted_place = places_by_id(sorted_velocity, s.sizes.particles);
  frame.position.resize(n);
  frame.velocity.resize(n);
  frame.density.resize(n);
  frame.pressure.resize(n);
  frame.id.resize(n);
  frame.material.resize(n);
  for (std::uint32_t id = 0, r = 0; id < place.size(); ++id) {
    const std::uint32_t i = place[id];
    if (i == kNoPlace) continue;
    const Vec3 x = to_metres(s.units, position[i], low[i]);
    frame.position[r] = {x.x, x.y, x.z};
    const auto speed = [&](std::uint32_t bits) {
      return static_cast<float>(std::bit_cast<float>(bits) * s.units.velocity());
    };
    frame.velocity[r] = {speed(velocity[i].x), speed(velocity[i].y), speed(velocity[i].z)};
    frame.id[r] = id;
    const std::uint32_t material = unpack_material(low[i].w);
    need_index(material, materials.size(), "material");
    frame.material[r] = material;
    frame.pressure[r] = static_cast<float>(std::bit_cast<float>(position[i].w) * pressure_unit);
    const std::uint32_t sorted = sorted_place[id];
    const float share = with_densities && sorted != kNoPlace ? acceleration[sorted].w : 1.0f;  // V0 / V
    frame.density[r++] = static_cast<float>(share * materials[material].density);
  }
}

// From a body's centre to a sample, h: of a round body the samples have an orientation of their own.
Vec3 round_arm(const gpu::vec4& orientation, const gpu::vec4& of_samples, float kind, const gpu::vec4& round_center,
               Vec3 place) {
  if (kind == gpu::kRoundNone) return rotate(to_quat(orientation), place);
  const Vec3 center = to_vec(round_center);
  return rotate(to_quat(orientation), center) + rotate(to_quat(of_samples), place - center);
}

// From the bodies' poses: the device places the samples of moving bodies only as the next step begins.
void read_boundary(const State& s, Frame& frame) {
  const auto boundary = download(s.device, s.boundary_source, s.sizes.boundary);
  const auto bodies = download(s.device, s.boundary_body, s.sizes.bodies);
  frame.boundary.reserve(boundary.size());
  for (const gpu::uvec4& sample : boundary) {
    need_index(sample.w >> 16, bodies.size(), "boundary");
    const gpu::BodyState& body = bodies[sample.w >> 16];
    Vec3 x;
    if (body.velocity.w != 0) {
      const Vec3 arm{std::bit_cast<float>(sample.x), std::bit_cast<float>(sample.y), std::bit_cast<float>(sample.z)};
      x = to_metres(s.units, body.position, body.low) +
          s.units.length *
              round_arm(body.orientation, body.sample_orientation, body.round_axis.w, body.round_center, arm);
    } else {
      // Wraps of static samples are not stored; a scene is right up to 4096 cells wide.
      x = to_metres(s.units, sample, {0, 0, 0, 0});
    }
    frame.boundary.push_back({x.x, x.y, x.z});
  }
}

// `force_unit` turns dt^2 F into newtons.
void read_bodies(const State& s, double force_unit, double pressure_unit, Frame& frame) {
  const Units& units = s.units;
  const std::uint64_t n = s.sizes.rigid.bodies;
  if (n == 0) return;
  const auto states = download(s.device, s.rigid_state, n);
  const auto records = download(s.device, s.rigid_body, n);
  const auto steps = download(s.device, s.rigid_step, n);
  const auto sums = download(s.device, s.body_sum, n);
  const auto drag = download(s.device, s.body_drag, n);
  for (std::uint64_t b = 0; b < n; ++b) {
    BodyRecord body;
    body.position = to_metres(units, states[b].position, states[b].low);
    body.orientation = to_quat(states[b].orientation);
    body.velocity = units.velocity() * to_vec(states[b].velocity);
    body.angular_velocity = 1 / units.time * to_vec(states[b].spin);
    body.contact_force = force_unit * to_vec(sums[b].contact_force);
    body.contact_torque = force_unit * units.length * to_vec(sums[b].contact_torque);
    body.fluid_force = force_unit * to_vec(sums[b].fluid_force) + units.force() * to_vec(drag[b].fluid_force);
    body.fluid_torque =
        units.length * (force_unit * to_vec(sums[b].fluid_torque) + units.force() * to_vec(drag[b].fluid_torque));
    const float contacts = steps[b].spin.w;
    body.contacts = contacts >= 0 && contacts <= kMaxSceneParticles ? static_cast<std::uint32_t>(contacts) : 0;
    body.left = states[b].velocity.w != 0;
    frame.bodies.push_back(body);
  }
  const auto chunks = download(s.device, s.chunk, s.sizes.rigid.body_chunks);
  const auto shapes = download(s.device, s.shape_sample, s.sizes.rigid.shape_samples);
  const auto solve = download(s.device, s.sample_solve, s.sizes.rigid.body_chunks * gpu::kChunk);
  const auto rows = download(s.device, s.sample_row, s.sizes.rigid.body_chunks * gpu::kChunk);
  for (std::uint64_t c = 0; c < chunks.size(); ++c) {
    need_index(chunks[c].body, n, "rigid body");
    need_index(chunks[c].count, gpu::kChunk + 1, "a count of samples,");
    need_index(std::uint64_t{chunks[c].first} + chunks[c].count, shapes.size() + 1, "a run of samples to");
    const BodyRecord& body = frame.bodies[chunks[c].body];
    for (std::uint32_t lane = 0; lane < chunks[c].count; ++lane) {
      const std::uint32_t b = chunks[c].body;
      const Vec3 arm = round_arm(states[b].orientation, states[b].sample_orientation, records[b].round_axis.w,
                                 records[b].round_center, to_vec(shapes[chunks[c].first + lane]));
      const Vec3 x = body.position + units.length * arm;
      const gpu::vec4& value = solve[c * gpu::kChunk + lane].value;
      const auto force = [&](float lambda) { return static_cast<float>(lambda * force_unit); };
      frame.sample_position.push_back({x.x, x.y, x.z});
      frame.sample_pressure.push_back(static_cast<float>(value.w * pressure_unit));
      frame.sample_friction.push_back({force(value.x), force(value.y), force(value.z)});
      const float limit = rows[c * gpu::kChunk + lane].volume.y * value.w;
      const auto used = static_cast<float>(length(to_vec(value)) / limit);
      frame.sample_friction_used.push_back(limit > 0 ? std::min(used, 1.0f) : 0.0f);
      frame.sample_body.push_back(chunks[c].body);
    }
  }
}

}  // namespace

void need_index(std::uint64_t index, std::uint64_t count, const char* kind) {
  if (index < count) return;
  throw DeviceError("the device handed back " + std::string(kind) + " " + std::to_string(index) + " of " +
                    std::to_string(count) +
                    ", which does not exist: its memory or driver is faulty; start again from the last frame, or use "
                    "another device");
}

std::uint64_t hash_of(const State& s) {
  const std::uint64_t n = particles_in(s);
  const auto position = download(s.device, s.stored_position, n);
  const auto low = download(s.device, s.stored_low, n);
  const auto velocity = download(s.device, s.stored_velocity, n);
  const std::vector<std::uint32_t> by_id = places_by_id(velocity, s.sizes.particles);
  Hash hash;
  for (std::uint32_t id = 0; id < by_id.size(); ++id) {
    const std::uint32_t i = by_id[id];
    if (i == kNoPlace) continue;
    hash.add(id);
    hash.add(position[i], low[i]);
    for (const std::uint32_t word : {velocity[i].x, velocity[i].y, velocity[i].z}) hash.add(word);
  }
  const auto add = [&](const gpu::vec4& v) {
    for (const float number : {v.x, v.y, v.z, v.w}) hash.add(number);
  };
  // Orientation of the samples, only where they do not turn with the body.
  const auto add_orientations = [&](const gpu::vec4& q, const gpu::vec4& of_samples) {
    add(q);
    if (q.x != of_samples.x || q.y != of_samples.y || q.z != of_samples.z || q.w != of_samples.w) add(of_samples);
  };
  for (const gpu::BodyState& body : download(s.device, s.boundary_body, s.sizes.bodies)) {
    hash.add(body.position, body.low);
    add_orientations(body.orientation, body.sample_orientation);
  }
  for (const gpu::RigidState& body : download(s.device, s.rigid_state, s.sizes.rigid.bodies)) {
    hash.add(body.position, body.low);
    add_orientations(body.orientation, body.sample_orientation);
    for (const gpu::vec4& v : {body.velocity, body.spin, body.angular_momentum}) add(v);
  }
  return hash.value;
}

Frame frame_of(const State& state, const std::vector<FluidMaterial>& materials, const gpu::Control& control) {
  const Units& u = state.units;
  const double dt = control.last_tau * u.time;
  const double pressure_unit = u.density * u.length * u.length / (dt * dt);
  Frame frame;
  read_fluid(state, materials, pressure_unit, densities_follow(control), frame);
  read_boundary(state, frame);
  read_bodies(state, pressure_unit * u.length * u.length, pressure_unit, frame);
  frame.state_hash = hash_of(state);
  return frame;
}

}  // namespace sluice
