// sluice render: a scene's pictures and film, drawn on the device from the simulation's own buffers.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "host/io/atomic_file.h"
#include "host/io/progress.h"
#include "host/render/renderer.h"
#include "tools/sluice/commands.h"
#include "tools/sluice/interrupt.h"

namespace sluice::program {
namespace {

namespace fs = std::filesystem;

render::Settings settings_of(const RenderOptions& options, const std::string& title) {
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

bool is_picture(const fs::path& path) {
  return path.extension() == ".png" && path.filename().string().starts_with("picture.");
}

// Pictures of an earlier run would mix with these.
void prepare_folder(const fs::path& folder, bool overwrite) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error))
    throw Error(folder.string() + " is a file; choose another folder with --output");
  fs::create_directories(folder, error);
  if (error) throw Error(folder.string() + " cannot be made: " + error.message());
  std::vector<fs::path> earlier;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (is_picture(entry.path())) earlier.push_back(entry.path());
  if (error) throw Error(folder.string() + " cannot be read: " + error.message());
  if (!earlier.empty() && !overwrite)
    throw Error(folder.string() +
                " has pictures; replace them with --overwrite, or choose another folder with --output");
  for (const fs::path& path : earlier) fs::remove(path, error);
}

// In single quotes for a shell.
std::string quoted_path(const fs::path& path) {
  std::string out = "'";
  for (const char c : path.string()) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// film.mp4 of the pictures, if ffmpeg is installed.
bool write_film(const fs::path& folder, double frames_per_second) {
  if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) return false;
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.6g", frames_per_second);
  const fs::path film = folder / "film.mp4", partial = folder / "film.partial.mp4";
  // Even sides, which the format asks for.
  const std::string command =
      "ffmpeg -y -loglevel error -framerate " + std::string(rate) + " -i " + quoted_path(folder / "picture.%05d.png") +
      " -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -crf 18 -pix_fmt yuv420p " + quoted_path(partial);
  if (std::system(command.c_str()) != 0) throw Error("ffmpeg could not make a film of " + folder.string());
  fs::rename(partial, film);
  return true;
}

std::string note_of(double time) {
  char text[48];
  std::snprintf(text, sizeof text, "t = %.3f s", time);
  return text;
}

}  // namespace

int render_command(const RenderOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const LoadedScene loaded = load_scene(options.scene, options.until);
  const fs::path folder =
      options.output.empty() ? fs::path("output") / (loaded.file.name + "_pictures") : options.output;
  or_exit(kRunFailed, kProgramPrefix, [] { return list_devices(); });
  Gpu gpu = or_exit(options.device.empty() ? kRunFailed : kWrongInput, kProgramPrefix,
                    [&] { return Gpu::create({.device = options.device, .draws = true}); });
  const Vec3 origin = render::drawing_origin(loaded.scene);
  std::optional<Simulation> simulation;
  std::optional<render::Renderer> renderer;
  or_exit(kWrongInput, kProgramPrefix, [&] {
    simulation.emplace(gpu, loaded.scene, SimulationOptions{.drawn = true, .drawn_origin = origin});
    renderer.emplace(gpu, loaded.scene, loaded.report, origin, settings_of(options, loaded.file.name));
    prepare_folder(folder, options.overwrite);
  });
  if (!options.quiet) {
    for (const std::string& warning : loaded.report.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
    std::fprintf(stderr, "%s: %zu fluid particles, %zu rigid bodies on %s\n", loaded.file.name.c_str(),
                 loaded.scene.fluid.size(), loaded.scene.rigid.size(), gpu.info().name.c_str());
  }

  Interrupt interrupt([] { std::fprintf(stderr, "\nsluice: interrupted; the pictures so far are kept\n"); });
  io::ProgressPrinter printer = io::make_progress_printer();
  io::Progress progress;
  progress.end = frame_count(loaded.scene.time) * loaded.scene.time.frame_interval;
  std::uint32_t pictures = 0;
  bool film = false;
  try {
    while (!simulation->done() && !interrupt.requested) {
      if (simulation->frame_ready()) {
        if (simulation->frame_number() % options.every == 0) {
          char name[32];
          std::snprintf(name, sizeof name, "picture.%05u.png", pictures);
          io::write_png(folder / name, renderer->draw(simulation->drawn(), note_of(simulation->time())));
          ++pictures;
        }
        simulation->next_frame();
        continue;
      }
      for (const StepRecord& step : simulation->advance()) {
        progress.step = step.step;
        progress.dt = step.dt;
        progress.iterations = static_cast<int>(step.iterations);
      }
      progress.time = simulation->time();
      progress.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
      if (!options.quiet) io::print_progress(printer, progress);
    }
    if (!options.quiet) io::finish_progress(printer, progress);
    interrupt.seen = true;
    film =
        !options.no_film && pictures > 1 && write_film(folder, 1 / (loaded.scene.time.frame_interval * options.every));
  } catch (const Error& error) {
    interrupt.seen = true;
    std::fprintf(stderr, "\nsluice: %s\nsluice: %u pictures are in %s\n", error.what(), pictures,
                 folder.string().c_str());
    return kRunFailed;
  }
  if (!options.quiet) {
    std::fprintf(stderr, "%u pictures: %s\n", pictures, (folder / "picture.*.png").string().c_str());
    if (film) {
      std::fprintf(stderr, "film: %s\n", (folder / "film.mp4").string().c_str());
    } else if (!options.no_film && pictures > 1) {
      std::fprintf(stderr, "no film: ffmpeg is not installed (apt-get install ffmpeg)\n");
    }
  }
  return simulation->done() ? kDone : kInterrupted;
}

}  // namespace sluice::program
