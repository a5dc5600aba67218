#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "host/io/progress.h"
#include "host/io/run_folder.h"
#include "tools/sluice/commands.h"
#include "tools/sluice/film.h"
#include "tools/sluice/frame_writer.h"
#include "tools/common/interrupt.h"
#include "tools/sluice/run_record.h"

namespace sluice::program {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMessagesShown = 10;  // of the validation layer

// How far fluid was compressed in the last tenth of a run.
struct Compression {
  std::uint64_t steps = 0;
  double mean = 0, most = 0;  // sums over steps, of density_error_avg and density_error_max
};

struct Totals {
  StepRecord last;
  std::uint64_t iterations = 0;
  std::uint64_t capped = 0;              // solves that ended at the cap, above the tolerance
  Compression late;
  std::size_t messages = 0;              // of the validation layer
  std::vector<std::string> lost_bodies;  // names, as of the last frame
  std::uint64_t state_hash = 0;
  Clock::time_point start = Clock::now();
  double wall() const { return std::chrono::duration<double>(Clock::now() - start).count(); }
};

io::StatsRow stats_row(const StepRecord& step) {
  io::StatsRow row;
  row.step = step.step;
  row.time = step.time;
  row.dt = step.dt;
  row.dt_limit = step.limited_by;
  row.iterations = static_cast<int>(step.iterations);
  row.residual = step.residual;
  row.residual_friction = step.residual_friction;
  row.contacts = step.contacts;
  row.density_error_avg = step.density_error_avg;
  row.density_error_max = step.density_error_max;
  row.kinetic_energy = step.kinetic_energy;
  row.potential_energy = step.potential_energy;
  row.max_speed = step.max_speed;
  row.lost_particles = step.lost_particles;
  row.lost_bodies = step.lost_bodies;
  row.gpu_ms = step.gpu_ms;
  return row;
}

bool is_capped(const StepRecord& step) { return std::max(step.residual, step.residual_friction) > step.tolerance; }

nlohmann::ordered_json totals_json(const Totals& totals, const FrameWriter& writer) {
  nlohmann::ordered_json json;
  json["frames"] = writer.written.load();
  json["steps"] = totals.last.step;
  json["time"] = totals.last.time;
  json["wall_time"] = totals.wall();
  json["mean_iterations"] = totals.last.step > 0 ? static_cast<double>(totals.iterations) / totals.last.step : 0.0;
  json["capped_solves"] = totals.capped;
  json["lost"] = {{"particles", totals.last.lost_particles},
                  {"bodies", totals.lost_bodies},
                  {"mass", totals.last.lost_mass},
                  {"momentum", totals.last.lost_momentum}};
  return json;
}

std::string frames_text(const FrameWriter& writer) {
  const std::uint32_t frames = writer.written;
  return std::to_string(frames) + (frames == 1 ? " frame" : " frames");
}

void report_messages(Gpu& gpu, Totals& totals) {
  for (const std::string& message : gpu.take_validation_messages()) {
    if (totals.messages++ < kMessagesShown) std::fprintf(stderr, "\nsluice: validation: %s\n", message.c_str());
  }
}

// Of `steps` steps with `iterations` in all.
void print_profile(const Simulation& simulation, double steps, double iterations) {
  std::vector<PassTime> passes = simulation.pass_times();
  std::stable_sort(passes.begin(), passes.end(),
                   [](const PassTime& a, const PassTime& b) { return a.milliseconds > b.milliseconds; });
  PassTime once{"once a step"}, iterated{"once an iteration", 0, 0, true};
  for (const PassTime& pass : passes) {
    PassTime& sum = pass.iterated ? iterated : once;
    sum.milliseconds += pass.milliseconds;
    sum.dispatches += pass.dispatches;
  }
  const double total = once.milliseconds + iterated.milliseconds;
  const auto each = [](double milliseconds, double count) { return count > 0 ? 1e3 * milliseconds / count : 0.0; };
  const auto print = [&](const PassTime& pass) {
    std::printf("%-18s  %10llu  %12.2f  %5.1f%%  %10.1f", pass.pass.c_str(),
                static_cast<unsigned long long>(pass.dispatches), pass.milliseconds,
                total > 0 ? 100 * pass.milliseconds / total : 0.0, each(pass.milliseconds, steps));
    if (pass.iterated) std::printf("  %15.1f", each(pass.milliseconds, iterations));
    std::printf("\n");
  };
  std::printf("%-18s  %10s  %12s  %6s  %10s  %15s\n", "pass", "dispatches", "ms", "share", "us a step",
              "us an iteration");
  for (const PassTime& pass : passes)
    if (pass.dispatches > 0) print(pass);
  print(once);
  print(iterated);
  std::printf("%.0f steps, %.0f iterations, %.2f ms; dispatches that found nothing to do are counted, too\n", steps,
              iterations, total);
}

std::vector<std::string> lost_bodies(const Frame& frame, const Scene& scene) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < frame.bodies.size(); ++b)
    if (frame.bodies[b].left) names.push_back(scene.rigid[b].name);
  return names;
}

