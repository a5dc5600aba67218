// Bodies at rest in water: how deep they float, counted with the surface as drawn, and what sinks.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "host/sampling/inset_sampling.h"
#include "host/sampling/sampling.h"
#include "tests/figures.h"
#include "tests/gpu.h"
#include "tests/scene_builders.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}
std::string vector_text(Vec3 v) {
  char text[96];
  std::snprintf(text, sizeof text, "[%.6g, %.6g, %.6g]", v.x, v.y, v.z);
  return text;
}

// An upright box in the middle of a square tank. Lengths in h; the tank's bottom is y = 0.
struct Floater {
  double spacing = 0.02;  // m
  double density = 500;   // kg/m^3, of the box as drawn
  double width = 8, height = 4;
  int bottom = 6;  // whole layers of water are below the box at the start
  int tank = 20, depth = 8;
  bool as_drawn = true;  // else its samples lie on the surface
  bool may_turn = true;
  double tilt = 0;           // degrees at the start, about an axis that is none of the tank's
  double viscosity = 0.005;  // m^2/s, at 2 cm
};

// Viscosity and steps are scaled with the spacing so that runs at different spacings are at one Froude and one
// Reynolds number: they settle in the same number of steps.
double time_unit(const Floater& f) { return std::sqrt(f.spacing / 0.02); }

