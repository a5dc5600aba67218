// Pictures that the renderer draws from device buffers: things are where they should be, in the colours they should
// have, lit and shaded, on both drivers, without a validation message.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/gpu_device.h"
#include "host/render/renderer.h"
#include "host/render/stored_state.h"
#include "host/sampling/sampling.h"
#include "host/scene/scene_file.h"
#include "tests/folder.h"
#include "tests/gpu.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace sluice::tests {
namespace {

using io::Canvas;
using io::Color;

// Devices that draw, for all tests of this file.
Gpu& drawing_gpu(const char* name) { return kept_gpu({.device = name, .validation = Validation::core, .draws = true}); }

// A layer of four balls of water in a tank, a cube on the tank's floor.
const char* kScene = R"({ "name": "still life", "particleSpacing": 0.1,
  "time": { "end": 0.1, "maxStep": 0.002 },
  "materials": { "water": { "type": "fluid", "density": 1000 }, "clay": { "type": "rigid", "density": 2000 } },
  "objects": [
    { "name": "tank", "role": "boundary", "shape": { "box": [2, 1, 1], "open": "top" }, "position": [0, 0.5, 0] },
    { "name": "drops", "role": "fluid", "material": "water", "shape": { "box": [0.2, 0.1, 0.2] },
      "position": [-0.6, 0.4, 0], "velocity": [3, 0, 0] },
    { "name": "cube", "role": "rigid", "material": "clay", "shape": { "box": [0.4, 0.4, 0.4] },
      "position": [0.4, 0.2, 0] } ],
  "output": { "frameRate": 100 } })";

struct Pictured {
  Canvas canvas;
  render::Camera camera;
};

Pictured picture(Gpu& gpu, render::Settings settings, Vec3 shift = {}) {
  io::SamplingReport report;
  const Scene scene = io::build_scene(io::parse_scene(kScene, "still_life.json"), report);
  settings.look.camera = render::Camera{Vec3{0, 1.2, 3.5} + shift, Vec3{0, 0.4, 0} + shift, 40};
  const Vec3 origin = render::drawing_origin(scene);
  Simulation simulation(gpu, scene, {.drawn = true, .drawn_origin = origin});
  render::Renderer renderer(gpu, scene, report, origin, settings);
  return {renderer.draw(simulation.drawn(), "t = 0"), *settings.look.camera};
}

// The pixel at which a point is seen, by the definition of a pinhole camera.
Color at(const Pictured& p, Vec3 point) {
  const Vec3 view = p.camera.eye - p.camera.target, back = (1 / length(view)) * view;
  const Vec3 side = cross({0, 1, 0}, back), right = (1 / length(side)) * side, up = cross(back, right);
  const Vec3 d = point - p.camera.eye;
  const double focal = 0.5 * p.canvas.height / std::tan(0.5 * p.camera.degrees * 0.017453292519943295);
  const double z = -dot(d, back);
  const int x = static_cast<int>(0.5 * p.canvas.width + focal * dot(d, right) / z);
  const int y = static_cast<int>(0.5 * p.canvas.height - focal * dot(d, up) / z);
  REQUIRE(x >= 0);
  REQUIRE(x < p.canvas.width);
  REQUIRE(y >= 0);
  REQUIRE(y < p.canvas.height);
  return p.canvas.color[static_cast<std::size_t>(y) * p.canvas.width + x];
}
double brightness(Color c) { return (c.r + c.g + c.b) / 3.0; }

const char* const kDrivers[] = {"llvmpipe", "SwiftShader"};

TEST_CASE("balls, bodies and walls are seen where they are, the sun lights tops and casts shadows") {
  for (const char* name : kDrivers) {
    CAPTURE(name);
    Gpu& gpu = drawing_gpu(name);
    MessageGuard guard(gpu);
    const Pictured p = picture(gpu, {.width = 640, .height = 360, .look = {.range = io::ValueRange{0, 6}}});
    const Color ball = at(p, {-0.65, 0.4, 0.1});
    CHECK(ball.b > ball.r + 0.05);
    const Color top = at(p, {0.4, 0.4, 0}), front = at(p, {0.4, 0.2, 0.2});
    for (const Color c : {top, front}) CHECK(c.r > 1.3f * c.b);  // of clay
    CHECK(brightness(top) > 1.2 * brightness(front));
    // The far wall is pale; the near one is cut away, or it would hide all of this.
    CHECK(brightness(at(p, {0.4, 0.9, -0.45})) > 0.7);
    CHECK(brightness(at(p, {0.7, 0, -0.05})) < 0.85 * brightness(at(p, {-0.1, 0, 0})));  // away from the sun
    // Around a corner of the cube: its colour ends where it ends.
    for (const double dx : {-0.2, 0.2})
      for (const double dy : {-0.2, 0.2}) {
        const Vec3 corner{0.4 + dx, 0.2 + dy, 0.2};
        const Color inside = at(p, corner - Vec3{0.1 * dx, 0.1 * dy, 0}),
                    outside = at(p, corner + Vec3{0.12 * dx, 0.12 * dy, 0});
        CHECK(inside.r > 1.3f * inside.b);
        CHECK(outside.r < 1.15f * outside.b);
      }
  }
}

