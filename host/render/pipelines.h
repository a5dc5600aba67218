// Graphics pipelines of the renderer: one layout, vertices pulled by address.
#pragma once

#include <array>

#include "host/render/target.h"

namespace sluice::render {

enum class Draw { ground, mesh, container, edges, balls, mesh_shadow, ball_shadow };
constexpr std::size_t kDraws = 7;

class Pipelines {
 public:
  // The shadow map is sampled by all.
  Pipelines(vulkan::Device& device, const Image& shadow);
  ~Pipelines();
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;

  void bind(VkCommandBuffer commands, Draw draw, VkExtent2D extent) const;
  template <typename Args>
  void push(VkCommandBuffer commands, const Args& args) const {
    static_assert(sizeof(Args) <= 128);
    device_.functions.vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                                         0, sizeof(Args), &args);
  }

 private:
  void release() noexcept;
  vulkan::Device& device_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkSampler sampler_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::array<VkPipeline, kDraws> pipelines_{};
};

}  // namespace sluice::render
