// sluice render: pictures and film alone, of a scene as it runs or of a run's folder.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "host/io/progress.h"
#include "host/io/run_folder.h"
#include "host/io/stored_run.h"
#include "tools/sluice/film.h"
#include "tools/common/interrupt.h"
#include "tools/sluice/run_record.h"

namespace sluice::program {
namespace {

namespace fs = std::filesystem;

io::RunFiles planned_files() { return {{"pictures.json", "film.mp4", "film.partial.mp4"}, {{"picture", "png", 0}}}; }

// Touches nothing. Pictures of an earlier call, and a run's own, would mix with these.
void check_folder(const fs::path& folder, io::FolderUse use) {
  std::error_code ignored;
  if (fs::exists(folder / "run.json", ignored))
    throw Error(folder.string() + " holds a run, whose pictures these would mix with; choose another with --output");
  io::check_run_folder(folder, use, planned_files(), io::kPictureFolder);
}

// Before this frame's picture is drawn.
void list_picture(RunRecord& record, const Film& film, std::uint32_t frame) {
  list_files(record, [&](io::RunFiles& files) { list_picture(film, frame, files); });
  update_record(record, {{"pictures", film.pictures}});
}

// What colours the particles must be in the run's files.
void need_field(const io::StoredRun& run, const Frame& frame, io::PictureField field) {
  const auto need = [&](const char* name, std::size_t values, std::size_t points) {
    if (values == points) return;
    throw Error(run.folder.string() + ": the run wrote no " + name +
                " (\"fields\" of its scene's output); choose another --field, such as material");
  };
  const std::size_t count = frame.position.size();
  if (field == io::PictureField::speed) need("velocity", frame.velocity.size(), count);
  if (field == io::PictureField::pressure) need("pressure", frame.pressure.size(), count);
  if (field == io::PictureField::density_error) need("density", frame.density.size(), count);
}

fs::path output_folder(const RenderOptions& options, const std::string& scene) {
  if (!options.output.empty()) return options.output;
  if (!scene.empty()) return fs::path("output") / (scene + "_pictures");
  fs::path folder = (options.input / "").parent_path();  // without a slash at its end
  if (folder.filename() == "." || folder.filename() == "..") folder = fs::canonical(folder);
  return folder.parent_path() / (folder.filename().string() + "_pictures");
}

Gpu drawing_gpu(const RenderOptions& options) {
  or_exit(kRunFailed, kProgramPrefix, [] { return list_devices(); });
  return or_exit(options.device.empty() ? kRunFailed : kWrongInput, kProgramPrefix,
                 [&] { return Gpu::create({.device = options.device, .draws = true}); });
}

void print_warnings(const RenderOptions& options, const std::vector<std::string>& warnings) {
  if (options.quiet) return;
  for (const std::string& warning : warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
}

// What progress there is, on one line.
struct Shown {
  io::ProgressPrinter printer = io::make_progress_printer();
  io::Progress progress;
  bool quiet = false;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

  void print() {
    progress.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    if (!quiet) io::print_progress(printer, progress);
  }
};

// Each draws until the end or Ctrl-C; true at the end. Throws Error.
bool draw_scene(Film& film, RunRecord& record, Simulation& simulation, const Interrupt& interrupt, Shown& shown) {
  while (!simulation.done() && !interrupt.requested) {
    if (simulation.frame_ready()) {
      list_picture(record, film, simulation.frame_number());
      film_frame(film, simulation.drawn(), simulation.frame_number(), simulation.time());
      simulation.next_frame();
      continue;
    }
    for (const StepRecord& step : simulation.advance()) {
      shown.progress.step = step.step;
      shown.progress.dt = step.dt;
      shown.progress.iterations = static_cast<int>(step.iterations);
    }
    shown.progress.time = simulation.time();
    shown.print();
  }
  return simulation.done();
}

bool draw_run(Film& film, RunRecord& record, const io::StoredRun& run, const Interrupt& interrupt, double until,
              Shown& shown) {
  for (std::size_t i = 0; i < run.frames.size(); ++i) {
    if (interrupt.requested) return false;
    const io::SeriesFrame& frame = run.frames[i];
    if (until > 0 && frame.time > until + 0.5 * film.frame_interval) break;
    // By its place among the frames that are there, as a scene's frames are counted.
    if (i % film.every == 0) {
      const Frame stored = io::read_frame(run, frame);
      need_field(run, stored, film.renderer->field());
      list_picture(record, film, 0);
      film_frame(film, film.stored->put(stored), 0, frame.time);
    }
    shown.progress.time = frame.time;
    shown.print();
  }
  return true;
}

}  // namespace

int render_command(const RenderOptions& options) {
  RunRecord record;
  std::optional<io::FolderLock> lock;
  Interrupt interrupt([&record] {
    close_record(record, "interrupted", "");
    std::fprintf(stderr, "\nsluice: interrupted; the pictures so far are kept\n");
  });
  Shown shown;
  shown.quiet = options.quiet;
  std::optional<io::StoredRun> run;
  std::optional<LoadedScene> loaded;
  std::error_code ignored;
  if (!fs::exists(options.input, ignored))
    throw CommandError{kWrongInput, options.input.string() + ": there is no such scene file, and no folder of a run"};
  if (fs::is_directory(options.input, ignored))
    run = or_exit(kWrongInput, "", [&] { return io::open_run(options.input); });
  else
    loaded = load_scene(options.input, options.until, options.quiet);

  const fs::path folder = output_folder(options, loaded ? loaded->file.name : "");
  const io::FolderUse use = options.overwrite ? io::FolderUse::overwrite : io::FolderUse::fresh;
  or_exit(kWrongInput, kProgramPrefix, [&] { check_folder(folder, use); });
  Gpu gpu = drawing_gpu(options);
  std::optional<Simulation> simulation;
  Film film;
  or_exit(kWrongInput, kProgramPrefix, [&] {
    if (run) {
      start_film(film, gpu, run->file, run->scene, run->report, folder, options.pictures);
      need_field(*run, io::read_frame(*run, run->frames.front()), film.renderer->field());
      shown.progress.end = run->frames.back().time;
      if (options.until > 0) shown.progress.end = std::min(shown.progress.end, options.until);
      shown.progress.steps = false;
    } else {
      simulation.emplace(gpu, loaded->scene, drawn_options(loaded->scene));
      start_film(film, gpu, loaded->file, loaded->scene, loaded->report, folder, options.pictures);
      shown.progress.end = frame_count(loaded->scene.time) * loaded->scene.time.frame_interval;
    }
    lock.emplace(io::open_run_folder(folder, use, planned_files(), io::kPictureFolder));
  });
  print_warnings(options, loaded ? loaded->report.warnings : run->warnings);

  bool whole = false;
  try {
    {
      const std::lock_guard guard(record.mutex);
      record.kind = io::kPictureFolder;
      record.folder = folder;
      record.lock = &*lock;
      record.files.names = {"pictures.json"};
    }
    update_record(record, {{"status", "running"}, {"input", options.input.string()}});
    whole = run ? draw_run(film, record, *run, interrupt, options.until, shown)
                : draw_scene(film, record, *simulation, interrupt, shown);
    if (!options.quiet) io::finish_progress(shown.printer, shown.progress);
    interrupt.seen = true;
    list_files(record, [&](io::RunFiles& files) { list_film(film, files); });
    update_record(record, {{"pictures", film.pictures}});
    finish_film(film);
    list_files(record, [&](io::RunFiles& files) { list_film(film, files); });
    update_record(record, {{"status", whole ? "done" : "interrupted"}});
  } catch (const std::exception& error) {
    interrupt.seen = true;
    close_record(record, "failed", error.what());
    std::fprintf(stderr, "\nsluice: %s\nsluice: %u %s in %s\n", error.what(), film.pictures,
                 film.pictures == 1 ? "picture is" : "pictures are", folder.string().c_str());
    return kRunFailed;
  }
  if (!options.quiet && !whole) std::fprintf(stderr, "interrupted at t = %.4g s\n", shown.progress.time);
  if (!options.quiet) report_film(film);
  return whole ? kDone : kInterrupted;
}

}  // namespace sluice::program