TEST_CASE("the camera's place moves the picture") {
  Gpu& gpu = drawing_gpu("llvmpipe");
  MessageGuard guard(gpu);
  const Pictured here = picture(gpu, {.width = 320, .height = 180});
  const Pictured aside = picture(gpu, {.width = 320, .height = 180}, {0.3, 0, 0});
  const Color a = at(here, {0.4, 0.2, 0.2}), b = at(aside, {0.4, 0.2, 0.2});
  CHECK(std::fabs(a.r - b.r) < 0.03);
  CHECK(std::fabs(a.b - b.b) < 0.03);
}

TEST_CASE("the colour of a ball is that of its value in the colour bar") {
  const io::ColorMap map = io::make_color_map();
  Gpu& gpu = drawing_gpu("llvmpipe");
  MessageGuard guard(gpu);
  double last = 0;
  for (const float end : {12.0f, 6.0f, 4.0f, 3.0f}) {  // 3 m/s of it
    const Pictured p = picture(gpu, {.width = 640, .height = 360, .look = {.range = io::ValueRange{0, end}}});
    const Color seen = at(p, {-0.65, 0.4, 0.1}), expected = map[static_cast<std::size_t>(255 * 3 / end)];
    // Light scales the three channels alike, the highlight adds a little to each.
    CHECK(std::fabs(seen.r / seen.b - expected.r / expected.b) < 0.12);
    CHECK(brightness(seen) > last);
    last = brightness(seen);
  }
  // At the start nothing presses and nothing is denser than at rest.
  for (const render::Field field : {render::Field::pressure, render::Field::density_error}) {
    const Color seen = at(picture(gpu, {.width = 640, .height = 360, .look = {.field = field}}), {-0.65, 0.4, 0.1});
    CHECK(std::fabs(seen.r / seen.b - map[0].r / map[0].b) < 0.12);
  }
}

TEST_CASE("friction shows the samples of bodies, and neither bodies nor water") {
  const io::ColorMap map = io::make_color_map();
  Gpu& gpu = drawing_gpu("llvmpipe");
  MessageGuard guard(gpu);
  const Pictured p = picture(gpu, {.width = 640, .height = 360, .look = {.field = render::Field::friction}});
  // A sample of the front face, 4 x 4 of which lie h/2 inside it; the cube of clay is gone.
  const Color sample = at(p, {0.45, 0.25, 0.15 + 0.05});
  CHECK(std::fabs(sample.r / sample.b - map[0].r / map[0].b) < 0.12);
  CHECK(brightness(at(p, {-0.65, 0.4, 0.1})) > 0.7);  // the wall behind the drops
}

TEST_CASE("a ball by material has the colour of its index in the colour bar") {
  const io::ColorMap map = io::make_color_map();
  Gpu& gpu = drawing_gpu("llvmpipe");
  MessageGuard guard(gpu);
  const Color first =
      at(picture(gpu, {.width = 640, .height = 360, .look = {.field = render::Field::material}}), {-0.65, 0.4, 0.1});
  CHECK(std::fabs(first.r / first.b - map[0].r / map[0].b) < 0.12);
  // Index 0 again, now at the map's other end.
  const Color last = at(picture(gpu, {.width = 640,
                                      .height = 360,
                                      .look = {.field = render::Field::material, .range = io::ValueRange{-1, 0}}}),
                        {-0.65, 0.4, 0.1});
  CHECK(std::fabs(last.r / last.b - map[255].r / map[255].b) < 0.12);
}

TEST_CASE("boundaries are cut away, drawn as wires, or hidden") {
  Gpu& gpu = drawing_gpu("llvmpipe");
  MessageGuard guard(gpu);
  const auto with = [&](io::BoundaryLook look) {
    return picture(gpu, {.width = 640, .height = 360, .look = {.boundaries = look}});
  };
  const Pictured cut = with(io::BoundaryLook::cut), wires = with(io::BoundaryLook::wires),
                 hidden = with(io::BoundaryLook::hidden);
  // Whether an upright edge of the tank stands out among the pixels around its middle: lines are thin.
  const auto has_edge = [](const Pictured& p, Vec3 edge) {
    double darkest = 1, around = 0;
    for (int k = -20; k <= 20; ++k) {
      const double value = brightness(at(p, edge + Vec3{0.002 * k, 0, 0}));
      darkest = std::min(darkest, value);
      around += value / 41;
    }
    return darkest < around - 0.08;
  };
  for (const Vec3 far_edge : {Vec3{-1, 0.8, -0.5}, {1, 0.8, -0.5}}) {
    CHECK(has_edge(cut, far_edge));
    CHECK(has_edge(wires, far_edge));
    CHECK(!has_edge(hidden, far_edge));
  }
  const Vec3 wall{0.1, 0.8, -0.5};
  const Color behind = at(hidden, wall), seen = at(cut, wall);
  CHECK(std::fabs(brightness(behind) - brightness(seen)) > 0.01);
  CHECK(brightness(at(wires, wall)) == doctest::Approx(brightness(behind)));
  for (const Pictured* p : {&cut, &wires, &hidden}) {
    const Color cube = at(*p, {0.4, 0.2, 0.2});
    CHECK(cube.r > 1.3f * cube.b);
  }
}

