#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <sstream>
#include <string>
#include <thread>

#include "host/io/atomic_file.h"
#include "tests/program.h"

#ifndef SLUICE_SOURCE_DIR
#define SLUICE_SOURCE_DIR "."
#endif

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::tests;
using nlohmann::json;

TEST_CASE("bench prints a time for what it has checked, and compare puts results side by side") {
  const TestFolder folder;
  const fs::path a = folder.path / "a.json", b = folder.path / "b.json";
  const Result bench =
      run_program(folder, {"bench", "--device", "llvmpipe", "--only", "1k", "--repeats", "2", "--json", a.string()});
  CAPTURE(bench.out);
  REQUIRE(bench.code == 0);
  CHECK(contains(bench.out, "arithmetic: certified"));
  CHECK(contains(bench.out, "ms +-"));
  CHECK(!contains(bench.out, "FAILED"));
  json result = read_json(a);
  json& fluid = result["cases"]["fluid 1k, 10 iterations"];
  CHECK(fluid["passed"] == true);
  CHECK(result["repeats"] == 2);
  CHECK(result["cases"].size() == 1);
  CHECK(fluid["times_ms"].size() == 2);
  CHECK(fluid["details"]["fluid_particles"] == 1000);
  CHECK(fluid["details"]["iterations_a_step"] == 10);
  CHECK(fluid["details"]["least_mib_moved_a_step"].get<double>() > 2);  // 1000 particles, 10 iterations
  CHECK(fluid["details"]["least_mib_moved_a_step"].get<double>() < 8);
  CHECK(fluid["details"]["pass_shares_step"].size() > 10);
  CHECK(fluid["details"]["pass_shares_iterations"].size() == 4);  // forces, errors, the decision, the update
  fluid["median_ms"] = 3 * fluid["median_ms"].get<double>();
  result["device"]["name"] = "another card";
  io::write_file(b, result.dump());
  const Result compared = run_program(folder, {"compare", a.string(), b.string()});
  CAPTURE(compared.out);
  CHECK(compared.code == 0);
  CHECK(contains(compared.out, "another card"));
  CHECK(contains(compared.out, "3.00x"));

  io::write_file(b, "{}");
  const Result broken = run_program(folder, {"compare", a.string(), b.string()});
  CHECK(broken.code == 2);
  CHECK(contains(broken.err, b.string() + ": no result of sluice bench; make one with"));
  CHECK(run_program(folder, {"compare", a.string()}).code == 2);
  const Result named = run_program(folder, {"bench", "--only", "nothing of that name"});
  CHECK(named.code == 2);
  CHECK(contains(named.err,
                 "sort of 2^20 keys; sort of 2^20 pairs; sort of 2^22 keys; sort of 2^22 pairs; sort of 2^25 keys"));
  const Result once =
      run_program(folder, {"bench", "--only", "Sort of 2^16 PAIRS", "--repeats", "1", "--json", b.string()});
  CHECK(once.code == 0);
  CHECK(contains(once.out, "+- ?"));
  CHECK(!read_json(b)["cases"]["sort of 2^16 pairs"].contains("spread_ms"));
  CHECK(contains(run_program(folder, {"compare", b.string(), b.string()}).out, "+- ?"));
  CHECK(run_program(folder, {"bench", "--suite", "grand"}).code == 2);
}

TEST_CASE("every case that compares hashes finds one, also those that only GPUs run") {
  const TestFolder folder;
  const std::string all = run_program(folder, {"bench", "--only", "nothing of that name"}).err;
  const json golden = json::parse(io::read_file(SLUICE_SOURCE_DIR "/tools/bench/golden.json"));
  const std::size_t start = all.find("there are: ");
  REQUIRE(start != std::string::npos);
  std::istringstream names(all.substr(start + 11));
  int known = 0;
  for (std::string name; std::getline(names, name, ';');) {
    name = name.substr(name.find_first_not_of(' '));
    if (name.ends_with('\n')) name.pop_back();
    CAPTURE(name);
    const auto is = [&](const char* text) { return contains(name, text); };
    if (is("sort") || is("copy") || is("tick") || is("sums") || is("picture") || is("fast arithmetic")) continue;
    CHECK(golden.contains(name));
    ++known;
  }
  CHECK(known == static_cast<int>(golden.size()));
}

TEST_CASE("a bench that is interrupted prints and keeps the rounds that it has") {
  const TestFolder folder;
  const fs::path file = folder.path / "a.json";
  const std::string name = "sort of 2^16 pairs";
  const pid_t pid = start_program(
      folder, {"bench", "--device", "llvmpipe", "--only", name, "--repeats", "1000", "--json", file.string()});
  const auto rounds = [&] { return fs::exists(file) ? read_json(file)["repeats"].get<int>() : 0; };
  for (int tenth = 0; tenth < 300 && rounds() < 3; ++tenth) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(pid, SIGTERM);
  const Result result = wait_for(folder, pid);
  CAPTURE(result.out);
  CHECK(result.code == 130);
  CHECK(contains(result.out, "M pairs/s"));
  const json outcome = read_json(file)["cases"][name];
  CHECK(outcome["times_ms"].size() >= 3);
  CHECK(outcome["times_ms"].size() < 1000);
  CHECK(read_json(file)["complete"] == false);
  CHECK(contains(result.out, "interrupted after "));
}
