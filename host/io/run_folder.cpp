#include "host/io/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
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

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// Entries of a folder; links are not followed.
struct Entry {
  std::string name;
  bool is_regular = false;
};
std::vector<Entry> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code reason;
  for (fs::directory_iterator at(folder, reason), end; !reason && at != end; at.increment(reason)) {
    std::error_code ignored;
    entries.push_back({at->path().filename().string(), fs::is_regular_file(at->symlink_status(ignored))});
  }
  if (reason)
    throw Error(folder.string() + ": cannot be read: " + reason.message() + "; choose another folder with -o");
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

// Throws Error if anything is in the way that `mine` does not list.
void refuse_others_files(const fs::path& folder, const RunFiles& planned, const RunFiles& mine, FolderKind kind) {
  std::string first;
  std::size_t others = 0;
  for (const Entry& entry : entries_of(folder)) {
    if (!claims(planned, entry.name) || (entry.is_regular && lists(mine, entry.name))) continue;
    if (first.empty())
      first = entry.name;
    else
      ++others;
  }
  if (first.empty()) return;
  throw Error((folder / first).string() + ": is there already, and no run that " + kind.record + " tells of wrote it" +
              (others == 0
                   ? "; move it away"
                   : (others == 1 ? ", as is 1 more file" : ", as are " + std::to_string(others) + " more files") +
                         "; move them away") +
              ", or choose another folder with -o");
}

void check_permission(const fs::path& folder) {
  errno = 0;
  if (access(folder.c_str(), R_OK | W_OK | X_OK) == 0) return;
  const std::error_code reason(errno, std::generic_category());
  throw Error(folder.string() + ": cannot be written to: " + reason.message() + "; choose another folder with -o");
}

void remove_run(const fs::path& folder, const RunFiles& mine, FolderKind kind) {
  for (const Entry& entry : entries_of(folder))
    if (entry.is_regular && lists(mine, entry.name) && entry.name != kind.record) fs::remove(folder / entry.name);
  // Last, so that the folder counts as a run, and can be overwritten again, until all else is gone.
  fs::remove(folder / kind.record);
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

void check_run_folder(const fs::path& folder, FolderUse use, const RunFiles& planned, FolderKind kind) {
  const std::string place = folder.string() + ": ";
  std::error_code reason;
  if (fs::exists(folder, reason) && !fs::is_directory(folder, reason)) {
    throw Error(place + "is not a folder; choose another with -o");
  }
  const bool holds_run = is_there(folder / kind.record);
  if (use == FolderUse::resume && !holds_run) {
    throw Error(place + "holds no run to resume (no " + kind.record + "); leave out --resume to start one");
  }
  if (use == FolderUse::resume || !fs::exists(folder, reason)) return;
  check_permission(folder);
  const RunFiles mine = holds_run ? read_files_of(folder / kind.record) : RunFiles{};
  if (holds_run && use == FolderUse::fresh) {
    throw Error(place + "holds " + kind.content + "; replace " + kind.pronoun +
                " with --overwrite, or choose another folder with -o");
  }
  refuse_others_files(folder, planned, mine, kind);
}

FolderLock::FolderLock(const fs::path& folder) : folder_(folder) {
  file_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(file_);
  throw Error(folder.string() + ": another run writes into this folder; let it end, or choose another with -o");
}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

void FolderLock::check_in_place() const {
  struct stat held {
  }, named{};
  if (file_ < 0 || (fstat(file_, &held) == 0 && stat(folder_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
                    held.st_ino == named.st_ino))
    return;
  throw Error(folder_.string() +
              ": the folder was removed or renamed while it was written to; leave it where it is until the run ends");
}

FolderLock open_run_folder(const fs::path& folder, FolderUse use, const RunFiles& planned, FolderKind kind) {
  check_run_folder(folder, use, planned, kind);
  if (use == FolderUse::resume) return FolderLock(folder);
  const std::string place = folder.string() + ": ";
  std::error_code reason;
  fs::create_directories(folder, reason);
  if (reason) throw Error(place + "cannot make the folder: " + reason.message() + "; choose another with -o");
  FolderLock lock(folder);
  // Again, as another run may have ended since.
  check_run_folder(folder, use, planned, kind);
  if (!is_there(folder / kind.record)) return lock;
  try {
    remove_run(folder, read_files_of(folder / kind.record), kind);
  } catch (const fs::filesystem_error& error) {
    throw Error(error.path1().string() + ": cannot remove: " + error.code().message() +
                "; remove it yourself or choose another folder with -o");
  }
  return lock;
}

void write_run_json(const fs::path& folder, const nlohmann::ordered_json& json, FolderKind kind) {
  write_file(folder / kind.record, json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
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
    writer.file = create_file(writer.path);
    write_bytes(writer.file.get(), kStatsHeader, writer.path);
    flush_file(writer.file.get(), writer.path);
  }
  return writer;
}

void append_stats(StatsWriter& writer, const StatsRow& row) {
  write_bytes(writer.file.get(), stats_line(row), writer.path);
  if (!row.frame) return;
  flush_file(writer.file.get(), writer.path);
  check_in_place(writer.file.get(), writer.path);
}

void close_stats(StatsWriter& writer) {
  if (!writer.file) return;
  check_in_place(writer.file.get(), writer.path);
  close_file(std::move(writer.file), writer.path);
}

}  // namespace sluice::io
