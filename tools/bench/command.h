// sluice bench and sluice compare. Each returns the exit code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sluice::bench {

struct BenchOptions {
  std::string device;
  std::string suite = "quick";
  std::string only;            // cases whose name has this
  std::filesystem::path json;  // where the result is written; empty: nowhere
  int repeats = 7;
  std::filesystem::path golden;  // where this device's hashes are written, to become the golden ones
};
int bench_command(const BenchOptions& options);

int compare_command(const std::vector<std::filesystem::path>& files);

}  // namespace sluice::bench
