// sluice render: a scene's pictures and film alone, with no other files.
#include <chrono>
#include <cstdio>

#include "host/io/progress.h"
#include "tools/sluice/film.h"
#include "tools/sluice/interrupt.h"

namespace sluice::program {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

int render_command(const RenderOptions& options) {
  Interrupt interrupt([] { std::fprintf(stderr, "\nsluice: interrupted; the pictures so far are kept\n"); });
  const auto started = std::chrono::steady_clock::now();
  const LoadedScene loaded = load_scene(options.scene, options.until);
  const fs::path folder =
      options.output.empty() ? fs::path("output") / (loaded.file.name + "_pictures") : options.output;
  or_exit(kRunFailed, kProgramPrefix, [] { return list_devices(); });
  Gpu gpu = or_exit(options.device.empty() ? kRunFailed : kWrongInput, kProgramPrefix,
                    [&] { return Gpu::create({.device = options.device, .draws = true}); });
  std::optional<Simulation> simulation;
  Film film;
  or_exit(kWrongInput, kProgramPrefix, [&] {
    simulation.emplace(gpu, loaded.scene, drawn_options(loaded.scene));
    start_film(film, gpu, loaded, folder, options.pictures);
    prepare_folder(folder, options.overwrite);
  });
  if (!options.quiet) {
    for (const std::string& warning : loaded.report.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
    std::fprintf(stderr, "%s: %zu fluid particles, %zu rigid bodies on %s\n", loaded.file.name.c_str(),
                 loaded.scene.fluid.size(), loaded.scene.rigid.size(), gpu.info().name.c_str());
  }

  io::ProgressPrinter printer = io::make_progress_printer();
  io::Progress progress;
  progress.end = frame_count(loaded.scene.time) * loaded.scene.time.frame_interval;
  try {
    while (!simulation->done() && !interrupt.requested) {
      if (simulation->frame_ready()) {
        film_frame(film, *simulation);
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
    finish_film(film);
  } catch (const Error& error) {
    interrupt.seen = true;
    std::fprintf(stderr, "\nsluice: %s\nsluice: %u pictures are in %s\n", error.what(), film.pictures,
                 folder.string().c_str());
    return kRunFailed;
  }
  const bool whole = simulation->done() && !interrupt.requested;
  if (!options.quiet && !whole) std::fprintf(stderr, "interrupted at t = %.4g s\n", simulation->time());
  if (!options.quiet) report_film(film);
  return whole ? kDone : kInterrupted;
}

}  // namespace sluice::program