void print_lost(const Totals& totals) {
  const StepRecord& last = totals.last;
  if (last.lost_particles == 0 && last.lost_bodies == 0) return;
  std::string what;
  if (last.lost_particles > 0)
    what = std::to_string(last.lost_particles) + (last.lost_particles == 1 ? " particle" : " particles");
  if (last.lost_bodies > 0) {
    what += (what.empty() ? "" : " and ") + std::to_string(last.lost_bodies) +
            (last.lost_bodies == 1 ? " body" : " bodies");
    if (!totals.lost_bodies.empty())
      what += " (" + totals.lost_bodies.front() + (totals.lost_bodies.size() > 1 ? ", ..." : "") + ")";
  }
  std::fprintf(stderr,
               "%s left the domain and went no further (%.4g kg, see lost in run.json); \"domain\" sets its size\n",
               what.c_str(), last.lost_mass);
}

void add_compression(Compression& late, const StepRecord& step, double end) {
  constexpr double kLate = 0.9;  // share of a run: what is thrown about before comes to rest
  if (step.time < kLate * end) return;
  ++late.steps;
  late.mean += step.density_error_avg;
  late.most += step.density_error_max;
}

void print_compression(const Compression& late) {
  constexpr double kMuch = 0.05, kMost = 0.5;  // drops that meet are pressed by less, and for less long
  if (late.steps == 0) return;
  const double mean = late.mean / static_cast<double>(late.steps), most = late.most / static_cast<double>(late.steps);
  if (!(mean > kMuch) && !(most > kMost)) return;
  std::fprintf(stderr,
               "in the last tenth of the run fluid was compressed by %.2g %% on average and %.2g %% at most (see "
               "density_error in stats.csv), so it takes too little room; a smaller \"maxStep\", a larger "
               "\"maxIterations\" or a smaller \"tolerance\" helps, or more room where walls or bodies squeeze it\n",
               100 * mean, 100 * most);
}

// Of the frame that is ready, if the scene asks for them.
std::vector<Contact> contacts_for(const FrameWriter& writer, Simulation& simulation) {
  return writes_contacts(writer) ? simulation.read_contacts() : std::vector<Contact>{};
}

