#include "tests/rigid_rig.h"

#include <algorithm>
#include <bit>

#include "tests/reference/kernel.h"

namespace sluice::tests {
namespace {

// Symmetric tensors lie as their diagonal and (xy, xz, yz).
reference::Mat3 to_tensor(const gpu::vec4& d, const gpu::vec4& m) {
  return {{Vec3{d.x, m.x, m.y}, Vec3{m.x, d.y, m.z}, Vec3{m.y, m.z, d.z}}};
}

reference::BodyState to_body(const gpu::RigidBody& body, const gpu::RigidState& state) {
  reference::BodyState s;
  s.mass = body.inverse_mass.w;
  s.inertia = to_tensor(body.inertia_diagonal, body.inertia_mixed);
  s.inverse_inertia = to_tensor(body.inverse_diagonal, body.inverse_mixed);
  s.friction = body.inverse_diagonal.w;
  s.friction_class = static_cast<std::uint32_t>(body.torque.w);
  s.restitution = body.force.w;
  s.gravity_scale = body.inertia_diagonal.w;
  s.force = to_vec(body.force);
  s.torque = to_vec(body.torque);
  s.free_translation = {body.inverse_mass.x > 0, body.inverse_mass.y > 0, body.inverse_mass.z > 0};
  const float turning = body.inverse_mixed.w;
  s.turning = turning == gpu::kTurnFree   ? Turning::free
              : turning == gpu::kTurnAxis ? Turning::about_axis
                                          : Turning::none;
  s.axis = to_vec(body.axis);
  s.position = position_in_h(state.position, state.low.w);
  s.orientation = {state.orientation.w, state.orientation.x, state.orientation.y, state.orientation.z};
  const gpu::vec4& q = state.sample_orientation;
  s.sample_orientation = {q.w, q.x, q.y, q.z};
  s.round = {body.round_axis.w == gpu::kRoundBall   ? Roundness::ball
             : body.round_axis.w == gpu::kRoundAxis ? Roundness::axis
                                                    : Roundness::none,
             to_vec(body.round_axis), to_vec(body.round_center)};
  s.round_side = body.round_center.w;
  s.velocity = to_vec(state.velocity);
  s.angular_velocity = to_vec(state.spin);
  s.angular_momentum = to_vec(state.angular_momentum);
  // Whatever bound of the response to torque the device has for its drag limit.
  s.smallest_inertia = s.turning == Turning::none ? 1e30 : 1.0 / body.axis.w;
  return s;
}

void append(reference::Rows& rows, const std::vector<std::uint32_t>& row) {
  rows.index.insert(rows.index.end(), row.begin(), row.end());
  rows.start.push_back(static_cast<std::uint32_t>(rows.index.size()));
}

}  // namespace

RigidRig::RigidRig(Gpu& gpu, const Scene& scene, const SimulationOptions& options, std::uint32_t interleave)
    : Rig(gpu, scene, options, interleave) {
  tick(0);
  begun = control();
  REQUIRE(begun.phase == gpu::kPhaseSolve);
  before = fluid();
  walls = boundary();
  const RigidSizes& sizes = state.sizes.rigid;
  states = vulkan::download(device, state.rigid_state, sizes.bodies + sizes.carriers.size());
  body_records = vulkan::download(device, state.rigid_body, sizes.bodies + sizes.carriers.size());
  for (std::size_t b = 0; b < states.size(); ++b) {
    system.bodies.push_back(to_body(body_records[b], states[b]));
    system.bodies.back().driven = b >= sizes.bodies;
  }
  const auto chunks = vulkan::download(device, state.chunk, sizes.chunks);
  const auto shapes = vulkan::download(device, state.shape_sample, sizes.shape_samples);
  const auto placed = vulkan::download(device, state.rigid_sample, sizes.samples);
  const double gamma = state.params_host.gamma;
  sample_at.assign(placed.size(), gpu::kNoBody);
  for (std::uint32_t i = 0; i < placed.size(); ++i) {
    const gpu::Chunk& chunk = chunks[i / gpu::kChunk];
    if (i % gpu::kChunk >= chunk.count) continue;
    sample_at[i] = samples();
    lane.push_back(i);
    const gpu::vec4& shape = shapes[chunk.first + i % gpu::kChunk];
    system.samples.body.push_back(chunk.body);
    system.samples.local.push_back(to_vec(shape));
    system.samples.rest_volume.push_back(shape.w);
    system.samples.own_sum.push_back(gamma / shape.w);
    system.position.push_back(position_in_h(placed[i], 0));
    system.arm.push_back(system.position.back() - position_in_h(states[chunk.body].position, 0));
    system.fluid_weight.push_back((placed[i].w >> gpu::kBodyBits) / 2048.0);
    if (chunk.kind == gpu::kChunkCarriers) ++system.samples.carriers;
  }
  system.boundary_position = walls.position;
  system.boundary_weight = walls.weight;
  for (const double w : walls.weight) system.boundary_volume.push_back(w / gamma);

  const auto to_samples = [&](std::vector<std::uint32_t> row) {
    for (std::uint32_t& j : row) j = sample_at.at(j);
    return row;
  };
  reference::Rows rigid, bounds, coupled;
  const std::vector<FoundRow> found = sample_rows();
  for (const std::uint32_t i : lane) {
    append(rigid, to_samples(found[i].rigid));
    append(bounds, found[i].boundary);
  }
  for (const FoundRow& row : rows()) append(coupled, to_samples(row.rigid));
  system.rigid_rigid = reference::make_pairs(rigid, system.position, system.position);
  system.rigid_boundary = reference::make_pairs(bounds, system.position, walls.position);
  system.fluid_rigid = reference::make_pairs(coupled, before.position, system.position);
  reference::compute_particle_levers(system, before.position);

  fluid_rows = neighbors();
  system.fluid.rows = fluid_rows.fluid;
  system.fluid.gradient = reference::pair_gradients(before, fluid_rows.fluid);
  system.fluid.mass = before.mass;
  for (const gpu::vec4& w : vulkan::download(device, state.wall, particles()))
    system.fluid.grad_boundary.push_back(to_vec(w));
  for (const gpu::vec4& s : vulkan::download(device, state.solve, particles())) {
    system.fluid.source.push_back(s.x);
    system.fluid.diagonal.push_back(s.y);
  }
  system.slip = scene.solver.slip;
  system.fixed_rows = state.params_host.fixed_rows != 0;
  system.load_sharing = state.params_host.load_sharing;
  const auto records = vulkan::download(device, state.sample_row, sizes.samples);
  if (scene.solver.contact_weights) {
    // The device's own, good to a few roundings: test_rigid_passes compares them.
    coverages = reference::face_coverages(system, scene.solver.gamma);
    auto found = coverages;
    for (std::uint32_t s = 0; s < samples(); ++s) {
      if (length(found[s].normal) == 0) continue;
      const gpu::SampleRow& record = records[lane[s]];
      found[s] = {to_vec(record.face), 2 / (system.samples.rest_volume[s] * record.volume.z), record.face.w > 0};
    }
    reference::weigh_contacts(system, found);
  }
  reference::compute_volumes(system);
  system.friction_rules = reference::friction_rules(scene);
  system.friction_rules.boundary.clear();  // the device has sorted the samples
  for (const gpu::uvec4& sample : vulkan::download(device, state.boundary, state.sizes.boundary))
    system.friction_rules.boundary.push_back(scene.bodies[sample.w >> 16]);
  reference::compute_friction(system);
  if (state.params_host.round == 0) return;
  // Where round bodies' pairs act depends on the normal, and the more, the larger they are.
  for (std::uint32_t s = 0; s < samples(); ++s)
    if (system.foreign_sum[s] > 0) system.toward[s] = to_vec(records[lane[s]].toward);
  reference::compute_levers(system);
}

void RigidRig::take_device_volumes() {
  const auto records = vulkan::download(device, state.sample_row, state.sizes.rigid.samples);
  const auto velocity = vulkan::download(device, state.sample_velocity, state.sizes.rigid.samples);
  system.pressure_source.assign(samples(), 0);
  system.friction_source.assign(samples(), {});
  system.overlap.assign(samples(), 0);
  const gpu::Params& p = state.params_host;
  const double speed = 0.1 * p.overlap_speed;
  system.penetration_cap = speed > 0 ? std::max(10.0 * begun.tolerance, speed * tau()) : 1e9;
  system.sharing_factor = std::max(1.0, p.contact_time_squared / (tau() * tau()));
  for (std::uint32_t r = 0; r < samples(); ++r) {
    if (system.foreign_sum[r] == 0) continue;  // perhaps in no contact chunk: the device has not written its record
    const gpu::SampleRow& record = records[lane[r]];
    const Vec3 gradient = to_vec(record.contact);
    const double v0 = system.samples.rest_volume[r];
    system.volume[r] = velocity[lane[r]].w;
    system.mirror_volume[r] = record.arm.w;
    system.normal_force[r] = -v0 * v0 * gradient;
    const Vec3 n = to_vec(record.face);
    system.normal[r] = n;
    system.pressure_source[r] = record.slide.w;
    system.overlap[r] = record.turning.w;
    system.friction_source[r] = to_vec(record.slide) - dot(to_vec(record.slide), n) * n;
  }
  reference::compute_friction(system);
}

void RigidRig::set_multipliers(const reference::Multipliers& x) {
  const auto records = vulkan::download(device, state.sample_row, sample_at.size());
  std::vector<gpu::SampleSolve> solve(sample_at.size());
  std::vector<gpu::vec4> load(sample_at.size());
  for (std::uint32_t s = 0; s < samples(); ++s) {
    const Vec3 lambda = x.friction[s];
    const float p = static_cast<float>(x.rigid_pressure[s]);
    const float v0 = static_cast<float>(system.samples.rest_volume[s]), inverse_sum = records[lane[s]].arm.w;
    const gpu::vec4 value{float(lambda.x), float(lambda.y), float(lambda.z), p};
    if (lambda.x == 0 && lambda.y == 0 && lambda.z == 0 && p == 0) continue;
    solve[lane[s]].value = value;
    const float scale = records[lane[s]].volume.z;
    const Vec3 along = lambda + v0 * v0 * p * reference::face_tilt(system, s);
    load[lane[s]] = {float(inverse_sum * along.x), float(inverse_sum * along.y), float(inverse_sum * along.z),
                     (records[lane[s]].face.w > 0 ? -1 : 1) * v0 * v0 * scale * p};
  }
  vulkan::upload<gpu::SampleSolve>(device, state.sample_solve, solve);
  vulkan::upload<gpu::vec4>(device, state.sample_load, load);
  auto position = vulkan::download(device, state.position, particles());
  for (std::uint32_t i = 0; i < particles(); ++i)
    position[i].w = std::bit_cast<std::uint32_t>(static_cast<float>(x.fluid_pressure[i]));
  vulkan::upload<gpu::uvec4>(device, state.position, position);
}

void RigidRig::iterate() {
  gpu::Control c = begun;
  c.tolerance = -1;
  set_control(c);
  tick(1);
}

void RigidRig::end_step() {
  gpu::Control c = begun;
  c.tolerance = -1;
  c.iteration = state.params_host.max_iterations;
  set_control(c);
  tick(1);
}

reference::Multipliers random_multipliers(const RigidRig& rig, std::uint64_t seed) {
  const reference::RigidSystem& s = rig.system;
  const auto as_float = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  // Errors of a few percent: bodies move by a few h at most, whatever their mass.
  const auto pressure = [&](double random, double diagonal) {
    return random < 0.33 || diagonal <= 0 ? 0.0 : as_float(0.05 * random / diagonal);
  };
  Random random{seed};
  reference::Multipliers x = reference::zero_multipliers(s);
  for (std::size_t f = 0; f < x.fluid_pressure.size(); ++f) {
    double diagonal = s.fluid.diagonal[f];
    for (auto m = s.fluid_diagonal.start[f]; m < s.fluid_diagonal.start[f + 1]; ++m)
      diagonal += s.fluid_diagonal.part[m].pressure;
    x.fluid_pressure[f] = pressure(random.next(), diagonal);
  }
  for (std::size_t r = 0; r < x.rigid_pressure.size(); ++r) {
    if (!s.pressure_on[r]) continue;
    double diagonal = 0;
    for (auto m = s.rigid_diagonal.start[r]; m < s.rigid_diagonal.start[r + 1]; ++m)
      diagonal += s.rigid_diagonal.part[m].pressure;
    // A weak contact's own displacement would be the larger, the smaller its gradient is.
    const double v0 = s.samples.rest_volume[r], weak = std::min(1.0, length(s.normal_force[r]) / v0);
    const double p = x.rigid_pressure[r] = as_float(weak * pressure(random.next(), diagonal));
    const double radius = s.friction[r] * p * reference::normal_load(s, r);
    const Vec3 lambda = reference::cone(s, r, p, 3 * radius * random.next_vec());
    x.friction[r] = {as_float(lambda.x), as_float(lambda.y), as_float(lambda.z)};
  }
  return x;
}

namespace {

constexpr double kSpacing = 0.02;  // m

Scene empty_scene(const std::string& name) {
  Scene scene;
  scene.name = name;
  scene.spacing = kSpacing;
  scene.time.max_step = 0.001;
  scene.materials = {{"water", 1000, 0.01}, {"oil", 700, 0.03}};
  return scene;
}

bool is_free(const Scene& scene, Vec3 x) {
  for (const RigidBody& body : scene.rigid) {
    const Quat q = body.orientation;
    const Vec3 local = 1 / kSpacing * rotate({q.w, -q.x, -q.y, -q.z}, x - body.position);
    Vec3 extent;
    for (const RigidSample& s : scene.shapes[body.shape].samples) {
      extent = {std::max(extent.x, s.position.x / kSpacing), std::max(extent.y, s.position.y / kSpacing),
                std::max(extent.z, s.position.z / kSpacing)};
    }
    if (std::fabs(local.x) < extent.x + 0.7 && std::fabs(local.y) < extent.y + 0.7 &&
        std::fabs(local.z) < extent.z + 0.7)
      return false;
  }
  return true;
}

// Jittered, moving particles of both materials around what is there.
void pour(Scene& scene, Vec3 low, Vec3 high) {
  Random random{11};
  for (double y = low.y; y < high.y; ++y) {
    for (double z = low.z; z < high.z; ++z) {
      for (double x = low.x; x < high.x; ++x) {
        FluidParticle particle;
        particle.position = kSpacing * (Vec3{x, y, z} + 0.3 * random.next_vec());
        particle.velocity = 0.6 * random.next_vec();
        particle.material = random.next() < 0.4 ? 1 : 0;
        if (is_free(scene, particle.position)) scene.fluid.push_back(particle);
      }
    }
  }
}

}  // namespace

Scene two_boxes(const std::string& name, bool with_fluid) {
  Scene scene = empty_scene(name);
  reference::add_floor(scene, 13, 13, {4, 0, 3});
  scene.bodies.push_back({"wall", kSpacing * Vec3{8.2, 3, 3}, {-0.3, 0.1, 0}, {6, 15, -30}, 0.2});
  scene.bodies[0].friction_class = 3;
  scene.pairs = {{3, 2, 0.15}};
  for (int y = 1; y < 8; ++y) {
    for (int z = -1; z < 8; ++z) scene.boundary.push_back({kSpacing * Vec3{8.2, double(y), double(z)}, 1.1, 1});
  }
  RigidBody& a = reference::add_box(scene, {4, 3, 5}, 600, {3.2, 2.0, 3.1});
  a.orientation = reference::turn_by({0.1, -0.2, 0.15});
  a.velocity = {0.4, -0.5, 0.1};
  a.angular_velocity = {3, -2, 5};
  a.friction = 0.4;
  a.friction_class = 1;
  RigidBody& b = reference::add_box(scene, {3, 6, 3}, 2500, {6.35, 3.3, 3.3});
  b.orientation = reference::turn_by({-0.1, 0.4, 0.08});
  b.velocity = {-0.3, -0.2, 0};
  b.angular_velocity = {-4, 6, 1};
  b.friction = 0.7;
  b.friction_class = 2;
  b.gravity_scale = 0.6;
  b.force = {0.5, -0.2, 0.3};
  b.torque = {0.002, 0.001, -0.003};
  if (with_fluid) pour(scene, {0, 1, -1}, {8, 7, 8});
  return scene;
}

namespace {

Scene alone() {
  Scene scene = empty_scene("alone");
  RigidBody& body = reference::add_box(scene, {3, 4, 6}, 1200, {1, 2, 3});
  body.velocity = {1, 2, -0.5};
  body.angular_velocity = {20, -30, 10};
  body.torque = {0.01, 0, 0.02};
  return scene;
}

Scene light_box() {
  Scene scene = empty_scene("light box");
  RigidBody& body = reference::add_box(scene, {3, 4, 3}, 5, {3, 3, 3});
  body.orientation = reference::turn_by({0.3, 0.2, 0.1});
  body.velocity = {0.5, -1, 0.2};
  body.angular_velocity = {10, 0, -20};
  pour(scene, {0, 0, 0}, {7, 7, 7});
  return scene;
}

}  // namespace

Scene crowd() {
  Scene scene = empty_scene("crowd");
  for (int n = 1; n <= 3; ++n) {
    RigidShape shape{.name = std::to_string(n) + " samples", .samples = {}};
    for (int k = 0; k < n; ++k)
      shape.samples.push_back({kSpacing * Vec3{k - 0.5 * (n - 1), 0.1 * k, 0}, 2.1 - 0.4 * n});
    scene.shapes.push_back(shape);
  }
  reference::add_floor(scene, 8, 8, {2.5, -0.6, 2.5});
  Random random{23};
  for (int k = 0; k < 60; ++k) {
    RigidBody& body = scene.rigid.emplace_back();
    body.name = std::to_string(k);
    body.shape = random.word() % 3;
    body.mass = 0.008 * (0.2 + 2 * random.next());
    const double moment = 0.3 * body.mass * kSpacing * kSpacing;
    body.inertia = {moment, 1.2 * moment, 0.8 * moment, 0.1 * moment, 0, -0.2 * moment};
    body.position = kSpacing * (5 * random.next_vec() + Vec3{2.5, 2.5, 2.5});
    body.orientation = reference::turn_by(5 * random.next_vec());
    body.velocity = 0.5 * random.next_vec();
    body.angular_velocity = 20 * random.next_vec();
  }
  Random drops{5};
  for (int k = 0; k < 60; ++k) {
    scene.fluid.push_back({kSpacing * (5 * drops.next_vec() + Vec3{2.5, 2.5, 2.5}), 0.4 * drops.next_vec(), k % 2u});
  }
  return scene;
}

namespace {

Scene held() {
  Scene scene = two_boxes("held", true);
  scene.rigid[0].turning = Turning::about_axis;
  scene.rigid[0].axis = {0.48, 0.6, -0.64};
  scene.rigid[0].free_translation = {true, false, true};
  scene.rigid[0].velocity.y = 0;
  scene.rigid[1].turning = Turning::none;
  scene.rigid[1].free_translation = {true, true, false};
  return scene;
}

// 1178 samples: two parts, the last chunk with padding.
Scene large_box() {
  Scene scene = empty_scene("large box");
  reference::add_floor(scene, 18, 18, {7, 0, 7}, 20);
  RigidBody& body = reference::add_box(scene, {15, 15, 15}, 800, {7, 8, 7});
  body.orientation = reference::turn_by({0.02, 0.3, -0.03});
  body.velocity = {0.2, -0.5, 0};
  body.angular_velocity = {1, -2, 1};
  pour(scene, {0, 14, 0}, {14, 17, 10});
  return scene;
}

}  // namespace

std::vector<Scene> all_rigid_scenes() {
  return {
      two_boxes("boxes in fluid", true), two_boxes("boxes", false), alone(), light_box(), crowd(), held(), large_box()};
}

PairBound pair_bound(Vec3 d) {
  const double q = length(d), slope = length(reference::kernel_gradient(d));
  return {12 * slope + 24 * reference::kernel(q), 6 * std::min(q, 2 - q) + 24 * slope};
}

std::vector<RowContact> contacts_of(const reference::RigidSystem& s, std::size_t r) {
  std::vector<RowContact> contacts;
  for (const bool rigid : {true, false}) {
    const reference::Pairs& pairs = rigid ? s.rigid_rigid : s.rigid_boundary;
    for (auto k = pairs.rows.start[r]; k < pairs.rows.start[r + 1]; ++k) {
      const auto j = pairs.rows.index[k];
      const Vec3 d = s.position[r] - (rigid ? s.position[j] : s.boundary_position[j]);
      const double weight = pairs.weight[k];
      PairBound bound = pair_bound(d);
      bound.gradient = weight * bound.gradient + 4 * length(pairs.gradient[k]);
      contacts.push_back({rigid, j, rigid ? s.samples.body[j] : gpu::kNoBody,
                          rigid ? s.volume[j] : s.boundary_volume[j], pairs.kernel[k], pairs.gradient[k], d, weight,
                          bound});
    }
  }
  return contacts;
}

double friction_bound(const reference::RigidSystem& s, std::size_t r) {
  double shares = 0, errors = 0, most = 0;
  for (const reference::BodyState& body : s.bodies) most = std::max(most, body.friction);
  const double size = length(s.normal_force[r]) / (s.samples.rest_volume[r] * s.samples.rest_volume[r]);
  for (const RowContact& c : contacts_of(s, r)) {
    shares += std::max(0.0, -dot(c.gradient, s.normal[r]));
    // The normal is the device's own, good to a few roundings.
    errors += c.bound.gradient + 16 * length(c.gradient);
  }
  return size > 0 && shares > 0 ? 8 * s.friction[r] + 2 * most * errors / shares : 0;
}

SlipWeight slip_weight(const reference::RigidSystem& s, std::size_t r, const RowContact& c) {
  if (s.slip == Slip::sample) return {c.volume * c.kernel, c.volume * c.bound.kernel};
  const double share = s.mirror_volume[r] * c.kernel;
  double sum_bound = 0;
  for (const RowContact& other : contacts_of(s, r)) sum_bound += other.bound.kernel;
  return {share, s.mirror_volume[r] * (c.bound.kernel + share * sum_bound) + 8 * share};
}

double inverse_moment(const reference::BodyState& body) {
  const reference::Mat3& m = body.inverse_inertia;
  return body.turning == Turning::none ? 0 : m.row[0].x + m.row[1].y + m.row[2].z;
}

void take_device_diagonals(RigidRig& rig) {
  reference::RigidSystem& s = rig.system;
  const auto records = by_sample(rig, rig.state.sample_row);
  for (std::size_t r = 0; r < s.position.size(); ++r) {
    s.pressure_on[r] = s.friction_on[r] = has_row(s, r);
    if (!has_row(s, r)) continue;
    const gpu::SampleRow& record = records[rig.lane[r]];
    for (auto m = s.rigid_diagonal.start[r]; m < s.rigid_diagonal.start[r + 1]; ++m) {
      const std::uint32_t slot = slot_of(record.body, s.rigid_diagonal.part[m].body);
      if (slot == 4) continue;
      s.rigid_diagonal.part[m].pressure = part_in(record.pressure, slot);
      s.rigid_diagonal.part[m].friction = part_in(record.friction, slot);
    }
    const gpu::vec4& slip = record.friction;
    s.pressure_compliance[r] = record.volume.w;
    s.friction_compliance[r] = s.load_sharing * (double(slip.x) + slip.y + slip.z + slip.w);
  }
}

}  // namespace sluice::tests
