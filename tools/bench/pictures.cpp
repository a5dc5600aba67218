// Pictures of 100,000 particles in a tank, at 1280 x 720.
#include <chrono>

#include "host/render/renderer.h"
#include "host/sampling/sampling.h"
#include "tools/bench/bench.h"
#include "tools/bench/timing.h"

namespace sluice::bench {
namespace {

const char* const kScene = R"({ "particleSpacing": 0.02, "time": { "end": 1 },
  "materials": { "water": { "type": "fluid" } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [2, 1.5, 0.8], "open": "top" }, "position": [0, 0.75, 0] },
    { "name": "column", "role": "fluid", "material": "water", "shape": { "box": [1, 1, 0.8] },
      "position": [-0.5, 0.5, 0] } ] })";

std::vector<Outcome> picture(Context& context) {
  Outcome out;
  out.name = "picture of 100k particles";
  out.unit = "a picture";
  out.check = "water, tank and ground take their shares of it, the same twice";
  if (!context.gpu.info().draws) {
    out.skipped = "no queue of the device draws and computes";
    return {out};
  }
  io::SamplingReport report;
  const Scene scene = io::build_scene(io::parse_scene(kScene, "picture.json"), report);
  const Vec3 origin = render::drawing_origin(scene);
  Simulation simulation(context.gpu, scene, {.drawn = true, .drawn_origin = origin});
  render::Renderer renderer(context.gpu, scene, report, origin, {});
  const DrawnState state = simulation.drawn();
  std::vector<io::Canvas> canvas(2);
  for (io::Canvas& picture : canvas) {
    const auto start = std::chrono::steady_clock::now();
    picture = renderer.draw(state, "");
    out.times = {1e3 * seconds_since(start)};  // of the second: the first warms up
  }
  std::size_t water = 0, pale = 0, different = 0;
  for (std::size_t i = 0; i < canvas[0].color.size(); ++i) {
    const io::Color a = canvas[0].color[i], b = canvas[1].color[i];
    water += a.b > a.r + 0.15f;
    pale += a.r > 0.75f;
    different += a.r != b.r || a.g != b.g || a.b != b.b;
  }
  const double all = static_cast<double>(canvas[0].color.size());
  const double water_share = static_cast<double>(water) / all, pale_share = static_cast<double>(pale) / all;
  if (different > 0) out.failure = std::to_string(different) + " pixels differ between two pictures of one state";
  if (std::abs(water_share - 0.117) > 0.02 || pale_share < 0.8)
    out.failure = "water takes " + number_text(100 * water_share) + " % of the picture, what is pale " +
                  number_text(100 * pale_share) + " %";
  out.summarize = [particles = static_cast<double>(scene.fluid.size())](Outcome& all) {
    const double rate = 1e-3 * particles / median(all.times);
    all.details["million_particles_per_second"] = rate;
    all.rate = number_text(rate) + " M particles/s";
  };
  out.details = {{"particles", scene.fluid.size()}, {"width", 1280}, {"height", 720}, {"water_share", water_share}};
  return {out};
}

}  // namespace

std::vector<Case> picture_cases() { return {{"picture of 100k particles", Suite::quick, picture}}; }

}  // namespace sluice::bench
