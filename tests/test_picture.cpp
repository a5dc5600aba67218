#include <doctest/doctest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "host/io/atomic_file.h"
#include "host/io/picture.h"
#include "host/io/progress.h"
#include "sluice/scene.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace {

namespace fs = std::filesystem;
using namespace sluice;
using namespace sluice::io;

struct Pixel {
  int r = 0, g = 0, b = 0;
  bool operator==(const Pixel&) const = default;
};

struct Image {
  int width = 0, height = 0;
  std::vector<Pixel> pixels;
  Pixel at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
};

bool is_blue(Pixel p) { return p.b > p.r + 40; }
bool is_sand(Pixel p) { return p.r > p.b + 15; }
bool is_magenta(Pixel p) { return p.r > p.g + 60 && p.b > p.g + 60; }

// Draws into a folder of its own and decodes what is there afterwards.
Image draw(const std::vector<PicturePoint>& points, const std::vector<PictureBoundary>& boundary,
           const PictureOptions& options) {
  std::string folder = (fs::temp_directory_path() / "sluice_picture_XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const fs::path path = fs::path(folder) / "picture.png";
  write_picture(path, points, boundary, options);
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
  Image image;
  int channels = 0;
  stbi_uc* bytes = stbi_load(path.c_str(), &image.width, &image.height, &channels, 3);
  REQUIRE(bytes != nullptr);
  CHECK(channels == 3);
  for (int i = 0; i < image.width * image.height; ++i) {
    image.pixels.push_back({bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]});
  }
  stbi_image_free(bytes);
  fs::remove_all(folder);
  return image;
}

// Of the part of the picture beside the colour bar.
template <class Test>
int count(const Image& image, Test test) {
  int result = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width - image.width / 5; ++x) result += test(image.at(x, y));
  }
  return result;
}

std::vector<PicturePoint> cube(Vec3 middle, double spacing, float value) {
  std::vector<PicturePoint> points;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p{i % 10 - 4.5, i / 10 % 10 - 4.5, i / 100 - 4.5};
    points.push_back({middle + spacing * p, value});
  }
  return points;
}

PictureOptions small_picture() {
  PictureOptions options;
  options.width = 320, options.height = 180;
  return options;
}

