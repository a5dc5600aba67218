// The radix sort, and the cells that come from it, as device work.
#pragma once

#include "engine/passes.h"

namespace sluice {

// Where a sort finds its keys and values and leaves them. A pass goes from one side to the other.
struct SortArrays {
  gpu::Ptr<gpu::uint> keys[2], values[2];
  gpu::Ptr<gpu::uint> counts, totals;
};

// Which of both sides a sort of `key_bits` bits starts from, so that it ends on side 0.
int sort_start(std::uint32_t key_bits);

// Records the sort of `key_bits` bits: from side sort_start() to side 0. `count` lies on the device. With
// `last_values`, the sorted values go there instead. The digits of a pass are as even as 8 bits a pass allow; the
// widest pass has sort_digits() of them.
std::uint32_t sort_digits(std::uint32_t key_bits);
void record_sort(PassRecorder& run, const SortArrays& sort, gpu::Ptr<gpu::uint> count, std::uint32_t key_bits,
                 std::uint32_t blocks_slot, std::uint32_t digits_slot, gpu::Ptr<gpu::uint> last_values = {});

// A set of particles in the order of their cells, and where those begin and end.
struct CellSort {
  SortArrays arrays;
  gpu::Ptr<gpu::uint> count;
  std::uint32_t key_bits;
  std::uint32_t blocks_slot, digits_slot;
  gpu::Ptr<gpu::uint> last_values;
  gpu::Ptr<gpu::uvec2> cells;
  std::uint32_t cell_count;
  std::uint32_t cells_slot, ranges_slot;
};
void record_cell_sort(PassRecorder& run, const CellSort& set);

}  // namespace sluice
