// The host's changes to a running simulation on their way to the device.
#pragma once

#include <deque>

#include "engine/state.h"

namespace sluice {

struct Edits {
  explicit Edits(const Scene& scene);

  // How far a boundary's samples reach and how it moves: the step's length needs the fastest of them.
  std::vector<Vec3> velocity, spin;
  std::vector<double> reach;            // m
  double tolerance;                     // SolverSettings::tolerance
  std::deque<Edit> waiting;             // for room in the ring
  std::deque<Edit> on_device;           // not yet applied, or not known to be
  std::uint32_t last_step = 0;          // the latest that an edit named
  std::uint32_t sent = 0, applied = 0;  // since the start of the run
  std::vector<Edit> log;
};

// Throws Error if it names what does not exist, or a number is not finite, or its step is over.
void add_edit(Edits& edits, const State& state, std::uint32_t completed, const Edit& edit);
// Moves edits into the ring while it has room.
void send_edits(Edits& edits, const State& state);
// Takes note of what the device has applied; the new ones end the log.
void log_edits(Edits& edits, const State& state, std::uint32_t applied);

}  // namespace sluice
