// The gates: a slot's indirect arguments are its size while its phase is due, and zero otherwise.
#ifndef SLUICE_GATES_GLSL
#define SLUICE_GATES_GLSL
#include "shared/args.h"

void open_slot(Control_ref control, uint slot, uint groups) {
  uint folds = (groups + kMaxGroupsX - 1) / kMaxGroupsX;
  control.at[0].dispatches[slot] = uvec4(groups < kMaxGroupsX ? groups : kMaxGroupsX, folds, 1, 0);
}
void close_slot(Control_ref control, uint slot) { control.at[0].dispatches[slot] = uvec4(0); }

uint groups_of(uint count, uint size) { return (count + size - 1) / size; }

void close_all(Control_ref control) {
  for (uint slot = 0; slot < kSlotCount; ++slot) close_slot(control, slot);
}

void open_begin(Control_ref control, Params_ref params, bool boundary_due) {
  uint particles = control.at[0].particles;
  open_slot(control, kSlotBeginOne, 1);
  open_slot(control, kSlotBeginParticles, groups_of(particles, kGroup));
  open_slot(control, kSlotBeginBlocks, groups_of(particles, kSortBlock));
  open_slot(control, kSlotBeginDigits, params.at[0].sort_digits);
  open_slot(control, kSlotBeginCells, groups_of(params.at[0].grid.cells, kGroup));
  if (params.at[0].rigid > 0) {
    uint samples = control.at[0].samples;
    open_slot(control, kSlotBeginRigid, groups_of(params.at[0].rigid + params.at[0].carriers, kGroup));
    open_slot(control, kSlotBeginSamples, groups_of(samples, kGroup));
    open_slot(control, kSlotBeginChunks, groups_of(samples / kChunk, kGroup));
  }
  if (boundary_due) {
    uint samples = control.at[0].boundary_particles;
    uint bodies = params.at[0].bodies;
    open_slot(control, kSlotBoundaryParticles, groups_of(samples < bodies ? bodies : samples, kGroup));
    open_slot(control, kSlotBoundaryBlocks, groups_of(samples, kSortBlock));
    open_slot(control, kSlotBoundaryDigits, params.at[0].boundary_sort_digits);
    open_slot(control, kSlotBoundaryCells, groups_of(params.at[0].boundary_grid.cells, kGroup));
  }
}

void open_solve(Control_ref control, Params_ref params) {
  open_slot(control, kSlotSolveParticles, groups_of(control.at[0].particles, kGroup));
  open_slot(control, kSlotSolveOne, 1);
  if (control.at[0].contact_chunks > 0) {
    open_slot(control, kSlotSolveContacts, groups_of(control.at[0].contact_chunks * kChunk, kGroup));
    open_slot(control, kSlotSolveParts, groups_of(params.at[0].parts * kSumVectors, kGroup));
    open_slot(control, kSlotSolveRigid, groups_of(params.at[0].rigid + params.at[0].carriers, kGroup));
    if (control.at[0].crowded > 0) open_slot(control, kSlotSolveCrowded, groups_of(control.at[0].crowded, kGroup));
  }
  if (control.at[0].coupled > 0) open_slot(control, kSlotSolveCoupled, groups_of(control.at[0].coupled, kGroup));
}

void open_end(Control_ref control, Params_ref params) {
  open_slot(control, kSlotEndParticles, groups_of(control.at[0].particles, kGroup));
  open_slot(control, kSlotEndBodies, groups_of(params.at[0].bodies, kGroup));
  open_slot(control, kSlotEndRigid, groups_of(params.at[0].rigid, kGroup));
}

void fail(Control_ref control, uint failure) {
  control.at[0].phase = kPhaseFailed;
  control.at[0].failure = failure;
  close_all(control);
}

#endif
