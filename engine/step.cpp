#include "engine/step.h"

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

// Samples follow their bodies and are searched by cell; everything else about them stays in the order of the bodies, so
// that a body's samples lie side by side.
void sort_samples(PassRecorder& step, const State& s) {
  step.run<Pass::begin_bodies>();
  step.run<Pass::place_samples>({first_key(s, s.sizes.rigid.key_bits)});
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

// Rows of fluid particles and of samples, and the lists of what the solver has to visit: fluid next to bodies, samples
// next to anything.
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
  step.run<Pass::sample_volumes>();  // l. 5, eq. 3.1, 3.2
  step.run_in<Pass::sum_parts>(kSlotBeginParts);
  step.run<Pass::limit_drag>();
  step.run<Pass::forces>();  // l. 7, eq. 3.16
  step.run<Pass::sample_drag>();
  step.run_in<Pass::sum_parts>(kSlotBeginParts);
  step.run<Pass::predict_bodies>();                          // l. 9, eq. 3.12
  step.run_in<Pass::move_samples>(kSlotBeginContacts, {1});  // l. 10, eq. 3.11a
}

// What the unknowns do not change.
void diagonals(PassRecorder& step) {
  step.run<Pass::diagonals>();          // eq. 3.14, app. A
  step.run<Pass::sample_diagonals>();   // eq. 3.10, 3.21, app. A, alg. 6, 8
  step.run<Pass::coupled_diagonals>();  // eq. A.6, alg. 7
}

// Algorithm 4: what p^k and lambda^k do to velocities, volume errors and sliding.
void update_errors(PassRecorder& step) {
  step.run<Pass::solve_forces>();   // l. 3, eq. 3.15
  step.run<Pass::sample_forces>();  // l. 6-8, eq. 3.13, 3.22
  step.run_in<Pass::sum_parts>(kSlotSolveParts);
  step.run<Pass::solve_bodies>();  // l. 9, 10, eq. 3.11b, c
  step.run_in<Pass::move_samples>(kSlotSolveContacts, {0});
  step.run<Pass::solve_errors>();   // l. 12, eq. 3.14; alg. 3, eq. 4.4b
  step.run<Pass::sample_errors>();  // l. 14, 15, eq. 3.10, 3.21
}

// One iteration of algorithm 2: predicted errors of p^k and lambda^k, the projected Jacobi step (that of fluid away
// from bodies has been made with its error), the decision, the conjugate step.
void iterate(PassRecorder& step) {
  update_errors(step);              // l. 4
  step.run<Pass::solve_coupled>();  // alg. 3, eq. 4.4b
  step.run<Pass::crowded_diagonals>();
  step.run<Pass::solve_contacts>();   // alg. 3, eq. 4.4a, 4.6, 4.8
  step.run<Pass::solve_step>();       // alg. 2 l. 11-16
  step.run<Pass::solve_update>();     // l. 16-19, of p_f
  step.run<Pass::update_contacts>();  // l. 16-19, of p_r and lambda_r
}

void integrate(PassRecorder& step) {
  step.run<Pass::integrate>();         // Euler-Cromer
  step.run<Pass::integrate_bodies>();  // app. B
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

// Algorithm 1 [PT23; so are all numbers of lines, equations and appendices here]. What is not due dispatches nothing: a
// solve that needs more iterations than a tick holds goes on in the next one, where the begin-of-step passes stay
// closed.
void record_tick(PassRecorder& step, const State& s, std::uint32_t iterations, const TickLimits& limits) {
  step.run<Pass::begin_step>(begin_step_args(s, limits));
  remove_strays(step);
  sort_boundary(step, s);
  sort_samples(step, s);
  sort_particles(step, s);
  find_neighbors(step, s);  // l. 4
  predict(step);            // l. 5-10
  diagonals(step);
  step.run<Pass::begin_solve>();
  for (std::uint32_t k = 0; k < iterations; ++k) iterate(step);  // l. 11, alg. 2
  integrate(step);                                               // l. 12
  step.run<Pass::end_step>();
}

}  // namespace sluice
