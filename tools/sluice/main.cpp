#include <fcntl.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "host/scene/scene_names.h"
#include "tools/bench/command.h"
#include "tools/sluice/commands.h"

namespace {

using namespace sluice::program;

template <class T, std::size_t count>
std::vector<std::string> names_of(const sluice::io::Named<T> (&table)[count]) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

// `size` is read by read_size once all has been parsed.
void add_picture_options(CLI::App& command, PictureChoices& choices, std::string& size) {
  command.add_option("--size", size, "Pixels of a picture, WIDTHxHEIGHT")->capture_default_str();
  command.add_option("--every", choices.every, "Draw every n-th frame")->check(CLI::Range(1, 1000000));
  command
      .add_option(
          "--field", choices.field,
          "What colours the particles: speed, pressure, density (its error), material; or friction, the share "
          "that samples of rigid bodies use, drawn in place of bodies and water (default: the scene's, or speed)")
      ->check(CLI::IsMember(names_of(sluice::io::kPictureFields)));
  command
      .add_option("--boundaries", choices.boundaries,
                  "cut: containers are open towards the camera; wires; hidden (default: the scene's, or cut)")
      ->check(CLI::IsMember(names_of(sluice::io::kBoundaryLooks)));
  command.add_option("--range", choices.range, "Values at the ends of the colour bar")->expected(2);
  CLI::Option* eye = command.add_option("--eye", choices.eye, "Where the camera stands, m: X Y Z")->expected(3);
  CLI::Option* target = command.add_option("--target", choices.target, "What it looks at, m: X Y Z")->expected(3);
  command.add_option("--degrees", choices.degrees, "Of view, from bottom to top (default: the scene's, or 30)")
      ->check(CLI::Range(sluice::io::kDegreesOfView.low, sluice::io::kDegreesOfView.high))
      ->needs(eye);
  eye->needs(target);
  target->needs(eye);
  command.add_flag("--plain", choices.plain, "Without title, time and legend");
  command.add_flag("--no-film", choices.no_film, "Make no film.mp4 (which needs ffmpeg)");
}

void read_size(const std::string& size, PictureChoices& choices) {
  int used = 0;
  if (std::sscanf(size.c_str(), "%dx%d%n", &choices.width, &choices.height, &used) != 2 ||
      used != static_cast<int>(size.size()))
    throw CommandError{kWrongInput, kProgramPrefix + ("--size \"" + size) + "\" is not WIDTHxHEIGHT, as 1280x720"};
}

// "devices, check, run".
std::string commands_text(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : app.get_subcommands(nullptr)) text += (text.empty() ? "" : ", ") + command->get_name();
  return text;
}

bool is_command(const CLI::App& app, std::string_view word) {
  const auto commands = app.get_subcommands(nullptr);
  return std::any_of(commands.begin(), commands.end(), [&](const CLI::App* c) { return c->get_name() == word; });
}