// Until the end or Ctrl-C. Throws Error.
void simulate(Simulation& simulation, Gpu& gpu, Interrupt& interrupt, const LoadedScene& loaded, bool quiet,
              RunRecord& record, FrameWriter& writer, io::StatsWriter& stats, Film& film, Totals& totals) {
  io::ProgressPrinter printer = io::make_progress_printer();
  io::Progress progress;
  progress.end = frame_count(loaded.scene.time) * loaded.scene.time.frame_interval;
  // What a Ctrl-C or an error prints starts on a line of its own.
  struct EndLine {
    io::ProgressPrinter& printer;
    io::Progress& progress;
    bool quiet;
    ~EndLine() {
      if (!quiet) io::finish_progress(printer, progress);
    }
  } end_line{printer, progress, quiet};

  while (!simulation.done() && !interrupt.requested) {
    const std::vector<StepRecord> steps = simulation.advance();
    report_messages(gpu, totals);
    std::optional<Frame> frame;
    if (simulation.frame_ready()) {
      frame = simulation.read_frame();
      record.lock->check_in_place();
    }
    for (const StepRecord& step : steps) {
      io::StatsRow row = stats_row(step);
      if (frame && &step == &steps.back()) {
        row.frame = frame->number;
        row.state_hash = frame->state_hash;
      }
      io::append_stats(stats, row);
      totals.iterations += step.iterations;
      totals.capped += is_capped(step) ? 1 : 0;
      add_compression(totals.late, step, progress.end);
      totals.last = step;
    }
    progress.time = simulation.time();
    progress.step = totals.last.step;
    progress.dt = totals.last.dt;
    progress.iterations = static_cast<int>(totals.last.iterations);
    progress.wall = totals.wall();
    if (!quiet) io::print_progress(printer, progress);
    if (!frame) continue;

    totals.state_hash = frame->state_hash;
    totals.lost_bodies = lost_bodies(*frame, loaded.scene);
    nlohmann::ordered_json changes = totals_json(totals, writer);
    if (frame->number == 0) changes["start_state_hash"] = hex_text(totals.state_hash);
    list_files(record, [&](io::RunFiles& files) {
      count_frame(writer, frame->number, files);
      list_picture(film, frame->number, files);
    });
    update_record(record, changes);
    if (film.few.empty() && film.renderer)
      film_frame(film, simulation.drawn(), frame->number, frame->time);
    else
      film_frame(film, *frame);
    write_frame(writer, std::move(*frame), contacts_for(writer, simulation));
    simulation.next_frame();
  }
  if (interrupt.requested) interrupt.seen = true;
  finish_frames(writer);
}

// Of a run that draws a few pictures. False if there is none.
bool draw_last_frame(Film& film, const FrameWriter& writer, RunRecord& record) {
  if (film.few.empty() || !film.renderer || !writer.has_frame) return false;
  list_files(record, [](io::RunFiles& files) { files.names.insert("picture.png"); });
  update_record(record);
  draw_last(film, writer.frame);
  return true;
}

// Frames of which a run that is not filmed has pictures: four evenly spread, and the last.
std::vector<std::uint32_t> few_frames(const TimeSettings& time) {
  constexpr std::uint32_t kPictures = 5;
  std::vector<std::uint32_t> few;
  for (std::uint32_t k = 1; k < kPictures; ++k)
    few.push_back(static_cast<std::uint32_t>(std::uint64_t{frame_count(time)} * k / kPictures));
  return few;
}

// Names that the folder must not have yet, whatever the scene: beside those of this one, those of any run.
io::RunFiles planned_files(const FrameWriter& writer) {
  io::RunFiles files = files_of(writer);
  files.names.merge(
      std::set<std::string, std::less<>>{"bodies.csv", "contacts.csv", "picture.png", "film.mp4", "film.partial.mp4"});
  io::count_series(files, "picture", "png", 0);
  return files;
}

