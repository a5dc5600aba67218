#include "host/io/progress.h"

#include <algorithm>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace sluice::io {
namespace {

// s; a speed from less wall time is start-up noise.
constexpr double kSpeedAfter = 0.1;

// s; a longer time left says no more than that something is wrong.
constexpr double kLongest = 999 * 3600.0;

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds);
  char text[64];
  if (whole >= 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%02ld:%02ld", whole / 60, whole % 60);
  }
  return text;
}

void print_line(ProgressPrinter& printer, const Progress& progress) {
  std::string line = progress_line(progress);
  const std::size_t width = line.size();
  if (printer.terminal) {
    // Spaces cover the rest of a longer line before.
    if (width < printer.width) line.append(printer.width - width, ' ');
    line.insert(0, 1, '\r');
  } else {
    line += '\n';
  }
  // Failures are ignored: a closed terminal must not stop a run.
  std::fputs(line.c_str(), printer.out);
  std::fflush(printer.out);
  printer.width = width;
  printer.last = progress.wall;
}

}  // namespace

std::string progress_line(const Progress& p) {
  char text[256];
  std::snprintf(text, sizeof text, "t %.3f / %.3f s  ", p.time, p.end);
  std::string line = text;
  if (p.steps) {
    std::snprintf(text, sizeof text, "step %llu  dt %.2f ms  it %d  ", static_cast<unsigned long long>(p.step),
                  1000 * p.dt, p.iterations);
    line += text;
  }
  const double done = p.time - p.start, left = std::max(0.0, p.end - p.time);
  const bool has_speed = done > 0 && p.wall >= kSpeedAfter;
  if (has_speed) {
    std::snprintf(text, sizeof text, "%.3g s/s", done / p.wall);
    line += text;
  } else {
    line += "-- s/s";
  }
  const double eta = has_speed ? left * (p.wall / done) : -1;
  line += "  eta ";
  if (left == 0) {
    line += "00:00";
  } else {
    line += eta >= 0 && eta <= kLongest ? duration_text(eta) : "--:--";
  }
  return line;
}

ProgressPrinter make_progress_printer() {
  ProgressPrinter printer;
  printer.out = stderr;
#ifdef _WIN32
  printer.terminal = _isatty(_fileno(stderr)) != 0;
#else
  printer.terminal = isatty(fileno(stderr)) != 0;
#endif
  printer.interval = printer.terminal ? 0.1 : 10;
  return printer;
}

void print_progress(ProgressPrinter& printer, const Progress& progress) {
  if (printer.last < 0 || progress.wall - printer.last >= printer.interval) print_line(printer, progress);
}

void finish_progress(ProgressPrinter& printer, const Progress& progress) {
  if (printer.terminal || progress.wall != printer.last) print_line(printer, progress);
  if (printer.terminal) std::fputs("\n", printer.out);
}

}  // namespace sluice::io
