#include "host/render/renderer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/gpu_device.h"

namespace sluice::render {
namespace {

constexpr gpu::vec4 kFloor{0.93f, 0.94f, 0.95f, 0.9f}, kEdges{0.58f, 0.62f, 0.68f, 1};

Box box_of(const Scene& scene, const io::SamplingReport& report) {
  Box box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  const auto take = [&](Vec3 p) {
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
  };
  for (const FluidParticle& p : scene.fluid) take(p.position);
  for (const RigidBody& body : scene.rigid)
    for (const Vec3& v : report.shape_meshes[body.shape].vertices)
      take(body.position + rotate(body.orientation, v - body.center_of_mass));
  for (std::size_t b = 0; b < report.boundary_meshes.size(); ++b)
    for (const Vec3& v : report.boundary_meshes[b].mesh.vertices) take(scene.bodies[b].position + v);
  if (box.low.x > box.high.x) return {};
  return box;
}

// What the values reach: v^2 / 2 and p / rho are at most g times the height of what falls, but that particles at a
// wall, whose neighbours in it have no pressure of their own, carry up to twice theirs.
io::ValueRange usual_range(const Scene& scene, Field field) {
  double low = 1e300, high = -1e300, fastest = 0;
  for (const FluidParticle& p : scene.fluid) {
    low = std::min(low, p.position.y);
    high = std::max(high, p.position.y);
    fastest = std::max(fastest, length(p.velocity));
  }
  const double head = length(scene.gravity) * std::max(high - low, scene.spacing);
  const double density = scene.materials.empty() ? 1000 : scene.materials[0].density;
  switch (field) {
    case Field::speed:
      return {0, static_cast<float>(io::round_up(std::max({std::sqrt(2 * head), fastest, 1e-6})))};
    case Field::pressure:
      return {0, static_cast<float>(io::round_up(std::max(1.5 * density * head, 1e-6)))};
    case Field::density_error:
      return {0, 0.02f};
    case Field::friction:
      return {0, 1};
    default:
      return {0, static_cast<float>(std::max<std::size_t>(scene.materials.size(), 2) - 1)};
  }
}

const char* legend_of(Field field) {
  switch (field) {
    case Field::speed:
      return "speed, m/s";
    case Field::pressure:
      return "pressure, Pa";
    case Field::density_error:
      return "density error";
    case Field::friction:
      return "friction used";
    default:
      return "material";
  }
}

void check_settings(const Settings& s) {
  if (std::min(s.width, s.height) < 64 || std::max(s.width, s.height) > 16384)
    throw Error("a picture has 64 to 16384 pixels a side, not " + std::to_string(s.width) + " x " +
                std::to_string(s.height));
  if (s.look.range && !(std::isfinite(s.look.range->min) && std::isfinite(s.look.range->max) &&
                        s.look.range->min < s.look.range->max)) {
    char text[128];
    std::snprintf(text, sizeof text, "a colour bar cannot range from %g to %g; give the lower value first, both finite",
                  s.look.range->min, s.look.range->max);
    throw Error(text);
  }
  if (s.look.camera && !(std::isfinite(length(s.look.camera->eye)) && std::isfinite(length(s.look.camera->target))))
    throw Error("the camera's eye or target is not finite");
  if (s.look.camera && !(length(s.look.camera->eye - s.look.camera->target) > 0))
    throw Error("the camera's eye and target are the same point");
}

vulkan::Device& drawing_device(Gpu& gpu) {
  if (!device_of(gpu).draws)
    throw Error(gpu.info().name + (gpu.info().draws
                                       ? " was created without a queue that draws (GpuOptions::draws)"
                                       : " has no queue that draws and computes, so it makes no pictures"));
  return device_of(gpu);
}

}  // namespace

Vec3 drawing_origin(const Scene& scene) {
  if (!scene.fluid.empty()) return scene.fluid[scene.fluid.size() / 2].position;
  if (!scene.rigid.empty()) return scene.rigid[0].position;
  return scene.boundary.empty() ? Vec3{} : scene.boundary[0].position;
}

Renderer::Renderer(Gpu& gpu, const Scene& scene, const io::SamplingReport& report, Vec3 origin,
                   const Settings& settings)
    : device_((check_settings(settings), drawing_device(gpu))),
      settings_(settings),
      target_(device_, settings.width, settings.height),
      pipelines_(device_, target_.shadow),
      pieces_(make_pieces(device_, scene, report, settings.look.boundaries)),
      view_(device_, 1),
      range_(settings.look.range ? *settings.look.range : usual_range(scene, settings.look.field)),
      commands_(device_) {
  gpu::View view{};
  Box box = box_of(scene, report);
  Camera camera = settings.look.camera ? *settings.look.camera : frame_box(box, settings.width, settings.height);
  for (Vec3* p : {&box.low, &box.high, &camera.eye, &camera.target}) *p = *p - origin;
  place_view(view, camera, box, settings.width, settings.height);
  for (const FluidMaterial& material : scene.materials) materials_.push_back(material.name);
  view.radius = static_cast<float>(0.5 * scene.spacing);
  view.value_min = range_.min;
  view.value_scale = 1 / (range_.max - range_.min);
  if (settings.look.field == Field::density_error) view.value_kind = gpu::kValueDensity;
  if (settings.look.field == Field::material) view.value_kind = gpu::kValueMaterial;
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
    view.rest_density[m] = static_cast<float>(scene.materials[m].density);
  const io::ColorMap map = io::make_color_map();
  for (std::size_t i = 0; i < gpu::kMapColors; ++i) {
    const io::Color c = map[i * (map.size() - 1) / (gpu::kMapColors - 1)];
    view.map[i] = {c.r, c.g, c.b, 1};
  }
  upload<gpu::View>(device_, view_, {&view, 1});
}

void Renderer::draw_balls(VkCommandBuffer commands, const DrawnState& state, Draw kind) const {
  pipelines_.bind(commands, kind, kind == Draw::balls ? target_.extent : VkExtent2D{kShadowSize, kShadowSize});
  const bool samples = settings_.look.field == Field::friction;
  const BufferView* values = samples ? &state.sample_friction : &state.velocity;
  std::uint32_t offset = 3;
  if (settings_.look.field == Field::pressure) values = &state.position;
  if (settings_.look.field == Field::density_error) values = &state.density, offset = 0;
  pipelines_.push(commands, gpu::BallArgs{view_.ptr(),
                                          {(samples ? state.sample_position : state.position).address},
                                          {values->address},
                                          {state.material.address},
                                          values->stride / 4,
                                          offset});
  if (samples)
    device_.functions.vkCmdDraw(commands, 4, static_cast<std::uint32_t>(state.sample_position.count), 0, 0);
  else
    device_.functions.vkCmdDrawIndirect(commands, state.indirect, state.quads, 1, 0);
}

void Renderer::draw_pieces(VkCommandBuffer commands, const DrawnState& state, bool shadow) const {
  const VkExtent2D extent = shadow ? VkExtent2D{kShadowSize, kShadowSize} : target_.extent;
  for (const bool container : {false, true}) {
    if (shadow && container) continue;
    pipelines_.bind(commands, shadow ? Draw::mesh_shadow : container ? Draw::container : Draw::mesh, extent);
    for (const Piece& piece : pieces_.pieces) {
      if (!piece.filled || piece.container != container || (piece.rigid && settings_.look.field == Field::friction))
        continue;
      const Mesh& mesh = pieces_.meshes[piece.mesh];
      pipelines_.push(
          commands,
          gpu::MeshArgs{view_.ptr(), mesh.corners.ptr(), {state.transform.address}, piece.transform, 0, piece.color});
      device_.functions.vkCmdDraw(commands, mesh.corner_count, 1, 0, 0);
    }
  }
}

void Renderer::draw_edges(VkCommandBuffer commands, const DrawnState& state) const {
  pipelines_.bind(commands, Draw::edges, target_.extent);
  for (const Piece& piece : pieces_.pieces) {
    const Mesh& mesh = pieces_.meshes[piece.mesh];
    if (mesh.edge_count == 0) continue;
    pipelines_.push(
        commands, gpu::MeshArgs{view_.ptr(), mesh.edges.ptr(), {state.transform.address}, piece.transform, 0, kEdges});
    device_.functions.vkCmdDraw(commands, mesh.edge_count, 1, 0, 0);
  }
}

void Renderer::record(VkCommandBuffer commands, const DrawnState& state) const {
  const VolkDeviceTable& vk = device_.functions;
  record_shadow_pass(device_, commands, target_);
  draw_pieces(commands, state, true);
  draw_balls(commands, state, Draw::ball_shadow);
  vk.vkCmdEndRendering(commands);
  record_color_pass(device_, commands, target_);
  pipelines_.bind(commands, Draw::ground, target_.extent);
  pipelines_.push(commands, gpu::MeshArgs{view_.ptr(), {}, {}, 0, 0, kFloor});
  vk.vkCmdDraw(commands, 4, 1, 0, 0);
  draw_pieces(commands, state, false);
  draw_edges(commands, state);
  draw_balls(commands, state, Draw::balls);
  vk.vkCmdEndRendering(commands);
  record_readback(device_, commands, target_);
}

io::Canvas Renderer::draw(const DrawnState& state, const std::string& note) {
  record(commands_.begin(), state);
  commands_.submit_and_wait();
  io::Canvas canvas{settings_.width, settings_.height, {}};
  canvas.color.reserve(target_.pixels.count);
  const gpu::uint* pixels = target_.pixels.mapped();
  for (std::uint64_t i = 0; i < target_.pixels.count; ++i) {
    const auto channel = [&](int shift) { return static_cast<float>((pixels[i] >> shift) & 0xff) / 255.0f; };
    canvas.color.push_back({channel(0), channel(8), channel(16)});
  }
  if (!settings_.text) return canvas;
  const int scale = std::max(1, std::min(settings_.width / 640, settings_.height / 360));  // pixels of a dot of text
  io::draw_text(canvas, 12 * scale, 12 * scale, scale, settings_.title);
  io::draw_text(canvas, 12 * scale, 24 * scale, scale, note);
  const char* legend = legend_of(settings_.look.field);
  if ((settings_.look.field == Field::friction ? state.sample_position : state.position).count == 0) return canvas;
  const io::ColorMap map = io::make_color_map();
  if (settings_.look.field != Field::material) {
    io::draw_color_bar(canvas, map, range_, legend, scale);
    return canvas;
  }
  std::vector<io::Swatch> swatches;
  for (std::size_t m = 0; m < materials_.size(); ++m) {
    const float share = (static_cast<float>(m) - range_.min) / (range_.max - range_.min);
    swatches.push_back({map[static_cast<std::size_t>(std::clamp(share, 0.0f, 1.0f) * 255)], materials_[m]});
  }
  io::draw_swatches(canvas, swatches, legend, scale);
  return canvas;
}

}  // namespace sluice::render
