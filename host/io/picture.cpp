#include "host/io/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "host/io/canvas.h"

namespace sluice::io {
namespace {

constexpr Color kSkyTop{0.97f, 0.98f, 0.99f}, kSkyBottom{0.80f, 0.84f, 0.88f};
// Of rigid bodies in turn, so that neighbours in a stack differ.
constexpr Color kBodies[] = {{0.80f, 0.47f, 0.33f}, {0.45f, 0.58f, 0.40f}, {0.87f, 0.71f, 0.40f}, {0.47f, 0.45f, 0.60f},
                             {0.69f, 0.36f, 0.42f}, {0.38f, 0.55f, 0.58f}, {0.73f, 0.60f, 0.48f}};
constexpr Color kObstacle{0.78f, 0.72f, 0.64f}, kWall{0.36f, 0.42f, 0.48f};
constexpr Color kNotFinite{1.0f, 0.0f, 1.0f};

// Particles are drawn on a grid this much finer and averaged, for smooth edges.
constexpr int kFine = 2;

// Rows of the camera's frame, and where a point lands: x/z and y/z times `focal` from `center`.
struct Camera {
  Vec3 right, up, back;  // back points from the target to the camera
  Vec3 target;
  double distance = 0, near = 0;  // m
  double focal = 0;               // pixels
  double center_x = 0, center_y = 0;
};
struct Projected {
  double x = 0, y = 0;  // pixels from the upper left
  double z = 0;         // m along the view
};

Projected project(const Camera& camera, Vec3 point) {
  const Vec3 p = point - camera.target;
  const double z = camera.distance - dot(p, camera.back);
  return {camera.center_x + camera.focal * dot(p, camera.right) / z,
          camera.center_y - camera.focal * dot(p, camera.up) / z, z};
}

bool finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

// Pixels of an area that text and colour bar leave free.
struct Area {
  double left = 0, top = 0, right = 0, bottom = 0;
};

Camera make_camera(const PictureBox& box, const Area& area) {
  Camera camera;
  const Vec3 eye{0.52, 0.46, 1.0};
  camera.back = (1 / length(eye)) * eye;
  const Vec3 right = cross({0, 1, 0}, camera.back);
  camera.right = (1 / length(right)) * right;
  camera.up = cross(camera.back, camera.right);
  camera.target = 0.5 * (box.min + box.max);
  // Of half diagonals: close enough for a sense of depth, far enough that near balls are not much larger.
  camera.distance = 3.6 * 0.5 * length(box.max - box.min);
  camera.near = 0.05 * camera.distance;
  camera.focal = 1;

  double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
  for (int corner = 0; corner < 8; ++corner) {
    const Projected p = project(camera, {corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                                         corner & 4 ? box.max.z : box.min.z});
    x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
    y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
  }
  camera.focal = std::min((area.right - area.left) / (x1 - x0), (area.bottom - area.top) / (y1 - y0));
  camera.center_x = 0.5 * (area.left + area.right) - camera.focal * 0.5 * (x0 + x1);
  camera.center_y = 0.5 * (area.top + area.bottom) - camera.focal * 0.5 * (y0 + y1);
  return camera;
}

Canvas make_canvas(int width, int height) {
  Canvas canvas{width, height, {}, {}};
  canvas.color.resize(static_cast<std::size_t>(width) * height);
  canvas.depth.assign(canvas.color.size(), std::numeric_limits<float>::infinity());
  for (int y = 0; y < height; ++y) {
    const float t = (static_cast<float>(y) + 0.5f) / static_cast<float>(height);
    const Color row = mix(kSkyTop, kSkyBottom, t * t);
    std::fill_n(canvas.color.begin() + static_cast<std::ptrdiff_t>(y) * width, width, row);
  }
  return canvas;
}

// Calls visit(pixel, u, v) for the pixels of a disc; u and v run from -1 to 1, v upwards.
template <class Visit>
void for_disc(const Canvas& canvas, double cx, double cy, double radius, Visit visit) {
  // Also false for what is not a number.
  if (!(cx > -radius && cx < canvas.width + radius && cy > -radius && cy < canvas.height + radius)) return;
  const int x0 = std::max(0, static_cast<int>(std::ceil(cx - radius - 0.5)));
  const int x1 = std::min(canvas.width - 1, static_cast<int>(std::floor(cx + radius - 0.5)));
  const int y0 = std::max(0, static_cast<int>(std::ceil(cy - radius - 0.5)));
  const int y1 = std::min(canvas.height - 1, static_cast<int>(std::floor(cy + radius - 0.5)));
  const auto inverse = static_cast<float>(1 / radius);
  for (int y = y0; y <= y1; ++y) {
    const float v = static_cast<float>(cy - y - 0.5) * inverse;
    for (int x = x0; x <= x1; ++x) {
      const float u = static_cast<float>(x + 0.5 - cx) * inverse;
      if (u * u + v * v <= 1) visit(static_cast<std::size_t>(y) * canvas.width + x, u, v);
    }
  }
}

void draw_ball(Canvas& canvas, const Camera& camera, Vec3 position, double radius, Color color) {
  const Projected p = project(camera, position);
  if (p.z < camera.near) return;
  // At least the size of a pixel, so that no particle is lost.
  const double size = std::max(camera.focal * radius / p.z, 0.75);
  for_disc(canvas, p.x, p.y, size, [&](std::size_t pixel, float u, float v) {
    const float w = std::sqrt(std::max(0.0f, 1 - u * u - v * v));
    const auto depth = static_cast<float>(p.z - radius * w);
    if (depth >= canvas.depth[pixel]) return;
    canvas.depth[pixel] = depth;
    // Light from the upper left, behind the viewer; its half vector with the view makes the highlight.
    const float diffuse = std::max(0.0f, -0.40f * u + 0.62f * v + 0.675f * w);
    const float half = std::max(0.0f, -0.22f * u + 0.34f * v + 0.915f * w);
    const float half4 = half * half * half * half, half16 = half4 * half4 * half4 * half4;
    canvas.color[pixel] = mix((0.62f + 0.50f * diffuse) * color, {1, 1, 1}, 0.14f * half16);
  });
}

// Is the sample on a wall between the viewer and the inside? On a box wall the wall's side decides, and an edge that
// belongs to a far wall as well is kept; elsewhere the side of the middle on which the sample lies.
bool hides_inside(const Camera& camera, const PictureBox& box, Vec3 p, double spacing) {
  const Vec3 eye = camera.target + camera.distance * camera.back;
  const double near = 0.6 * spacing;
  const bool on[6] = {p.x<box.min.x + near, p.x> box.max.x - near, p.y<box.min.y + near, p.y> box.max.y - near,
                      p.z<box.min.z + near, p.z> box.max.z - near};
  const bool faces[6] = {eye.x<box.min.x, eye.x> box.max.x, eye.y<box.min.y, eye.y> box.max.y,
                         eye.z<box.min.z, eye.z> box.max.z};
  bool on_wall = false;
  for (int side = 0; side < 6; ++side) {
    if (on[side] && !faces[side]) return false;
    on_wall = on_wall || on[side];
  }
  const Vec3 middle = 0.5 * (box.min + box.max);
  return on_wall || dot(p - middle, eye - p) > 0;
}

void draw_walls(Canvas& canvas, const Camera& camera, std::span<const PictureBoundary> boundary, double spacing) {
  PictureBox box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  for (const PictureBoundary& sample : boundary) {
    if (!sample.container || !finite(sample.position)) continue;
    const Vec3 p = sample.position;
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
  }
  for (const PictureBoundary& sample : boundary) {
    if (!sample.container || !finite(sample.position) || hides_inside(camera, box, sample.position, spacing)) continue;
    const Projected p = project(camera, sample.position);
    if (p.z < camera.near) continue;
    const double apart = camera.focal * spacing / p.z;
    // Paler where the dots would merge, so that a fine wall looks as a coarse one.
    const auto opacity = static_cast<float>(0.30 * std::min(1.0, apart * apart / 12));
    for_disc(canvas, p.x, p.y, std::max(0.22 * apart, 0.75), [&](std::size_t pixel, float, float) {
      if (p.z < canvas.depth[pixel]) canvas.color[pixel] = mix(canvas.color[pixel], kWall, opacity);
    });
  }
}

// Darkens what lies behind its surroundings, so that outlines and hollows show [Boucheny 2009, eye-dome lighting].
void shade_depth(Canvas& canvas, double spacing) {
  constexpr int kSteps[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
  // Pixels; the wide ring shows hollows, the narrow one outlines.
  const int rings[3] = {kFine, 4 * kFine, 12 * kFine};
  const auto scale = static_cast<float>(1 / (3 * spacing));
  std::vector<float> light(canvas.depth.size(), 1.0f);
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      const std::size_t pixel = static_cast<std::size_t>(y) * canvas.width + x;
      const float depth = canvas.depth[pixel];
      if (std::isinf(depth)) continue;
      float hidden = 0;
      for (const int ring : rings) {
        for (const auto& step : kSteps) {
          const int u = std::clamp(x + ring * step[0], 0, canvas.width - 1);
          const int v = std::clamp(y + ring * step[1], 0, canvas.height - 1);
          const float behind = (depth - canvas.depth[static_cast<std::size_t>(v) * canvas.width + u]) * scale;
          hidden += std::clamp(behind, 0.0f, 1.0f);
        }
      }
      light[pixel] = 1 - 0.66f * (hidden / 24);
    }
  }
  for (std::size_t i = 0; i < light.size(); ++i) canvas.color[i] = light[i] * canvas.color[i];
}

Canvas average(const Canvas& fine) {
  Canvas out{fine.width / kFine, fine.height / kFine, {}, {}};
  out.color.reserve(static_cast<std::size_t>(out.width) * out.height);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      Color sum;
      for (int k = 0; k < kFine * kFine; ++k) {
        const std::size_t pixel = static_cast<std::size_t>(y * kFine + k / kFine) * fine.width + x * kFine + k % kFine;
        const Color c = fine.color[pixel];
        sum = {sum.r + c.r, sum.g + c.g, sum.b + c.b};
      }
      out.color.push_back((1.0f / (kFine * kFine)) * sum);
    }
  }
  return out;
}

