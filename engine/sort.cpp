#include "engine/sort.h"

namespace sluice {
namespace {

using namespace gpu;

std::uint32_t sort_passes(std::uint32_t key_bits) { return (key_bits + 7) / 8; }

}  // namespace

int sort_start(std::uint32_t key_bits) { return static_cast<int>(sort_passes(key_bits) % 2); }

std::uint32_t sort_digits(std::uint32_t key_bits) {
  const std::uint32_t passes = sort_passes(key_bits);
  return 1u << (key_bits + passes - 1) / passes;
}

void record_sort(PassRecorder& run, const SortArrays& sort, Ptr<uint> count, std::uint32_t key_bits,
                 std::uint32_t blocks_slot, std::uint32_t digits_slot, Ptr<uint> last_values) {
  const std::uint32_t passes = sort_passes(key_bits);
  int side = sort_start(key_bits);
  std::uint32_t shift = 0;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    const std::uint32_t bits = (key_bits - shift + (passes - pass) - 1) / (passes - pass);
    const std::uint32_t digits = 1u << bits;
    run.run_in<Pass::sort_count>(blocks_slot, {count, sort.keys[side], sort.counts, shift, digits});
    run.run_in<Pass::sort_spine>(digits_slot, {count, sort.counts, sort.totals});
    const bool elsewhere = pass + 1 == passes && last_values.address != 0;
    run.run_in<Pass::sort_scatter>(
        blocks_slot, {count, sort.keys[side], sort.values[side], sort.counts, sort.totals, sort.keys[1 - side],
                      elsewhere ? last_values : sort.values[1 - side], shift, digits});
    side = 1 - side;
    shift += bits;
  }
}

void record_cell_sort(PassRecorder& run, const CellSort& set) {
  record_sort(run, set.arrays, set.count, set.key_bits, set.blocks_slot, set.digits_slot, set.last_values);
  run.run_in<Pass::clear_cells>(set.cells_slot, {set.cells, set.cell_count});
  run.run_in<Pass::cell_ranges>(set.ranges_slot, {set.count, set.arrays.keys[0], set.cells});
}

}  // namespace sluice
