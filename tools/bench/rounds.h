// Cases, round by round.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "tools/bench/bench.h"

namespace sluice::bench {

// What has been found so far: outcomes of each case, in the order of the cases.
struct Board {
  std::mutex mutex;  // held while `outcomes` change: an interrupt prints them from a thread of its own
  std::vector<std::vector<Outcome>> outcomes;
  std::atomic<int> rounds = 0;  // timed ones that are complete
};

// Runs all cases in a round that checks and warms up, whose times are dropped (those of a shared machine's first ten
// seconds were a third longer), and in `context.rounds` more. Calls `after_case` after each call of one; ends early if
// that returns false. A case that fails or is skipped is not called again.
void run_rounds(Context& context, const std::vector<Case>& cases, Board& board,
                const std::function<bool()>& after_case);

// All outcomes so far, with rates; what has no time yet is skipped.
std::vector<Outcome> summarized(Board& board);

}  // namespace sluice::bench
