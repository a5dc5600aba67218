#include <utility>

#include "engine/gpu_device.h"

namespace sluice {

Gpu::Gpu(std::unique_ptr<vulkan::Device> device) : device_(std::move(device)) {}
Gpu::Gpu(Gpu&&) noexcept = default;
Gpu& Gpu::operator=(Gpu&&) noexcept = default;
Gpu::~Gpu() = default;

Gpu Gpu::create(const GpuOptions& options) { return Gpu(std::make_unique<vulkan::Device>(options)); }
Gpu Gpu::adopt(const ExternalDevice& device) { return Gpu(std::make_unique<vulkan::Device>(device)); }
const DeviceInfo& Gpu::info() const { return device_->info; }

std::vector<std::string> Gpu::take_validation_messages() {
  const std::lock_guard<std::mutex> lock(device_->log->mutex);
  return std::exchange(device_->log->messages, {});
}

vulkan::Device& device_of(const Gpu& gpu) { return *gpu.device_; }

}  // namespace sluice
