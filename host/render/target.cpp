#include "host/render/target.h"

#include <utility>

namespace sluice::render {

Image::Image(vulkan::Device& device, VkFormat format, VkExtent2D extent, VkSampleCountFlagBits samples,
             VkImageUsageFlags usage)
    : device_(&device), aspect_(format == kDepthFormat ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT) {
  const VolkDeviceTable& vk = device.functions;
  try {
    VkImageCreateInfo create{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    create.imageType = VK_IMAGE_TYPE_2D;
    create.format = format;
    create.extent = {extent.width, extent.height, 1};
    create.mipLevels = create.arrayLayers = 1;
    create.samples = samples;
    create.usage = usage;
    VK_CHECK(vk.vkCreateImage(device.device, &create, nullptr, &image_));
    VkMemoryRequirements needs;
    vk.vkGetImageMemoryRequirements(device.device, image_, &needs);
    VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex =
        vulkan::memory_type(device, needs.memoryTypeBits, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VK_CHECK(vk.vkAllocateMemory(device.device, &allocate, nullptr, &memory_));
    VK_CHECK(vk.vkBindImageMemory(device.device, image_, memory_, 0));
    VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view.image = image_;
    view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view.format = format;
    view.subresourceRange = {aspect_, 0, 1, 0, 1};
    VK_CHECK(vk.vkCreateImageView(device.device, &view, nullptr, &view_));
  } catch (...) {
    release();
    throw;
  }
}

Image& Image::operator=(Image&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(image_, other.image_);
  std::swap(memory_, other.memory_);
  std::swap(view_, other.view_);
  std::swap(aspect_, other.aspect_);
  return *this;
}

void Image::release() noexcept {
  if (!device_) return;
  const VolkDeviceTable& vk = device_->functions;
  if (view_) vk.vkDestroyImageView(device_->device, view_, nullptr);
  if (image_) vk.vkDestroyImage(device_->device, image_, nullptr);
  if (memory_) vk.vkFreeMemory(device_->device, memory_, nullptr);
}

Target::Target(vulkan::Device& device, int width, int height)
    : extent{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)},
      color(device, kColorFormat, extent, kSamples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
      depth(device, kDepthFormat, extent, kSamples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
      resolved(device, kColorFormat, extent, VK_SAMPLE_COUNT_1_BIT,
               VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT),
      shadow(device, kDepthFormat, {kShadowSize, kShadowSize}, VK_SAMPLE_COUNT_1_BIT,
             VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT),
      pixels(device, std::uint64_t{extent.width} * extent.height, vulkan::Where::host) {}

void record_layout(vulkan::Device& device, VkCommandBuffer commands, const Image& image, VkImageLayout from,
                   VkImageLayout to) {
  VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image.handle();
  barrier.subresourceRange = {image.aspect(), 0, 1, 0, 1};
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.imageMemoryBarrierCount = 1;
  dependency.pImageMemoryBarriers = &barrier;
  device.functions.vkCmdPipelineBarrier2(commands, &dependency);
}

void record_shadow_pass(vulkan::Device& device, VkCommandBuffer commands, const Target& target) {
  record_layout(device, commands, target.shadow, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
  VkRenderingAttachmentInfo depth{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  depth.imageView = target.shadow.view();
  depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
  depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  depth.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  depth.clearValue.depthStencil = {1, 0};
  VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea = {{0, 0}, {kShadowSize, kShadowSize}};
  rendering.layerCount = 1;
  rendering.pDepthAttachment = &depth;
  device.functions.vkCmdBeginRendering(commands, &rendering);
}

void record_color_pass(vulkan::Device& device, VkCommandBuffer commands, const Target& target) {
  record_layout(device, commands, target.shadow, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  for (const Image* image : {&target.color, &target.resolved})
    record_layout(device, commands, *image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  record_layout(device, commands, target.depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
  VkRenderingAttachmentInfo color{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  color.imageView = target.color.view();
  color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  color.resolveImageView = target.resolved.view();
  color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  color.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  color.clearValue.color = {{0.90f, 0.92f, 0.94f, 1}};
  VkRenderingAttachmentInfo depth{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  depth.imageView = target.depth.view();
  depth.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
  depth.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  depth.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  depth.clearValue.depthStencil = {1, 0};
  VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea = {{0, 0}, target.extent};
  rendering.layerCount = 1;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &color;
  rendering.pDepthAttachment = &depth;
  device.functions.vkCmdBeginRendering(commands, &rendering);
}

void record_readback(vulkan::Device& device, VkCommandBuffer commands, const Target& target) {
  record_layout(device, commands, target.resolved, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {target.extent.width, target.extent.height, 1};
  device.functions.vkCmdCopyImageToBuffer(commands, target.resolved.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                          target.pixels.raw.handle(), 1, &region);
  VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT;
  VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  device.functions.vkCmdPipelineBarrier2(commands, &dependency);
}

}  // namespace sluice::render
