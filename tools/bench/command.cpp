#include "tools/bench/command.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "engine/gpu_device.h"
#include "engine/state.h"
#include "host/io/atomic_file.h"
#include "tools/bench/bench.h"
#include "tools/bench/embedded.h"
#include "tools/bench/rounds.h"
#include "tools/bench/timing.h"
#include "tools/common/exit.h"
#include "tools/common/interrupt.h"

namespace sluice::bench {
namespace {

using nlohmann::ordered_json;

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

// The host's processor, as Linux names it, and how many threads it runs.
std::string host_text() {
  std::ifstream info("/proc/cpuinfo");
  std::string family, model, name = "?";
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.starts_with("model name")) name = line.substr(colon + 2);
    if (line.starts_with("cpu family")) family = line.substr(colon + 2);
    if (line.starts_with("model\t")) model = line.substr(colon + 2);
    if (line.starts_with("flags")) break;
  }
  if (!family.empty()) name += ", family " + family + " model " + model;
  return name + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads";
}

ordered_json describe(const Gpu& gpu, const std::string& difference) {
  const DeviceInfo& info = gpu.info();
  const VkPhysicalDeviceLimits& limits = device_of(gpu).limits;
  const VkPhysicalDeviceMemoryProperties& memory = device_of(gpu).memory;
  ordered_json heaps = ordered_json::array();
  for (std::uint32_t k = 0; k < memory.memoryHeapCount; ++k)
    heaps.push_back({{"mib", memory.memoryHeaps[k].size >> 20},
                     {"device_local", (memory.memoryHeaps[k].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0}});
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d", &parts);
  return {{"name", info.name},
          {"driver", info.driver},
          {"vulkan", info.api_version},
          {"arithmetic", difference.empty() ? "certified" : difference},
          {"subgroup_size", info.subgroup_size},
          {"workgroup_invocations", limits.maxComputeWorkGroupInvocations},
          {"shared_memory_bytes", limits.maxComputeSharedMemorySize},
          {"storage_buffer_range", limits.maxStorageBufferRange},
          {"texel_buffer_elements", limits.maxTexelBufferElements},
          {"timestamp_period_ns", limits.timestampPeriod},
          {"timed_by",
           limits.timestampPeriod > 0 ? "the device's clock; scenes and pictures by the host's" : "the host's clock"},
          {"gathers_by", resolved(device_of(gpu), {}).gather == Gather::texels ? "texels" : "addresses"},
          {"host", host_text()},
          {"heaps", heaps},
          {"sluice", SLUICE_VERSION},
          {"date", date}};
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Cases of the suites up to this one; with `only`, those of any suite that it names or whose name has it.
std::vector<Case> choose(Suite suite, const std::string& only) {
  std::vector<Case> chosen;
  for (auto cases : {primitive_cases(), scene_cases(), picture_cases()})
    for (Case& c : cases)
      if (only.empty() ? c.from <= suite
                       : is_named(c.name, only) || lower(c.name).find(lower(only)) != std::string::npos)
        chosen.push_back(std::move(c));
  return chosen;
}

ordered_json to_json(const Outcome& outcome) {
  ordered_json json;
  if (!outcome.skipped.empty()) return {{"skipped", outcome.skipped}};
  json["check"] = outcome.check;
  json["passed"] = outcome.failure.empty();
  if (!outcome.failure.empty()) {
    json["failure"] = outcome.failure;
    return json;
  }
  json["of"] = outcome.unit;
  json["median_ms"] = median(outcome.times);
  if (outcome.times.size() > 1) json["spread_ms"] = spread(outcome.times);  // of one there is none
  json["times_ms"] = outcome.times;
  json["details"] = outcome.details;
  return json;
}

void print_row(const Outcome& outcome) {
  if (!outcome.skipped.empty()) {
    std::printf("%-42s skipped: %s\n", outcome.name.c_str(), outcome.skipped.c_str());
  } else if (!outcome.failure.empty()) {
    std::printf("%-42s FAILED: %s\n", outcome.name.c_str(), outcome.failure.c_str());
  } else {
    const std::string range = outcome.times.size() > 1 ? number_text(spread(outcome.times), 2) : "?";  // of one run
    std::printf("%-42s %10s ms +- %-7s %-9s  %s\n", outcome.name.c_str(), number_text(median(outcome.times)).c_str(),
                range.c_str(), outcome.unit.c_str(), outcome.rate.c_str());
  }
}

// Returns how many checks failed.
int print_table(Board& board) {
  int failed = 0;
  if (isatty(2)) std::fprintf(stderr, "\r\33[K");  // of progress
  for (const Outcome& outcome : summarized(board)) {
    failed += outcome.failure.empty() ? 0 : 1;
    print_row(outcome);
  }
  if (failed > 0) std::printf("%d %s FAILED and have no time\n", failed, failed == 1 ? "check" : "checks");
  std::fflush(stdout);
  return failed;
}

void print_interrupted(const Board& board, const BenchOptions& options) {
  std::printf("interrupted after %d of %d rounds\n", board.rounds.load(), options.repeats);
  std::fflush(stdout);
}

}  // namespace

bool is_named(const std::string& name, const std::string& only) {
  const std::string a = lower(name), b = lower(only);
  return a == b || b.starts_with(a + ": ");
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n == 0 ? 0 : 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

double spread(const std::vector<double>& values) {
  const double middle = median(values);
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - middle));
  return largest;
}

