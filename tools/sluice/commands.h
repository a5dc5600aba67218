// The commands of the program and what they share. Each returns the exit code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/sampling/sampling.h"
#include "host/scene/scene_file.h"
#include "sluice/sluice.h"
#include "tools/common/exit.h"

namespace sluice::program {

struct LoadedScene {
  io::SceneFile file;
  Scene scene;
  io::SamplingReport report;
};
// Reads, checks and samples; what takes long is told of on stderr, unless `quiet`. `until` > 0 replaces the scene's
// end, s.
LoadedScene load_scene(const std::filesystem::path& path, double until, bool quiet = false);

// How many frames follow the start. The end is rounded to a whole number of frames, at least one.
std::uint32_t frame_count(const TimeSettings& time);

int list_devices_command();
int check_command(const std::filesystem::path& scene);

// Of pictures drawn on the device. What is empty or 0 is the scene's to say.
struct PictureChoices {
  int width = 1280, height = 720;
  std::uint32_t every = 1;  // frames
  std::string field, boundaries;
  std::vector<double> range;        // two, or none
  std::vector<double> eye, target;  // three each, or none
  double degrees = 0;
  bool no_film = false, plain = false;
};

struct RunOptions {
  std::filesystem::path scene;
  std::filesystem::path output;  // empty: output/<scene name>
  std::string device;
  double until = 0;  // s; 0: the scene's end
  bool overwrite = false, profile = false, quiet = false, validation = false, no_picture = false;
  bool render = false;  // each frame is drawn on the device, in place of a few pictures
  PictureChoices pictures;
  std::vector<std::string> command;  // as typed, for run.json
};
int run_command(const RunOptions& options);

struct RenderOptions {
  std::filesystem::path input;   // a scene file, or the folder of a run
  std::filesystem::path output;  // empty: output/<scene name>_pictures, or <folder>_pictures
  std::string device;
  double until = 0;  // s; 0: the scene's end
  PictureChoices pictures;
  bool overwrite = false, quiet = false;
};
int render_command(const RenderOptions& options);

}  // namespace sluice::program
