// Buffers seen as arrays of texels, for shaders that fetch from them: one descriptor set.
#pragma once

#include <span>
#include <vector>

#include "host/vulkan/buffer.h"

namespace sluice::vulkan {

struct TexelView {
  const RawBuffer* buffer = nullptr;
  VkFormat format = VK_FORMAT_UNDEFINED;  // of unsigned words
};

// Bindings 0, 1, ... of a set for compute shaders: uniform buffers, then uniform texel buffers.
struct ViewCounts {
  std::uint32_t uniforms = 0, texels = 0;
};

// The caller destroys it.
VkDescriptorSetLayout texel_set_layout(Device& device, ViewCounts counts);

// Owns the set and its views; move-only. The buffers must outlive it.
class TexelViews {
 public:
  TexelViews(Device& device, std::span<const RawBuffer* const> uniforms, std::span<const TexelView> views);
  TexelViews(TexelViews&& other) noexcept;
  TexelViews& operator=(TexelViews&& other) noexcept;
  ~TexelViews() { release(); }

  VkDescriptorSet set() const { return set_; }

 private:
  void release() noexcept;
  Device* device_ = nullptr;
  VkDescriptorSetLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  std::vector<VkBufferView> views_;
};

}  // namespace sluice::vulkan
