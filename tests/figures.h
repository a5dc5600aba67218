// Measured figures that acceptance rests on. A figure is checked against its bounds where it is measured, and written
// as a line of JSON to the file that the environment variable SLUICE_FIGURES names, if it is set: tools/validate makes
// tools/results/validation.md and its plots from these lines. It runs the test cases of two suites: "full" (skipped
// unless asked for) and "figures" (tools/test runs them, too).
//
//   report_figure({.name = "box on a slope of 30 degrees, mu 0.5: acceleration",
//                  .value = found, .unit = "m/s^2", .exact = 0.657, .within = 0.03, .source = "Coulomb"});
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sluice::tests {

struct Figure {
  std::string name;  // scene and quantity; no two figures share it
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string unit;  // empty for ratios and counts
  // What is required: an exact value that is missed by at most a share `within`, or a value between two others, itself
  // neither. At least one of them is set.
  double exact = std::numeric_limits<double>::quiet_NaN(), within = 0;
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  std::string required;  // instead of the text made from the bounds
  std::string source;    // what the bounds come from: a law, a paper's figure, the double-precision reference
};

// Whether the value is within all bounds; never so if it is not finite.
bool holds(const Figure& figure);
std::string requirement(const Figure& figure);

// Fails the test case unless the figure holds.
void report_figure(const Figure& figure);

struct Series {
  std::string label;
  std::vector<std::pair<double, double>> points;
  bool line = false;  // else markers
};
// One plot. Test cases that report the same name share it, so that each can add its series.
struct Curve {
  std::string name;  // of the plot's file: letters, digits and underscores
  std::string title;
  std::string x_label, y_label;  // with their units
  bool log_axes = false;
  std::vector<Series> series;
};
void report_curve(const Curve& curve);

}  // namespace sluice::tests
