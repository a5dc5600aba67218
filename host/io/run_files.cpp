#include "host/io/run_files.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "host/io/atomic_file.h"
#include "host/io/particle_files.h"
#include "sluice/scene.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kProgram = "sluice", kTemporary = ".tmp";
constexpr int kFormat = 1;  // of the list; a later one may list what this version does not know

std::string_view without_temporary(std::string_view name) {
  if (name.ends_with(kTemporary)) name.remove_suffix(kTemporary.size());
  return name;
}

// The number of a series' file, if this is one.
std::optional<std::uint64_t> number_in(const FileSeries& series, std::string_view file_name) {
  if (!file_name.starts_with(series.name)) return {};
  const std::string_view rest = file_name.substr(series.name.size());
  if (rest.size() < 2 || rest.front() != '.') return {};
  std::uint64_t number = 0;
  if (std::from_chars(rest.data() + 1, rest.data() + rest.size(), number).ec != std::errc()) return {};
  if (file_name != numbered_name(series.name, number, series.extension)) return {};
  return number;
}

bool is_series_name(const std::string& name) {
  try {
    check_series_name(name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// A record that was changed by hand must not make the program remove somebody's thesis.
bool is_made_by_runs(const std::string& name) {
  static const std::set<std::string, std::less<>> kNames{"run.json",   "pictures.json",   "stats.csv",
                                                         "bodies.csv", "contacts.csv",    "picture.png",
                                                         "film.mp4",   "film.partial.mp4"};
  if (!is_series_name(name)) return false;
  if (kNames.contains(name) || number_in({"picture", "png"}, name)) return true;
  if (name.ends_with(".obj")) return name.starts_with("shape.") || name.starts_with("surface.");
  return name.size() > 4 && name.ends_with(".pvd");
}

[[noreturn]] void refuse(const fs::path& record, const std::string& why) {
  throw Error(record.string() + ": " + why +
              ", so nothing beside it is replaced; move it away, or choose another folder with -o");
}

RunFiles parse_files(const Json& json) {
  RunFiles files;
  const Json& list = json.at("files");
  for (const Json& name : list.at("names")) files.names.insert(name.get<std::string>());
  for (const Json& entry : list.at("series"))
    files.series.push_back({entry.at("name"), entry.at("extension"), entry.at("count").get<std::uint64_t>()});
  if (list.contains("others"))
    for (const Json& name : list["others"]) files.others.insert(name.get<std::string>());
  return files;
}

}  // namespace

std::string numbered_name(const std::string& name, std::uint64_t number, std::string_view extension) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return (name + "." + digits + ".").append(extension);
}

bool lists(const RunFiles& files, std::string_view file_name) {
  if (files.others.contains(file_name)) return false;
  const std::string_view name = without_temporary(file_name);
  if (files.names.contains(name)) return true;
  return std::any_of(files.series.begin(), files.series.end(), [&](const FileSeries& series) {
    const std::optional<std::uint64_t> number = number_in(series, name);
    return number && *number < series.count;
  });
}

bool claims(const RunFiles& files, std::string_view file_name) {
  const std::string_view name = without_temporary(file_name);
  return files.names.contains(name) || std::any_of(files.series.begin(), files.series.end(), [&](const auto& series) {
           return number_in(series, name).has_value();
         });
}

void note_others(const fs::path& folder, const RunFiles& before, RunFiles& files) {
  const auto look = [&](const std::string& name) {
    for (const std::string& there : {name, name + std::string(kTemporary)}) {
      std::error_code ignored;
      if (!lists(before, there) && fs::exists(fs::symlink_status(folder / there, ignored))) files.others.insert(there);
    }
  };
  for (const std::string& name : files.names)
    if (!before.names.contains(name)) look(name);
  for (const FileSeries& series : files.series) {
    std::uint64_t first = 0;
    for (const FileSeries& old : before.series)
      if (old.name == series.name && old.extension == series.extension) first = old.count;
    for (std::uint64_t k = first; k < series.count; ++k) look(numbered_name(series.name, k, series.extension));
  }
}

void count_series(RunFiles& files, const std::string& name, std::string_view extension, std::uint64_t count) {
  for (FileSeries& series : files.series) {
    if (series.name != name || series.extension != extension) continue;
    series.count = std::max(series.count, count);
    return;
  }
  files.series.push_back({name, std::string(extension), count});
}

void put_files(Json& json, const RunFiles& files) {
  json["program"] = kProgram;
  json["format"] = kFormat;
  Json& list = json["files"] = {{"names", files.names}, {"series", Json::array()}};
  for (const FileSeries& series : files.series)
    list["series"].push_back({{"name", series.name}, {"extension", series.extension}, {"count", series.count}});
  if (!files.others.empty()) list["others"] = files.others;
}

RunFiles read_files_of(const fs::path& record) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(record, ignored))) refuse(record, "is no file that sluice wrote");
  const Json json = Json::parse(read_file(record), nullptr, false);
  if (!json.is_object()) refuse(record, "is no JSON that sluice wrote");
  if (!json.contains("program") && json.contains("sluice"))
    throw Error(record.string() +
                ": is of an earlier version of sluice, which did not list its files, so none is removed; remove the "
                "folder yourself, or choose another with -o");
  if (!json.contains("program") || json["program"] != kProgram)
    refuse(record, "does not say that sluice wrote it (no \"program\": \"sluice\")");
  if (!json.contains("format") || json["format"] != kFormat)
    throw Error(record.string() +
                ": is of another version of sluice, so nothing is removed; remove the folder yourself, or choose "
                "another with -o");
  RunFiles files;
  try {
    files = parse_files(json);
  } catch (const Json::exception&) {
    refuse(record, "does not list the files of its run");
  }
  const auto is_good = [](const FileSeries& series) {
    return is_series_name(series.name) &&
           (series.extension == "vtp" || (series.extension == "png" && series.name == "picture"));
  };
  if (!std::all_of(files.names.begin(), files.names.end(), is_made_by_runs) ||
      !std::all_of(files.series.begin(), files.series.end(), is_good))
    refuse(record, "lists files that no run of sluice makes");
  return files;
}

}  // namespace sluice::io
