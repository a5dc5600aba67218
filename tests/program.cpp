#include "tests/program.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include "host/io/atomic_file.h"

#ifndef SLUICE_PROGRAM
#define SLUICE_PROGRAM "build/release/sluice"
#endif

extern char** environ;

namespace sluice::tests {

namespace {

pid_t start(const TestFolder& folder, std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, 1, (folder.path / "out.txt").c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&files, 2, (folder.path / "err.txt").c_str(), flags, 0600);
  pid_t pid = -1;
  const int failure = posix_spawn(&pid, words[0].c_str(), &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  REQUIRE_MESSAGE(failure == 0, "cannot start " SLUICE_PROGRAM "; build the target sluice_program first");
  return pid;
}

}  // namespace

pid_t start_program(const TestFolder& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{SLUICE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return start(folder, words);
}

pid_t start_in_shell(const TestFolder& folder, const std::string& script, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"/bin/sh", "-c", script, SLUICE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return start(folder, words);
}

bool wait_until(pid_t pid, const std::function<bool()>& is_so) {
  while (!is_so()) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
      return is_so();
    poll(nullptr, 0, 5);
  }
  return true;
}

Result wait_for(const TestFolder& folder, pid_t pid) {
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, io::read_file(folder.path / "out.txt"),
          io::read_file(folder.path / "err.txt")};
}

Result run_program(const TestFolder& folder, const std::vector<std::string>& arguments) {
  return wait_for(folder, start_program(folder, arguments));
}

Result run_in_shell(const TestFolder& folder, const std::string& script, const std::vector<std::string>& arguments) {
  return wait_for(folder, start_in_shell(folder, script, arguments));
}

nlohmann::json read_json(const std::filesystem::path& path) { return nlohmann::json::parse(io::read_file(path)); }

}  // namespace sluice::tests
