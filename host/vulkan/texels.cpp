#include "host/vulkan/texels.h"

#include <utility>

namespace sluice::vulkan {

VkDescriptorSetLayout texel_set_layout(Device& device, std::uint32_t count) {
  std::vector<VkDescriptorSetLayoutBinding> bindings(count);
  for (std::uint32_t i = 0; i < count; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo create{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  create.bindingCount = count;
  create.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  VK_CHECK(device.functions.vkCreateDescriptorSetLayout(device.device, &create, nullptr, &layout));
  return layout;
}

TexelViews::TexelViews(Device& device, std::span<const TexelView> views) : device_(&device) {
  const VolkDeviceTable& vk = device.functions;
  const auto count = static_cast<std::uint32_t>(views.size());
  try {
    layout_ = texel_set_layout(device, count);
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, count};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VK_CHECK(vk.vkCreateDescriptorPool(device.device, &pool, nullptr, &pool_));
    VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = pool_;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &layout_;
    VK_CHECK(vk.vkAllocateDescriptorSets(device.device, &allocate, &set_));
    views_.assign(count, VK_NULL_HANDLE);
    std::vector<VkWriteDescriptorSet> writes(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      VkBufferViewCreateInfo create{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
      create.buffer = views[i].buffer->handle();
      create.format = views[i].format;
      create.range = VK_WHOLE_SIZE;
      VK_CHECK(vk.vkCreateBufferView(device.device, &create, nullptr, &views_[i]));
      writes[i] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      writes[i].dstSet = set_;
      writes[i].dstBinding = i;
      writes[i].descriptorCount = 1;
      writes[i].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
      writes[i].pTexelBufferView = &views_[i];
    }
    vk.vkUpdateDescriptorSets(device.device, count, writes.data(), 0, nullptr);
  } catch (...) {
    release();
    throw;
  }
}

TexelViews::TexelViews(TexelViews&& other) noexcept { *this = std::move(other); }

TexelViews& TexelViews::operator=(TexelViews&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(layout_, other.layout_);
  std::swap(pool_, other.pool_);
  std::swap(set_, other.set_);
  std::swap(views_, other.views_);
  return *this;
}

void TexelViews::release() noexcept {
  if (!device_) return;
  const VolkDeviceTable& vk = device_->functions;
  if (pool_) vk.vkDestroyDescriptorPool(device_->device, pool_, nullptr);
  if (layout_) vk.vkDestroyDescriptorSetLayout(device_->device, layout_, nullptr);
  for (const VkBufferView view : views_)
    if (view) vk.vkDestroyBufferView(device_->device, view, nullptr);
}

}  // namespace sluice::vulkan
