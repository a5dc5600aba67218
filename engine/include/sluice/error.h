// Errors that the library throws.
#pragma once

#include <stdexcept>

namespace sluice {

// Every failure that a caller can cause or meet (bad input, no device, out of memory, disk full)
// is one of these; what() is a sentence that says what happened and what to do.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Device or host have too little memory for what was asked.
struct MemoryError : Error {
  using Error::Error;
};
// A Vulkan call found no memory: not what was asked for is at fault, but what else the device holds.
struct DeviceMemoryError : MemoryError {
  using MemoryError::MemoryError;
};
// The device or its driver failed, whatever was asked.
struct DeviceError : Error {
  using Error::Error;
};

}  // namespace sluice
