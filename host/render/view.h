// Where the camera stands, and what light falls.
#pragma once

#include "host/scene/picture_settings.h"
#include "shaders/render/view.h"

namespace sluice::render {

struct Box {
  Vec3 low, high;  // m
};

using io::Camera;

// From the front right and above, so that the box fills a picture of these pixels but for a margin at the right, where
// the legend stands.
Camera frame_box(const Box& box, int width, int height);

// Camera, light and ground; the box is what casts and receives shadows, and its bottom is the ground.
void place_view(gpu::View& view, const Camera& camera, const Box& box, int width, int height);

}  // namespace sluice::render
