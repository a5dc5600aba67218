#include "engine/step.h"

namespace sluice {
namespace {

using namespace gpu;

Ptr<uint> particle_count(const State& s) { return {s.control.ptr().address + offsetof(Control, particles)}; }
Ptr<uint> sample_count(const State& s) { return {s.control.ptr().address + offsetof(Control, samples)}; }
Ptr<uint> boundary_count(const State& s) { return {s.control.ptr().address + offsetof(Control, boundary_particles)}; }

// Takes out what has left the domain for good.
void remove_strays(PassRecorder& run, const State& s) {
  const Ptr<uint> gaps = s.sort.keys[0].ptr(), fillers = s.sort.values[0].ptr();
  run.run<Pass::list_strays>(kSlotBeginStrays,
                             {s.params.ptr(), s.control.ptr(), s.position.ptr(), s.low.ptr(), s.velocity.ptr(),
                              s.step_partials.ptr(), s.rigid.states.ptr(), s.rigid.bodies.ptr(), gaps, fillers});
  run.run<Pass::remove_strays>(kSlotBeginGaps,
                               {s.control.ptr(), gaps, fillers, s.position.ptr(), s.low.ptr(), s.velocity.ptr()});
}

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

// Samples follow their bodies and are searched by cell; everything else about them stays in the order of the bodies, so
// that a body's samples lie side by side.
void sort_samples(PassRecorder& run, const State& s) {
  const RigidBuffers& r = s.rigid;
  run.run<Pass::begin_bodies>(
      kSlotBeginRigid, {s.params.ptr(), r.states.ptr(), r.bodies.ptr(), r.steps.ptr(), s.bodies.ptr()});
  run.run<Pass::place_samples>(kSlotBeginSamples, {s.params.ptr(), s.control.ptr(), r.chunks.ptr(), r.shapes.ptr(),
                                                   r.states.ptr(), r.bodies.ptr(), r.samples.ptr(), r.velocity.ptr(),
                                                   r.keys.ptr(), s.sort.keys[0].ptr(), s.sort.values[0].ptr()});
  run.run<Pass::begin_sample_sort>(kSlotBeginRigid, {s.params.ptr(), s.control.ptr()});
  const int side = record_sort(run, s.sort, sample_count(s), s.sizes.rigid.key_bits, kSlotBeginSampleBlocks,
                               kSlotBeginSampleDigits, r.order.ptr());
  run.run<Pass::clear_cells>(kSlotBeginSampleCells, {r.cells.ptr(), s.sizes.rigid.grid.cells});
  run.run<Pass::cell_ranges>(kSlotSortSamples, {sample_count(s), s.sort.keys[side].ptr(), r.cells.ptr()});
  run.run<Pass::gather_samples>(kSlotBeginSamples,
                                {s.control.ptr(), r.chunks.ptr(), r.order.ptr(), r.samples.ptr(),
                                 r.sorted_samples.ptr()});
}

// Rows of fluid particles and of samples, and the lists of what the solver has to visit: fluid next to bodies, samples
// next to anything.
void build_rows(PassRecorder& run, const State& s) {
  const RigidBuffers& r = s.rigid;
  const BuildRowsArgs rows{s.params.ptr(),         s.control.ptr(),       s.cells.ptr(),
                           s.boundary_cells.ptr(), r.cells.ptr(),         r.sorted_samples.ptr(),
                           s.group_spills.ptr(),   r.group_coupled.ptr(), s.neighbors()};
  const BuildSampleRowsArgs sample_rows{
      s.params.ptr(),         s.control.ptr(), s.cells.ptr(), s.boundary_cells.ptr(), r.cells.ptr(),
      r.sorted_samples.ptr(), r.chunks.ptr(),  r.solve.ptr(), s.group_spills.ptr(),   s.neighbors()};
  run.run<Pass::build_rows>(kSlotBeginParticles, rows);
  run.run<Pass::near_chunks>(kSlotBeginChunks,
                             {s.params.ptr(), s.control.ptr(), s.cells.ptr(), s.boundary_cells.ptr(), r.cells.ptr(),
                              r.samples.ptr(), r.sorted_samples.ptr(), r.chunks.ptr()});
  run.run<Pass::build_sample_rows>(kSlotBeginSamples, sample_rows);
  run.run<Pass::count_contacts>(kSlotBeginChunks, {s.params.ptr(), r.parts.ptr(), r.chunks.ptr(), r.part_chunks.ptr()});
  run.run<Pass::scan_rows>(kSlotBeginOne, {s.params.ptr(), s.control.ptr(), s.group_spills.ptr(), r.group_coupled.ptr(),
                                           r.part_chunks.ptr(), static_cast<uint>(s.sizes.rigid.coupled)});
  run.run<Pass::spill_rows>(kSlotSpillParticles, rows);
  run.run<Pass::spill_sample_rows>(kSlotSpillSamples, sample_rows);
  run.run<Pass::list_coupled>(kSlotListCoupled, {s.control.ptr(), s.row_heads.ptr(), r.group_coupled.ptr(),
                                                 r.coupled_particles.ptr(), r.coupled_index.ptr()});
  run.run<Pass::list_contacts>(kSlotBeginChunks,
                               {s.control.ptr(), r.chunks.ptr(), r.part_chunks.ptr(), r.contact_samples.ptr()});
}

void sum_parts(PassRecorder& run, const State& s, std::uint32_t slot) {
  const RigidBuffers& r = s.rigid;
  run.run<Pass::sum_parts>(slot, {s.params.ptr(), r.part_chunks.ptr(), r.partials.ptr(), r.part_sums.ptr()});
}

// Volumes and explicit forces: v*, omega*.
void predict(PassRecorder& run, const State& s) {
  const RigidBuffers& r = s.rigid;
  run.run<Pass::volumes>(kSlotBeginParticles, {s.params.ptr(), s.control.ptr(), s.acceleration.ptr(), s.wall.ptr(),
                                               r.steps.ptr(), s.neighbors()});  // alg. 1 l. 5, eq. 3.6
  run.run<Pass::sample_volumes>(
      kSlotBeginContacts,
      {s.params.ptr(), s.control.ptr(), r.chunks.ptr(), r.contact_samples.ptr(), r.shapes.ptr(), r.steps.ptr(),
       r.velocity.ptr(), r.rows.ptr(), s.sorted_low.ptr(), r.partials.ptr(), s.neighbors()});  // eq. 3.1
  sum_parts(run, s, kSlotBeginParts);
  run.run<Pass::limit_drag>(kSlotBeginRigid,
                            {s.params.ptr(), s.control.ptr(), r.bodies.ptr(), r.steps.ptr(), r.part_sums.ptr()});
  run.run<Pass::forces>(
      kSlotBeginParticles,
      {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(), s.sorted_velocity.ptr(), s.bodies.ptr(),
       s.acceleration.ptr(), s.wall_forces.ptr(), r.steps.ptr(), r.velocity.ptr(), s.neighbors()});  // l. 7, eq. 3.16
  run.run<Pass::sample_drag>(kSlotBeginContacts,
                             {s.params.ptr(), s.control.ptr(), r.contact_samples.ptr(), r.steps.ptr(), r.velocity.ptr(),
                              s.sorted_velocity.ptr(), s.sorted_low.ptr(), r.partials.ptr(), s.neighbors()});
  sum_parts(run, s, kSlotBeginParts);
  run.run<Pass::predict_bodies>(kSlotBeginRigid,
                                {s.params.ptr(), s.control.ptr(), r.states.ptr(), r.bodies.ptr(), r.steps.ptr(),
                                 r.part_sums.ptr(), r.drag.ptr(), r.sums.ptr()});  // l. 9, eq. 3.12
  run.run<Pass::move_samples>(kSlotBeginContacts, {s.control.ptr(), r.contact_samples.ptr(), r.samples.ptr(),
                                                   r.steps.ptr(), r.velocity.ptr(), 1});
}

// PT23 appendix A, and what the unknowns do not change.
void diagonals(PassRecorder& run, const State& s) {
  const RigidBuffers& r = s.rigid;
  run.run<Pass::diagonals>(kSlotBeginParticles, {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(),
                                                 s.sorted_velocity.ptr(), s.bodies.ptr(), s.acceleration.ptr(),
                                                 s.wall.ptr(), s.solve.ptr(), r.velocity.ptr(), r.steps.ptr(),
                                                 s.neighbors()});
  run.run<Pass::sample_diagonals>(
      kSlotBeginContacts, {s.params.ptr(), s.control.ptr(), r.contact_samples.ptr(), r.steps.ptr(), r.velocity.ptr(),
                           s.bodies.ptr(), r.rows.ptr(), r.solve.ptr(), r.load.ptr(), r.crowded.ptr(), s.neighbors()});
  run.run<Pass::coupled_diagonals>(kSlotBeginCoupled, {s.params.ptr(), s.control.ptr(), r.coupled_particles.ptr(),
                                                       r.coupled.ptr(), r.steps.ptr(), s.neighbors()});
}

// PT23 algorithm 4: what p^k and lambda^k do to velocities, volume errors and sliding.
void update_errors(PassRecorder& run, const State& s) {
  const RigidBuffers& r = s.rigid;
  const Neighbors neighbors = s.neighbors();
  run.run<Pass::solve_forces>(kSlotSolveParticles, {s.params.ptr(), s.control.ptr(), s.sorted_low.ptr(),
                                                    s.acceleration.ptr(), s.wall.ptr(), s.neighbors()});  // l. 3
  run.run<Pass::sample_forces>(kSlotSolveContacts,
                               {s.params.ptr(), s.control.ptr(), r.contact_samples.ptr(), r.steps.ptr(), r.rows.ptr(),
                                r.solve.ptr(), r.load.ptr(), r.partials.ptr(), s.neighbors()});  // l. 6-8
  sum_parts(run, s, kSlotSolveParts);
  run.run<Pass::solve_bodies>(kSlotSolveRigid, {s.params.ptr(), r.bodies.ptr(), r.steps.ptr(), r.part_sums.ptr(),
                                                r.sums.ptr(), r.touching.ptr()});  // l. 9, 10
  run.run<Pass::move_samples>(kSlotSolveContacts, {s.control.ptr(), r.contact_samples.ptr(), r.samples.ptr(),
                                                   r.steps.ptr(), r.velocity.ptr(), 0});
  run.run<Pass::solve_errors>(
      kSlotSolveParticles,
      {s.params.ptr(), s.control.ptr(), s.acceleration.ptr(), s.wall.ptr(), s.solve.ptr(), s.solve_partials.ptr(),
       r.velocity.ptr(), r.coupled_index.ptr(), r.coupled.ptr(), r.touching.ptr(), r.steps.ptr(),
       {neighbors.position, neighbors.samples, neighbors.head, neighbors.pages, neighbors.spill}});  // l. 12
  run.run<Pass::sample_errors>(kSlotSolveContacts,
                               {s.params.ptr(), s.control.ptr(), r.contact_samples.ptr(), r.steps.ptr(), r.rows.ptr(),
                                r.solve.ptr(), r.velocity.ptr(), r.touching.ptr(), s.neighbors()});  // l. 14, 15
}

// One iteration of PT23 algorithm 2: predicted errors of p^k and lambda^k, the projected Jacobi step [alg. 3; that of
// fluid away from bodies has been made with its error], the decision, the conjugate step.
void iterate(PassRecorder& run, const State& s) {
  const RigidBuffers& r = s.rigid;
  update_errors(run, s);
  run.run<Pass::solve_coupled>(
      kSlotSolveCoupled, {s.params.ptr(), s.control.ptr(), r.coupled_particles.ptr(), r.coupled.ptr(), r.steps.ptr(),
                          r.touching.ptr(), s.solve.ptr(), r.coupled_partials.ptr(), s.neighbors()});
  run.run<Pass::crowded_diagonals>(
      kSlotSolveCrowded, {s.params.ptr(), s.control.ptr(), r.crowded.ptr(), r.steps.ptr(), r.rows.ptr(), r.solve.ptr(),
                          r.velocity.ptr(), r.touching.ptr(), s.neighbors()});
  run.run<Pass::solve_contacts>(kSlotSolveContacts,
                                {s.params.ptr(), s.control.ptr(), r.contact_samples.ptr(), r.rows.ptr(), r.solve.ptr(),
                                 r.velocity.ptr(), r.touching.ptr(), r.contact_partials.ptr(), s.neighbors()});
  run.run<Pass::solve_step>(kSlotSolveOne, {s.params.ptr(), s.control.ptr(), s.solve_partials.ptr(),
                                            r.coupled_partials.ptr(), r.contact_partials.ptr()});
  run.run<Pass::solve_update>(kSlotSolveParticles,
                              {s.params.ptr(), s.control.ptr(), s.sorted_position.ptr(), s.wall.ptr(), s.solve.ptr()});
  run.run<Pass::update_contacts>(kSlotSolveContacts, {s.params.ptr(), s.control.ptr(), r.contact_samples.ptr(),
                                                      r.samples.ptr(), r.rows.ptr(), r.solve.ptr(), r.load.ptr()});
}

void integrate(PassRecorder& run, const State& s) {
  const RigidBuffers& r = s.rigid;
  run.run<Pass::integrate>(kSlotEndParticles,
                           {s.params.ptr(), s.control.ptr(), s.sorted_position.ptr(), s.sorted_low.ptr(),
                            s.sorted_velocity.ptr(), s.acceleration.ptr(), s.wall.ptr(), s.wall_forces.ptr(),
                            s.position.ptr(), s.low.ptr(), s.velocity.ptr(), s.step_partials.ptr()});
  run.run<Pass::integrate_bodies>(kSlotEndRigid, {s.params.ptr(), s.control.ptr(), r.states.ptr(), r.bodies.ptr(),
                                                  r.steps.ptr(), r.sums.ptr(), r.drag.ptr(), s.step_partials.ptr()});
  run.run<Pass::move_bodies>(kSlotEndBodies, {s.params.ptr(), s.control.ptr(), s.bodies.ptr()});
}

}  // namespace

std::uint32_t sort_digits(std::uint32_t key_bits) {
  const std::uint32_t passes = (key_bits + 7) / 8;
  return 1u << (key_bits + passes - 1) / passes;
}

int record_sort(PassRecorder& run, const SortBuffers& sort, Ptr<uint> count, std::uint32_t key_bits,
                std::uint32_t blocks_slot, std::uint32_t digits_slot, Ptr<uint> last_values) {
  const std::uint32_t passes = (key_bits + 7) / 8;
  int side = 0;
  std::uint32_t shift = 0;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    const std::uint32_t bits = (key_bits - shift + (passes - pass) - 1) / (passes - pass);
    const std::uint32_t digits = 1u << bits;
    run.run<Pass::sort_count>(blocks_slot, {count, sort.keys[side].ptr(), sort.counts.ptr(), shift, digits});
    run.run<Pass::sort_spine>(digits_slot, {count, sort.counts.ptr(), sort.totals.ptr()});
    const bool elsewhere = pass + 1 == passes && last_values.address != 0;
    run.run<Pass::sort_scatter>(
        blocks_slot, {count, sort.keys[side].ptr(), sort.values[side].ptr(), sort.counts.ptr(), sort.totals.ptr(),
                      sort.keys[1 - side].ptr(), elsewhere ? last_values : sort.values[1 - side].ptr(), shift, digits});
    side = 1 - side;
    shift += bits;
  }
  return side;
}

