// Scenes with the numbers of particles, bodies and iterations of the largest ones of a paper, so that milliseconds a
// step stand beside the paper's [PT23 sec. 5.4, Table 1: Intel Xeon E5-2697 v2, 24 cores]. Boxes stand for ducks,
// armadillos and letters; boundaries have two layers of samples.
#include <cmath>

#include "tools/bench/bench.h"

namespace sluice::bench {
namespace {

using nlohmann::ordered_json;

constexpr double h = 0.02;

ordered_json lengths(double x, double y, double z) { return {h * x, h * y, h * z}; }

// Sizes and places in h; `at` is the middle of the lowest face.
ordered_json box(const char* name, const char* role, std::array<double, 3> size, std::array<double, 3> at) {
  return {{"name", name},
          {"role", role},
          {"shape", {{"box", lengths(size[0], size[1], size[2])}}},
          {"position", lengths(at[0], at[1] + 0.5 * size[1], at[2])}};
}

ordered_json tank(std::array<double, 3> size, std::array<double, 3> at) {
  ordered_json object = box("tank", "boundary", size, at);
  object["shape"]["open"] = "top";
  return object;
}

ordered_json water(std::array<double, 3> size, std::array<double, 3> at) {
  ordered_json object = box("water", "fluid", size, at);
  object["material"] = "water";
  return object;
}

// A grid of blocks side by side; `at` is the middle of its lowest face.
ordered_json blocks(std::array<double, 3> size, std::array<int, 3> count, std::array<double, 3> at) {
  ordered_json object = box("block", "rigid", size,
                            {at[0] - 0.5 * (count[0] - 1) * size[0], at[1], at[2] - 0.5 * (count[2] - 1) * size[2]});
  object["material"] = "block";
  object["repeat"] = {{"count", count}, {"step", lengths(size[0], size[1], size[2])}};
  return object;
}

ordered_json ground(double side, double thickness) {
  return box("ground", "boundary", {side, thickness, side}, {0, -thickness, 0});
}

ordered_json scene(double step, int iterations, ordered_json objects) {
  return {{"particleSpacing", h},
          {"time", {{"end", 1}, {"step", step}}},
          {"solver", {{"minIterations", iterations}, {"maxIterations", iterations}}},
          {"materials",
           {{"water", {{"type", "fluid"}, {"density", 1000}, {"viscosity", 0.005}}},
            {"block", {{"type", "rigid"}, {"density", 1500}, {"friction", 0.5}}}}},
          {"objects", std::move(objects)}};
}

// Of the whole scene, times `scale`.
double even(double length, double scale) { return std::max(4.0, 2 * std::round(0.5 * length * scale)); }
int whole(int count, double scale) { return std::max(1, static_cast<int>(std::lround(count * scale))); }

// 3.6 M fluid particles, 660 blocks of 1.4 M samples, 4.9 M samples of boundaries.
ordered_json tower(double scale) {
  const double basin = even(300, scale), deep = even(40, scale);
  const std::array<double, 3> block{even(30, scale), even(12, scale), even(20, scale)};
  return scene(0.0019, 10,
               {ground(even(1090, scale), 8), tank({basin, 1.5 * deep, basin}, {0.55 * basin, 0, 0}),
                water({basin, deep, basin}, {0.55 * basin, 0, 0}), blocks(block, {3, 44, 5}, {-2 * block[0], 0, 0})});
}

// 2.5 M, 128 blocks of 0.6 M, 1.2 M.
ordered_json dam(double scale) {
  const double block = even(28, scale), width = 8 * block, deep = even(112, scale), length = even(1240, scale),
               long_side = even(100, scale);
  return scene(0.001, 20,
               {tank({length, even(130, scale), width}, {0, 0, 0}),
                water({long_side, deep, width}, {0.5 * (long_side - length), 0, 0}),
                blocks({block, block, block}, {2, 8, 8}, {long_side + block - 0.5 * length, 0, 0})});
}

// 9261 boxes of 5.6 M samples, 5.0 M.
ordered_json bulk(double scale) {
  const int side = whole(21, scale);
  return scene(0.0003, 4, {ground(even(1110, scale), 4), blocks({11, 11, 11}, {side, side, side}, {0, 0, 0})});
}

// 0.27 M, 104 boxes of 0.6 M.
ordered_json chain(double scale) {
  const double block = even(31, scale), side = even(65, scale);
  return scene(0.0002, 20,
               {tank({side, 1.2 * side, side}, {0, 0, block + side}), water({side, side, side}, {0, 0, block + side}),
                box("ground", "boundary", {110 * block, 4, 1.5 * block}, {0, -4, 0}),
                blocks({block, block, block}, {104, 1, 1}, {0, 0, 0})});
}

}  // namespace

std::vector<PaperScene> paper_scenes() {
  return {{"Tower", tower, 0.0019, 3730},
          {"Dam", dam, 0.001, 5440},
          {"Bulk", bulk, 0.0003, 4590},
          {"Chain", chain, 0.0002, 1520}};
}

}  // namespace sluice::bench
