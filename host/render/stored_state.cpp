#include "host/render/stored_state.h"

#include "engine/units.h"
#include "host/scene/rotation.h"

namespace sluice::render {
namespace {

// The buffer grows with what it is to hold.
template <typename T>
BufferView put_array(vulkan::Device& device, vulkan::Buffer<T>& buffer, const std::vector<T>& values) {
  if (buffer.count < values.size()) buffer = vulkan::Buffer<T>(device, values.size());
  if (!values.empty()) upload<T>(device, buffer, values);
  return {buffer.raw.handle(), 0, buffer.raw.address(), sizeof(T), VK_FORMAT_UNDEFINED, values.size()};
}

// The w of a vector is a value that a frame may be without.
std::vector<gpu::vec4> with_values(const std::vector<std::array<double, 3>>& points, Vec3 origin,
                                   const std::vector<float>& values) {
  std::vector<gpu::vec4> out;
  out.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    out.push_back(packed(Vec3{points[i][0], points[i][1], points[i][2]} - origin,
                         i < values.size() ? static_cast<double>(values[i]) : 0.0));
  return out;
}

void add_rows(std::vector<gpu::vec4>& rows, Vec3 position, Quat turn) {
  const Vec3 x = rotate(turn, {1, 0, 0}), y = rotate(turn, {0, 1, 0}), z = rotate(turn, {0, 0, 1});
  rows.push_back(packed({x.x, y.x, z.x}, position.x));
  rows.push_back(packed({x.y, y.y, z.y}, position.y));
  rows.push_back(packed({x.z, y.z, z.z}, position.z));
}

}  // namespace

StoredState::StoredState(vulkan::Device& device, const Scene& scene, Vec3 origin)
    : device_(device), boundaries_(scene.bodies), origin_(origin) {}

DrawnState StoredState::put(const Frame& frame) {
  const std::size_t count = frame.position.size();
  std::vector<gpu::vec4> velocity, friction, transform;
  for (const auto& v : frame.velocity) velocity.push_back(packed({v[0], v[1], v[2]}, length({v[0], v[1], v[2]})));
  velocity.resize(count);
  for (const float used : frame.sample_friction_used) friction.push_back({0, 0, 0, used});
  friction.resize(frame.sample_position.size());
  std::vector<float> density = frame.density;
  density.resize(count);
  for (const BodyRecord& body : frame.bodies) add_rows(transform, body.position - origin_, body.orientation);
  for (const Body& body : boundaries_) {
    const io::Pose pose = io::pose_at(body, frame.time);
    add_rows(transform, pose.position - origin_, pose.orientation);
  }

  DrawnState state;
  state.time = frame.time;
  state.position = put_array(device_, position_, with_values(frame.position, origin_, frame.pressure));
  state.velocity = put_array(device_, velocity_, velocity);
  state.density = put_array(device_, density_, density);
  state.material = put_array<gpu::uint>(device_, material_, frame.material);
  state.transform = put_array(device_, transform_, transform);
  state.transform.stride = 3 * sizeof(gpu::vec4);
  state.rigid_bodies = static_cast<std::uint32_t>(frame.bodies.size());
  state.boundary_bodies = static_cast<std::uint32_t>(boundaries_.size());
  state.sample_position =
      put_array(device_, sample_position_, with_values(frame.sample_position, origin_, frame.sample_pressure));
  state.sample_friction = put_array(device_, sample_friction_, friction);
  // A VkDrawIndirectCommand: 4 vertices, an instance a particle.
  state.indirect = put_array<gpu::uint>(device_, indirect_, {4, static_cast<gpu::uint>(count), 0, 0}).buffer;
  return state;
}

}  // namespace sluice::render
