// Images that a picture is drawn into and how its pixels get to the host.
#pragma once

#include <cstdint>

#include "host/vulkan/buffer.h"

namespace sluice::render {

// Owns an image, its memory and a view of all of it; move-only.
class Image {
 public:
  Image() = default;
  Image(vulkan::Device& device, VkFormat format, VkExtent2D extent, VkSampleCountFlagBits samples,
        VkImageUsageFlags usage);
  Image(Image&& other) noexcept { *this = std::move(other); }
  Image& operator=(Image&& other) noexcept;
  ~Image() { release(); }

  VkImage handle() const { return image_; }
  VkImageView view() const { return view_; }
  VkImageAspectFlags aspect() const { return aspect_; }

 private:
  void release() noexcept;
  vulkan::Device* device_ = nullptr;
  VkImage image_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
  VkImageAspectFlags aspect_ = 0;
};

constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM, kDepthFormat = VK_FORMAT_D32_SFLOAT;
constexpr VkSampleCountFlagBits kSamples = VK_SAMPLE_COUNT_4_BIT;  // every device has it for these formats
constexpr std::uint32_t kShadowSize = 1536;                        // pixels a side

struct Target {
  Target(vulkan::Device& device, int width, int height);

  VkExtent2D extent{};
  Image color, depth;  // of several samples
  Image resolved;
  Image shadow;
  vulkan::Buffer<gpu::uint> pixels;  // RGBA, rows from the top, on the host
};

// Waits for all earlier commands on the image, forgets what was in it if `from` is undefined.
void record_layout(vulkan::Device& device, VkCommandBuffer commands, const Image& image, VkImageLayout from,
                   VkImageLayout to);
void record_shadow_pass(vulkan::Device& device, VkCommandBuffer commands, const Target& target);
void record_color_pass(vulkan::Device& device, VkCommandBuffer commands, const Target& target);
// After the color pass: into `pixels`.
void record_readback(vulkan::Device& device, VkCommandBuffer commands, const Target& target);

}  // namespace sluice::render
