// Frames that lie on the host, of a run or of its files, put where the renderer draws from.
#pragma once

#include "host/vulkan/buffer.h"
#include "sluice/embed.h"

namespace sluice::render {

class StoredState {
 public:
  // Of the scene, only the bodies count. Metres will be relative to `origin`.
  StoredState(vulkan::Device& device, const Scene& scene, Vec3 origin);

  // A state that holds until the next call. Nothing may still be drawing from the last one.
  DrawnState put(const Frame& frame);

 private:
  vulkan::Device& device_;
  std::vector<Body> boundaries_;
  Vec3 origin_;
  vulkan::Buffer<gpu::vec4> position_, velocity_, transform_, sample_position_, sample_friction_;
  vulkan::Buffer<float> density_;
  vulkan::Buffer<gpu::uint> material_, indirect_;
};

}  // namespace sluice::render
