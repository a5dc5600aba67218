// Compute pipelines from embedded SPIR-V: one layout (128 bytes of push constants, no descriptors), a
// cache on disk.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "host/vulkan/device.h"
#include "host/vulkan/texels.h"

namespace sluice::vulkan {

struct PipelineSource {
  const char* name;                     // in messages, labels and the cache
  std::span<const std::uint32_t> code;  // SPIR-V
  std::uint32_t push_bytes;
};

struct SpecConstant {
  std::uint32_t id, value;
};

class Pipelines {
 public:
  // `constants` are given to every pipeline; those that a shader lacks are ignored. The cache file is
  // named after the driver's cache id; an unreadable or foreign one is replaced. `views` are those of set 0 that
  // shaders may use: see TexelViews.
  Pipelines(Device& device, std::span<const PipelineSource> sources, std::span<const SpecConstant> constants,
            const std::filesystem::path& cache_folder, ViewCounts views = {});
  ~Pipelines();
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;

  VkPipelineLayout layout() const { return layout_; }
  VkPipeline operator[](std::size_t index) const { return pipelines_[index]; }
  const PipelineSource& source(std::size_t index) const { return sources_[index]; }
  std::size_t size() const { return sources_.size(); }

 private:
  void release() noexcept;
  Device& device_;
  std::vector<PipelineSource> sources_;
  std::vector<VkPipeline> pipelines_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

// $XDG_CACHE_HOME/sluice, else ~/.cache/sluice; empty if neither is known (then nothing is cached).
std::filesystem::path default_cache_folder();

}  // namespace sluice::vulkan
