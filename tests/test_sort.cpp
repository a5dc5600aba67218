// The radix sort against std::stable_sort.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "engine/gpu_device.h"
#include "tests/gpu.h"
#include "tools/bench/sort_rig.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

using Words = std::vector<std::uint32_t>;

struct Sorted {
  Words keys, values;
};

struct TestedSort : SortRig {
  TestedSort(Gpu& gpu, std::uint64_t capacity, bool by_runs)
      : SortRig(device_of(gpu), capacity), pipelines(shared_pipelines(gpu, 1, by_runs)) {}

  template <typename Record>
  void run(Record record) {
    vulkan::run_once(device, [&](VkCommandBuffer commands) {
      vulkan::Recorder recorder(device, commands, pipelines);
      PassRecorder passes{recorder, control.raw.handle()};
      record(passes);
    });
  }

  Sorted operator()(const Words& keys, std::uint32_t bits) {
    start(keys, bits);
    run([&](PassRecorder& passes) { record(passes, bits); });
    return {vulkan::download(device, this->keys[0], keys.size()), vulkan::download(device, values[0], keys.size())};
  }

  const vulkan::Pipelines& pipelines;
};

Sorted stable(const Words& keys) {
  Sorted sorted{keys, Words(keys.size())};
  std::iota(sorted.values.begin(), sorted.values.end(), 0u);
  std::stable_sort(sorted.values.begin(), sorted.values.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  std::transform(sorted.values.begin(), sorted.values.end(), sorted.keys.begin(),
                 [&](std::uint32_t i) { return keys[i]; });
  return sorted;
}

struct Pattern {
  std::string name;
  std::function<std::uint32_t(std::uint64_t i, std::uint64_t count, std::uint32_t largest, Random& random)> key;
};

const std::vector<Pattern> kPatterns{
    {"random", [](auto, auto, auto largest, Random& random) { return random.word() & largest; }},
    {"sorted", [](auto i, auto count, auto largest, auto&) { return std::uint32_t(i * largest / count); }},
    {"reversed", [](auto i, auto count, auto largest, auto&) { return std::uint32_t((count - i) * largest / count); }},
    {"all equal", [](auto, auto, auto largest, auto&) { return largest; }},
    {"two values", [](auto, auto, auto largest, Random& random) { return random.word() & 1 ? largest : 1u; }},
    {"high bit only", [](auto i, auto, auto largest, auto&) { return i % 3 == 0 ? largest / 2 + 1 : 0u; }},
    {"sawtooth", [](auto i, auto, auto largest, auto&) { return std::uint32_t(largest - i % 257) & largest; }}};

Words make_keys(const Pattern& pattern, std::uint64_t count, std::uint32_t bits) {
  Random random{count + bits};
  Words keys(count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = pattern.key(i, count, (1u << bits) - 1, random);
  return keys;
}

void check_sorted(TestedSort& rig, const Pattern& pattern, std::uint64_t count, std::uint32_t bits) {
  CAPTURE(rig.device.info.name);
  CAPTURE(pattern.name);
  CAPTURE(count);
  CAPTURE(bits);
  const Words keys = make_keys(pattern, count, bits);
  const Sorted expected = stable(keys), found = rig(keys, bits);
  // Compared as a whole: a report of a vector of millions helps nobody.
  CHECK((found.keys == expected.keys));
  CHECK((found.values == expected.values));
}

}  // namespace

TEST_CASE(
    "the sort equals std::stable_sort for every size around a group and a block, every kind of keys and width, "
    "both ways to scatter") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    for (const bool by_runs : {false, true}) {
      TestedSort rig(*gpu, 1234, by_runs);
      for (const Pattern& pattern : kPatterns) {
        for (const std::uint64_t count : {0, 1, 255, 256, 257, 1023, 1024, 1025, 1234}) {
          for (const std::uint32_t bits : {6u, 8u, 12u, 18u, 24u}) check_sorted(rig, pattern, count, bits);
        }
      }
    }
  }
}

TEST_CASE("the sort equals std::stable_sort for 100000 keys") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    for (const bool by_runs : {false, true}) {
      TestedSort rig(*gpu, 100000, by_runs);
      for (const Pattern& pattern : kPatterns) {
        for (const std::uint32_t bits : {18u, 24u}) check_sorted(rig, pattern, 100000, bits);
      }
    }
  }
}

TEST_CASE("the sort equals std::stable_sort for four million keys") {
  MessageGuard guard(lavapipe());
  for (const bool by_runs : {false, true}) {
    TestedSort rig(lavapipe(), 4'000'000, by_runs);
    for (const Pattern& pattern : kPatterns) {
      if (pattern.name == (by_runs ? "random" : "sawtooth")) check_sorted(rig, pattern, 4'000'000, 23);
    }
  }
}

TEST_CASE("digits are counted by block and their places are exclusive sums over the blocks") {
  constexpr std::uint32_t kShift = 3, kBits = 6, kDigits = 64;
  const int side = sort_start(kBits);
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    TestedSort rig(*gpu, 40000, false);
    // Over 32 blocks each thread of the spine has a run of several.
    for (const std::uint64_t count : {1, 256, 257, 1025, 40000}) {
      CAPTURE(count);
      const Words keys = make_keys(kPatterns[0], count, 12);
      const std::uint64_t blocks = (count + gpu::kSortBlock - 1) / gpu::kSortBlock;
      Words counts(kDigits * blocks, 0), totals(kDigits, 0);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint32_t digit = keys[i] >> kShift & (kDigits - 1);
        ++counts[digit * blocks + i / gpu::kSortBlock];
        ++totals[digit];
      }
      rig.start(keys, kBits);
      rig.run([&](PassRecorder& passes) {
        passes.run_in<Pass::sort_count>(gpu::kSlotBeginBlocks,
                                        {rig.count(), rig.keys[side].ptr(), rig.counts.ptr(), kShift, kDigits});
      });
      CHECK((vulkan::download(rig.device, rig.counts, counts.size()) == counts));
      rig.run([&](PassRecorder& passes) {
        passes.run_in<Pass::sort_spine>(gpu::kSlotBeginDigits, {rig.count(), rig.counts.ptr(), rig.totals.ptr()});
      });
      for (std::uint32_t digit = 0; digit < kDigits; ++digit) {
        const auto row = counts.begin() + static_cast<std::ptrdiff_t>(digit * blocks);
        std::exclusive_scan(row, row + static_cast<std::ptrdiff_t>(blocks), row, 0u);
      }
      CHECK((vulkan::download(rig.device, rig.counts, counts.size()) == counts));
      CHECK((vulkan::download(rig.device, rig.totals, totals.size()) == totals));
    }
  }
}

TEST_CASE("the digits of the passes are as even as eight bits a pass allow") {
  CHECK(sort_digits(6) == 64);
  CHECK(sort_digits(8) == 256);
  CHECK(sort_digits(9) == 32);
  CHECK(sort_digits(18) == 64);
  CHECK(sort_digits(24) == 256);
  CHECK(sort_digits(25) == 128);
}
