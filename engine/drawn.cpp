#include "engine/drawn.h"

#include <algorithm>

namespace sluice {
namespace {

using gpu::kGroup;
using vulkan::Buffer;

std::uint32_t groups_of(std::uint64_t count) { return static_cast<std::uint32_t>((count + kGroup - 1) / kGroup); }

gpu::DrawUnits units_for(const Units& u, double frame_interval, Vec3 origin) {
  const FixedPoint fixed = to_fixed(u, origin);
  const auto wrap = [&](int axis) { return static_cast<std::uint32_t>(fixed.wraps[axis]); };
  gpu::DrawUnits out{};
  out.origin = {fixed.position[0], fixed.position[1], fixed.position[2], 0};
  out.origin_wraps = {wrap(0), wrap(1), wrap(2), 0};
  const double pressure = u.density * u.velocity() * u.velocity();
  out.spacing = static_cast<float>(u.length);
  out.velocity = static_cast<float>(u.velocity());
  out.density = static_cast<float>(u.density);
  out.pressure = static_cast<float>(pressure);
  out.force = static_cast<float>(pressure * u.length * u.length);
  out.time = static_cast<float>(u.time);
  out.frame_interval = static_cast<float>(frame_interval);
  return out;
}

template <typename T>
BufferView view_of(const Buffer<T>& buffer, VkFormat format, std::uint64_t count, std::uint32_t stride = sizeof(T)) {
  return {buffer.raw.handle(), 0, buffer.raw.address(), stride, format, count};
}

}  // namespace

std::uint64_t drawn_bytes(const Sizes& s) {
  if (!s.drawn) return 0;
  return s.particles * (2 * (2 * sizeof(gpu::vec4) + 4) + 4) + s.rigid.samples * (4 * sizeof(gpu::vec4) + 8) +
         (s.rigid.bodies + s.bodies) * 6 * sizeof(gpu::vec4);
}

Drawn::Drawn(State& s, const Scene& scene, Vec3 origin) {
  vulkan::Device& device = s.device;
  units = Buffer<gpu::DrawUnits>(device, 1);
  const gpu::DrawUnits unit_record = units_for(s.units, scene.time.frame_interval, origin);
  upload<gpu::DrawUnits>(device, units, {&unit_record, 1});

  std::vector<gpu::uint> material_of, places, body_of;
  std::vector<float> rest;
  for (const FluidParticle& p : scene.fluid) {
    material_of.push_back(p.material);
    rest.push_back(static_cast<float>(scene.materials[p.material].density));
  }
  for (std::uint32_t b = 0; b < scene.rigid.size(); ++b) {
    const std::size_t count = scene.shapes[scene.rigid[b].shape].samples.size();
    for (std::size_t k = 0; k < (count + gpu::kChunk - 1) / gpu::kChunk * gpu::kChunk; ++k) {
      places.push_back(k < count ? static_cast<gpu::uint>(body_of.size()) : gpu::kNoBody);
      if (k < count) body_of.push_back(b);
    }
  }
  places.resize(s.sizes.rigid.samples, gpu::kNoBody);  // carriers are not drawn
  material = Buffer<gpu::uint>(device, material_of.size());
  upload<gpu::uint>(device, material, material_of);
  sample_place = Buffer<gpu::uint>(device, places.size());
  upload<gpu::uint>(device, sample_place, places);
  sample_body = Buffer<gpu::uint>(device, body_of.size());
  upload<gpu::uint>(device, sample_body, body_of);

  // Nothing has been computed at the start: densities are those at rest, pressures zero.
  const std::vector<gpu::vec4> nothing(body_of.size(), gpu::vec4{});
  for (DrawnSide& side : sides) {
    side.header = Buffer<gpu::DrawnHeader>(device, 1);
    gpu::DrawnHeader header{};
    header.samples = static_cast<gpu::uint>(body_of.size());
    header.rigid_bodies = static_cast<gpu::uint>(scene.rigid.size());
    header.boundary_bodies = static_cast<gpu::uint>(scene.bodies.size());
    upload<gpu::DrawnHeader>(device, side.header, {&header, 1});
    side.position = Buffer<gpu::vec4>(device, scene.fluid.size());
    side.velocity = Buffer<gpu::vec4>(device, scene.fluid.size());
    side.density = Buffer<float>(device, scene.fluid.size());
    upload<float>(device, side.density, rest);
    side.transforms = Buffer<gpu::vec4>(device, 3 * (scene.rigid.size() + scene.bodies.size()));
    for (Buffer<gpu::vec4>* buffer : {&side.sample_position, &side.sample_friction}) {
      *buffer = Buffer<gpu::vec4>(device, body_of.size());
      upload<gpu::vec4>(device, *buffer, nothing);
    }
  }
}

void record_drawn(PassRecorder& run, const State& s, const Drawn& drawn, int side) {
  const DrawnSide &now = drawn.sides[side], &earlier = drawn.sides[1 - side];
  // One group at least, for the header.
  run.run_groups<Pass::draw_fluid>(
      std::max(groups_of(s.sizes.particles), 1u),
      {drawn.units.ptr(), now.header.ptr(), now.position.ptr(), now.velocity.ptr(), now.density.ptr(),
       earlier.density.ptr(), static_cast<std::uint32_t>(s.sizes.particles)});
  run.run_groups<Pass::draw_bodies>(groups_of(s.sizes.rigid.bodies + s.sizes.bodies),
                                    {drawn.units.ptr(), now.transforms.ptr()});
  run.run_groups<Pass::draw_samples>(
      groups_of(s.sizes.rigid.samples),
      {drawn.units.ptr(), drawn.sample_place.ptr(), now.sample_position.ptr(), now.sample_friction.ptr(),
       earlier.sample_position.ptr(), earlier.sample_friction.ptr()});
}

DrawnState views_of(const State& s, const Drawn& drawn, int side) {
  const DrawnSide& now = drawn.sides[side];
  const std::uint64_t particles = s.sizes.particles, samples = drawn.sample_body.count;
  constexpr VkFormat kVector = VK_FORMAT_R32G32B32A32_SFLOAT, kNumber = VK_FORMAT_R32_UINT;
  DrawnState state;
  state.indirect = now.header.raw.handle();
  state.points = offsetof(gpu::DrawnHeader, points);
  state.quads = offsetof(gpu::DrawnHeader, quads);
  state.position = view_of(now.position, kVector, particles);
  state.velocity = view_of(now.velocity, kVector, particles);
  state.density = view_of(now.density, VK_FORMAT_R32_SFLOAT, particles);
  state.material = view_of(drawn.material, kNumber, particles);
  state.rigid_bodies = static_cast<std::uint32_t>(s.sizes.rigid.bodies);
  state.boundary_bodies = static_cast<std::uint32_t>(s.sizes.bodies);
  state.transform = view_of(now.transforms, kVector, s.sizes.rigid.bodies + s.sizes.bodies, 3 * sizeof(gpu::vec4));
  state.sample_position = view_of(now.sample_position, kVector, samples);
  state.sample_friction = view_of(now.sample_friction, kVector, samples);
  state.sample_body = view_of(drawn.sample_body, kNumber, samples);
  return state;
}

}  // namespace sluice
