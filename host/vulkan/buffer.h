// Memory reached by address: one allocation a buffer, typed on the C++ side as in the shaders.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

#include "host/vulkan/device.h"
#include "shaders/shared/language.h"

namespace sluice::vulkan {

enum class Where {
  device,  // fastest for shaders
  host     // mapped and coherent, for small records and staging
};

// Of the types that `allowed` has bits of; throws Error if none has what is wanted.
std::uint32_t memory_type(const Device& device, std::uint32_t allowed, VkMemoryPropertyFlags wanted,
                          VkMemoryPropertyFlags preferred);

// Owns a buffer and its memory; move-only. Zero bytes become a few, so that an address always exists.
class RawBuffer {
 public:
  RawBuffer() = default;
  RawBuffer(Device& device, std::uint64_t bytes, Where where);
  RawBuffer(RawBuffer&& other) noexcept { *this = std::move(other); }
  RawBuffer& operator=(RawBuffer&& other) noexcept;
  ~RawBuffer() { release(); }

  VkBuffer handle() const { return buffer_; }
  std::uint64_t address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }
  void* mapped() const { return mapped_; }

 private:
  void release() noexcept;
  Device* device_ = nullptr;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  std::uint64_t address_ = 0, bytes_ = 0;
  void* mapped_ = nullptr;
};

template <typename T>
struct Buffer {
  Buffer() = default;
  Buffer(Device& device, std::uint64_t elements, Where where = Where::device)
      : raw(device, elements * sizeof(T), where), count(elements) {}
  gpu::Ptr<T> ptr() const { return {raw.address()}; }
  T* mapped() const { return static_cast<T*>(raw.mapped()); }

  RawBuffer raw;
  std::uint64_t count = 0;
};

// Copies through a staging buffer and waits: for set-up, frames and tests, not inside a step.
void upload(Device& device, const RawBuffer& to, const void* data, std::uint64_t bytes, std::uint64_t offset = 0);
void download(Device& device, const RawBuffer& from, void* data, std::uint64_t bytes, std::uint64_t offset = 0);

// Zeros all of each; memory of a device holds anything before.
void clear(Device& device, std::initializer_list<const RawBuffer*> buffers);

template <typename T>
void upload(Device& device, const Buffer<T>& to, std::span<const T> data) {
  upload(device, to.raw, data.data(), data.size_bytes());
}
template <typename T>
std::vector<T> download(Device& device, const Buffer<T>& from, std::uint64_t elements) {
  std::vector<T> data(elements);
  download(device, from.raw, data.data(), elements * sizeof(T));
  return data;
}

// Records `record(command_buffer)` once, submits it and waits.
template <typename Record>
void run_once(Device& device, Record record);

// A command pool with one primary command buffer and a timeline semaphore to wait for.
class Commands {
 public:
  explicit Commands(Device& device);
  ~Commands();
  Commands(const Commands&) = delete;
  Commands& operator=(const Commands&) = delete;
  VkCommandBuffer begin();
  void submit_and_wait();

 private:
  Device& device_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;  // GPU-assisted validation times out on a timeline semaphore here (1.3.239)
};

template <typename Record>
void run_once(Device& device, Record record) {
  Commands commands(device);
  record(commands.begin());
  commands.submit_and_wait();
}

}  // namespace sluice::vulkan
