#include "host/io/atomic_file.h"

#include <cerrno>
#include <system_error>

#include "sluice/scene.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const char* what, const std::error_code& reason) {
  std::string text = path.string() + ": " + what + ": ";
  text += reason ? reason.message() : "the system gave no reason";
  if (reason == std::errc::no_space_on_device) text += "; free some space or choose another folder with -o";
  if (reason == std::errc::permission_denied || reason == std::errc::read_only_file_system) {
    text += "; choose a folder that you may write to with -o";
  }
  throw Error(text);
}

std::error_code last_error() { return {errno, std::generic_category()}; }

}  // namespace

File open_file(const fs::path& path, const char* mode) {
  errno = 0;
#ifdef _WIN32
  const std::wstring wide(mode, mode + std::char_traits<char>::length(mode));
  File file(_wfopen(path.c_str(), wide.c_str()));
#else
  File file(std::fopen(path.c_str(), mode));
#endif
  if (!file) fail(path, mode[0] == 'r' ? "cannot read" : "cannot write", last_error());
  return file;
}

void write_bytes(std::FILE* file, std::string_view bytes, const fs::path& path) {
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) fail(path, "cannot write", last_error());
}

void flush_file(std::FILE* file, const fs::path& path) {
  errno = 0;
  if (std::fflush(file) != 0) fail(path, "cannot write", last_error());
}

void close_file(File file, const fs::path& path) {
  errno = 0;
  if (std::fclose(file.release()) != 0) fail(path, "cannot write", last_error());
}

std::string read_file(const fs::path& path) {
  const File file = open_file(path, "rb");
  std::string text;
  char block[1 << 16];
  errno = 0;
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) text.append(block, count);
  // A folder opens but does not read.
  if (std::ferror(file.get())) fail(path, "cannot read", last_error());
  return text;
}

fs::path temporary_name(const fs::path& path) {
  fs::path name = path;
  name += ".tmp";
  return name;
}

void check_writable(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error(path.string() + ": is no regular file, so it cannot be replaced; name another");
  const fs::path temporary = temporary_name(path);
  const bool was_there = fs::exists(temporary, ignored);
  errno = 0;
  const File file(std::fopen(temporary.c_str(), "ab"));
  if (!file) fail(path, "cannot write", last_error());
  if (!was_there) fs::remove(temporary, ignored);
}

void write_file(const fs::path& name, std::span<const std::string_view> parts) {
  std::error_code unresolved;
  // What a link points to is replaced, not the link; a device or a pipe is no file that could be.
  const fs::path path = fs::is_symlink(name, unresolved) ? fs::weakly_canonical(name, unresolved) : name;
  if (const fs::file_status status = fs::status(path, unresolved); fs::exists(status) && fs::is_other(status))
    throw Error(path.string() + ": is no regular file, so it cannot be replaced; name another");
  const fs::path temporary = temporary_name(path);
  try {
    File file = open_file(temporary, "wb");
    for (const std::string_view part : parts) write_bytes(file.get(), part, path);
    close_file(std::move(file), path);
    std::error_code reason;
    fs::rename(temporary, path, reason);
    if (reason) fail(path, "cannot replace", reason);
  } catch (...) {
    std::error_code ignored;
    // Not a folder that happens to have the temporary name.
    if (!fs::is_directory(fs::symlink_status(temporary, ignored))) fs::remove(temporary, ignored);
    throw;
  }
}

void write_file(const fs::path& path, std::string_view text) { write_file(path, std::span(&text, 1)); }

}  // namespace sluice::io
