// Pictures of a run's frames, drawn on the device, and the film of them.
#pragma once

#include <optional>

#include "host/render/renderer.h"
#include "tools/sluice/commands.h"

namespace sluice::program {

struct Film {
  std::filesystem::path folder;
  std::uint32_t every = 1;
  bool wanted = true;         // film.mp4, beside the pictures
  double frame_interval = 0;  // s
  std::optional<render::Renderer> renderer;
  std::uint32_t pictures = 0;
  bool made = false;    // film.mp4
  std::string why_not;  // a sentence; empty if none was wanted
};

// The simulation must be made with these.
SimulationOptions drawn_options(const Scene& scene, SimulationOptions options = {});

// Throws Error on impossible choices.
void start_film(Film& film, Gpu& gpu, const LoadedScene& loaded, const std::filesystem::path& folder,
                const PictureChoices& choices);
// picture.0012.png of the simulation's frame, if it is one of those to be drawn.
void film_frame(Film& film, Simulation& simulation);
// film.mp4 of two pictures or more, if ffmpeg is there. Never throws: a film can be made of the pictures later.
void finish_film(Film& film);

// What was made, for people.
void report_film(const Film& film);

}  // namespace sluice::program
