// A run's folder, and ways to damage one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace sluice::tests {

// By file name. Two fluids, a body, a boundary, three frames; small.
using FolderText = std::map<std::string, std::string>;
FolderText make_run_text();
void write_folder(const std::filesystem::path& folder, const FolderText& text);

// Damages the folder in one to three places; what was done, for people. The same seed does the same.
std::string damage_folder(const std::filesystem::path& folder, std::uint64_t seed);

// Reads `count` damaged folders from this seed on: each is read or refused by a sentence with its folder's name.
void read_damaged_folders(int count, std::uint64_t seed);

}  // namespace sluice::tests