std::string error_of(const PictureOptions& options, const fs::path& path = "/nowhere/at/all.png") {
  try {
    write_picture(path, {}, {}, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

Progress half_way() { return {0, 0.412, 2.0, 412, 0.001, 12, 0.412 / 0.021}; }

}  // namespace

TEST_CASE("a picture has the size asked for and shows the particles in the colour of their value") {
  PictureOptions options;
  options.value_min = 0, options.value_max = 1;
  const Image slow = draw(cube({}, 0.02, 0.1f), {}, options);
  CHECK(slow.width == 1280);
  CHECK(slow.height == 720);
  const Image fast = draw(cube({}, 0.02, 1.0f), {}, options);
  CHECK(count(slow, is_blue) > 1280 * 720 / 10);
  CHECK(count(fast, is_blue) < count(slow, is_blue) / 10);
  CHECK(slow.at(640, 360).g < fast.at(640, 360).g);
}

TEST_CASE("a picture is the same wherever the scene lies and however large it is") {
  const PictureOptions options = small_picture();
  PictureOptions large = options;
  large.spacing = 1024 * options.spacing;
  const Image here = draw(cube({}, options.spacing, 1), {}, options);
  CHECK(here.pixels == draw(cube({}, large.spacing, 1), {}, large).pixels);
  const Image there = draw(cube({1000, -2000, 500}, options.spacing, 1), {}, options);
  int different = 0;
  for (std::size_t i = 0; i < here.pixels.size(); ++i) different += here.pixels[i] != there.pixels[i];
  CHECK(different < 320 * 180 / 100);
}

TEST_CASE("the nearer of two bodies hides the other") {
  PictureOptions options = small_picture();
  options.view = PictureBox{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
  std::vector<PictureBoundary> obstacle;
  for (const PicturePoint& p : cube({}, 0.02, 0)) obstacle.push_back({p.position, false});
  const std::vector<PicturePoint> before = cube({0.26, 0.23, 0.5}, 0.025, 0),
                                  behind = cube({-0.26, -0.23, -0.5}, 0.018, 0);
  CHECK(count(draw({}, obstacle, options), is_sand) > 300);
  CHECK(count(draw(before, obstacle, options), is_sand) < 10);
  CHECK(count(draw(behind, obstacle, options), is_blue) < 10);
}

TEST_CASE("of a tank only the far walls are drawn, so that the water in it is seen") {
  PictureOptions options = small_picture();
  options.view = PictureBox{{-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}};
  std::vector<PictureBoundary> near_walls, far_walls;
  for (int i = -9; i <= 9; ++i) {
    for (int j = -9; j <= 9; ++j) {
      const double u = 0.02 * i, v = 0.02 * j;
      near_walls.insert(near_walls.end(), {{{0.2, u, v}, true}, {{u, 0.2, v}, true}, {{u, v, 0.2}, true}});
      far_walls.insert(far_walls.end(), {{{-0.2, u, v}, true}, {{u, -0.2, v}, true}, {{u, v, -0.2}, true}});
    }
  }
  std::vector<PictureBoundary> tank = near_walls;
  tank.insert(tank.end(), far_walls.begin(), far_walls.end());
  const std::vector<PicturePoint> water = cube({}, 0.02, 0);
  const Image empty = draw({}, {}, options), with_tank = draw({}, tank, options);
  int marked = 0;
  for (std::size_t i = 0; i < empty.pixels.size(); ++i) marked += empty.pixels[i] != with_tank.pixels[i];
  CHECK(marked > 500);
  // Only the soft outline of the water mixes with what is behind it.
  const Image alone = draw(water, {}, options), in_tank = draw(water, tank, options);
  int over_water = 0;
  for (std::size_t i = 0; i < alone.pixels.size(); ++i) {
    over_water += is_blue(alone.pixels[i]) && alone.pixels[i] != in_tank.pixels[i];
  }
  CHECK(over_water < count(alone, is_blue) / 20);
}

TEST_CASE("title, note and legend change the picture and odd characters in them do not end it") {
  PictureOptions options = small_picture();
  options.view = PictureBox{{-1, -1, -1}, {1, 1, 1}};
  const Image plain = draw({}, {}, options);
  options.legend = "pressure, Pa";
  const Image legend = draw({}, {}, options);
  CHECK(plain.pixels != legend.pixels);
  options.title = "caf\xc3\xa9 \n\x01\x7f ~";
  CHECK(draw({}, {}, options).pixels != legend.pixels);
}

TEST_CASE("particles that are nowhere are counted and values that are not numbers stand out") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  std::vector<PicturePoint> points = cube({}, 0.02, 1);
  const Image good = draw(points, {}, small_picture());
  CHECK(count(good, is_magenta) == 0);
  points.push_back({{nan, 0, 0}, 1});
  points.push_back({{0, -infinity, 0}, 1});
  const Image lost = draw(points, {}, small_picture());
  CHECK(lost.at(160, 90) == good.at(160, 90));
  CHECK(lost.pixels != good.pixels);
  for (PicturePoint& point : points) point.value = static_cast<float>(nan);
  CHECK(count(draw(points, {}, small_picture()), is_magenta) > 320 * 180 / 10);
}

TEST_CASE("a picture of nothing, of one particle and of the smallest size is a picture") {
  PictureOptions options = small_picture();
  CHECK(count(draw({}, {}, options), is_blue) == 0);
  CHECK(count(draw({{{5, 5, 5}, 0}}, {}, options), is_blue) > 500);
  options.width = options.height = 64;
  CHECK(draw(cube({}, 0.02, 1), {}, options).width == 64);
}

TEST_CASE("the box of a picture holds the boundary and leaves out a few far-flung particles") {
  std::vector<PicturePoint> points = cube({}, 0.1, 0);
  points[500].position = {1000, 0, 0};
  const PictureBox box = picture_box(points, std::vector<PictureBoundary>{{{0, -3, 0}, true}}, 0.1);
  CHECK(box.max.x == doctest::Approx(0.55));
  CHECK(box.min.y == doctest::Approx(-3.1));
  CHECK(box.max.y == doctest::Approx(0.55));
}

TEST_CASE("impossible pictures are refused with the reason") {
  PictureOptions options;
  CHECK(error_of(options) == "/nowhere/at/all.png.tmp: cannot write: No such file or directory");
  options.width = 63;
  CHECK(error_of(options).find("64 to 16384 pixels a side, not 63 x 720") != std::string::npos);
  options = {};
  options.spacing = 0;
  CHECK(error_of(options).find("spacing of a picture must be positive") != std::string::npos);
  options = {};
  options.view = PictureBox{};
  CHECK(error_of(options).find("box without extent") != std::string::npos);
}

TEST_CASE("the progress line tells time, step, work, speed and time left") {
  CHECK(progress_line(half_way()) == "t 0.412 / 2.000 s  step 412  dt 1.00 ms  it 12  0.021 s/s  eta 01:15");
  Progress slow = half_way();
  slow.wall *= 1000;
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
