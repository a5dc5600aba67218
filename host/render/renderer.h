// Pictures of a simulation, drawn from its own device buffers: the host sees pixels, never a particle.
#pragma once

#include <filesystem>
#include <string>

#include "host/render/canvas.h"
#include "host/render/meshes.h"
#include "host/render/pipelines.h"
#include "host/render/view.h"
#include "sluice/embed.h"

namespace sluice::render {

using Field = io::PictureField;

struct Settings {
  int width = 1280, height = 720;  // pixels, 64 to 16384
  io::PictureSettings look;
  std::string title;
  bool text = true;  // title, note and legend
};

class Renderer {
 public:
  // The Gpu was made with GpuOptions::draws, what is drawn with this origin. Throws Error on impossible settings and
  // where the device cannot draw. Of a scene, all that is sampled may be missing.
  Renderer(Gpu& gpu, const Scene& scene, const io::SamplingReport& report, Vec3 origin, const Settings& settings);

  Field field() const { return settings_.look.field; }
  // Submits and waits. `note` stands under the title.
  io::Canvas draw(const DrawnState& state, const std::string& note);

 private:
  void record(VkCommandBuffer commands, const DrawnState& state) const;
  void draw_pieces(VkCommandBuffer commands, const DrawnState& state, bool shadow) const;
  void draw_edges(VkCommandBuffer commands, const DrawnState& state) const;
  void draw_balls(VkCommandBuffer commands, const DrawnState& state, Draw kind) const;

  vulkan::Device& device_;
  Settings settings_;
  Target target_;
  Pipelines pipelines_;
  Pieces pieces_;
  vulkan::Buffer<gpu::View> view_;
  std::vector<std::string> materials_;  // names
  io::ValueRange range_;
  vulkan::Commands commands_;
};

// Where to draw from so that floats keep their digits: the middle of the scene.
Vec3 drawing_origin(const Scene& scene);

}  // namespace sluice::render
