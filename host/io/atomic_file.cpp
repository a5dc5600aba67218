#include "host/io/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sluice/scene.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

std::error_code last_error() { return {errno, std::generic_category()}; }

[[noreturn]] void fail(const fs::path& path, const char* what, const std::error_code& reason) {
  std::string text = path.string() + ": " + what + ": ";
  text += reason ? reason.message() : "the system gave no reason";
  if (reason == std::errc::no_space_on_device) text += "; free some space or choose another folder with -o";
  if (reason == std::errc::permission_denied || reason == std::errc::read_only_file_system) {
    text += "; choose a folder that you may write to with -o";
  }
  if (reason == std::errc::file_exists)
    text += "; it is not of this run: move it away, or choose another folder with -o";
  if (reason == std::errc::file_too_large) text += "; raise the limit on the size of files (ulimit -f)";
  throw Error(text);
}

// Files that are replaced are regular ones: a device or a pipe would take the bytes and be gone.
void check_regular(const fs::path& path, const fs::file_status& status) {
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error(path.string() + ": is no regular file, so it cannot be replaced; name another");
}

// Follows a link; any other path is returned.
fs::path target_of(const fs::path& path) {
  std::error_code unresolved;
  return fs::is_symlink(path, unresolved) ? fs::weakly_canonical(path, unresolved) : path;
}

struct Temporary {
  fs::path path;
  File file;
};

// Beside `path`, under a name that nothing has.
Temporary open_temporary(const fs::path& path) {
  constexpr int kMost = 100;
  for (int k = 0;; ++k) {
    fs::path name = path;
    name += '.';
    name += std::to_string(::getpid());
    name += '-';
    name += std::to_string(k);
    name += ".tmp";
    errno = 0;
    if (File file{std::fopen(name.c_str(), "wbx")}) return {name, std::move(file)};
    if (errno != EEXIST || k == kMost) fail(path, "cannot write", last_error());
  }
}

// Writes to the open file, then gives it its name; removes it if that fails.
void finish_file(Temporary temporary, const fs::path& path, std::span<const std::string_view> parts,
                 Existing existing) {
  try {
    for (const std::string_view part : parts) write_bytes(temporary.file.get(), part, path);
    close_file(std::move(temporary.file), path);
    std::error_code reason;
    if (const fs::file_status status = fs::symlink_status(path, reason); fs::exists(status)) {
      if (existing == Existing::refuse)
        throw Error(path.string() + ": is there already, and is not of this run; move it away");
      check_regular(path, status);
    }
    fs::rename(temporary.path, path, reason);
    if (reason) fail(path, "cannot replace", reason);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary.path, ignored);
    throw;
  }
}

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

File create_file(const fs::path& path) { return open_file(path, "wbx"); }

void write_bytes(std::FILE* file, std::string_view bytes, const fs::path& path) {
  if (!file) throw Error(path.string() + ": cannot write: it was never opened");
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) fail(path, "cannot write", last_error());
}

void flush_file(std::FILE* file, const fs::path& path) {
  if (!file) throw Error(path.string() + ": cannot write: it was never opened");
  errno = 0;
  if (std::fflush(file) != 0) fail(path, "cannot write", last_error());
}

void close_file(File file, const fs::path& path) {
  if (!file) throw Error(path.string() + ": cannot write: it was never opened");
  errno = 0;
  if (std::fclose(file.release()) != 0) fail(path, "cannot write", last_error());
}

void check_in_place(std::FILE* file, const fs::path& path) {
  struct stat open {
  }, named{};
  if (fstat(fileno(file), &open) == 0 && lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
      open.st_ino == named.st_ino)
    return;
  throw Error(path.string() +
              ": was removed or replaced while it was written; leave a run's folder alone until it ends");
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

void check_regular_file(const fs::path& path) {
  std::error_code ignored;
  if (const fs::file_status status = fs::status(path, ignored); fs::exists(status) && !fs::is_regular_file(status))
    throw Error(path.string() + ": is no regular file");
}

std::string read_regular_file(const fs::path& path) {
  check_regular_file(path);
  return read_file(path);
}

void write_file(const fs::path& path, std::span<const std::string_view> parts, Existing existing) {
  std::error_code ignored;
  check_regular(path, fs::symlink_status(path, ignored));
  const fs::path temporary = temporary_name(path);
  finish_file({temporary, create_file(temporary)}, path, parts, existing);
}

void write_file(const fs::path& path, std::string_view text, Existing existing) {
  write_file(path, std::span(&text, 1), existing);
}

void replace_file(const fs::path& name, std::string_view text) {
  std::error_code ignored;
  const fs::path path = target_of(name);
  check_regular(path, fs::status(path, ignored));
  finish_file(open_temporary(path), path, std::span(&text, 1), Existing::replace);
}

void check_replaceable(const fs::path& name) {
  std::error_code ignored;
  const fs::path path = target_of(name);
  check_regular(name, fs::status(path, ignored));
  const Temporary temporary = open_temporary(path);
  fs::remove(temporary.path, ignored);
}

}  // namespace sluice::io