// Writes what can still be written, and says why the run ended.
int fail(std::string sentence, Simulation& simulation, RunRecord& record, FrameWriter& writer, io::StatsWriter& stats,
         Film& film, const Totals& totals) {
  bool in_place = false;
  // Where the folder is gone, that is why its files could not be written.
  try {
    record.lock->check_in_place();
    in_place = true;
  } catch (const Error& gone) {
    sentence = gone.what();
  }
  if (!sentence.starts_with("step ")) {
    char place[96];
    std::snprintf(place, sizeof place, "after step %u at t = %.6g s: ", totals.last.step, simulation.time());
    sentence = place + sentence;
  }
  const auto attempt = [](auto act) {
    try {
      act();
    } catch (const std::exception&) {
    }
  };
  attempt([&] { finish_frames(writer); });
  attempt([&] {
    if (!writer.started) return;
    if (writer.has_frame && simulation.time() <= writer.frame.time) return;
    Frame frame = simulation.read_frame();
    // Between two frames: it takes the next number, with its own time.
    if (writer.has_frame) frame.number = writer.frame.number + 1;
    list_files(record, [&](io::RunFiles& files) { count_frame(writer, frame.number, files); });
    update_record(record);
    std::vector<Contact> contacts;  // none where the step that failed has overwritten those of the last one
    attempt([&] { contacts = contacts_for(writer, simulation); });
    write_frame(writer, std::move(frame), std::move(contacts));
    finish_frames(writer);
  });
  attempt([&] { draw_last_frame(film, writer, record); });
  attempt([&] { io::close_stats(stats); });
  attempt([&] { update_record(record, totals_json(totals, writer)); });
  close_record(record, "failed", sentence);
  std::fprintf(stderr, "sluice: %s\n", sentence.c_str());
  if (in_place)
    std::fprintf(stderr, "sluice: the run failed; what is complete (%s) is in %s\n", frames_text(writer).c_str(),
                 record.folder.string().c_str());
  else
    std::fprintf(stderr, "sluice: the run failed\n");
  return kRunFailed;
}

Gpu create_gpu(const RunOptions& options) {
  or_exit(kRunFailed, kProgramPrefix, [] { return list_devices(); });
  // With a loader and devices there, a device that was asked for and is not found was asked for wrongly.
  return or_exit(options.device.empty() ? kRunFailed : kWrongInput, kProgramPrefix, [&] {
    return Gpu::create({.device = options.device,
                        .validation = options.validation ? Validation::core : Validation::off,
                        .draws = !options.no_picture});
  });
}

}  // namespace

