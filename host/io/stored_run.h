// A run's folder, read back: its scene as far as files tell it, and its frames.
#pragma once

#include <map>

#include "host/io/particle_files.h"
#include "host/sampling/sampling.h"
#include "sluice/sluice.h"

namespace sluice::io {

// run.json says which files a run writes: {"fluids": [...], "bodies": ..., "boundary": ...}, names of series.
struct SeriesNames {
  std::vector<std::string> fluids;  // by material; empty: it has no particles
  std::string bodies, boundary;     // empty: there are none
};

// The name of a surface's mesh file in the run's folder: "shape.0.card.obj", "surface.2.tank.obj". Of a shape in the
// frame in which it was given; of a boundary from Body::position, with the world's axes at the start.
std::string shape_file_name(std::size_t shape, const std::string& name);
std::string surface_file_name(std::size_t boundary, const std::string& name);

struct StoredRun {
  std::filesystem::path folder;
  SceneFile file;         // as run.json has it
  Scene scene;            // without samples; particles and bodies as in the first frame
  SamplingReport report;  // surfaces alone
  SeriesNames series;
  std::vector<SeriesFrame> frames;                          // those of which every file is there
  std::vector<std::string> warnings;                        // sentences: what of the run is not there
  std::map<std::uint32_t, std::vector<BodyRecord>> bodies;  // by frame: poses and velocities
  std::size_t samples = 0;                                  // of bodies, in the first frame
};

// Throws Error naming what is missing or wrong: a folder without a run, a run without a whole frame.
StoredRun open_run(const std::filesystem::path& folder);

// What the run did not write ("fields" of its scene's output) is empty. Throws Error naming the file if it is broken,
// of another time or of other particles than the first frame's.
Frame read_frame(const StoredRun& run, const SeriesFrame& frame);

}  // namespace sluice::io
