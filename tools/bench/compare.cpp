// Results of several devices or versions, case by case.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/io/atomic_file.h"
#include "tools/bench/bench.h"
#include "tools/bench/command.h"
#include "tools/common/exit.h"

namespace sluice::bench {
namespace {

using nlohmann::ordered_json;

ordered_json read_result(const std::filesystem::path& path) {
  try {
    ordered_json json = ordered_json::parse(io::read_file(path));
    json.at("device").at("name").get<std::string>();
    if (!json.at("cases").is_object())
      throw Error(path.string() + ": its cases are no object; make it with sluice bench");
    for (const auto& [name, outcome] : json["cases"].items()) {
      if (outcome.contains("skipped") || !outcome.at("passed").get<bool>()) continue;
      if (!(outcome.at("median_ms").get<double>() > 0) || !(outcome.value("spread_ms", 0.0) >= 0))
        throw Error(path.string() + ": case \"" + name + "\" has no time; make it again with sluice bench");
    }
    return json;
  } catch (const ordered_json::exception&) {
    throw Error(path.string() + ": no result of sluice bench; make one with sluice bench --json FILE");
  }
}

std::string text_of(const ordered_json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// What a cell of the table says, and the time and spread in it if there are any, ms.
std::string cell_of(const ordered_json& result, const std::string& name, double& time, double& spread) {
  const ordered_json& cases = result["cases"];
  time = spread = 0;
  if (!cases.contains(name)) return "-";
  const ordered_json& outcome = cases[name];
  if (outcome.contains("skipped")) return "skipped";
  if (!outcome.value("passed", false)) return "FAILED";
  time = outcome.value("median_ms", 0.0);
  spread = outcome.value("spread_ms", time);  // of one run: nothing is known to differ from it
  return number_text(time) + " +- " + (outcome.contains("spread_ms") ? number_text(spread, 2) : "?");
}

// Whether a case did other work than that of the first file: other particles, or iterations by more than 1 %.
bool other_work(const ordered_json& first, const ordered_json& result, const std::string& name) {
  for (const char* key : {"fluid_particles", "rigid_samples", "boundary_samples", "iterations_a_step", "mib"}) {
    const auto value = [&](const ordered_json& of) { return of["cases"][name]["details"].value(key, 0.0); };
    if (std::abs(value(result) - value(first)) > 0.01 * value(first)) return true;
  }
  return false;
}

}  // namespace

int compare_command(const std::vector<std::filesystem::path>& files) {
  using namespace program;
  std::vector<ordered_json> results;
  or_exit(kWrongInput, "", [&] {
    for (const auto& file : files) results.push_back(read_result(file));
  });
  for (std::size_t i = 0; i < results.size(); ++i)
    std::printf("%c: %s, %s (%s)\n", static_cast<char>('A' + i),
                results[i]["device"]["name"].get<std::string>().c_str(),
                text_of(results[i]["device"].value("driver", ordered_json("?"))).c_str(), files[i].string().c_str());
  std::printf("\nwhat differs:\n");
  for (ordered_json& result : results) {
    for (const char* key : {"suite", "repeats"}) result["device"][key] = result.value(key, ordered_json("?"));
    if (!result.value("complete", true)) result["device"]["complete"] = "no: it was interrupted";
  }
  std::vector<std::string> keys;
  for (const ordered_json& result : results)
    for (const auto& [key, value] : result["device"].items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  bool same = true;
  for (const std::string& key : keys) {
    const auto value = [&](const ordered_json& r) {
      return r["device"].contains(key) ? text_of(r["device"][key]) : std::string("-");
    };
    if (std::all_of(results.begin(), results.end(), [&](const auto& r) { return value(r) == value(results[0]); }))
      continue;
    same = false;
    std::printf("  %-24s", key.c_str());
    for (const ordered_json& result : results) std::printf("  %-28s", value(result).c_str());
    std::printf("\n");
  }
  if (same) std::printf("  nothing\n");

  std::printf(
      "\nmedian ms +- spread; x times A's: below 1 is faster, ~: within both spreads; *: other particles or "
      "iterations than A. -: not in that file\n%-42s",
      "");
  for (std::size_t i = 0; i < results.size(); ++i)
    std::printf("  %20c%s", static_cast<char>('A' + i), i > 0 ? "         " : "");
  std::printf("\n");
  std::vector<std::string> names;
  for (const ordered_json& result : results)
    for (const auto& [name, value] : result["cases"].items())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  if (std::none_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::all_of(results.begin(), results.end(), [&](const auto& r) { return r["cases"].contains(name); });
      }))
    std::printf("(no case is in all of them)\n");
  for (const std::string& name : names) {
    std::printf("%-42s", name.c_str());
    double first = 0, first_spread = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      double time = 0, spread = 0;
      const std::string cell = cell_of(results[i], name, time, spread);
      if (i == 0) first = time, first_spread = spread;
      std::printf("  %20s", cell.c_str());
      std::string ratio = first > 0 && time > 0 ? number_text(time / first) + "x" : "";
      if (i > 0 && !ratio.empty() && other_work(results[0], results[i], name)) ratio += "*";
      if (!ratio.empty() && std::abs(time - first) <= spread + first_spread) ratio.insert(ratio.begin(), '~');
      if (i > 0) std::printf("  %7s", ratio.c_str());
    }
    std::printf("\n");
  }
  return kDone;
}

}  // namespace sluice::bench
