// A folder of a test's own, gone after it; and what tests ask of errors.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "sluice/scene.h"

namespace sluice::tests {

struct TestFolder {
  std::filesystem::path path;
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sluice_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~TestFolder() { std::filesystem::remove_all(path); }
  TestFolder(const TestFolder&) = delete;
};

// The text of the Error that `act` throws, or "nothing thrown".
template <class Act>
std::string error_of(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace sluice::tests
