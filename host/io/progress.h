// One line that tells how far a run is.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace sluice::io {

struct Progress {
  double start = 0;  // s, simulated time at which this program began (not 0 in a resumed run)
  double time = 0;   // s, simulated time now
  double end = 0;    // s
  std::uint64_t step = 0;
  double dt = 0;  // s
  int iterations = 0;
  double wall = 0;    // s of wall time since `start`
  bool steps = true;  // are made; else frames of a run are drawn, and the line tells times alone
};

// "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  0.021 s/s  eta 01:15"; speed is simulated by wall time. Dashes stand
// for a speed and a time left that cannot be known yet.
std::string progress_line(const Progress& progress);

struct ProgressPrinter {
  std::FILE* out = nullptr;
  bool terminal = false;  // rewrites one line in place; else prints a new line now and then
  double interval = 10;   // s of wall time between lines
  double last = -1;       // wall time of the last line; < 0: none yet
  std::size_t width = 0;  // of the last line
};

// To stderr. A terminal is updated 10 times a second; a log file gets a line every 10 s.
ProgressPrinter make_progress_printer();

// Prints if it is time to.
void print_progress(ProgressPrinter& printer, const Progress& progress);

// Prints the last state whatever the time and ends the line, so that messages start on a new one.
void finish_progress(ProgressPrinter& printer, const Progress& progress);

}  // namespace sluice::io