int run_command(const RunOptions& options) {
  RunRecord record;
  std::optional<io::FolderLock> lock;
  Interrupt interrupt([&record] {
    close_record(record, "interrupted", "");
    std::fprintf(stderr, "\nsluice: interrupted; what was complete is kept\n");
  });

  const LoadedScene loaded = load_scene(options.scene, options.until, options.quiet);
  const std::filesystem::path folder =
      options.output.empty() ? std::filesystem::path("output") / loaded.file.name : options.output;
  const io::FolderUse use = options.overwrite ? io::FolderUse::overwrite : io::FolderUse::fresh;
  FrameWriter writer;
  io::RunFiles planned;
  or_exit(kWrongInput, kProgramPrefix, [&] {
    prepare_writer(writer, loaded, folder);
    planned = planned_files(writer);
    io::check_run_folder(folder, use, planned);
  });
  Gpu gpu = create_gpu(options);
  if (!options.quiet) {
    for (const std::string& warning : loaded.report.warnings) std::fprintf(stderr, "warning: %s\n", warning.c_str());
    std::fprintf(stderr, "%s: %zu fluid particles, %zu rigid %s, %zu boundary samples on %s\n",
                 loaded.file.name.c_str(), loaded.scene.fluid.size(), loaded.scene.rigid.size(),
                 loaded.scene.rigid.size() == 1 ? "body" : "bodies", loaded.scene.boundary.size(),
                 gpu.info().name.c_str());
  }
  SimulationOptions simulation_options;
  simulation_options.profile = options.profile;
  if (options.render) simulation_options = drawn_options(loaded.scene, simulation_options);
  std::optional<Simulation> simulation;
  Film film;
  const Clock::time_point creation = Clock::now();
  or_exit(kWrongInput, kProgramPrefix, [&] {
    simulation.emplace(gpu, loaded.scene, simulation_options);
    // Without --render, a device that does not draw is no reason not to run.
    if (options.render || (!options.no_picture && gpu.info().draws))
      start_film(film, gpu, loaded.file, loaded.scene, loaded.report, folder, options.pictures);
    if (!options.render) film.few = few_frames(loaded.scene.time);
  });

  const double waited = std::chrono::duration<double>(Clock::now() - creation).count();
  if (!options.quiet && waited > 5)
    std::fprintf(stderr, "started after %.0f s: the driver compiled the shaders, and keeps them for the next run\n",
                 waited);

  // Up to here nothing was touched.
  or_exit(kWrongInput, kProgramPrefix, [&] { lock.emplace(io::open_run_folder(folder, use, planned)); });
  io::StatsWriter stats;
  Totals totals;
  bool pictured = false;
  try {
    {
      const std::lock_guard guard(record.mutex);
      record.folder = folder;
      record.lock = &*lock;
      record.files = files_of(writer);
    }
    update_record(record, describe_run(loaded, options, gpu.info(), simulation->memory(), series_names(writer)));
    stats = io::open_stats(folder);
    start_files(writer);
    simulate(*simulation, gpu, interrupt, loaded, options.quiet, record, writer, stats, film, totals);
    interrupt.seen = true;
    if (options.render) {
      list_files(record, [&](io::RunFiles& files) { list_film(film, files); });
      update_record(record);
      finish_film(film);
      list_files(record, [&](io::RunFiles& files) { list_film(film, files); });
    }
    pictured = draw_last_frame(film, writer, record);
    lock->check_in_place();
    io::close_stats(stats);
    nlohmann::ordered_json changes = totals_json(totals, writer);
    changes["status"] = simulation->done() ? "done" : "interrupted";
    changes["state_hash"] = hex_text(simulation->done() ? totals.state_hash : simulation->state_hash());
    update_record(record, changes);
  } catch (const std::bad_alloc&) {
    interrupt.seen = true;
    return fail(kNoMemory, *simulation, record, writer, stats, film, totals);
  } catch (const std::exception& error) {
    interrupt.seen = true;
    return fail(error.what(), *simulation, record, writer, stats, film, totals);
  }

  if (options.profile) print_profile(*simulation, totals.last.step, static_cast<double>(totals.iterations));
  if (!options.quiet) {
    std::fprintf(stderr, "%s %u steps, t = %.4g s, in %.1f s; mean iterations %.1f\n",
                 simulation->done() ? "done:" : "interrupted after", totals.last.step, totals.last.time, totals.wall(),
                 totals.last.step > 0 ? static_cast<double>(totals.iterations) / totals.last.step : 0.0);
    if (totals.capped > 0)
      std::fprintf(stderr,
                   "%llu of %u solves stopped at %d iterations above the tolerance (see residual in stats.csv); %s\n",
                   static_cast<unsigned long long>(totals.capped), totals.last.step, loaded.scene.solver.max_iterations,
                   loaded.report.overlaps > 0
                       ? "bodies overlap at the start (see the warnings), which solves may not mend: move them apart"
                       : "a smaller \"maxStep\" or a larger \"maxIterations\" helps");
    if (simulation->done() && !loaded.scene.fluid.empty()) print_compression(totals.late);
    print_lost(totals);
    std::fprintf(stderr, "%s: %s\n", frames_text(writer).c_str(), folder.string().c_str());
    if (simulation->done())
      std::fprintf(stderr, "state hash of the last frame: %s\n", hex_text(totals.state_hash).c_str());
    if (options.render) report_film(film);
    if (!options.no_picture && !film.renderer)
      std::fprintf(stderr, "no pictures: %s has no queue that draws and computes\n", gpu.info().name.c_str());
    if (pictured)
      std::fprintf(stderr, "picture: %s%s\n", (folder / "picture.png").string().c_str(),
                   film.pictures > 0 ? (", and " + std::to_string(film.pictures) + " before it").c_str() : "");
  }
  if (totals.messages > 0) {
    throw CommandError{kRunFailed, "sluice: the validation layer had " + std::to_string(totals.messages) + " messages"};
  }
  return simulation->done() ? kDone : kInterrupted;
}

}  // namespace sluice::program