TEST_CASE("a box that is open has no face there, in files and pictures") {
  io::SamplingReport report;
  io::build_scene(io::parse_scene(kScene, "still_life.json"), report);
  REQUIRE(report.boundary_meshes.size() == 1);
  const io::TriangleMesh& tank = report.boundary_meshes[0].mesh;
  CHECK(tank.triangles.size() == 10);
  for (const auto& t : tank.triangles) {
    const Vec3 a = tank.vertices[t[0]], b = tank.vertices[t[1]], c = tank.vertices[t[2]];
    CHECK_FALSE((a.y > 0.4 && b.y > 0.4 && c.y > 0.4));
  }
}

TEST_CASE("edges of a cube are its twelve, all of a pyramid's, and those of an open square") {
  const auto lines = [](const io::TriangleMesh& mesh, double degrees) {
    return render::edges_of(mesh, degrees).size() / 4;
  };
  io::TriangleMesh open{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  CHECK(lines(open, 1) == 4);  // not the diagonal
  io::TriangleMesh folded = open;
  folded.vertices[3].z = 0.5;
  CHECK(lines(folded, 1) == 5);
  CHECK(lines(folded, 60) == 4);
}

TEST_CASE("a frame on the host gives the picture of the device's own state") {
  for (const char* name : kDrivers) {
    CAPTURE(name);
    Gpu& gpu = drawing_gpu(name);
    MessageGuard guard(gpu);
    std::string text = kScene;
    const std::string paddle = R"({ "name": "paddle", "role": "boundary", "shape": { "box": [0.4, 0.2, 0.2] },
      "position": [-0.2, 0.8, 0], "motion": { "angularVelocity": [0, 0, 8], "velocity": [0.5, 0, 0] } },)";
    text.insert(text.find("{ \"name\": \"drops\""), paddle);
    io::SamplingReport report;
    const Scene scene = io::build_scene(io::parse_scene(text, "still_life.json"), report);
    const Vec3 origin = render::drawing_origin(scene);
    Simulation simulation(gpu, scene, {.drawn = true, .drawn_origin = origin});
    for (const render::Field field :
         {render::Field::speed, render::Field::pressure, render::Field::density_error, render::Field::friction}) {
      CAPTURE(static_cast<int>(field));
      render::Renderer renderer(gpu, scene, report, origin, {.width = 320, .height = 180, .look = {.field = field}});
      render::StoredState stored(device_of(gpu), scene, origin);
      while (!simulation.frame_ready()) simulation.advance();
      const Frame frame = simulation.read_frame();
      const Canvas own = renderer.draw(simulation.drawn(), ""), host = renderer.draw(stored.put(frame), "");
      int different = 0;
      for (std::size_t i = 0; i < own.color.size(); ++i)
        different += std::fabs(own.color[i].r - host.color[i].r) + std::fabs(own.color[i].b - host.color[i].b) > 0.02;
      CHECK(different < 320 * 180 / 1000);
      simulation.next_frame();
    }
    CHECK(simulation.time() > 0.015);
  }
}

TEST_CASE("automatic framing shows everything, at any shape of picture") {
  const render::Box box{{-1, 0, -0.5}, {1, 1, 0.5}};
  for (const auto& [width, height] : {std::pair{1280, 720}, {400, 900}, {2000, 300}}) {
    const render::Camera camera = render::frame_box(box, width, height);
    gpu::View view{};
    render::place_view(view, camera, box, width, height);
    double most_x = 0, most_y = 0;
    for (int k = 0; k < 8; ++k) {
      const Vec3 p{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : 0.0, k & 4 ? 0.5 : -0.5};
      const auto along = [&](int r) {
        return view.camera[r].x * p.x + view.camera[r].y * p.y + view.camera[r].z * p.z + view.camera[r].w;
      };
      const double z = along(2);
      REQUIRE(z < 0);
      most_x = std::max(most_x, std::fabs(view.projection.x * along(0) / -z));
      most_y = std::max(most_y, std::fabs(view.projection.y * along(1) / -z));
      const double depth = (view.projection.z + view.projection.w * z) / -z;
      CHECK(depth > 0);
      CHECK(depth < 1);
      const auto shadow = [&](int r) {
        return view.light[r].x * p.x + view.light[r].y * p.y + view.light[r].z * p.z + view.light[r].w;
      };
      CHECK(std::fabs(shadow(0)) < 1);
      CHECK(std::fabs(shadow(1)) < 1);
      CHECK(shadow(2) > 0);
      CHECK(shadow(2) < 1);
    }
    CHECK(most_x < 1);
    CHECK(most_y < 1);
    CHECK(std::max(most_x, most_y) > 0.6);
  }
}

