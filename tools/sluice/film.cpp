#include "tools/sluice/film.h"

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
                                    {"density", render::Field::density_error}})
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
  if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) return "ffmpeg is not installed (apt-get install ffmpeg)";
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.6g", frames_per_second);
  const fs::path film = folder / "film.mp4", partial = folder / "film.partial.mp4";
  // Even sides, which the format asks for.
  const std::string command = "ffmpeg -nostdin -y -loglevel error -framerate " + std::string(rate) + " -i " +
                              quoted_path(folder / "picture.%05d.png") +
                              " -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -crf 18 -pix_fmt yuv420p " +
                              quoted_path(partial);
  std::error_code error;
  if (std::system(command.c_str()) != 0) {
    fs::remove(partial, error);
    return "ffmpeg failed; the pictures are whole";
  }
  fs::rename(partial, film, error);
  return error ? film.string() + ": " + error.message() : "";
}

std::string note_of(double time) {
  char text[48];
  std::snprintf(text, sizeof text, "t = %.3f s", time);
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
  std::snprintf(name, sizeof name, "picture.%05u.png", film.pictures);
  io::write_png(film.folder / name, film.renderer->draw(simulation.drawn(), note_of(simulation.time())));
  ++film.pictures;
}

void finish_film(Film& film) {
  if (!film.wanted || film.pictures < 2) return;
  film.why_not = write_film(film.folder, 1 / (film.frame_interval * film.every));
  film.made = film.why_not.empty();
}

void report_film(const Film& film) {
  std::fprintf(stderr, "%u pictures: %s\n", film.pictures, (film.folder / "picture.*.png").string().c_str());
  if (film.made) std::fprintf(stderr, "film: %s\n", (film.folder / "film.mp4").string().c_str());
  if (!film.why_not.empty()) std::fprintf(stderr, "no film: %s\n", film.why_not.c_str());
}

}  // namespace sluice::program