int dispatch(int argc, char** argv) {
  CLI::App app{"Sluice: particle fluids and rigid bodies on any Vulkan 1.3 device"};
  app.footer(
      "Example: sluice run scenes/floating_bodies.json\n"
      "Exit codes: 0 done, 1 the run failed, 2 the input was wrong (nothing was touched), 130 interrupted.");
  app.set_version_flag("--version", "sluice " SLUICE_VERSION);
  app.require_subcommand(1);

  CLI::App* devices = app.add_subcommand("devices", "List Vulkan devices and whether they can run");
  devices->footer("Example: sluice devices");

  std::string checked;
  CLI::App* check = app.add_subcommand("check", "Validate and sample a scene; print particles, memory and warnings");
  check->add_option("scene", checked, "Scene file (JSON)")->required();
  check->footer("Example: sluice check scenes/floating_bodies.json");

  const auto seconds = [](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool good = end != text.c_str() && *end == 0 && value > 0 && value < 1e12;
    return good ? std::string() : "\"" + text + "\" is not a number of seconds greater than 0";
  };

  RunOptions options;
  CLI::App* run = app.add_subcommand("run", "Simulate a scene; Ctrl-C stops it and keeps what is complete");
  run->add_option("scene", options.scene, "Scene file (JSON)")->required();
  run->add_option("-o,--output", options.output, "Folder to write (default: output/<scene name>)");
  run->add_option("--device", options.device,
                  "Index or part of the name, see sluice devices (default: discrete GPU, integrated, CPU driver)");
  run->add_option("--until", options.until, "End at the frame nearest to this time instead of the scene's, s")
      ->check(seconds);
  run->add_flag("--overwrite", options.overwrite,
                "Replace the run that is in the folder: removes what its run.json lists, and nothing else");
  run->add_flag("--profile", options.profile, "Time every pass; print a table at the end");
  run->add_flag("--quiet", options.quiet, "Print errors only");
  run->add_flag("--validation", options.validation, "Use the Vulkan validation layer; any message fails the run");
  CLI::Option* draw = run->add_flag("--render", options.render, "Draw every frame on the device, and make a film");
  std::string size = "1280x720";
  add_picture_options(*run, options.pictures, size);
  for (const char* name : {"--every", "--no-film"}) run->get_option(name)->needs(draw);
  run->add_flag("--no-picture", options.no_picture, "Draw no pictures")->excludes(draw);
  run->footer("Example: sluice run scenes/floating_bodies.json -o output/floating_bodies --until 0.5 --overwrite");

  RenderOptions pictures;
  CLI::App* render =
      app.add_subcommand("render", "Draw a scene as it runs, or the folder of a run: a picture a frame, and a film");
  render->add_option("input", pictures.input, "Scene file (JSON), or a folder that sluice run wrote")->required();
  render->add_option("-o,--output", pictures.output,
                     "Folder of the pictures (default: output/<scene name>_pictures, or <folder>_pictures)");
  render->add_option("--device", pictures.device, "Index or part of the name, see sluice devices");
  render->add_option("--until", pictures.until, "End at the frame nearest to this time instead of the scene's, s")
      ->check(seconds);
  add_picture_options(*render, pictures.pictures, size);
  render->add_flag(
      "--overwrite", pictures.overwrite,
      "Replace the pictures that are in the folder: removes what its pictures.json lists, and nothing else");
  render->add_flag("--quiet", pictures.quiet, "Print errors only");
  render->footer(
      "Example: sluice render scenes/floating_bodies.json --until 0.8 --field pressure --size 960x540\n"
      "         sluice render output/floating_bodies --boundaries wires --every 2");

  sluice::bench::BenchOptions bench_options;
  CLI::App* bench = app.add_subcommand("bench", "Check a device's results, then time it");
  bench->add_option("--device", bench_options.device, "Index or part of the name, see sluice devices");
  bench
      ->add_option(
          "--suite", bench_options.suite,
          "quick (a minute on two CPU cores); standard, which has more and larger cases (7 minutes there); or papers, "
          "with scenes as large as PT23's")
      ->check(CLI::IsMember({"quick", "standard", "papers"}))
      ->take_last()
      ->capture_default_str();
  bench->add_option(
      "--only", bench_options.only,
      "Cases of any suite with this in their name, such as passes; a whole name runs one on CPU drivers, too");
  bench->add_option("--json", bench_options.json, "File to write the result to, for sluice compare");
  bench->add_option("--repeats", bench_options.repeats, "Rounds, in each of which every case is timed once")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  bench->add_option("--write-golden", bench_options.golden)->group("");
  bench->footer("Example: sluice bench --suite standard --json my_card.json");

  std::vector<std::filesystem::path> compared;
  CLI::App* compare = app.add_subcommand("compare", "Results of sluice bench side by side, as ratios to the first");
  compare->add_option("results", compared, "Two or more files that sluice bench --json wrote")
      ->required()
      ->expected(2, 26)
      ->type_name("FILE");
  compare->footer("Example: sluice compare before.json after.json");

  const std::string_view word = argc > 1 ? argv[1] : "";
  if (argc < 2) {
    throw CommandError{kWrongInput, kProgramPrefix + ("which command? " + commands_text(app) + "; see sluice --help")};
  }
  if (!word.starts_with('-') && !is_command(app, word)) {
    throw CommandError{kWrongInput, kProgramPrefix + ("\"" + std::string(word)) + "\" is not a command; there are " +
                                        commands_text(app) + ": see sluice --help"};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::string command = "sluice";
    for (const CLI::App* chosen : app.get_subcommands()) command += " " + chosen->get_name();
    throw CommandError{kWrongInput, kProgramPrefix + std::string(error.what()) + "; see " + command + " --help"};
  }
  if (*devices) return list_devices_command();
  if (*check) return check_command(checked);
  if (*bench) return sluice::bench::bench_command(bench_options);
  if (*compare) return sluice::bench::compare_command(compared);
  read_size(size, *render ? pictures.pictures : options.pictures);
  if (*render) return render_command(pictures);
  options.command.assign(argv, argv + argc);
  return run_command(options);
}

// A pipe that nobody reads and the limit of a file's size (ulimit -f) are errors of a write, which names the file and
// lets a run tell how it ended, and not the end of the program.
void prepare_process() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // A standard stream that was closed would become the first file that is opened, and what is printed would go there.
  // To what is open for reading alone, printing fails as it should.
  for (int stream = 0; stream < 3; ++stream)
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) std::_Exit(kRunFailed);
}

}  // namespace

int main(int argc, char** argv) {
  prepare_process();
  try {
    const int code = dispatch(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fprintf(stderr, "sluice: standard output cannot be written\n");
    return code == kDone ? kRunFailed : code;
  } catch (const CommandError& error) {
    std::fprintf(stderr, "%s\n", error.text.c_str());
    return error.exit_code;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "sluice: %s\n", kNoMemory);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sluice: %s\n", error.what());
  }
  return kRunFailed;
}
