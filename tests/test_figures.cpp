// Figures and the tool that writes the page of them.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "tests/figures.h"

namespace sluice::tests {

TEST_CASE("a figure holds strictly between its bounds or within a share of the exact value, and never as a NaN") {
  CHECK(holds({.value = 0.4, .most = 0.5}));
  CHECK(!holds({.value = 0.5, .most = 0.5}));
  CHECK(!holds({.value = 0, .least = 0}));
  CHECK(holds({.value = 0.81, .least = 0.80, .most = 0.82}));
  CHECK(holds({.value = 1.03, .exact = 1, .within = 0.03001}));
  CHECK(!holds({.value = 1.04, .exact = 1, .within = 0.03}));
  CHECK(holds({.value = -1.02, .exact = -1, .within = 0.03}));
  CHECK(holds({.value = 1, .exact = 1}));
  CHECK(!holds({.value = 2, .exact = 1}));
  CHECK(!holds({.value = std::nan(""), .most = 1}));
  CHECK(!holds({.value = std::nan(""), .exact = 1, .within = 1}));
  CHECK(!holds({.value = -INFINITY, .most = 1}));
}

TEST_CASE("what is required of a figure is told from its bounds") {
  CHECK(requirement({.unit = "%", .most = 0.5}) == "< 0.5 %");
  CHECK(requirement({.least = 8}) == "> 8");
  CHECK(requirement({.unit = "h", .least = 0.8, .most = 0.82}) == "0.8 to 0.82 h");
  CHECK(requirement({.unit = "m/s^2", .exact = 2.356, .within = 0.03}) == "2.356 m/s^2 ± 3 %");
  CHECK(requirement({.exact = 1}) == "1");
  CHECK(requirement({.most = 1, .required = "less"}) == "less");
}

TEST_CASE("tools/validate goes on after an interruption, runs failed cases again and keeps older rows") {
  CHECK(std::system("/usr/bin/python3 \"" SLUICE_TEST_DIR "/validate_test.py\"") == 0);
}

}  // namespace sluice::tests
