#include "host/render/canvas.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "host/io/atomic_file.h"
#include "host/render/picture_font.h"
#include "sluice/scene.h"

// For stb, whose own packer takes a third of the time of a whole picture and packs 20 % worse. stb frees the result
// with free(). Its level, 8, would take longer still; 4 makes the file 2 % larger.
static unsigned char* pack_with_zlib(unsigned char* bytes, int count, int* packed_count, int /*level*/) {
  uLongf size = compressBound(static_cast<uLong>(count));
  auto* packed = static_cast<unsigned char*>(std::malloc(size));
  if (packed && compress2(packed, &size, bytes, static_cast<uLong>(count), 4) != Z_OK) {
    std::free(packed);
    packed = nullptr;
  }
  *packed_count = packed ? static_cast<int>(size) : 0;
  return packed;
}
#define STBIW_ZLIB_COMPRESS pack_with_zlib
#define STB_IMAGE_WRITE_IMPLEMENTATION
// Another library in the same program may bring its own copy.
#define STB_IMAGE_WRITE_STATIC
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace sluice::io {
namespace {

constexpr Color kText{0.16f, 0.20f, 0.25f};

// A byte of UTF-8 that is not a character's first.
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

ColorMap make_color_map() {
  ColorMap map;
  const auto encode = [](double linear) {
    const double c = std::clamp(linear, 0.0, 1.0);
    return static_cast<float>(c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055);
  };
  for (int i = 0; i < 256; ++i) {
    const double t = i / 255.0, s = 1 - t;
    const double lightness = 0.44 + 0.52 * t;
    const double a = s * s * -0.010 + 2 * s * t * -0.090 + t * t * -0.015;
    const double b = s * s * -0.150 + 2 * s * t * -0.110 + t * t * -0.005;
    const double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    const double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    const double n = lightness - 0.0894841775 * a - 1.2914855480 * b;
    const double l3 = l * l * l, m3 = m * m * m, n3 = n * n * n;
    map[i] = {encode(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * n3),
              encode(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * n3),
              encode(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * n3)};
  }
  return map;
}

void fill(Canvas& canvas, int left, int top, int width, int height, Color color) {
  for (int y = std::max(0, top); y < std::min(canvas.height, top + height); ++y) {
    for (int x = std::max(0, left); x < std::min(canvas.width, left + width); ++x) {
      canvas.color[static_cast<std::size_t>(y) * canvas.width + x] = color;
    }
  }
}

int text_width(std::string_view text, int scale) {
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) { return !continues(c); });
  return static_cast<int>(characters) * (kGlyphWidth + 1) * scale;
}

void draw_text(Canvas& canvas, int left, int top, int scale, std::string_view text) {
  for (char c : text) {
    if (continues(c)) continue;
    if (c < kFirstGlyph || c > kLastGlyph) c = '?';
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphWidth; ++column) {
        if (kGlyphs[c - kFirstGlyph][row] >> (kGlyphWidth - 1 - column) & 1) {
          fill(canvas, left + column * scale, top + row * scale, scale, scale, kText);
        }
      }
    }
    left += (kGlyphWidth + 1) * scale;
  }
}

double round_up(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 5.0, 6.0, 8.0}) {
    if (value <= step * power * (1 + 1e-9)) return step * power;
  }
  return 10 * power;
}

void draw_color_bar(Canvas& canvas, const ColorMap& map, const ValueRange& range, const std::string& legend,
                    int scale) {
  const int height = canvas.height / 2, width = 9 * scale;
  std::array<std::string, 5> labels;
  int label_width = 0;
  for (int tick = 0; tick <= 4; ++tick) {
    labels[tick] = short_number(range.min + 0.25 * tick * (range.max - range.min));
    label_width = std::max(label_width, text_width(labels[tick], scale));
  }
  const int right = canvas.width - 8 * scale;
  const int left = std::min(canvas.width - 48 * scale, right - label_width - 4 * scale - width);
  const int top = (canvas.height - height) / 2;
  fill(canvas, left - 1, top - 1, width + 2, height + 2, kText);
  for (int y = 0; y < height; ++y) {
    fill(canvas, left, top + y, width, 1, map[static_cast<std::size_t>(255 - 255 * y / std::max(1, height - 1))]);
  }
  for (int tick = 0; tick <= 4; ++tick) {
    const int y = top + (height - 1) * (4 - tick) / 4;
    fill(canvas, left + width, y, 2 * scale, std::max(1, scale / 2), kText);
    draw_text(canvas, left + width + 4 * scale, y - 3 * scale, scale, labels[tick]);
  }
  draw_text(canvas, std::min(left, right - text_width(legend, scale)), top - 16 * scale, scale, legend);
}

void draw_swatches(Canvas& canvas, const std::vector<Swatch>& swatches, const std::string& legend, int scale) {
  int width = text_width(legend, scale);
  for (const Swatch& swatch : swatches) width = std::max(width, 12 * scale + text_width(swatch.name, scale));
  const int left = canvas.width - 8 * scale - width;
  int top = (canvas.height - 12 * scale * static_cast<int>(swatches.size())) / 2;
  draw_text(canvas, left, top - 16 * scale, scale, legend);
  for (const Swatch& swatch : swatches) {
    fill(canvas, left - 1, top - 1, 8 * scale + 2, 8 * scale + 2, kText);
    fill(canvas, left, top, 8 * scale, 8 * scale, swatch.color);
    draw_text(canvas, left + 12 * scale, top, scale, swatch.name);
    top += 12 * scale;
  }
}

void write_png(const std::filesystem::path& path, const Canvas& canvas, Existing existing) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(canvas.color.size() * 3);
  for (const Color& c : canvas.color) {
    for (const float channel : {c.r, c.g, c.b}) {
      bytes.push_back(static_cast<std::uint8_t>(std::clamp(channel, 0.0f, 1.0f) * 255 + 0.5f));
    }
  }
  std::string png;
  const auto append = [](void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &png, canvas.width, canvas.height, 3, bytes.data(), 3 * canvas.width)) {
    throw Error(path.string() + ": no memory left to pack the picture; choose a smaller size");
  }
  write_file(path, png, existing);
}

}  // namespace sluice::io
