// What sluice bench measures. A case is checked before it is timed: one whose check fails has a sentence and no time.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sluice/sluice.h"

namespace sluice::bench {

enum class Suite { quick, standard, papers };  // a suite has the cases of those before it

struct Outcome {
  std::string name;
  std::string unit;                         // of what the times are: "a step", "a sort"
  std::string check;                        // what was compared
  std::string failure;                      // a sentence: what did not agree
  std::string skipped;                      // a sentence: why it was not run here
  std::vector<double> times;                // ms, one a round
  std::vector<double> base_times;           // ms, of the same without what a difference is to show
  std::string rate;                         // for people: "12.3 GB/s"
  nlohmann::ordered_json details;           // numbers, with their units in the keys
  std::function<void(Outcome&)> summarize;  // sets `rate` and the details that follow from all times
};

// Whether `only` is the whole name of a case, or of a line that it prints ("CASE: LINE"), in any letters.
bool is_named(const std::string& name, const std::string& only);

struct Context {
  Gpu& gpu;
  nlohmann::ordered_json golden;  // hashes that certified devices have, by case; embedded
  bool makes_golden = false;      // hashes are noted, not compared
  std::string only;               // as asked for
  int rounds = 7;
  int round = 0;                  // 0 warms up, its times do not count; what takes long to check is checked in it
  nlohmann::ordered_json hashes;  // this device's
  // Read and written, by the copy; 0: not measured. Shared with outcomes, which may be printed after all is done.
  std::shared_ptr<double> copied_bytes_a_ms = std::make_shared<double>(0);
  int rounds_at_once() const { return std::min(rounds, 3); }
  // Whether a large case is left out here. One that is named is not.
  bool spares_cpu(const std::string& name) const {
    return gpu.info().type == DeviceType::cpu && !is_named(name, only) && !makes_golden;
  }
};

// The hash against the golden one: sets the outcome's check, and its failure if they differ.
void check_hash(Context& context, Outcome& outcome, std::uint64_t hash);
Outcome too_much_for_a_cpu(const std::string& name);

// Each round times each case once, with buffers of its own: so the spread has in it what changes over minutes, as other
// work on the machine does, and with where buffers lie.
struct Case {
  std::string name;
  Suite from = Suite::quick;
  std::function<std::vector<Outcome>(Context&)> run;  // one time a round
  bool at_once = false;  // up to three rounds in one call, that of round 0, as it takes longer to prepare than to run
};
std::vector<Case> primitive_cases();  // those of passes among them
std::vector<Case> pass_cases();
std::vector<Case> scene_cases();
std::vector<Case> picture_cases();

// A scene of the papers at `scale` times its lengths, as a scene file.
struct PaperScene {
  const char* name;
  nlohmann::ordered_json (*make)(double scale);
  double step;      // s
  double paper_ms;  // a step, on the paper's machine
};
std::vector<PaperScene> paper_scenes();

double median(std::vector<double> values);
// The largest distance from the median. Not of the middle values alone: medians of two series would often lie farther
// apart.
double spread(const std::vector<double>& values);
std::string number_text(double value, int digits = 3);  // significant ones

}  // namespace sluice::bench
