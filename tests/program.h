// The program sluice, started as a user would.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/folder.h"

namespace sluice::tests {

struct Result {
  int code = -1;  // -1: killed by a signal
  std::string out, err;
};

// What it prints lies in the folder. One that runs at a time.
pid_t start_program(const TestFolder& folder, const std::vector<std::string>& arguments);
Result wait_for(const TestFolder& folder, pid_t pid);
Result run_program(const TestFolder& folder, const std::vector<std::string>& arguments);

// The same from a shell: the script has the program and its arguments as "$0" "$@".
pid_t start_in_shell(const TestFolder& folder, const std::string& script, const std::vector<std::string>& arguments);
Result run_in_shell(const TestFolder& folder, const std::string& script, const std::vector<std::string>& arguments);

// Waits until it is so, however long that takes. False if the program has ended before.
bool wait_until(pid_t pid, const std::function<bool()>& is_so);

nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace sluice::tests