TEST_CASE("normals of a cube's corners are its faces', of a ball's its radii") {
  io::TriangleMesh cube;
  cube.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}};
  cube.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}};
  const std::vector<gpu::vec4> corners = render::with_normals(cube, {0.5, 0.5, 0.5});
  REQUIRE(corners.size() == 24);
  CHECK(corners[0].x == -0.5f);
  for (std::size_t k = 0; k < 6; ++k) CHECK(to_vec(corners[2 * k + 1]).z == doctest::Approx(-1));
  for (std::size_t k = 6; k < 12; ++k) CHECK(to_vec(corners[2 * k + 1]).y == doctest::Approx(-1));
}

TEST_CASE("a device that was made without drawing is refused with a sentence") {
  Gpu gpu = Gpu::create({.device = "llvmpipe"});
  CHECK(gpu.info().draws);
  CHECK_THROWS_WITH_AS(picture(gpu, {}), doctest::Contains("GpuOptions::draws"), Error);
}

TEST_CASE("a PNG has the pixels of the canvas, and says where it could not be written") {
  Canvas canvas{80, 64, {}};
  for (int i = 0; i < 80 * 64; ++i) canvas.color.push_back({i % 80 / 255.0f, i / 80 / 255.0f, 1});
  const std::filesystem::path nowhere = "/nowhere/at/all.png";
  const TestFolder folder;
  const std::filesystem::path path = folder.path / "picture.png";
  io::write_png(path, canvas);
  int width = 0, height = 0, channels = 0;
  stbi_uc* bytes = stbi_load(path.c_str(), &width, &height, &channels, 3);
  REQUIRE(bytes != nullptr);
  CHECK(width == 80);
  CHECK(height == 64);
  CHECK(channels == 3);
  int wrong = 0;
  for (int i = 0; i < 80 * 64; ++i)
    wrong += bytes[3 * i] != i % 80 || bytes[3 * i + 1] != i / 80 || bytes[3 * i + 2] != 255;
  CHECK(wrong == 0);
  stbi_image_free(bytes);
  CHECK_THROWS_WITH_AS(io::write_png(nowhere, canvas), doctest::Contains("cannot write"), Error);
}

TEST_CASE("titles and legends are drawn, whatever is in them") {
  const io::ColorMap map = io::make_color_map();
  const auto with = [&](const std::string& title, const std::string& legend) {
    Canvas canvas{320, 180, std::vector<Color>(320 * 180)};
    io::draw_text(canvas, 4, 4, 1, title);
    io::draw_color_bar(canvas, map, {0, 3}, legend, 1);
    int marked = 0;
    for (const Color& c : canvas.color) marked += c.r + c.g + c.b > 0;
    return marked;
  };
  CHECK(with("a title", "speed, m/s") > with("", "speed, m/s"));
  CHECK(with("", "speed, m/s") > with("", ""));
  CHECK(with("caf\xc3\xa9 \n\x01\x7f ~", "") > with("", ""));
}

TEST_CASE("a plain picture has no text") {
  Gpu& gpu = drawing_gpu("llvmpipe");
  MessageGuard guard(gpu);
  const auto dark = [&](bool text) {  // pixels of the corner where the time stands
    const Pictured p = picture(gpu, {.width = 320, .height = 180, .text = text});
    int count = 0;
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 60; ++x) count += brightness(p.canvas.color[static_cast<std::size_t>(y) * 320 + x]) < 0.4;
    return count;
  };
  CHECK(dark(true) > 20);
  CHECK(dark(false) == 0);
}

TEST_CASE("impossible settings are errors with a sentence") {
  Gpu& gpu = drawing_gpu("llvmpipe");
  MessageGuard guard(gpu);
  CHECK_THROWS_WITH_AS(picture(gpu, {.width = 10, .height = 360}), doctest::Contains("64 to 16384"), Error);
  CHECK_THROWS_WITH_AS(picture(gpu, {.look = {.range = io::ValueRange{2, 2}}}), doctest::Contains("from 2 to 2"),
                       Error);
}

}  // namespace
}  // namespace sluice::tests
