// Pixels, text and colour bars of pictures, and their files.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/io/atomic_file.h"
#include "host/scene/picture_settings.h"

namespace sluice::io {

// sRGB, 0 to 1. Lights and blends work on it directly: this is an illustration, not a photograph.
struct Color {
  float r = 0, g = 0, b = 0;
};

struct Canvas {
  int width = 0, height = 0;
  std::vector<Color> color;  // rows from the top
};

// Deep blue to foam. Lightness in OKLab [Ottosson, A perceptual color space for image processing, 2020] grows linearly,
// so equal steps of the value look equally large; hue and chroma follow a parabola.
using ColorMap = std::array<Color, 256>;
ColorMap make_color_map();

// A number of few digits, quarters of it too, at least `value`.
double round_up(double value);

void fill(Canvas& canvas, int left, int top, int width, int height, Color color);
// `scale` is pixels of a dot of the font. Characters (UTF-8) other than ASCII become "?".
int text_width(std::string_view text, int scale);
void draw_text(Canvas& canvas, int left, int top, int scale, std::string_view text);
struct Swatch {
  Color color;
  std::string name;
};
// At the right, a row each, under their legend.
void draw_swatches(Canvas& canvas, const std::vector<Swatch>& swatches, const std::string& legend, int scale);
// At the right, with numbers, under its legend.
void draw_color_bar(Canvas& canvas, const ColorMap& map, const ValueRange& range, const std::string& legend, int scale);

// Throws Error naming the file.
void write_png(const std::filesystem::path& path, const Canvas& canvas, Existing existing = Existing::replace);

}  // namespace sluice::io