io::SceneFile scene_of(const Floater& f) {
  const double h = f.spacing, wall = f.depth + f.height + 4;
  const double viscosity = f.viscosity * time_unit(f) * h / 0.02;  // m^2/s
  const std::string text =
      R"({ "particleSpacing": )" + text_of(h) + R"(, "time": { "maxStep": )" + text_of(0.004 * time_unit(f)) +
      R"( }, "materials": { "water": { "type": "fluid", "density": 1000, "viscosity": )" + text_of(viscosity) +
      R"( }, "solid": { "type": "rigid", "density": )" + text_of(f.density) + R"(, "friction": 0.4 } }, "objects": [
{ "name": "tank", "role": "boundary", "shape": { "box": )" +
      vector_text(h * Vec3{double(f.tank), wall, double(f.tank)}) + R"(, "open": "top" }, "position": )" +
      vector_text({0, h * wall / 2, 0}) + R"( },
{ "name": "water", "role": "fluid", "material": "water", "shape": { "box": )" +
      vector_text(h * Vec3{double(f.tank), double(f.depth), double(f.tank)}) + R"( }, "position": )" +
      vector_text({0, h * f.depth / 2, 0}) + R"( },
{ "name": "box", "role": "rigid", "material": "solid", "shape": { "box": )" +
      vector_text(h * Vec3{f.width, f.height, f.width}) + R"( }, "position": )" +
      vector_text({0, h * (f.bottom + f.height / 2), 0}) + R"(, "surface": ")" + (f.as_drawn ? "drawn" : "sampled") +
      R"(", "freeRotation": )" + (f.may_turn ? "true" : "false") + R"(, "rotation": { "axis": [3, 0, 1], "degrees": )" +
      text_of(f.tilt) + " } } ] }";
  return io::parse_scene(text, "floating.json");
}

// Height of the water's surface in h, away from the box and the walls: the centres of the top layer, and half a
// spacing. Columns are h wide; a column whose highest particle lies a good half spacing lower than the others' has none
// in the top layer.
double surface(const Frame& frame, const Floater& f) {
  const double h = f.spacing, near = f.width / 2 + 2, far = f.tank / 2.0 - 1.5;
  std::vector<double> top(static_cast<std::size_t>(f.tank * f.tank), 0.0);
  for (const auto& p : frame.position) {
    const double x = p[0] / h, z = p[2] / h;
    const double out = std::max(std::fabs(x), std::fabs(z));
    if (out < near || out > far) continue;
    const int column = f.tank * static_cast<int>(z + f.tank / 2.0) + static_cast<int>(x + f.tank / 2.0);
    double& highest = top[static_cast<std::size_t>(column)];
    highest = std::max(highest, p[1] / h);
  }
  std::erase(top, 0.0);
  REQUIRE(top.size() >= 20);
  std::nth_element(top.begin(), top.begin() + static_cast<std::ptrdiff_t>(top.size() / 2), top.end());
  const double lowest = top[top.size() / 2] - 0.6;
  double sum = 0, count = 0;
  for (const auto& p : frame.position) {
    const double out = std::max(std::fabs(p[0]), std::fabs(p[2])) / h;
    if (out < near || out > far || p[1] / h < lowest) continue;
    sum += p[1] / h;
    ++count;
  }
  return sum / count + 0.5;
}

struct Settled {
  double draft = 0, bottom = 0;  // h, means over the last quarter of the run
  double speed = 0;              // m/s, the largest of the body in it
  std::uint32_t contacts = 0;    // of the box with the tank, at the end
};

// Runs `end` seconds, in the time unit of the spacing.
Settled settle(Gpu& gpu, const Floater& f, double end) {
  io::SamplingReport report;
  const io::SceneFile file = scene_of(f);
  Scene scene = io::build_scene(file, report);
  scene.time.end = end * time_unit(f);
  scene.time.frame_interval = scene.time.end / 40;
  Settled found;
  int count = 0;
  run_scene(gpu, scene, {}, [&](const Frame& frame) {
    const BodyRecord& box = frame.bodies[0];
    if (frame.number <= 30) return;
    const double bottom = box.position.y / f.spacing - f.height / 2, top = surface(frame, f);
    found.bottom += bottom;
    found.draft += top - bottom;
    found.speed = std::max(found.speed, length(box.velocity));
    found.contacts = box.contacts;
    ++count;
  });
  REQUIRE(count >= 5);
  found.bottom /= count;
  found.draft /= count;
  return found;
}

std::string name_of(const Floater& f, double end) {
  return "box of " + text_of(f.width) + " x " + text_of(f.height) + " x " + text_of(f.width) + " h, " +
         text_of(f.density) + " kg/m^3, h = " + text_of(100 * f.spacing) + " cm, " +
         (f.as_drawn ? "" : "surface sampled, ") + text_of(end * time_unit(f)) + " s: draft";
}

// Draft in h of the drawn box if water takes it for larger by `margin` on each side.
double archimedes(const Floater& f, double margin) {
  const double outer = f.width + 2 * margin;
  return f.density / 1000 * f.height * f.width * f.width / (outer * outer) - margin;
}

// Water at rest takes as much room as if it ended h/2 from a plane of samples.
constexpr double kWaterGap = 0.5;  // h

void report_draft(const Settled& found, const std::string& name, double exact, double within) {
  report_figure({.name = name,
                 .value = found.draft,
                 .unit = "h",
                 .least = exact - within,
                 .most = exact + within,
                 .required = text_of(exact) + " ± " + text_of(within) + " h",
                 .source = "Archimedes"});
}

void check_draft(Gpu& gpu, const Floater& f, double end, double within) {
  CAPTURE(f.density);
  CAPTURE(f.spacing);
  const Settled found = settle(gpu, f, end);
  CHECK(found.speed < 0.02 * time_unit(f));
  report_draft(found, name_of(f, end) + (f.as_drawn ? "" : " counted with a margin of h/2"),
               archimedes(f, f.as_drawn ? 0 : kWaterGap), within);
}

Floater flat_box(double density, double spacing) {
  Floater f{.spacing = spacing, .density = density};
  f.bottom = f.depth - static_cast<int>(std::lround(archimedes(f, 0)));
  return f;
}

}  // namespace

TEST_CASE("boxes of three densities float at their drawn draft at three spacings" * doctest::test_suite("full") *
          doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  for (const double spacing : {0.01, 0.02, 0.04}) {
    for (const double density : {200.0, 500.0, 800.0}) check_draft(gpu, flat_box(density, spacing), 1.2, 0.15);
  }
}

// Held upright, since as a free body it would lie down.
TEST_CASE("a box 16 h tall floats within 1 % of its height" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  check_draft(gpu, {.density = 500, .height = 16, .bottom = 5, .depth = 13, .may_turn = false}, 2, 0.16);
}

TEST_CASE("a box sampled on its surface displaces half a spacing more on each side" * doctest::test_suite("full") *
          doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  check_draft(gpu, {.density = 800, .width = 7, .height = 3, .bottom = 6, .as_drawn = false}, 2, 0.3);
}

TEST_CASE("a box heavier than water sinks and rests on the bottom" * doctest::test_suite("full") * doctest::skip()) {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  const Floater f{
      .density = 1200, .width = 6, .height = 6, .bottom = 5, .tank = 16, .depth = 12, .tilt = 6, .viscosity = 0.0005};
  const Settled found = settle(gpu, f, 2);
  report_figure({.name = "cube of 6 h, 1200 kg/m^3, sunk for 2 s: drawn bottom above the tank's",
                 .value = found.bottom,
                 .unit = "h",
                 .least = -0.2,
                 .most = 1.2,
                 .required = "-0.2 to 1.2 h: a flat bottom may trap a layer of water",
                 .source = "no more water carries it"});
  CHECK(found.speed < 0.01);
}
