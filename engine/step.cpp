#include "engine/step.h"

namespace sluice {
namespace {

using namespace gpu;

Ptr<uint> particle_count(const State& s) { return {s.control.ptr().address + offsetof(Control, particles)}; }
Ptr<uint> boundary_count(const State& s) { return {s.control.ptr().address + offsetof(Control, boundary_particles)}; }

// Samples of moving bodies follow them; all are sorted by cell, once if nothing moves.
void sort_boundary(PassRecorder& run, const State& s) {
  run.run<Pass::place_boundary>(kSlotBoundaryParticles,
                                {s.params.ptr(), s.control.ptr(), s.boundary_source.ptr(), s.bodies.ptr(),
                                 s.boundary_placed(), s.sort.keys[0].ptr(), s.sort.values[0].ptr()});
  const int side =
      record_sort(run, s.sort, boundary_count(s), s.sizes.boundary_key_bits, kSlotBoundaryBlocks, kSlotBoundaryDigits);
  run.run<Pass::gather_boundary>(kSlotBoundaryParticles,
                                 {s.control.ptr(), s.sort.values[side].ptr(), s.boundary_placed(), s.boundary.ptr()});
  run.run<Pass::clear_cells>(kSlotBoundaryCells, {s.boundary_cells.ptr(), s.sizes.boundary_grid.cells});
  run.run<Pass::cell_ranges>(kSlotBoundaryParticles,
                             {boundary_count(s), s.sort.keys[side].ptr(), s.boundary_cells.ptr()});
}

// Moving particles in the order of their cells, and where each cell's particles lie.
void sort_particles(PassRecorder& run, const State& s) {
  run.run<Pass::cell_keys>(kSlotBeginParticles, {s.params.ptr(), s.control.ptr(), s.position.ptr(),
                                                 s.sort.keys[0].ptr(), s.sort.values[0].ptr()});
  const int side = record_sort(run, s.sort, particle_count(s), s.sizes.key_bits, kSlotBeginBlocks, kSlotBeginDigits);
  run.run<Pass::reorder>(kSlotBeginParticles,
                         {s.control.ptr(), s.sort.values[side].ptr(), s.position.ptr(), s.low.ptr(), s.velocity.ptr(),
                          s.sorted_position.ptr(), s.sorted_low.ptr(), s.sorted_velocity.ptr()});
  run.run<Pass::clear_cells>(kSlotBeginCells, {s.cells.ptr(), s.sizes.grid.cells});
  run.run<Pass::cell_ranges>(kSlotBeginParticles, {particle_count(s), s.sort.keys[side].ptr(), s.cells.ptr()});
}

void build_rows(PassRecorder& run, const State& s) {
  const BuildRowsArgs args{s.params.ptr(),         s.control.ptr(),      s.cells.ptr(),
                           s.boundary_cells.ptr(), s.group_spills.ptr(), s.neighbors()};
  run.run<Pass::build_rows>(kSlotBeginParticles, args);
  run.run<Pass::scan_spills>(kSlotBeginOne, {s.control.ptr(), s.group_spills.ptr()});
  run.run<Pass::spill_rows>(kSlotSpillParticles, args);
}

// One iteration of PT23 algorithm 2: predicted errors of p^k, the projected Jacobi step, the decision,
// the conjugate step.
void iterate(PassRecorder& run, const State& s) {
  run.run<Pass::solve_forces>(kSlotSolveParticles, {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(),
                                                    s.acceleration.ptr(), s.wall.ptr(), s.neighbors()});
  run.run<Pass::solve_errors>(kSlotSolveParticles, {s.params.ptr(), s.control.ptr(), s.acceleration.ptr(), s.wall.ptr(),
                                                    s.solve.ptr(), s.solve_partials.ptr(), s.neighbors()});
  run.run<Pass::solve_step>(kSlotSolveOne, {s.params.ptr(), s.control.ptr(), s.solve_partials.ptr()});
  run.run<Pass::solve_update>(kSlotSolveParticles,
                              {s.params.ptr(), s.control.ptr(), s.sorted_position.ptr(), s.wall.ptr(), s.solve.ptr()});
}

}  // namespace

std::uint32_t sort_digits(std::uint32_t key_bits) {
  const std::uint32_t passes = (key_bits + 7) / 8;
  return 1u << (key_bits + passes - 1) / passes;
}

int record_sort(PassRecorder& run, const SortBuffers& sort, Ptr<uint> count, std::uint32_t key_bits,
                std::uint32_t blocks_slot, std::uint32_t digits_slot) {
  const std::uint32_t passes = (key_bits + 7) / 8;
  int side = 0;
  std::uint32_t shift = 0;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    const std::uint32_t bits = (key_bits - shift + (passes - pass) - 1) / (passes - pass);
    const std::uint32_t digits = 1u << bits;
    run.run<Pass::sort_count>(blocks_slot, {count, sort.keys[side].ptr(), sort.counts.ptr(), shift, digits});
    run.run<Pass::sort_spine>(digits_slot, {count, sort.counts.ptr(), sort.totals.ptr()});
    run.run<Pass::sort_scatter>(
        blocks_slot, {count, sort.keys[side].ptr(), sort.values[side].ptr(), sort.counts.ptr(), sort.totals.ptr(),
                      sort.keys[1 - side].ptr(), sort.values[1 - side].ptr(), shift, digits});
    side = 1 - side;
    shift += bits;
  }
  return side;
}

// PT23 algorithm 1. What is not due dispatches nothing: a solve that needs more iterations than a tick
// holds goes on in the next one, where the begin-of-step passes stay closed.
void record_tick(PassRecorder& run, const State& s, std::uint32_t iterations) {
  const GateArgs gate{s.params.ptr(), s.control.ptr()};

  run.run_groups<Pass::begin_step>(1, gate);
  sort_boundary(run, s);
  sort_particles(run, s);
  build_rows(run, s);  // l. 4
  run.run<Pass::volumes>(kSlotBeginParticles, {s.params.ptr(), s.control.ptr(), s.acceleration.ptr(), s.wall.ptr(),
                                               s.neighbors()});  // l. 5, eq. 3.6
  run.run<Pass::forces>(kSlotBeginParticles,
                        {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(), s.sorted_velocity.ptr(), s.bodies.ptr(),
                         s.acceleration.ptr(), s.wall_forces.ptr(), s.neighbors()});  // l. 7, eq. 3.16
  run.run<Pass::diagonals>(kSlotBeginParticles, {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(),
                                                 s.sorted_velocity.ptr(), s.bodies.ptr(), s.acceleration.ptr(),
                                                 s.wall.ptr(), s.solve.ptr(), s.neighbors()});  // app. A

  run.run_groups<Pass::begin_solve>(1, gate);
  for (std::uint32_t k = 0; k < iterations; ++k) iterate(run, s);  // l. 11, alg. 2

  run.run<Pass::integrate>(kSlotEndParticles,
                           {s.params.ptr(), s.control.ptr(), s.sorted_position.ptr(), s.sorted_low.ptr(),
                            s.sorted_velocity.ptr(), s.acceleration.ptr(), s.wall.ptr(), s.wall_forces.ptr(),
                            s.position.ptr(), s.low.ptr(), s.velocity.ptr(), s.step_partials.ptr()});  // l. 12
  run.run<Pass::move_bodies>(kSlotEndBodies, {s.params.ptr(), s.control.ptr(), s.bodies.ptr()});
  run.run_groups<Pass::end_step>(1, {s.params.ptr(), s.control.ptr(), s.step_partials.ptr(), s.status.ptr()});
}

}  // namespace sluice
