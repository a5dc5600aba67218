#include "tools/sluice/film.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/gpu_device.h"
#include "host/scene/scene_names.h"

namespace sluice::program {
namespace {

namespace fs = std::filesystem;

Vec3 to_vec(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

io::PictureSettings look_of(const io::PictureSettings& scene, const PictureChoices& choices) {
  io::PictureSettings look = scene;
  for (const auto& [name, field] : io::kPictureFields)
    if (choices.field == name) look.field = field;
  // The scene's range is that of its own field.
  if (look.field != scene.field) look.range.reset();
  for (const auto& [name, boundaries] : io::kBoundaryLooks)
    if (choices.boundaries == name) look.boundaries = boundaries;
  if (choices.range.size() == 2)
    look.range = io::ValueRange{static_cast<float>(choices.range[0]), static_cast<float>(choices.range[1])};
  if (choices.eye.size() == 3 && choices.target.size() == 3) {
    if (!look.camera) look.camera.emplace();
    look.camera->eye = to_vec(choices.eye);
    look.camera->target = to_vec(choices.target);
  }
  if (choices.degrees > 0 && look.camera) look.camera->degrees = choices.degrees;
  return look;
}

// In single quotes for a shell.
std::string quoted_path(const fs::path& path) {
  std::string out = "'";
  for (const char c : path.string()) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Empty, or why there is no film.
std::string write_film(const fs::path& folder, double frames_per_second) {
  if (std::system("command -v ffmpeg >/dev/null 2>&1 && command -v ffprobe >/dev/null 2>&1") != 0)
    return "ffmpeg is not installed (apt-get install ffmpeg)";
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.6g", frames_per_second);
  std::error_code error;
  for (const char* name : {"film.mp4", "film.partial.mp4"})
    if (fs::exists(fs::symlink_status(folder / name, error)))
      return (folder / name).string() + ": is in the way; move it away";
  // Absolute, so that no name is taken for an option; in a pattern a percent sign is written twice.
  const fs::path absolute = fs::absolute(folder, error), film = absolute / "film.mp4",
                 partial = absolute / "film.partial.mp4";
  std::string pattern;
  for (const char c : absolute.string()) pattern += c == '%' ? std::string("%%") : std::string(1, c);
  // Even sides, which the format asks for.
  const std::string make = "ffmpeg -nostdin -n -loglevel error -framerate " + std::string(rate) + " -i " +
                           quoted_path(pattern + "/picture.%04d.png") +
                           " -vf 'crop=floor(iw/2)*2:floor(ih/2)*2' -c:v libx264 -crf 18 -pix_fmt yuv420p " +
                           quoted_path(partial);
  // On a full disk ffmpeg says so, but ends as if all were well.
  const std::string look = "ffprobe -loglevel error " + quoted_path(partial) + " >/dev/null 2>&1";
  if (std::system(make.c_str()) != 0 || std::system(look.c_str()) != 0) {
    fs::remove(partial, error);
    return "ffmpeg could not write it; the pictures are whole";
  }
  fs::rename(partial, film, error);
  return error ? film.string() + ": " + error.message() : "";
}

// With the digits that tell frames apart.
std::string note_of(double time, double frame_interval) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(frame_interval) - 1e-9)), 3, 9);
  char text[64];
  std::snprintf(text, sizeof text, "t = %.*f s", digits, time);
  return text;
}

bool is_filmed(const Film& film, std::uint32_t frame) {
  if (!film.renderer) return false;
  if (film.few.empty()) return frame % film.every == 0;
  return frame > 0 && std::find(film.few.begin(), film.few.end(), frame) != film.few.end();
}

void draw_picture(Film& film, const DrawnState& state, double time, std::uint32_t number) {
  io::write_png(film.folder / io::numbered_name("picture", number, "png"),
                film.renderer->draw(state, note_of(time, film.frame_interval)), io::Existing::refuse);
  ++film.pictures;
}

}  // namespace

SimulationOptions drawn_options(const Scene& scene, SimulationOptions options) {
  options.drawn = true;
  options.drawn_origin = render::drawing_origin(scene);
  return options;
}

void start_film(Film& film, Gpu& gpu, const io::SceneFile& file, const Scene& scene, const io::SamplingReport& report,
                const fs::path& folder, const PictureChoices& choices) {
  film.folder = folder;
  film.every = choices.every;
  film.wanted = !choices.no_film;
  film.frame_interval = scene.time.frame_interval;
  const Vec3 origin = render::drawing_origin(scene);
  film.renderer.emplace(
      gpu, scene, report, origin,
      render::Settings{choices.width, choices.height, look_of(file.picture, choices), file.name, !choices.plain});
  film.stored.emplace(device_of(gpu), scene, origin);
}

void list_picture(const Film& film, std::uint32_t frame, io::RunFiles& files) {
  if (!is_filmed(film, frame)) return;
  if (film.few.empty())
    io::count_series(files, "picture", "png", std::uint64_t{film.pictures} + 1);
  else
    files.names.insert(io::numbered_name("picture", frame, "png"));
}

void list_film(const Film& film, io::RunFiles& files) {
  files.names.erase("film.mp4");
  files.names.erase("film.partial.mp4");
  const bool ended = film.made || !film.why_not.empty();
  if (!film.wanted || film.pictures < 2 || (ended && !film.made)) return;
  files.names.insert("film.mp4");
  if (!ended) files.names.insert("film.partial.mp4");
}

void film_frame(Film& film, const DrawnState& state, std::uint32_t frame, double time) {
  if (!is_filmed(film, frame)) return;
  draw_picture(film, state, time, film.few.empty() ? film.pictures : frame);
}

void film_frame(Film& film, const Frame& frame) {
  if (is_filmed(film, frame.number)) film_frame(film, film.stored->put(frame), frame.number, frame.time);
}

void draw_last(Film& film, const Frame& frame) {
  if (!film.renderer) return;
  io::write_png(film.folder / "picture.png",
                film.renderer->draw(film.stored->put(frame), note_of(frame.time, film.frame_interval)),
                io::Existing::refuse);
}

void finish_film(Film& film) {
  if (!film.wanted || film.pictures < 2) return;
  film.why_not = write_film(film.folder, 1 / (film.frame_interval * film.every));
  film.made = film.why_not.empty();
}

void report_film(const Film& film) {
  std::fprintf(stderr, "%u %s: %s\n", film.pictures, film.pictures == 1 ? "picture" : "pictures",
               (film.folder / "picture.*.png").string().c_str());
  if (film.made) std::fprintf(stderr, "film: %s\n", (film.folder / "film.mp4").string().c_str());
  if (!film.why_not.empty()) std::fprintf(stderr, "no film: %s\n", film.why_not.c_str());
}

}  // namespace sluice::program
