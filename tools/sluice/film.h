// Pictures of a run's frames, drawn on the device, and the film of them.
#pragma once

#include <optional>

#include "host/io/run_files.h"
#include "host/render/renderer.h"
#include "host/render/stored_state.h"
#include "tools/sluice/commands.h"

namespace sluice::program {

struct Film {
  std::filesystem::path folder;
  std::uint32_t every = 1;         // n-th frame
  std::vector<std::uint32_t> few;  // or these alone but the start, by their numbers, and the last as picture.png
  bool wanted = true;              // film.mp4, beside the pictures
  double frame_interval = 0;       // s
  std::optional<render::Renderer> renderer;   // none: no pictures
  std::optional<render::StoredState> stored;  // for frames on the host
  std::uint32_t pictures = 0;
  bool made = false;    // film.mp4
  std::string why_not;  // a sentence; empty if none was wanted
};

// The simulation must be made with these, if it is drawn from where it lies.
SimulationOptions drawn_options(const Scene& scene, SimulationOptions options = {});

// What is drawn of a scene. The choices go before the scene's settings. Throws Error on impossible ones.
void start_film(Film& film, Gpu& gpu, const io::SceneFile& file, const Scene& scene, const io::SamplingReport& report,
                const std::filesystem::path& folder, const PictureChoices& choices);

// The names of what is drawn of this frame, and of the film, before they are made; after it, what there is.
void list_picture(const Film& film, std::uint32_t frame, io::RunFiles& files);
void list_film(const Film& film, io::RunFiles& files);

// picture.0012.png of a frame, if it is one of those to be drawn. Pictures of every n-th frame are numbered through.
void film_frame(Film& film, const DrawnState& state, std::uint32_t frame, double time);
void film_frame(Film& film, const Frame& frame);
// picture.png
void draw_last(Film& film, const Frame& frame);

// film.mp4 of two pictures or more, if ffmpeg is there. Never throws: a film can be made of the pictures later.
void finish_film(Film& film);

// What was made, for people.
void report_film(const Film& film);

}  // namespace sluice::program
