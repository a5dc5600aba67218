#include "tools/bench/rounds.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tools/bench/timing.h"

namespace sluice::bench {
namespace {

bool settled(const Outcome& outcome) { return !outcome.failure.empty() || !outcome.skipped.empty(); }

// A later round's outcome, put to that of the earlier ones.
void add_round(Outcome& all, const Outcome& now) {
  all.failure = now.failure;
  all.times.insert(all.times.end(), now.times.begin(), now.times.end());
  all.base_times.insert(all.base_times.end(), now.base_times.begin(), now.base_times.end());
}

void call(Context& context, const Case& c, Board& board, std::vector<Outcome>& outcomes) {
  std::vector<Outcome> now;
  std::string failure, skipped;
  try {
    now = c.run(context);
  } catch (const MemoryError& error) {
    skipped = error.what();
  } catch (const Error& error) {
    failure = error.what();
  }
  const std::lock_guard lock(board.mutex);
  if (context.round == 0) {
    outcomes = std::move(now);
    if (!c.at_once)
      for (Outcome& outcome : outcomes) outcome.times.clear(), outcome.base_times.clear();
  }
  if (outcomes.empty()) outcomes.emplace_back().name = c.name;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (!failure.empty()) outcomes[k].failure = failure;
    if (!skipped.empty()) outcomes[k].skipped = skipped;
    if (context.round > 0 && k < now.size()) add_round(outcomes[k], now[k]);
  }
}

// On a terminal alone: what is being timed, and for how long yet.
void show_progress(const Context& context, const std::string& name, std::size_t number, std::size_t count,
                   double left) {
  if (!isatty(2)) return;
  if (context.round == 0)
    std::fprintf(stderr, "\r\33[Kchecks, %zu of %zu: %s", number, count, name.c_str());
  else
    std::fprintf(stderr, "\r\33[Kround %d of %d: %s, %.0f s left", context.round, context.rounds, name.c_str(), left);
}

}  // namespace

void run_rounds(Context& context, const std::vector<Case>& cases, Board& board,
                const std::function<bool()>& after_case) {
  {
    const std::lock_guard lock(board.mutex);
    for (const Case& c : cases) {
      Outcome& outcome = board.outcomes.emplace_back().emplace_back();
      outcome.name = c.name;
      outcome.skipped = "it ended before this was run";
    }
  }
  std::vector<double> took(cases.size(), 0);  // s a round: nothing once a case is settled
  for (context.round = 0; context.round <= context.rounds; ++context.round) {
    for (std::size_t k = 0; k < cases.size(); ++k) {
      std::vector<Outcome>& outcomes = board.outcomes[k];
      if (context.round > 0 && took[k] == 0) continue;
      double left = 0;
      for (std::size_t i = 0; i < cases.size(); ++i) left += took[i] * (context.rounds + 1 - context.round - (i < k));
      show_progress(context, cases[k].name, k + 1, cases.size(), left);
      const auto start = std::chrono::steady_clock::now();
      call(context, cases[k], board, outcomes);
      const bool once = cases[k].at_once || std::any_of(outcomes.begin(), outcomes.end(), settled);
      took[k] = once ? 0 : seconds_since(start);
      if (!after_case()) return;
    }
    board.rounds = context.round;
  }
}

std::vector<Outcome> summarized(Board& board) {
  const std::lock_guard lock(board.mutex);
  std::vector<Outcome> all;
  for (const std::vector<Outcome>& of_case : board.outcomes)
    for (Outcome outcome : of_case) {
      if (!settled(outcome) && outcome.times.empty()) outcome.skipped = "it ended before this was timed";
      if (!settled(outcome) && outcome.summarize) outcome.summarize(outcome);
      all.push_back(std::move(outcome));
    }
  return all;
}

}  // namespace sluice::bench
