// Which files of a folder are a run's. Its record (run.json) lists them before they are made, and only what a record
// lists may a later run remove or replace.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::io {

// water.0000.vtp, water.0001.vtp, ...: `count` of them, the one under way included.
struct FileSeries {
  std::string name, extension;
  std::uint64_t count = 0;
};

struct RunFiles {
  std::set<std::string, std::less<>> names;
  std::vector<FileSeries> series;
  std::set<std::string, std::less<>> others;  // somebody else's, though their names are among these
};

// "water", 3, "vtp": water.0003.vtp
std::string numbered_name(const std::string& name, std::uint64_t number, std::string_view extension);

// Is this one of the files, or the temporary name of one?
bool lists(const RunFiles& files, std::string_view file_name);
// The same with every number of each series: what a run would write, or be taken for what it wrote.
bool claims(const RunFiles& files, std::string_view file_name);

// Adds to `files.others` what lies in the folder under a name that `files` lists and `before` does not.
void note_others(const std::filesystem::path& folder, const RunFiles& before, RunFiles& files);

// The series gets `count` or keeps more.
void count_series(RunFiles& files, const std::string& name, std::string_view extension, std::uint64_t count);

// Marks a record as the program's: {"program": "sluice", "format": 1, "files": {...}}. Other keys stay.
void put_files(nlohmann::ordered_json& json, const RunFiles& files);

// The list that a record holds. Throws Error naming the path, with the reason and a remedy, if sluice did not write it,
// or another version did.
RunFiles read_files_of(const std::filesystem::path& record);

}  // namespace sluice::io
