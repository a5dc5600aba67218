#include "tools/sluice/film.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sluice::program {
namespace {

namespace fs = std::filesystem;

render::Settings settings_of(const PictureChoices& options, const std::string& title) {
  render::Settings settings;
  settings.width = options.width;
  settings.height = options.height;
  settings.title = title;
  for (const auto& [name, field] : {std::pair{"speed", render::Field::speed},
                                    {"pressure", render::Field::pressure},
                                    {"density", render::Field::density_error},
                                    {"material", render::Field::material},
                                    {"friction", render::Field::friction}})
    if (options.field == name) settings.field = field;
  if (options.range.size() == 2)
    settings.range = io::Range{static_cast<float>(options.range[0]), static_cast<float>(options.range[1])};
  if (options.eye.size() == 3 && options.target.size() == 3)
    settings.camera = render::Camera{{options.eye[0], options.eye[1], options.eye[2]},
                                     {options.target[0], options.target[1], options.target[2]}};
  return settings;
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
  // Absolute, so that no name is taken for an option; in a pattern a percent sign is written twice.
  const fs::path absolute = fs::absolute(folder, error), film = absolute / "film.mp4",
                 partial = absolute / "film.partial.mp4";
  std::string pattern;
  for (const char c : absolute.string()) pattern += c == '%' ? std::string("%%") : std::string(1, c);
  // Even sides, which the format asks for.
  const std::string make = "ffmpeg -nostdin -y -loglevel error -framerate " + std::string(rate) + " -i " +
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

}  // namespace

SimulationOptions drawn_options(const Scene& scene, SimulationOptions options) {
  options.drawn = true;
  options.drawn_origin = render::drawing_origin(scene);
  return options;
}

void start_film(Film& film, Gpu& gpu, const LoadedScene& loaded, const fs::path& folder,
                const PictureChoices& choices) {
  film.folder = folder;
  film.every = choices.every;
  film.wanted = !choices.no_film;
  film.frame_interval = loaded.scene.time.frame_interval;
  film.renderer.emplace(gpu, loaded.scene, loaded.report, render::drawing_origin(loaded.scene),
                        settings_of(choices, loaded.file.name));
}

void film_frame(Film& film, Simulation& simulation) {
  if (!film.renderer || simulation.frame_number() % film.every != 0) return;
  char name[32];
  std::snprintf(name, sizeof name, "picture.%04u.png", film.pictures);
  io::write_png(film.folder / name,
                film.renderer->draw(simulation.drawn(), note_of(simulation.time(), film.frame_interval)));
  ++film.pictures;
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
