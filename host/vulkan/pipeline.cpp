#include "host/vulkan/pipeline.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace sluice::vulkan {
namespace {

constexpr std::uint32_t kPushBytes = 128;  // the least that Vulkan guarantees

// Declares RoundingModeRTE 32 for the entry point: the strict arithmetic assumes round to nearest even,
// which most drivers do anyway; where the control is offered it is asked for.
std::vector<std::uint32_t> request_round_to_nearest(std::span<const std::uint32_t> code) {
  constexpr std::uint32_t kOpEntryPoint = 15, kOpExecutionMode = 16, kOpCapability = 17;
  constexpr std::uint32_t kRoundingModeRte = 4462, kCapabilityRoundingModeRte = 4467;
  std::vector<std::uint32_t> result(code.begin(), code.begin() + 5);
  bool capability_added = false;
  for (std::size_t i = 5; i < code.size();) {
    const std::uint32_t words = code[i] >> 16, opcode = code[i] & 0xffff;
    if (opcode == kOpCapability && !capability_added) {
      result.insert(result.end(), {2u << 16 | kOpCapability, kCapabilityRoundingModeRte});
      capability_added = true;
    }
    result.insert(result.end(), code.begin() + i, code.begin() + i + words);
    if (opcode == kOpEntryPoint) {
      result.insert(result.end(), {4u << 16 | kOpExecutionMode, code[i + 2], kRoundingModeRte, 32});
    }
    i += words;
  }
  return result;
}

std::filesystem::path cache_file(const Device& device, const std::filesystem::path& folder) {
  static const char kHex[] = "0123456789abcdef";
  std::string name = "pipelines-";
  for (const std::uint8_t byte : device.pipeline_cache_uuid) {
    name += kHex[byte >> 4];
    name += kHex[byte & 15];
  }
  return folder / (name + ".bin");
}

// The cache is a convenience: failing to write it never fails a run.
void save_cache(Device& device, VkPipelineCache cache, const std::filesystem::path& file, std::size_t old_size) {
  std::size_t size = 0;
  if (device.functions.vkGetPipelineCacheData(device.device, cache, &size, nullptr) != VK_SUCCESS) return;
  if (size == old_size) return;
  std::vector<char> data(size);
  if (device.functions.vkGetPipelineCacheData(device.device, cache, &size, data.data()) != VK_SUCCESS) return;
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  std::filesystem::path temporary = file;
  temporary += ".tmp" + std::to_string(::getpid());
  std::ofstream out(temporary, std::ios::binary);
  out.write(data.data(), static_cast<std::streamsize>(size));
  out.close();
  if (out) std::filesystem::rename(temporary, file, ignored);
  if (!out || ignored) std::filesystem::remove(temporary, ignored);
}

}  // namespace

std::filesystem::path default_cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::filesystem::path(cache) / "sluice";
  if (const char* home = std::getenv("HOME"); home && *home) return std::filesystem::path(home) / ".cache" / "sluice";
  return {};
}

Pipelines::Pipelines(Device& device, std::span<const PipelineSource> sources, std::span<const SpecConstant> constants,
                     const std::filesystem::path& cache_folder, ViewCounts views)
    : device_(device), sources_(sources.begin(), sources.end()), pipelines_(sources.size(), VK_NULL_HANDLE) {
  const VolkDeviceTable& vk = device.functions;
  VkPipelineCache cache = VK_NULL_HANDLE;
  try {
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &range;
    if (views.texels + views.uniforms > 0) {
      set_layout_ = texel_set_layout(device, views);
      layout.setLayoutCount = 1;
      layout.pSetLayouts = &set_layout_;
    }
    VK_CHECK(vk.vkCreatePipelineLayout(device.device, &layout, nullptr, &layout_));

    std::vector<char> stored;
    if (!cache_folder.empty()) {
      const std::filesystem::path file = cache_file(device, cache_folder);
      std::error_code ignored;  // what cannot be read is no cache
      if (std::filesystem::is_regular_file(file, ignored)) {
        std::ifstream in(file, std::ios::binary);
        stored.assign(std::istreambuf_iterator<char>(in), {});
      }
    }
    VkPipelineCacheCreateInfo cache_create{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    cache_create.initialDataSize = stored.size();
    cache_create.pInitialData = stored.data();
    VK_CHECK(vk.vkCreatePipelineCache(device.device, &cache_create, nullptr, &cache));

    std::vector<VkSpecializationMapEntry> entries;
    std::vector<std::uint32_t> values;
    for (const SpecConstant& constant : constants) {
      entries.push_back(
          {constant.id, static_cast<std::uint32_t>(values.size() * sizeof(std::uint32_t)), sizeof(std::uint32_t)});
      values.push_back(constant.value);
    }
    const VkSpecializationInfo specialization{static_cast<std::uint32_t>(entries.size()), entries.data(),
                                              values.size() * sizeof(std::uint32_t), values.data()};
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const std::vector<std::uint32_t> code =
          device.round_to_nearest ? request_round_to_nearest(sources_[i].code)
                                  : std::vector<std::uint32_t>(sources_[i].code.begin(), sources_[i].code.end());
      VkShaderModuleCreateInfo module_create{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
      module_create.codeSize = code.size() * sizeof(std::uint32_t);
      module_create.pCode = code.data();
      VkShaderModule module = VK_NULL_HANDLE;
      VK_CHECK(vk.vkCreateShaderModule(device.device, &module_create, nullptr, &module));
      VkComputePipelineCreateInfo create{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
      create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
      create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
      create.stage.module = module;
      create.stage.pName = "main";
      create.stage.pSpecializationInfo = &specialization;
      create.layout = layout_;
      const VkResult result = vk.vkCreateComputePipelines(device.device, cache, 1, &create, nullptr, &pipelines_[i]);
      vk.vkDestroyShaderModule(device.device, module, nullptr);
      check(result, (std::string("vkCreateComputePipelines for ") + sources_[i].name).c_str());
    }
    if (!cache_folder.empty()) save_cache(device, cache, cache_file(device, cache_folder), stored.size());
    vk.vkDestroyPipelineCache(device.device, cache, nullptr);
  } catch (...) {
    if (cache) vk.vkDestroyPipelineCache(device.device, cache, nullptr);
    release();
    throw;
  }
}

Pipelines::~Pipelines() { release(); }

void Pipelines::release() noexcept {
  for (const VkPipeline pipeline : pipelines_) {
    if (pipeline) device_.functions.vkDestroyPipeline(device_.device, pipeline, nullptr);
  }
  if (layout_) device_.functions.vkDestroyPipelineLayout(device_.device, layout_, nullptr);
  if (set_layout_) device_.functions.vkDestroyDescriptorSetLayout(device_.device, set_layout_, nullptr);
}

}  // namespace sluice::vulkan
