// What sluice bench measures. A case is checked before it is timed: one whose check fails has a sentence and no time.
#pragma once

#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sluice/sluice.h"

namespace sluice::bench {

enum class Suite { quick, standard, papers };  // a suite has the cases of those before it

struct Outcome {
  std::string name;
  std::string unit;                // of what the times are: "a step", "a sort"
  std::string check;               // what was compared
  std::string failure;             // a sentence: what did not agree
  std::string skipped;             // a sentence: why it was not run here
  std::vector<double> times;       // ms, one a repeat
  std::string rate;                // for people: "12.3 GB/s"
  nlohmann::ordered_json details;  // numbers, with their units in the keys
};

struct Context {
  Gpu& gpu;
  Suite suite = Suite::quick;
  int repeats = 5;
  nlohmann::ordered_json golden;  // hashes that certified devices have, by case; embedded
  nlohmann::ordered_json hashes;  // this device's
  double copied_bytes_a_ms = 0;   // read and written, by the copy; 0: not measured
  bool is_cpu() const { return gpu.info().type == DeviceType::cpu; }
};

// The hash against the golden one: sets the outcome's check, and its failure if they differ.
void check_hash(Context& context, Outcome& outcome, std::uint64_t hash);

struct Case {
  std::string name;
  Suite from = Suite::quick;
  std::function<std::vector<Outcome>(Context&)> run;
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
// Half of the range of the middle values: all but the smallest and the largest of five or more.
double spread(std::vector<double> values);
std::string number_text(double value, int digits = 3);  // significant ones

}  // namespace sluice::bench
