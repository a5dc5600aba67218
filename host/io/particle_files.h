// Particles of one fluid at one time, as files that ParaView, VTK, Blender and Houdini read.
//
// A frame is VTK XML PolyData (.vtp): points, one vertex cell a point (without cells ParaView draws nothing), point
// data, and the time as field data "TimeValue". All arrays are zlib blocks in the appended raw section.
//
// Points are Float64. The engine's positions are exact far from the origin, where Float32 would move them by as much as
// a step of gravity does (4 um at 50 m; 1 ms of gravity is 10 um); and one type for all scenes spares readers a case.
// The rest is Float32, which is what the device computes with.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "host/io/atomic_file.h"

namespace sluice::io {

struct ParticleFrame {
  double time = 0;                              // s
  std::vector<std::array<double, 3>> position;  // m
  std::vector<std::uint32_t> id;                // as long as position, unique over the run
  // Each as long as position if its field is written; else not looked at.
  std::vector<std::array<float, 3>> velocity;  // m/s
  std::vector<float> density;                  // kg/m^3
  std::vector<float> pressure;                 // Pa
  std::vector<std::array<float, 3>> friction;  // N
  std::vector<float> friction_used;            // share of the friction cone, 0 to 1
  std::vector<std::uint32_t> body;             // index of the body that a sample belongs to
};

// `fields` names what is written beside the points and ids: of "velocity", "density", "pressure", "friction",
// "friction_used", "body".
// Throws Error on an unknown field, on arrays of unequal lengths and when the file cannot be written.
void write_vtp(const std::filesystem::path& path, const ParticleFrame& frame, std::span<const std::string> fields,
               Existing existing = Existing::replace);

// What write_vtp wrote; fields that the file has not are empty. Throws Error naming the file if it is not one of those.
ParticleFrame read_vtp(const std::filesystem::path& path);

// The frames of one fluid: <name>.0000.vtp, <name>.0001.vtp, ... and their index with real times, <name>.pvd.
struct SeriesFrame {
  std::uint32_t number = 0;
  double time = 0;  // s
};
struct ParticleSeries {
  std::filesystem::path folder;
  std::string name;
  std::vector<SeriesFrame> frames;  // ascending numbers
};

// Throws Error on a name that is not a portable file name, as add_frame does.
void check_series_name(const std::string& name);

std::string frame_file_name(const std::string& name, std::uint32_t number);

// Writes the frame, then the index: both are whole whenever the program stops, and the index names only whole frames.
// A frame number that is in the series already replaces that frame and drops the later ones (a resumed run).
// Throws Error on a name that is not a portable file name.
void add_frame(ParticleSeries& series, std::uint32_t number, const ParticleFrame& frame,
               std::span<const std::string> fields);

// The series as its .pvd lists it, without frames; without a .pvd the series is empty.
ParticleSeries open_series(const std::filesystem::path& folder, const std::string& name);

}  // namespace sluice::io