Range value_range(std::span<const PicturePoint> points, const PictureOptions& options) {
  if (options.value_min < options.value_max) return {options.value_min, options.value_max};
  std::vector<float> values;
  for (const PicturePoint& point : points) {
    if (std::isfinite(point.value)) values.push_back(point.value);
  }
  if (values.empty()) return {};
  // A few splashes faster than the rest would leave all colours to themselves.
  const auto rank = values.begin() + static_cast<std::ptrdiff_t>(0.998 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), rank, values.end());
  return {0, *rank > 1e-6f ? static_cast<float>(round_up(*rank)) : 1.0f};
}

}  // namespace

PictureBox picture_box(std::span<const PicturePoint> points, std::span<const PictureBoundary> boundary,
                       double spacing) {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  const auto take = [&](Vec3 min, Vec3 max) {
    low = {std::min(low.x, min.x), std::min(low.y, min.y), std::min(low.z, min.z)};
    high = {std::max(high.x, max.x), std::max(high.y, max.y), std::max(high.z, max.z)};
  };
  for (const PictureBoundary& sample : boundary) {
    if (finite(sample.position)) take(sample.position, sample.position);
  }
  std::vector<double> axes[3];
  for (const PicturePoint& point : points) {
    if (!finite(point.position)) continue;
    axes[0].push_back(point.position.x), axes[1].push_back(point.position.y), axes[2].push_back(point.position.z);
  }
  if (!axes[0].empty()) {
    double ends[2][3];
    const auto skip = static_cast<std::ptrdiff_t>(axes[0].size() / 500);
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<double>& values = axes[axis];
      std::nth_element(values.begin(), values.begin() + skip, values.end());
      ends[0][axis] = values[static_cast<std::size_t>(skip)];
      std::nth_element(values.begin(), values.end() - 1 - skip, values.end());
      ends[1][axis] = *(values.end() - 1 - skip);
    }
    take({ends[0][0], ends[0][1], ends[0][2]}, {ends[1][0], ends[1][1], ends[1][2]});
  }
  if (low.x > high.x) take({0, 0, 0}, {0, 0, 0});
  const Vec3 edge{spacing, spacing, spacing};
  return {low - edge, high + edge};
}

