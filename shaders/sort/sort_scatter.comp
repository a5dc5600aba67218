#version 460
#extension GL_GOOGLE_include_directive : require
// Radix sort, pass 3 of 3: each block is sorted by its digit in shared memory, 4 bits at a time and
// stably, then written to where the block's digits go. On CPU drivers, where shared memory is written lane by lane, a
// few threads take runs of the block instead and count their way through (llvmpipe: 3.6 M pairs/s instead of 1.4).
#include "lib/scan.glsl"
#include "lib/workgroup.glsl"
#include "shared/args.h"

layout(push_constant, scalar) uniform Push { SortScatterArgs args; };

layout(constant_id = kSpecSortByRuns) const uint kSortByRuns = 0;
layout(constant_id = kSpecSortValues) const uint kSortValues = 1;

const uint kItems = kSortBlock / kGroup;
const uint kRuns = 8;  // of kRunKeys consecutive keys, a thread each
const uint kRunKeys = kSortBlock / kRuns;
const uint kPairs = 8;    // 16 nibbles, two 16-bit counters a word
const uint kSegment = 8;  // threads of a segment of the scan: 8 pairs * 32 segments = kGroup

shared uint g_items[kSortBlock];          // digit << 10 | place in the block
shared uint g_counters[kPairs * kGroup];  // [pair][thread], or [run][digit]
shared uint g_segment_sums[kPairs * 32];
shared uint g_pair_totals[kPairs];
shared uint g_starts[kSortDigits];

// Sorts g_items by 4 bits from `shift`; every thread holds kItems consecutive ones.
void sort_by_nibble(uint shift) {
  uint t = gl_LocalInvocationIndex;
  uint items[kItems];
  uint ranks[kItems];
  for (uint pair = 0; pair < kPairs; ++pair) g_counters[pair * kGroup + t] = 0;
  for (uint k = 0; k < kItems; ++k) {
    items[k] = g_items[t * kItems + k];
    uint nibble = (items[k] >> shift) & 15u;
    uint half_shift = (nibble & 1u) * 16u;
    uint word = g_counters[(nibble >> 1) * kGroup + t];
    ranks[k] = (word >> half_shift) & 0xffffu;
    g_counters[(nibble >> 1) * kGroup + t] = word + (1u << half_shift);
  }
  barrier();
  // Exclusive scan of each pair's counters over the threads; halves never overflow (at most 1024).
  uint pair = t / 32;
  uint segment = t % 32;
  uint sum = 0;
  for (uint k = 0; k < kSegment; ++k) {
    uint at = pair * kGroup + segment * kSegment + k;
    uint value = g_counters[at];
    g_counters[at] = sum;
    sum += value;
  }
  g_segment_sums[pair * 32 + segment] = sum;
  barrier();
  if (t < kPairs) {
    uint total = 0;
    for (uint k = 0; k < 32; ++k) {
      uint value = g_segment_sums[t * 32 + k];
      g_segment_sums[t * 32 + k] = total;
      total += value;
    }
    g_pair_totals[t] = total;
  }
  barrier();
  uint starts[16];
  uint start = 0;
  for (uint p = 0; p < kPairs; ++p) {
    starts[2 * p] = start;
    start += g_pair_totals[p] & 0xffffu;
    starts[2 * p + 1] = start;
    start += g_pair_totals[p] >> 16;
  }
  for (uint k = 0; k < kItems; ++k) {
    uint nibble = (items[k] >> shift) & 15u;
    uint half_shift = (nibble & 1u) * 16u;
    uint pair_of = nibble >> 1;
    uint before = g_counters[pair_of * kGroup + t] + g_segment_sums[pair_of * 32 + t / kSegment];
    g_items[starts[nibble] + ((before >> half_shift) & 0xffffu) + ranks[k]] = items[k];
  }
  barrier();
}

uint digit_of(uint key) { return (key >> args.shift) & (args.digits - 1); }

// Where the first key of digit t goes, of all keys of this block.
uint digit_start(uint block, uint blocks) {
  uint t = gl_LocalInvocationIndex;
  uint total;
  uint digit_base = group_exclusive_scan(t < args.digits ? args.totals.at[t] : 0, total);
  return digit_base + (t < args.digits ? args.counts.at[t * blocks + block] : 0);
}

void scatter_by_runs(uint block, uint blocks, uint count) {
  uint t = gl_LocalInvocationIndex;
  for (uint k = t; k < kRuns * args.digits; k += kGroup) g_counters[k] = 0;
  barrier();
  // No round for other threads: see lib/workgroup.glsl.
  uint begin = min(block * kSortBlock + t * kRunKeys, count);
  uint end = t < kRuns ? min(begin + kRunKeys, count) : begin;
  uint own = t * args.digits;
  for (uint i = begin; i < end; ++i) ++g_counters[own + digit_of(args.keys.at[i])];
  uint to = digit_start(block, blocks);
  for (uint run = 0; run < kRuns && t < args.digits; ++run) {
    uint keys = g_counters[run * args.digits + t];
    g_counters[run * args.digits + t] = to;
    to += keys;
  }
  barrier();
  for (uint i = begin; i < end; ++i) {
    uint key = args.keys.at[i];
    uint place = g_counters[own + digit_of(key)]++;
    args.sorted_keys.at[place] = key;
    if (kSortValues != 0) args.sorted_values.at[place] = args.values.at[i];
  }
}

void scatter_block(uint block, uint blocks, uint count) {
  uint t = gl_LocalInvocationIndex;
  uint first = block * kSortBlock;

  // Missing keys of the last block get the largest digit: being last in order, they stay last.
  for (uint k = 0; k < kItems; ++k) {
    uint place = t * kItems + k;
    uint digit = first + place < count ? digit_of(args.keys.at[first + place]) : args.digits - 1;
    g_items[place] = (digit << 10) | place;
  }
  barrier();
  sort_by_nibble(10);
  if (args.digits > 16) sort_by_nibble(14);

  g_starts[t] = digit_start(block, blocks);
  barrier();
  for (uint k = 0; k < kItems; ++k) {
    uint place = k * kGroup + t;
    uint digit = g_items[place] >> 10;
    if (place == 0 || (g_items[place - 1] >> 10) != digit) g_counters[digit] = place;
  }
  barrier();
  for (uint k = 0; k < kItems; ++k) {
    uint place = k * kGroup + t;
    uint item = g_items[place];
    uint digit = item >> 10;
    uint from = first + (item & 1023u);
    if (from < count) {
      uint to = g_starts[digit] + place - g_counters[digit];
      args.sorted_keys.at[to] = args.keys.at[from];
      if (kSortValues != 0) args.sorted_values.at[to] = args.values.at[from];
    }
  }
}

void main() {
  uint block = group_index();
  uint count = args.count.at[0];
  uint blocks = (count + kSortBlock - 1) / kSortBlock;
  if (block >= blocks) return;
  if (kSortByRuns != 0) {
    scatter_by_runs(block, blocks, count);
  } else {
    scatter_block(block, blocks, count);
  }
}
