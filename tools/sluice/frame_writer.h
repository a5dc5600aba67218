// The files of a frame: particles by material, the boundary, rigid bodies. One frame is written on a thread of its own
// while the device computes the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "host/io/body_files.h"
#include "host/io/particle_files.h"
#include "host/io/run_files.h"
#include "host/io/stored_run.h"
#include "tools/sluice/commands.h"

namespace sluice::program {

struct FrameWriter {
  const LoadedScene* loaded = nullptr;
  std::filesystem::path folder;
  std::vector<io::ParticleSeries> fluids;  // by material; no name: the material has no particles
  io::ParticleSeries boundary;             // no name: there is none
  bool boundary_moves = false;
  io::ParticleSeries samples;  // of rigid bodies; no name: there are none
  io::BodyWriter bodies;
  io::ContactWriter contacts;
  bool started = false;  // the files that all frames share are open

  Frame frame;                            // the one being written, then the last one written
  std::vector<Contact> touching;          // its contacts, if the scene asks for them
  bool has_frame = false;                 // that `frame` is whole on the disk
  std::atomic<std::uint32_t> written{0};  // frames on the disk
  std::future<void> job;
};

// Throws Error on a material whose name cannot be a file's. Touches nothing.
void prepare_writer(FrameWriter& writer, const LoadedScene& loaded, const std::filesystem::path& folder);

io::SeriesNames series_names(const FrameWriter& writer);

// The files that all frames share, and the series, which count no frame yet; run.json and stats.csv are among them.
io::RunFiles files_of(const FrameWriter& writer);
// Counts those of this frame, before it is written.
void count_frame(const FrameWriter& writer, std::uint32_t number, io::RunFiles& files);

// Whether the scene asks for contacts.csv, and has bodies that may touch.
bool writes_contacts(const FrameWriter& writer);

// Opens what all frames share: bodies.csv, contacts.csv, a mesh file a shape and a boundary. After the folder has been
// opened.
void start_files(FrameWriter& writer);

// Waits until the last frame is on the disk, throws its Error if it is not, and starts on this one.
void write_frame(FrameWriter& writer, Frame frame, std::vector<Contact> contacts);

// Waits until all frames are on the disk; throws the last one's Error.
void finish_frames(FrameWriter& writer);

}  // namespace sluice::program
