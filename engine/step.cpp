#include "engine/step.h"

// The time step of [PT23], whose algorithms, lines, equations and appendices all tags here name. The default mode
// differs from the printed method where engine/ARCHITECTURE.md says so.
namespace sluice {
namespace {

using namespace gpu;

// Takes out what has left the domain for good.
void remove_strays(PassRecorder& step) {
  step.run<Pass::list_strays>();
  step.run<Pass::remove_strays>();
}

// Samples of moving boundaries follow them; all are sorted by cell, once if nothing moves.
void sort_boundary(PassRecorder& step, const State& s) {
  step.run<Pass::place_boundary>({first_key(s, s.sizes.boundary_key_bits)});
  record_cell_sort(step, boundary_sort(s));
  step.run<Pass::gather_boundary>();
}

// Samples follow their bodies, which the last step has moved, and are searched by cell; everything else about them
// stays in the order of the bodies, so that a body's samples lie side by side.
void sort_samples(PassRecorder& step, const State& s) {
  step.run<Pass::begin_bodies>();
  step.run<Pass::place_samples>({first_key(s, s.sizes.rigid.key_bits)});  // alg. 9 l. 10-12, eq. B.3
  step.run<Pass::begin_sample_sort>();
  record_cell_sort(step, sample_sort(s));
  step.run<Pass::gather_samples>();
}

// Moving particles in the order of their cells.
void sort_particles(PassRecorder& step, const State& s) {
  step.run<Pass::cell_keys>({first_key(s, s.sizes.key_bits)});
  record_cell_sort(step, particle_sort(s));
  step.run<Pass::reorder>();
}

// Neighbour lists of fluid particles and of samples, and the lists of what the solver has to visit: fluid next to
// bodies, samples next to anything.
void find_neighbors(PassRecorder& step, const State& s) {
  step.run<Pass::build_rows>();
  step.run<Pass::near_chunks>();
  step.run<Pass::build_sample_rows>();
  step.run<Pass::count_contacts>();
  step.run<Pass::scan_rows>({static_cast<uint>(s.sizes.rigid.coupled)});
  step.run<Pass::spill_rows>();
  step.run<Pass::spill_sample_rows>();
  step.run<Pass::list_coupled>();
  step.run<Pass::list_contacts>();
}

// Volumes and explicit forces: v*, omega*.
void predict(PassRecorder& step) {
  step.run<Pass::volumes>();         // alg. 1 l. 5, eq. 3.6
  step.run<Pass::sample_volumes>();  // alg. 1 l. 5, eq. 3.1, 3.2, 3.22b, 3.23; alg. 8 l. 6, eq. A.11
  step.run_in<Pass::sum_parts>(kSlotBeginParts);
  step.run<Pass::limit_drag>();
  step.run<Pass::forces>();  // alg. 1 l. 6, 7, eq. 3.16
  step.run<Pass::sample_drag>();
  step.run_in<Pass::sum_parts>(kSlotBeginParts);
  step.run<Pass::predict_bodies>();                          // alg. 1 l. 8-10, eq. 3.12
  step.run_in<Pass::move_samples>(kSlotBeginContacts, {1});  // eq. 3.11a by v*, omega*
}

// Sources and diagonals, constant during a solve; p^0 and lambda^0 [alg. 2 l. 2-4].
void diagonals(PassRecorder& step) {
  step.run<Pass::diagonals>();          // eq. 3.14; alg. 5 l. 2, 3; alg. 7 l. 2, 6, eq. A.7, A.8
  step.run<Pass::sample_diagonals>();   // eq. 3.10, 3.21; alg. 5 l. 4-6; alg. 6; alg. 8 l. 2-5, 7, 8
  step.run<Pass::coupled_diagonals>();  // alg. 7 l. 3-6, eq. A.7, A.9
}

// Algorithm 4: what p^k and lambda^k do to motion, volume errors and tangential displacement.
void update_errors(PassRecorder& step) {
  step.run<Pass::solve_forces>();   // alg. 4 l. 2, 3, eq. 3.15
  step.run<Pass::sample_forces>();  // alg. 4 l. 4-8, eq. 3.13, 3.22
  step.run_in<Pass::sum_parts>(kSlotSolveParts);
  step.run<Pass::solve_bodies>();                            // alg. 4 l. 9, 10, eq. 3.11b, c
  step.run_in<Pass::move_samples>(kSlotSolveContacts, {0});  // eq. 3.11a, of alg. 4 l. 12, 14, 15
  step.run<Pass::solve_errors>();   // alg. 4 l. 11, 12, eq. 3.14; alg. 3 l. 2, 3, eq. 4.1a, 4.4b
  step.run<Pass::sample_errors>();  // alg. 4 l. 13-15, eq. 3.10, 3.21; counts n_R, eq. 4.5
}

// One iteration of algorithm 2. The first is its l. 5-8, with beta = 0.
void iterate(PassRecorder& step) {
  update_errors(step);                  // alg. 2 l. 5, 10, 21
  step.run<Pass::solve_coupled>();      // alg. 2 l. 6, 12; alg. 3 l. 2, 3, eq. 4.1a, 4.4b, of fluid next to bodies
  step.run<Pass::crowded_diagonals>();  // alg. 6 and 8 for samples next to more bodies than a record holds
  step.run<Pass::solve_contacts>();     // alg. 2 l. 6, 12, 13; alg. 3 l. 4-6, eq. 4.1, 4.4a, 4.6, 4.8
  step.run<Pass::solve_step>();         // alg. 2 l. 11, 14, 15, 20
  step.run<Pass::solve_update>();       // alg. 2 l. 16-19, of p_f
  step.run<Pass::update_contacts>();    // alg. 2 l. 16-19, of p_r and lambda_r
}

void integrate(PassRecorder& step) {
  step.run<Pass::integrate>();         // alg. 9 l. 2-4, eq. 3.15, B.1
  step.run<Pass::integrate_bodies>();  // alg. 9 l. 5-9, eq. 3.11b, c, B.2
  step.run<Pass::move_bodies>();
}

}  // namespace

std::uint64_t closed_slots(const State& s) {
  const bool any = true, particles = s.sizes.particles > 0, samples = s.sizes.rigid.samples > 0;
  const bool both = particles && samples;
  std::uint64_t closed = 0;
#define SLOT(number, name, when, needs, groups) \
  if (!(needs)) closed |= std::uint64_t{1} << number;
#include "engine/slots.def"
#undef SLOT
  return closed;
}

BeginStepArgs begin_step_args(const State& s, const TickLimits& limits) {
  return {limits.edits,       limits.edits_wait, limits.frames_taken,
          limits.until_frame, limits.until_time, static_cast<std::uint32_t>(s.sizes.spill_blocks)};
}

// The body of algorithm 1's loop, which the caller repeats. What is not due dispatches nothing, but for three passes of
// one workgroup: a solve that needs more iterations than a tick holds goes on in the next one, where the begin-of-step
// passes stay closed.
void record_tick(PassRecorder& step, const State& s, std::uint32_t iterations, const TickLimits& limits) {
  step.run<Pass::begin_step>(begin_step_args(s, limits));
  remove_strays(step);
  sort_boundary(step, s);
  sort_samples(step, s);
  sort_particles(step, s);
  find_neighbors(step, s);  // alg. 1 l. 4
  predict(step);            // alg. 1 l. 5-10
  diagonals(step);          // alg. 1 l. 11: alg. 2 l. 2-4
  step.run<Pass::begin_solve>();
  for (std::uint32_t k = 0; k < iterations; ++k) iterate(step);  // alg. 2 l. 5-21
  integrate(step);                                               // alg. 1 l. 12: alg. 9
  step.run<Pass::end_step>();                                    // alg. 1 l. 13
}

}  // namespace sluice
