#include "host/vulkan/texels.h"

#include <utility>

namespace sluice::vulkan {

VkDescriptorSetLayout texel_set_layout(Device& device, ViewCounts counts) {
  std::vector<VkDescriptorSetLayoutBinding> bindings(counts.texels + counts.uniforms);
  for (std::uint32_t i = 0; i < bindings.size(); ++i)
    bindings[i] = {i, i < counts.uniforms ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                   1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo create{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  create.bindingCount = static_cast<std::uint32_t>(bindings.size());
  create.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  VK_CHECK(device.functions.vkCreateDescriptorSetLayout(device.device, &create, nullptr, &layout));
  return layout;
}

TexelViews::TexelViews(Device& device, std::span<const RawBuffer* const> uniforms, std::span<const TexelView> views)
    : device_(&device) {
  const VolkDeviceTable& vk = device.functions;
  const ViewCounts counts{.uniforms = static_cast<std::uint32_t>(uniforms.size()),
                          .texels = static_cast<std::uint32_t>(views.size())};
  try {
    layout_ = texel_set_layout(device, counts);
    const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, counts.texels},
                                           {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, counts.uniforms}};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = 1;
    pool.poolSizeCount = 2;
    pool.pPoolSizes = sizes;
    VK_CHECK(vk.vkCreateDescriptorPool(device.device, &pool, nullptr, &pool_));
    VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = pool_;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &layout_;
    VK_CHECK(vk.vkAllocateDescriptorSets(device.device, &allocate, &set_));
    views_.assign(counts.texels, VK_NULL_HANDLE);
    std::vector<VkDescriptorBufferInfo> buffers(counts.uniforms);
    std::vector<VkWriteDescriptorSet> writes(counts.texels + counts.uniforms);
    for (std::uint32_t i = 0; i < writes.size(); ++i) {
      writes[i] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      writes[i].dstSet = set_;
      writes[i].dstBinding = i;
      writes[i].descriptorCount = 1;
      if (i < counts.uniforms) {
        buffers[i] = {uniforms[i]->handle(), 0, VK_WHOLE_SIZE};
        writes[i].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
        writes[i].pBufferInfo = &buffers[i];
      } else {
        const std::uint32_t k = i - counts.uniforms;
        VkBufferViewCreateInfo create{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
        create.buffer = views[k].buffer->handle();
        create.format = views[k].format;
        create.range = VK_WHOLE_SIZE;
        VK_CHECK(vk.vkCreateBufferView(device.device, &create, nullptr, &views_[k]));
        writes[i].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
        writes[i].pTexelBufferView = &views_[k];
      }
    }
    vk.vkUpdateDescriptorSets(device.device, static_cast<std::uint32_t>(writes.size()), writes.data(), 0, nullptr);
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