void write_picture(const std::filesystem::path& path, std::span<const PicturePoint> points,
                   std::span<const PictureBoundary> boundary, const PictureOptions& options) {
  if (std::min(options.width, options.height) < 64 || std::max(options.width, options.height) > 16384) {
    throw Error(path.string() + ": a picture has 64 to 16384 pixels a side, not " + std::to_string(options.width) +
                " x " + std::to_string(options.height));
  }
  if (!(options.spacing > 0)) throw Error(path.string() + ": the particle spacing of a picture must be positive");
  const PictureBox box = options.view ? *options.view : picture_box(points, boundary, options.spacing);
  if (!finite(box.min) || !finite(box.max) || !(length(box.max - box.min) > 0)) {
    throw Error(path.string() + ": the view of a picture is a box without extent; give two different corners");
  }

  const int scale = std::max(1, std::min(options.width / 640, options.height / 360));  // pixels of a dot of text
  const double margin = 14.0 * scale * kFine;
  const Area area{margin, (options.title.empty() && options.note.empty() ? 14.0 : 40.0) * scale * kFine,
                  (options.width - 56.0 * scale) * kFine, options.height * kFine - margin};
  const Camera camera = make_camera(box, area);
  const Range range = value_range(points, options);
  const std::array<Color, 256> map = make_color_map();

  Canvas fine = make_canvas(options.width * kFine, options.height * kFine);
  std::size_t lost = 0;
  for (const PicturePoint& point : points) {
    if (!finite(point.position)) {
      ++lost;
      continue;
    }
    const float t = std::clamp((point.value - range.min) / (range.max - range.min), 0.0f, 1.0f);
    const Color color = std::isfinite(point.value) ? map[static_cast<std::size_t>(255 * t + 0.5f)] : kNotFinite;
    draw_ball(fine, camera, point.position, 0.5 * options.spacing, color);
  }
  for (const PictureBoundary& sample : boundary) {
    // Somewhat larger than a particle, so that a surface closes.
    if (!sample.container && finite(sample.position)) {
      const Color color = sample.body > 0 ? kBodies[(sample.body - 1) % std::size(kBodies)] : kObstacle;
      draw_ball(fine, camera, sample.position, 0.62 * options.spacing, color);
    }
  }
  shade_depth(fine, options.spacing);
  draw_walls(fine, camera, boundary, options.spacing);

  Canvas canvas = average(fine);
  draw_text(canvas, 12 * scale, 12 * scale, scale, options.title);
  std::string note = options.note;
  if (lost > 0) note += (note.empty() ? "" : "   ") + std::to_string(lost) + " particles without a finite position!";
  draw_text(canvas, 12 * scale, 24 * scale, scale, note);
  draw_color_bar(canvas, map, range, options.legend, scale);
  write_png(path, canvas);
}

}  // namespace sluice::io
