// Files that are either whole or absent: written under a temporary name in the same folder, then renamed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sluice::io {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

// `mode` as for fopen. Throws Error with the path and the system's reason.
File open_file(const std::filesystem::path& path, const char* mode);

// Each throws Error naming `path` when the system took less than everything (a full disk, a lost mount).
// close_file is where buffered bytes meet the disk: a file that is only destroyed may have lost some.
void write_bytes(std::FILE* file, std::string_view bytes, const std::filesystem::path& path);
void flush_file(std::FILE* file, const std::filesystem::path& path);
void close_file(File file, const std::filesystem::path& path);

std::string read_file(const std::filesystem::path& path);

// The name under which `path` is written until it is whole: "run.json.tmp". Always the same for a path, so that what
// a killed program left is overwritten by the next one.
std::filesystem::path temporary_name(const std::filesystem::path& path);

// Throws Error if write_file would not get far: for results of long work, before it begins.
void check_writable(const std::filesystem::path& path);

// Replaces `path` by the parts, one after the other. On any failure the old file stays as it was, the temporary file
// is gone, and an Error names the path and the reason. Of a link, what it points to is replaced. Survives the end of the program, not (no fsync) of the power.
void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts);
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace sluice::io
