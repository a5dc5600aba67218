// run.json while a run goes on, or pictures.json while pictures are drawn.
#pragma once

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "host/io/run_folder.h"
#include "host/io/stored_run.h"
#include "tools/sluice/commands.h"

namespace sluice::program {

// Changed by the run, and by the watcher of Ctrl-C when the run does not answer.
struct RunRecord {
  std::filesystem::path folder;  // empty: nothing has been written yet
  io::FolderKind kind = io::kRunFolder;
  const io::FolderLock* lock = nullptr;
  io::RunFiles files;  // what is written, or is about to be
  std::timed_mutex mutex;
  nlohmann::ordered_json json;
};

std::string hex_text(std::uint64_t value);  // 16 digits

nlohmann::ordered_json describe_run(const LoadedScene& loaded, const RunOptions& options, const DeviceInfo& device,
                                    const std::vector<MemoryPart>& memory, const io::SeriesNames& series);

// Changes the list of files; update_record writes it. What already lies under a new name is somebody else's.
template <class Change>
void list_files(RunRecord& record, Change change) {
  const std::lock_guard lock(record.mutex);
  const io::RunFiles before = record.files;
  change(record.files);
  if (!record.folder.empty()) io::note_others(record.folder, before, record.files);
}

// Sets the keys of `changes` and the list of files, and replaces the file. Throws Error, also when the folder is gone.
void update_record(RunRecord& record, const nlohmann::ordered_json& changes = nlohmann::ordered_json::object());

// The same with a status, for the end of a run that went wrong: failures are ignored, as the disk may be what failed.
// Gives up if another thread is writing and does not finish.
void close_record(RunRecord& record, const std::string& status, const std::string& sentence);

}  // namespace sluice::program
