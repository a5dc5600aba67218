#include "host/render/pipelines.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "host/render/shaders.h"

namespace sluice::render {
namespace {

struct Recipe {
  const char* vertex;
  const char* fragment;  // null: depth only
  VkPrimitiveTopology topology;
  VkCullModeFlags cull;
  bool shadow = false, coverage = false, blend = false;
};
constexpr Recipe kRecipes[kDraws] = {
    {"ground_vert", "ground_frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_CULL_MODE_NONE, false, false, true},
    {"mesh_vert", "mesh_frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_CULL_MODE_NONE},
    {"mesh_vert", "mesh_frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_CULL_MODE_FRONT_BIT},
    {"mesh_vert", "edge_frag", VK_PRIMITIVE_TOPOLOGY_LINE_LIST, VK_CULL_MODE_NONE},
    {"ball_vert", "ball_frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_CULL_MODE_NONE, false, true},
    {"mesh_shadow_vert", nullptr, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_CULL_MODE_NONE, true},
    {"ball_shadow_vert", "ball_shadow_frag", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_CULL_MODE_NONE, true},
};

class Module {
 public:
  Module(vulkan::Device& device, std::string_view name) : device_(device) {
    const std::vector<EmbeddedShader>& all = render_shaders();
    const auto found = std::find_if(all.begin(), all.end(), [&](const EmbeddedShader& s) { return s.name == name; });
    if (found == all.end()) throw Error("the renderer has no shader " + std::string(name));
    VkShaderModuleCreateInfo create{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    create.codeSize = found->code.size_bytes();
    create.pCode = found->code.data();
    VK_CHECK(device.functions.vkCreateShaderModule(device.device, &create, nullptr, &handle));
  }
  ~Module() { device_.functions.vkDestroyShaderModule(device_.device, handle, nullptr); }
  Module(const Module&) = delete;

  VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits bit) const {
    VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    info.stage = bit;
    info.module = handle;
    info.pName = "main";
    return info;
  }
  VkShaderModule handle = VK_NULL_HANDLE;

 private:
  vulkan::Device& device_;
};

VkPipeline make_pipeline(vulkan::Device& device, VkPipelineLayout layout, const Recipe& recipe) {
  const Module vertex(device, recipe.vertex);
  std::optional<Module> fragment;
  std::vector<VkPipelineShaderStageCreateInfo> stages{vertex.stage(VK_SHADER_STAGE_VERTEX_BIT)};
  if (recipe.fragment) {
    fragment.emplace(device, recipe.fragment);
    stages.push_back(fragment->stage(VK_SHADER_STAGE_FRAGMENT_BIT));
  }
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = recipe.topology;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.cullMode = recipe.cull;
  raster.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  raster.lineWidth = 1;
  // Surfaces do not shade themselves, and what lies flush in a container's wall is seen before it; the slope's part is
  // for those that the sun or the eye grazes.
  raster.depthBiasEnable = recipe.shadow || recipe.cull != VK_CULL_MODE_NONE;
  raster.depthBiasConstantFactor = 2;
  raster.depthBiasSlopeFactor = 2;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = recipe.shadow ? VK_SAMPLE_COUNT_1_BIT : kSamples;
  samples.alphaToCoverageEnable = recipe.coverage;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = VK_TRUE;
  depth.depthWriteEnable = !recipe.blend;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkPipelineColorBlendAttachmentState attachment{};
  attachment.colorWriteMask = 0xf;
  attachment.blendEnable = recipe.blend;
  attachment.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  attachment.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  attachment.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = recipe.shadow ? 0 : 1;
  blend.pAttachments = &attachment;
  const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamics{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamics.dynamicStateCount = 2;
  dynamics.pDynamicStates = dynamic;
  VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.colorAttachmentCount = recipe.shadow ? 0 : 1;
  rendering.pColorAttachmentFormats = &kColorFormat;
  rendering.depthAttachmentFormat = kDepthFormat;
  VkGraphicsPipelineCreateInfo create{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
  create.stageCount = static_cast<std::uint32_t>(stages.size());
  create.pStages = stages.data();
  create.pVertexInputState = &input;
  create.pInputAssemblyState = &assembly;
  create.pViewportState = &viewport;
  create.pRasterizationState = &raster;
  create.pMultisampleState = &samples;
  create.pDepthStencilState = &depth;
  create.pColorBlendState = &blend;
  create.pDynamicState = &dynamics;
  create.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VK_CHECK(device.functions.vkCreateGraphicsPipelines(device.device, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline));
  return pipeline;
}

}  // namespace

Pipelines::Pipelines(vulkan::Device& device, const Image& shadow) : device_(device) {
  const VolkDeviceTable& vk = device.functions;
  try {
    VkSamplerCreateInfo sampler{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    sampler.magFilter = sampler.minFilter = VK_FILTER_NEAREST;  // depth formats need not filter; the shader does
    sampler.addressModeU = sampler.addressModeV = sampler.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    sampler.compareEnable = VK_TRUE;
    sampler.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
    VK_CHECK(vk.vkCreateSampler(device.device, &sampler, nullptr, &sampler_));
    VkDescriptorSetLayoutBinding binding{};
    binding.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    binding.descriptorCount = 1;
    binding.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
    VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set.bindingCount = 1;
    set.pBindings = &binding;
    VK_CHECK(vk.vkCreateDescriptorSetLayout(device.device, &set, nullptr, &set_layout_));
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VK_CHECK(vk.vkCreateDescriptorPool(device.device, &pool, nullptr, &pool_));
    VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = pool_;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &set_layout_;
    VK_CHECK(vk.vkAllocateDescriptorSets(device.device, &allocate, &set_));
    const VkDescriptorImageInfo image{sampler_, shadow.view(), VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set_;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    write.pImageInfo = &image;
    vk.vkUpdateDescriptorSets(device.device, 1, &write, 0, nullptr);
    const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, 128};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &set_layout_;
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &push;
    VK_CHECK(vk.vkCreatePipelineLayout(device.device, &layout, nullptr, &layout_));
    for (std::size_t i = 0; i < kDraws; ++i) pipelines_[i] = make_pipeline(device, layout_, kRecipes[i]);
  } catch (...) {
    release();
    throw;
  }
}

Pipelines::~Pipelines() { release(); }

void Pipelines::release() noexcept {
  const VolkDeviceTable& vk = device_.functions;
  for (VkPipeline pipeline : pipelines_)
    if (pipeline) vk.vkDestroyPipeline(device_.device, pipeline, nullptr);
  if (layout_) vk.vkDestroyPipelineLayout(device_.device, layout_, nullptr);
  if (pool_) vk.vkDestroyDescriptorPool(device_.device, pool_, nullptr);
  if (set_layout_) vk.vkDestroyDescriptorSetLayout(device_.device, set_layout_, nullptr);
  if (sampler_) vk.vkDestroySampler(device_.device, sampler_, nullptr);
}

void Pipelines::bind(VkCommandBuffer commands, Draw draw, VkExtent2D extent) const {
  const VolkDeviceTable& vk = device_.functions;
  const auto index = static_cast<std::size_t>(draw);
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_[index]);
  if (!kRecipes[index].shadow)
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_, 0, nullptr);
  const auto width = static_cast<float>(extent.width), height = static_cast<float>(extent.height);
  // Pictures have y up; the shadow map keeps Vulkan's, so that its places are 0.5 + 0.5 x, y.
  const VkViewport viewport =
      kRecipes[index].shadow ? VkViewport{0, 0, width, height, 0, 1} : VkViewport{0, height, width, -height, 0, 1};
  const VkRect2D scissor{{0, 0}, extent};
  vk.vkCmdSetViewport(commands, 0, 1, &viewport);
  vk.vkCmdSetScissor(commands, 0, 1, &scissor);
}

}  // namespace sluice::render
