// A picture of particles, drawn on the CPU: a quick look at a run without a viewer, the same on every machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "sluice/scene.h"

namespace sluice::io {

struct PicturePoint {
  Vec3 position;    // m
  float value = 0;  // what the colour shows
};

struct PictureBoundary {
  Vec3 position;           // m
  bool container = false;  // of a tank: only its far walls are drawn, as faint dots; else of an obstacle: a solid ball
  std::uint32_t body = 0;  // of a rigid body, from 1 on: it takes its colour in turn
};

struct PictureBox {
  Vec3 min, max;  // m
};

struct PictureOptions {
  int width = 1280, height = 720;  // pixels, 64 to 16384
  double spacing = 0.02;           // h, m; a particle is drawn as a ball of radius h/2
  // The values at the ends of the colour bar. Unless min < max: 0 and a round number near the largest value.
  float value_min = 0, value_max = 0;
  std::string title;  // ASCII; other characters are drawn as "?"
  std::string note;   // under the title, such as "t = 0.400 s"
  std::string legend = "speed, m/s";
  // What the camera, at the front right and above, takes in. Without it, what there is to see; give one to all frames
  // of a run, or the camera moves with the water.
  std::optional<PictureBox> view;
};

// The box that a picture of these takes in unless options.view says otherwise. A few far-flung particles do not count.
PictureBox picture_box(std::span<const PicturePoint> points, std::span<const PictureBoundary> boundary, double spacing);

// Writes a PNG. Particles at positions that are not finite are counted in the picture, not drawn; values that are not
// finite are magenta. Throws Error on impossible options and when the file cannot be written.
void write_picture(const std::filesystem::path& path, std::span<const PicturePoint> points,
                   std::span<const PictureBoundary> boundary, const PictureOptions& options);

}  // namespace sluice::io
