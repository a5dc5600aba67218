#include "tests/figures.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace sluice::tests {
namespace {

using nlohmann::ordered_json;

// Appends and closes, so that a test case that is killed leaves what it had measured.
void write_line(const ordered_json& line) {
  const char* path = std::getenv("SLUICE_FIGURES");
  if (path == nullptr || *path == 0) return;
  std::FILE* file = std::fopen(path, "a");
  REQUIRE_MESSAGE(file != nullptr, "cannot write to SLUICE_FIGURES=" << path);
  const std::string text = line.dump() + "\n";
  const bool written = std::fputs(text.c_str(), file) >= 0;
  const bool closed = std::fclose(file) == 0;
  REQUIRE_MESSAGE((written && closed), "cannot write to SLUICE_FIGURES=" << path);
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

bool has_bound(const Figure& f) { return !std::isnan(f.exact) || std::isfinite(f.least) || std::isfinite(f.most); }

}  // namespace

bool holds(const Figure& f) {
  if (!std::isfinite(f.value)) return false;
  if (!std::isnan(f.exact) && !(std::fabs(f.value - f.exact) <= f.within * std::fabs(f.exact))) return false;
  return f.value > f.least && f.value < f.most;
}

std::string requirement(const Figure& f) {
  if (!f.required.empty()) return f.required;
  const std::string unit = f.unit.empty() ? "" : " " + f.unit;
  if (!std::isnan(f.exact)) {
    return short_number(f.exact) + unit + (f.within > 0 ? " ± " + short_number(100 * f.within) + " %" : "");
  }
  if (std::isfinite(f.least) && std::isfinite(f.most)) {
    return short_number(f.least) + " to " + short_number(f.most) + unit;
  }
  return (std::isfinite(f.least) ? "> " + short_number(f.least) : "< " + short_number(f.most)) + unit;
}

void report_figure(const Figure& f) {
  REQUIRE_MESSAGE(has_bound(f), f.name << ": a figure without a bound proves nothing");
  write_line({{"kind", "figure"},
              {"name", f.name},
              {"value", f.value},
              {"unit", f.unit},
              {"required", requirement(f)},
              {"source", f.source},
              {"holds", holds(f)}});
  const std::string unit = f.unit.empty() ? "" : " " + f.unit;
  MESSAGE(f.name << ": " << f.value << unit << " (required: " << requirement(f) << ")");
  CHECK_MESSAGE(holds(f), f.name << ": " << f.value << unit << ", required: " << requirement(f));
}

void report_curve(const Curve& curve) {
  ordered_json series = ordered_json::array();
  for (const Series& s : curve.series) {
    series.push_back({{"label", s.label}, {"line", s.line}, {"points", s.points}});
  }
  write_line({{"kind", "curve"},
              {"name", curve.name},
              {"title", curve.title},
              {"x", curve.x_label},
              {"y", curve.y_label},
              {"log", curve.log_axes},
              {"series", series}});
}

}  // namespace sluice::tests
