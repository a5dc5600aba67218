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

// A file that was not there. Throws Error if anything has this name, links that lead nowhere included.
File create_file(const std::filesystem::path& path);

// Each throws Error naming `path` when the file is null, or when the system took less than everything (a full disk, a
// lost mount). close_file is where buffered bytes meet the disk: a file that is only destroyed may have lost some.
void write_bytes(std::FILE* file, std::string_view bytes, const std::filesystem::path& path);
void flush_file(std::FILE* file, const std::filesystem::path& path);
void close_file(File file, const std::filesystem::path& path);

// Throws Error if `path` no longer names this open file: the system would take bytes that nobody can read later.
void check_in_place(std::FILE* file, const std::filesystem::path& path);

std::string read_file(const std::filesystem::path& path);
// Throws Error if this is a folder, a pipe or a device, whose reading might never end.
void check_regular_file(const std::filesystem::path& path);
// Both.
std::string read_regular_file(const std::filesystem::path& path);

// The name under which `path` is written until it is whole: "run.json.tmp". Always the same for a path, so that what
// a killed program left is known by its name.
std::filesystem::path temporary_name(const std::filesystem::path& path);

enum class Existing {
  replace,
  refuse,  // an Error, and what is there stays
};

// Writes the parts, one after the other, to a file of a folder that is the program's own. On any failure the old file
// stays as it was, the temporary file is gone, and an Error names the path and the reason. Only a regular file is
// replaced, and what already has the temporary name is somebody else's: no link is followed. Survives the end of the
// program, not (no fsync) of the power.
void write_file(const std::filesystem::path& path, std::span<const std::string_view> parts,
                Existing existing = Existing::replace);
void write_file(const std::filesystem::path& path, std::string_view text, Existing existing = Existing::replace);

// The same for a file that a user names, anywhere: of a link, what it points to is replaced, and the temporary name is
// one that is free.
void replace_file(const std::filesystem::path& path, std::string_view text);
// Throws Error if replace_file would not get far: for results of long work, before it begins.
void check_replaceable(const std::filesystem::path& path);

}  // namespace sluice::io
