#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "host/io/progress.h"

namespace {

using namespace sluice::io;

Progress half_way() { return {0, 0.412, 2.0, 412, 0.001, 12, 0.412 / 0.021}; }

}  // namespace

TEST_CASE("the progress line tells time, step, work, speed and time left") {
  CHECK(progress_line(half_way()) == "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  0.021 s/s  eta 01:15");
  Progress slow = half_way();
  slow.wall *= 1000;
  Progress drawing = half_way();
  drawing.steps = false;
  CHECK(progress_line(drawing) == "t 0.412 / 2.000 s  0.021 s/s  eta 01:15");
  CHECK(progress_line(slow) == "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  2.1e-05 s/s  eta 21:00:19");
}

TEST_CASE("the speed of a resumed run counts only what this program simulated") {
  Progress resumed = half_way();
  resumed.start = 0.312;
  resumed.wall = 10;
  CHECK(progress_line(resumed) == "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  0.01 s/s  eta 02:38");
}

TEST_CASE("a run that has only begun, stands still or is done has a sane progress line") {
  CHECK(progress_line({0, 0, 2, 0, 0, 0, 0}) == "t 0.000 / 2.000 s  step 0  dt 0.00 ms  it 0  -- s/s  eta --:--");
  CHECK(progress_line({0, 0, 2, 0, 0, 0, 60}) == "t 0.000 / 2.000 s  step 0  dt 0.00 ms  it 0  -- s/s  eta --:--");
  Progress progress = half_way();
  progress.wall = 1e-9;
  CHECK(progress_line(progress) == "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  -- s/s  eta --:--");
  progress.wall = 1e12;
  CHECK(progress_line(progress) == "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  4.12e-13 s/s  eta --:--");
  CHECK(progress_line({0, 2, 2, 9, 0.001, 3, 4}) == "t 2.000 / 2.000 s  step 9  dt 1.00 ms  it 3  0.5 s/s  eta 00:00");
}

TEST_CASE("progress rewrites one line of a terminal and seldom adds one to a log") {
  const auto print = [](bool terminal) {
    ProgressPrinter printer;
    printer.out = std::tmpfile();
    REQUIRE(printer.out != nullptr);
    printer.terminal = terminal;
    printer.interval = 10;
    Progress progress = half_way();
    for (const double wall : {0.0, 5.0, 9.9, 10.0, 15.0}) {
      progress.wall = wall;
      print_progress(printer, progress);
    }
    progress.wall = 21;
    progress.step = 9;
    finish_progress(printer, progress);
    std::string text(4096, 0);
    std::rewind(printer.out);
    text.resize(std::fread(text.data(), 1, text.size(), printer.out));
    std::fclose(printer.out);
    return text;
  };
  const std::string first = "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  -- s/s  eta --:--";
  const std::string second = "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  0.0412 s/s  eta 00:38";
  const std::string last = "t 0.412 / 2.000 s  step 9  dt 1.00 ms  it 12  0.0196 s/s  eta 01:20";
  CHECK(print(false) == first + "\n" + second + "\n" + last + "\n");
  CHECK(print(true) == "\r" + first + "\r" + second + "\r" + last + "  \n");
}
