// The program sluice, started as a user would.
#pragma once

#include <sys/types.h>

#include <filesystem>
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

nlohmann::json read_json(const std::filesystem::path& path);

}  // namespace sluice::tests
