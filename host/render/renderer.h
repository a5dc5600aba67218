// Pictures of a simulation, drawn from its own device buffers: the host sees pixels, never a particle.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "host/io/canvas.h"
#include "host/render/meshes.h"
#include "host/render/pipelines.h"
#include "host/render/view.h"

namespace sluice::render {

// Friction is that of the samples of rigid bodies, which are drawn in place of the bodies and of water.
enum class Field { speed, pressure, density_error, material, friction };

struct Settings {
  int width = 1280, height = 720;  // pixels, 64 to 16384
  Field field = Field::speed;
  std::optional<io::Range> range;  // of the field; without it, from the scene's size, so that it holds for all frames
  std::optional<Camera> camera;    // without it, all that the scene holds at the start
  std::string title;
};

class Renderer {
 public:
  // The Gpu was made with GpuOptions::draws, the simulation with SimulationOptions::drawn and this origin.
  Renderer(Gpu& gpu, const Scene& scene, const io::SamplingReport& report, Vec3 origin, const Settings& settings);

  // Submits and waits. `note` stands under the title.
  io::Canvas draw(const DrawnState& state, const std::string& note);

 private:
  void record(VkCommandBuffer commands, const DrawnState& state) const;
  void draw_pieces(VkCommandBuffer commands, const DrawnState& state, bool shadow) const;
  void draw_balls(VkCommandBuffer commands, const DrawnState& state, Draw kind) const;

  vulkan::Device& device_;
  Settings settings_;
  Target target_;
  Pipelines pipelines_;
  Pieces pieces_;
  vulkan::Buffer<gpu::View> view_;
  io::Range range_;
  vulkan::Commands commands_;
};

// Where to draw from so that floats keep their digits: the middle of the scene.
Vec3 drawing_origin(const Scene& scene);

}  // namespace sluice::render
