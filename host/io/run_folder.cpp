#include "host/io/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "sluice/scene.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStatsHeader =
    "step,time,dt,dt_limit,iterations,residual,residual_friction,density_error_avg,density_error_max,"
    "kinetic_energy,potential_energy,contacts,max_speed,lost_particles,lost_bodies,gpu_ms,frame,state_hash\n";

bool ends_with_frame_number(std::string_view stem) {
  const std::size_t dot = stem.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string_view digits = stem.substr(dot + 1);
  return digits.size() >= 4 && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool holds_run(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "run.json", ignored);
}

void remove_run(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!fs::is_regular_file(entry.symlink_status()) || !is_run_file(entry.path().filename().string())) continue;
    if (entry.path().filename() != "run.json") files.push_back(entry.path());
  }
  for (const fs::path& file : files) fs::remove(file);
  // Last, so that the folder counts as a run, and can be overwritten again, until all else is gone.
  fs::remove(folder / "run.json");
}

template <class T>
void append_number(std::string& line, T value) {
  char text[32];
  line.append(text, std::to_chars(text, text + sizeof text, value).ptr);
  line += ',';
}

// The header and the whole rows up to `last_step`.
std::string rows_until(const std::string& text, std::uint64_t last_step, const fs::path& path) {
  if (!std::string_view(text).starts_with(kStatsHeader)) {
    throw Error(path.string() +
                ":1: these are not the columns of this version of sluice; start the run again with --overwrite");
  }
  std::size_t end = kStatsHeader.size();
  for (;;) {
    const std::size_t line_feed = text.find('\n', end);
    // Without a line feed a row was cut off when the program was killed.
    if (line_feed == std::string::npos) break;
    std::uint64_t step = 0;
    const auto read = std::from_chars(text.data() + end, text.data() + line_feed, step);
    if (read.ec != std::errc() || *read.ptr != ',') {
      const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n') + 1;
      throw Error(path.string() + ":" + std::to_string(line) +
                  ": not a row of statistics; remove this line or start the run again with --overwrite");
    }
    if (step > last_step) break;
    end = line_feed + 1;
  }
  return text.substr(0, end);
}

}  // namespace

bool is_run_file(const std::string& file_name) {
  std::string_view name = file_name;
  if (name.ends_with(".tmp")) name.remove_suffix(4);
  if (name == "run.json" || name == "stats.csv" || name == "bodies.csv") return true;
  if ((name.starts_with("shape.") || name.starts_with("surface.")) && name.ends_with(".obj")) return true;
  if (name == "picture.png" || name == "film.mp4" || name == "film.partial.mp4") return true;
  if (name.starts_with("picture.") && name.ends_with(".png")) {
    return ends_with_frame_number(name.substr(0, name.size() - 4));
  }
  if (name.size() > 4 && name.ends_with(".pvd")) return true;
  return name.ends_with(".vtp") && ends_with_frame_number(name.substr(0, name.size() - 4));
}

void check_run_folder(const fs::path& folder, FolderUse use) {
  const std::string place = folder.string() + ": ";
  std::error_code reason;
  if (fs::exists(folder, reason) && !fs::is_directory(folder, reason)) {
    throw Error(place + "is not a folder; choose another with -o");
  }
  if (use == FolderUse::resume && !holds_run(folder)) {
    throw Error(place + "holds no run to resume (no run.json); leave out --resume to start one");
  }
  if (use == FolderUse::fresh && holds_run(folder)) {
    throw Error(place + "holds a run; replace it with --overwrite, or choose another folder with -o");
  }
}

FolderLock::FolderLock(const fs::path& folder) {
  file_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(file_);
  throw Error(folder.string() + ": another run writes into this folder; let it end, or choose another with -o");
}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

FolderLock open_run_folder(const fs::path& folder, FolderUse use) {
  check_run_folder(folder, use);
  if (use == FolderUse::resume) return FolderLock(folder);
  const std::string place = folder.string() + ": ";
  std::error_code reason;
  fs::create_directories(folder, reason);
  if (reason) throw Error(place + "cannot make the folder: " + reason.message() + "; choose another with -o");
  FolderLock lock(folder);
  if (!holds_run(folder)) return lock;
  try {
    remove_run(folder);
  } catch (const fs::filesystem_error& error) {
    throw Error(error.path1().string() + ": cannot remove: " + error.code().message() +
                "; remove it yourself or choose another folder with -o");
  }
  return lock;
}

void write_run_json(const fs::path& folder, const nlohmann::ordered_json& json) {
  write_file(folder / "run.json", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::string stats_line(const StatsRow& row) {
  std::string line;
  append_number(line, row.step);
  append_number(line, row.time);
  append_number(line, row.dt);
  line += row.dt_limit + ',';
  append_number(line, row.iterations);
  append_number(line, row.residual);
  append_number(line, row.residual_friction);
  append_number(line, row.density_error_avg);
  append_number(line, row.density_error_max);
  append_number(line, row.kinetic_energy);
  append_number(line, row.potential_energy);
  append_number(line, row.contacts);
  append_number(line, row.max_speed);
  append_number(line, row.lost_particles);
  append_number(line, row.lost_bodies);
  append_number(line, row.gpu_ms);
  if (row.frame) {
    append_number(line, *row.frame);
  } else {
    line += ',';
  }
  if (row.state_hash) {
    char digits[16];
    const std::size_t count =
        static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, *row.state_hash, 16).ptr - digits);
    line.append(16 - count, '0').append(digits, count);
  }
  return line + '\n';
}

StatsWriter open_stats(const fs::path& folder, std::optional<std::uint64_t> last_step) {
  StatsWriter writer{folder / "stats.csv", nullptr};
  if (last_step) {
    write_file(writer.path, rows_until(read_file(writer.path), *last_step, writer.path));
    writer.file = open_file(writer.path, "ab");
  } else {
    writer.file = open_file(writer.path, "wb");
    write_bytes(writer.file.get(), kStatsHeader, writer.path);
    flush_file(writer.file.get(), writer.path);
  }
  return writer;
}

void append_stats(StatsWriter& writer, const StatsRow& row) {
  write_bytes(writer.file.get(), stats_line(row), writer.path);
  if (row.frame) flush_file(writer.file.get(), writer.path);
}

void close_stats(StatsWriter& writer) {
  if (writer.file) close_file(std::move(writer.file), writer.path);
}

}  // namespace sluice::io
