// The folder of one run: run.json says what ran, stats.csv has a row a step, beside the particle files of the frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>

#include "host/io/atomic_file.h"
#include "host/io/run_files.h"

namespace sluice::io {

enum class FolderUse {
  fresh,      // makes the folder; one that holds a run is refused
  overwrite,  // as fresh, but removes the files that the record of the run that is there lists
  resume,     // the folder must hold a run
};

// Folders are told by the file that lists what a run of the program made there.
struct FolderKind {
  const char* record;
  const char *content, *pronoun;  // "holds a run; replace it"
};
inline constexpr FolderKind kRunFolder{"run.json", "a run", "it"},
    kPictureFolder{"pictures.json", "pictures of an earlier call", "them"};

// Throws Error when the folder may not be used so: also when it holds something that the run would write (`planned`,
// with any number of each series) and that is not a regular file which the record lists. Touches nothing.
void check_run_folder(const std::filesystem::path& folder, FolderUse use, const RunFiles& planned = {},
                      FolderKind kind = kRunFolder);

// While it lives, no other program may open the folder for a run. The system lets go of it when the program ends.
class FolderLock {
 public:
  // Throws Error if another program holds it. Where the file system knows no locks, there is none.
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept
      : folder_(std::move(other.folder_)), file_(std::exchange(other.file_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

  // Throws Error if the folder is no longer where it was: files would get lost, or be another folder's.
  void check_in_place() const;

 private:
  std::filesystem::path folder_;
  int file_ = -1;
};

// Throws Error when the folder cannot be used so. Write the record before anything else: it is what marks a run.
FolderLock open_run_folder(const std::filesystem::path& folder, FolderUse use, const RunFiles& planned = {},
                           FolderKind kind = kRunFolder);

// Replaces the record as a whole. Bytes that are not UTF-8 (a path, a driver's name) become U+FFFD; NaN becomes null.
void write_run_json(const std::filesystem::path& folder, const nlohmann::ordered_json& json,
                    FolderKind kind = kRunFolder);

struct StatsRow {
  std::uint64_t step = 0;
  double time = 0;               // s, at the end of the step
  double dt = 0;                 // s
  std::string dt_limit;          // which limit set dt, one word
  int iterations = 0;            // of the pressure solve
  double residual = 0;           // of the pressure solve, a volume error
  double residual_friction = 0;  // 0 without friction
  double density_error_avg = 0;  // max(0, V0/V - 1) over fluid
  double density_error_max = 0;
  double kinetic_energy = 0;                // J
  double potential_energy = 0;              // J, zero at the origin
  std::uint64_t contacts = 0;               // rigid samples with a foreign rigid or kinematic neighbour
  double max_speed = 0;                     // m/s
  std::uint64_t lost_particles = 0;         // that left the domain, since the start
  std::uint64_t lost_bodies = 0;
  double gpu_ms = 0;                        // device time of the step
  std::optional<std::uint32_t> frame;       // if the step ended on a frame, with the hash of the state
  std::optional<std::uint64_t> state_hash;  // 16 hexadecimal digits in the file
};

// One line with a line feed. Numbers are the shortest text that reads back as the same bits.
std::string stats_line(const StatsRow& row);

// Appends to stats.csv. Rows reach the system at every frame and when the writer is closed.
struct StatsWriter {
  std::filesystem::path path;
  File file;
};

// A new stats.csv with its header row; or, with `last_step`, the one that is there, cut after that step: a resumed run
// goes on from a checkpoint and writes the later rows again.
StatsWriter open_stats(const std::filesystem::path& folder, std::optional<std::uint64_t> last_step = {});

// Each throws Error naming the file when a write fails, or when the file is no longer in its place; both may show only
// at the next frame.
void append_stats(StatsWriter& writer, const StatsRow& row);
void close_stats(StatsWriter& writer);

}  // namespace sluice::io
