// run.json while a run goes on.
#pragma once

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "host/io/stored_run.h"
#include "tools/sluice/commands.h"

namespace sluice::program {

// Changed by the run, and by the watcher of Ctrl-C when the run does not answer.
struct RunRecord {
  std::filesystem::path folder;  // empty: nothing has been written yet
  std::timed_mutex mutex;
  nlohmann::ordered_json json;
};

std::string hex_text(std::uint64_t value);  // 16 digits

nlohmann::ordered_json describe_run(const LoadedScene& loaded, const RunOptions& options, const DeviceInfo& device,
                                    const std::vector<MemoryPart>& memory, const io::SeriesNames& series);

// Sets the keys of `changes` and replaces the file.
void update_record(RunRecord& record, const nlohmann::ordered_json& changes);

// The same with a status, for the end of a run that went wrong: failures are ignored, as the disk may be what failed.
// Gives up if another thread is writing and does not finish.
void close_record(RunRecord& record, const std::string& status, const std::string& sentence);

}  // namespace sluice::program