std::uint64_t closed_slots(const State& s) {
  std::uint64_t closed = 0;
  const auto close = [&](std::initializer_list<std::uint32_t> slots) {
    for (const std::uint32_t slot : slots) closed |= std::uint64_t{1} << slot;
  };
  // Cells stay: those of an absent kind are cleared, once searched.
  const std::uint64_t particles = s.sizes.particles, samples = s.sizes.rigid.samples;
  if (particles == 0)
    close({kSlotBeginParticles, kSlotBeginBlocks, kSlotBeginDigits, kSlotSpillParticles, kSlotSolveParticles,
           kSlotEndParticles});
  if (samples == 0)
    close({kSlotBeginRigid, kSlotBeginSamples, kSlotBeginChunks, kSlotSortSamples, kSlotBeginSampleBlocks,
           kSlotBeginSampleDigits, kSlotBeginSampleCells, kSlotSpillSamples, kSlotBeginContacts, kSlotBeginParts,
           kSlotSolveContacts, kSlotSolveParts, kSlotSolveRigid, kSlotSolveCrowded, kSlotEndRigid});
  if (particles == 0 || samples == 0) close({kSlotListCoupled, kSlotBeginCoupled, kSlotSolveCoupled});
  return closed;
}

BeginStepArgs begin_step_args(const State& s, const TickLimits& limits) {
  const auto blocks = static_cast<std::uint32_t>(s.sizes.spill_blocks);
  return {s.params.ptr(),     s.control.ptr(),    s.bodies.ptr(), s.rigid.states.ptr(), s.rigid.bodies.ptr(),
          s.edits.ptr(),      s.edit_steps.ptr(), limits.edits,   limits.edits_wait,    limits.frames_taken,
          limits.until_frame, limits.until_time,  blocks};
}

// PT23 algorithm 1. What is not due dispatches nothing: a solve that needs more iterations than a tick
// holds goes on in the next one, where the begin-of-step passes stay closed.
void record_tick(PassRecorder& run, const State& s, std::uint32_t iterations, const TickLimits& limits) {
  const GateArgs gate{s.params.ptr(), s.control.ptr()};

  run.run_groups<Pass::begin_step>(1, begin_step_args(s, limits));
  remove_strays(run, s);
  sort_boundary(run, s);
  sort_samples(run, s);
  sort_particles(run, s);
  build_rows(run, s);  // l. 4
  predict(run, s);     // l. 5-10
  diagonals(run, s);

  run.run_groups<Pass::begin_solve>(1, gate);
  for (std::uint32_t k = 0; k < iterations; ++k) iterate(run, s);  // l. 11, alg. 2

  integrate(run, s);  // l. 12
  run.run_groups<Pass::end_step>(1, {s.params.ptr(), s.control.ptr(), s.step_partials.ptr(), s.status.ptr()});
}

}  // namespace sluice
