#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include "host/sampling/estimate.h"
#include "host/scene/object_place.h"
#include "tools/sluice/commands.h"

namespace sluice::program {

namespace {

constexpr double kMany = 2e6;     // particles and samples, which take seconds
constexpr double kGiB = 1 << 30;  // bytes
constexpr double kUsable = 0.8;   // of the computer's memory
constexpr std::chrono::milliseconds kSilence{3000}, kPause{10000}, kTerminalPause{500};

// Bytes; 0 where it cannot be known.
double memory_of_host() {
#ifdef _WIN32
  return 0;
#else
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? 1.0 * static_cast<double>(pages) * static_cast<double>(size) : 0;
#endif
}

bool on_terminal() {
#ifdef _WIN32
  return _isatty(_fileno(stderr)) != 0;
#else
  return isatty(fileno(stderr)) != 0;
#endif
}

// What a scene will take, before it takes it.
void tell_of_many_samples(const io::SceneFile& file, bool quiet) {
  const std::vector<double> samples = io::expected_samples(file);
  io::check_expected(file, samples);
  const double all = std::accumulate(samples.begin(), samples.end(), 0.0);
  if (!(all > kMany)) return;
  const std::size_t most = static_cast<std::size_t>(std::max_element(samples.begin(), samples.end()) - samples.begin());
  const std::string whose = file.objects[most].name;
  const double bytes = io::sampling_bytes(file, samples), there = memory_of_host();
  char text[256];
  std::snprintf(text, sizeof text, "about %.3g million particles and samples, most of them \"", 1e-6 * all);
  const std::string many = text + whose + "\"";
  std::snprintf(text, sizeof text, "%.1f GiB", bytes / kGiB);
  if (there > 0 && bytes > kUsable * there) {
    char has[96];
    std::snprintf(has, sizeof has, "%.1f GiB can be used of the %.1f that this computer has", kUsable * there / kGiB,
                  there / kGiB);
    throw Error(io::place_of(file, file.objects[most]) + "the scene would have " + many + ", which take " + text +
                " to make, but " + has + "; use a larger particleSpacing, or smaller lengths (are they in metres?)");
  }
  if (!quiet)
    std::fprintf(stderr, "the scene will have %s: making them takes a while, and %s of memory\n", many.c_str(), text);
}

// Says what goes on while it takes long: after kSilence, and then now and then; a terminal's line is rewritten.
struct Stages {
  explicit Stages(bool quiet) {
    if (!quiet) thread = std::thread([this] { watch(); });
  }
  ~Stages() {
    {
      const std::lock_guard lock(mutex);
      over = true;
    }
    changed.notify_all();
    if (thread.joinable()) thread.join();
  }
  Stages(const Stages&) = delete;
  void tell(const std::string& what) {
    const std::lock_guard lock(mutex);
    stage = what;
  }
  void watch() {
    const bool terminal = on_terminal();
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex);
    auto wait = kSilence;
    while (!changed.wait_for(lock, wait, [this] { return over; })) {
      wait = terminal ? kTerminalPause : kPause;
      const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      std::fprintf(stderr, terminal ? "\r%s, %.0f s so far\x1b[K" : "%s, %.0f s so far\n", stage.c_str(), seconds);
      std::fflush(stderr);
    }
    if (terminal && wait != kSilence) std::fputs("\r\x1b[K", stderr);
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::string stage = "reading";
  bool over = false;
  std::thread thread;
};

}  // namespace

LoadedScene load_scene(const std::filesystem::path& path, double until, bool quiet) {
  // These errors begin with the file, and the line where there is one, as compilers' do.
  return or_exit(kWrongInput, "", [&] {
    LoadedScene loaded;
    loaded.file = io::read_scene_file(path);
    if (until > 0) loaded.file.time.end = until;
    tell_of_many_samples(loaded.file, quiet);
    Stages stages(quiet);
    loaded.scene = io::build_scene(loaded.file, loaded.report, [&](const std::string& stage) { stages.tell(stage); });
    return loaded;
  });
}

std::uint32_t frame_count(const TimeSettings& time) {
  return static_cast<std::uint32_t>(std::max(1.0, std::floor(time.end / time.frame_interval + 0.5)));
}

}  // namespace sluice::program