std::string number_text(double value, int digits) {
  char text[32];
  // Without an exponent, as a table is read.
  const int before = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
  std::snprintf(text, sizeof text, "%.*f", std::clamp(digits - before, 0, 9), value);
  return text;
}

Outcome too_much_for_a_cpu(const std::string& name) {
  Outcome skipped;
  skipped.name = name;
  skipped.skipped = "too much for a CPU driver; --only \"" + name + "\" runs it";
  return skipped;
}

void check_hash(Context& context, Outcome& outcome, std::uint64_t hash) {
  outcome.check = "the bits that certified devices have";
  const auto earlier = context.hashes.find(outcome.name);
  if (earlier != context.hashes.end() && *earlier != hex(hash)) outcome.failure = "two runs of it differ";
  context.hashes[outcome.name] = hex(hash);
  if (context.makes_golden || !outcome.failure.empty()) return;
  const auto golden = context.golden.find(outcome.name);
  if (golden == context.golden.end())
    outcome.failure = "no golden hash is known";
  else if (*golden != hex(hash))
    outcome.failure = "state hash " + hex(hash) + ", but certified devices have " + golden->get<std::string>();
}

int bench_command(const BenchOptions& options) {
  using namespace program;
  Board board;
  Interrupt interrupt([&board, &options] {
    print_table(board);
    print_interrupted(board, options);
  });
  const Suite suite = options.suite == "quick"      ? Suite::quick
                      : options.suite == "standard" ? Suite::standard
                                                    : Suite::papers;
  const std::vector<Case> cases = choose(suite, options.only);
  if (cases.empty()) {
    std::string names;
    for (const Case& c : choose(Suite::papers, "")) names += (names.empty() ? "" : "; ") + c.name;
    throw CommandError{kWrongInput,
                       kProgramPrefix + ("no case has \"" + options.only + "\" in its name; there are: " + names)};
  }
  or_exit(kWrongInput, kProgramPrefix, [&] {
    for (const auto& file : {options.json, options.golden})
      if (!file.empty()) io::check_replaceable(file);
  });
  or_exit(kRunFailed, kProgramPrefix, [] { return list_devices(); });
  Gpu gpu = or_exit(options.device.empty() ? kRunFailed : kWrongInput, kProgramPrefix,
                    [&] { return Gpu::create({.device = options.device, .draws = true}); });
  const std::string difference = certify_arithmetic(gpu);
  std::printf("%s, %s, Vulkan %s\narithmetic: %s; each case is checked, then timed once in each of %d round%s\n",
              gpu.info().name.c_str(), gpu.info().driver.c_str(), gpu.info().api_version.c_str(),
              difference.empty() ? "certified" : difference.c_str(), options.repeats, options.repeats == 1 ? "" : "s");
  std::fflush(stdout);
  ordered_json result;
  result["device"] = describe(gpu, difference);
  result["suite"] = options.suite;
  Context context{.gpu = gpu,
                  .golden = ordered_json::parse(embedded_text("golden")),
                  .makes_golden = !options.golden.empty(),
                  .only = options.only,
                  .rounds = options.repeats};
  const auto start = std::chrono::steady_clock::now();
  const auto save = [&](bool complete) {
    if (options.json.empty()) return;
    result["complete"] = complete;
    result["repeats"] = board.rounds.load();
    result["seconds"] = seconds_since(start);
    result["cases"] = ordered_json::object();
    for (const Outcome& outcome : summarized(board)) result["cases"][outcome.name] = to_json(outcome);
    io::replace_file(options.json, result.dump(2) + "\n");
  };
  run_rounds(context, cases, board, [&] {
    save(false);  // what has been measured stays if the next case hangs or the machine goes
    interrupt.seen = interrupt.requested.load();
    return !interrupt.seen;
  });
  save(!interrupt.seen);
  const int failed = print_table(board) + (difference.empty() ? 0 : 1);
  if (interrupt.seen) {
    print_interrupted(board, options);
    return kInterrupted;
  }
  if (!options.golden.empty()) io::replace_file(options.golden, context.hashes.dump(2) + "\n");
  return failed > 0 ? kRunFailed : kDone;
}

}  // namespace sluice::bench
