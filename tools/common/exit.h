// How a command of the program ends.
#pragma once

#include <string>

#include "sluice/error.h"

namespace sluice::program {

constexpr int kDone = 0, kRunFailed = 1, kWrongInput = 2, kInterrupted = 130;

// Ends the program with a message, which is printed as it is.
struct CommandError {
  int exit_code = kRunFailed;
  std::string text;
};

inline constexpr const char* kProgramPrefix = "sluice: ";
inline constexpr const char* kNoMemory = "the computer has no memory left; use a larger particleSpacing";

// What `act` returns; its Error ends the program with this code, unless the device failed, whatever the input.
template <class Act>
auto or_exit(int exit_code, const char* prefix, Act act) {
  try {
    return act();
  } catch (const DeviceMemoryError& error) {
    throw CommandError{kRunFailed, std::string(prefix) + error.what()};
  } catch (const DeviceError& error) {
    throw CommandError{kRunFailed, std::string(prefix) + error.what()};
  } catch (const Error& error) {
    throw CommandError{exit_code, std::string(prefix) + error.what()};
  }
}

}  // namespace sluice::program
