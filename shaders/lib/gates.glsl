// The gates of engine/slots.def.
#ifndef SLUICE_GATES_GLSL
#define SLUICE_GATES_GLSL
#include "lib/buffers.glsl"

void close_slot(uint slot) { control_buffer.at[0].dispatches[slot] = uvec4(0); }
void open_slot(uint slot, uint groups) {
  if (groups == 0) {
    close_slot(slot);
    return;
  }
  uint folds = (groups + kMaxGroupsX - 1) / kMaxGroupsX;
  control_buffer.at[0].dispatches[slot] = uvec4(groups < kMaxGroupsX ? groups : kMaxGroupsX, folds, 1, 0);
}
void close_all() {
  for (uint slot = 0; slot < kSlotCount; ++slot) close_slot(slot);
}

// The counts that slots are as large as.
uint groups_of(uint count, uint size) { return (count + size - 1) / size; }
uint particle_count() { return control_buffer.at[0].particles; }
uint boundary_count() { return control_buffer.at[0].boundary_particles; }
uint sample_count() { return control_buffer.at[0].samples; }
uint contact_count() { return control_buffer.at[0].contact_chunks * kChunk; }
uint held_count() { return params_buffer.at[0].rigid + params_buffer.at[0].carriers; }
uint part_vectors() { return params_buffer.at[0].parts * kSumVectors; }

#define SLOT(number, name, when, needs, groups) OPEN_##when(number, groups)
#define OPEN_later(slot, groups)

#define OPEN_begin(slot, groups) open_slot(slot, groups);
#define OPEN_boundary(slot, groups) if (boundary_due) open_slot(slot, groups);
#define OPEN_solve(slot, groups)
#define OPEN_end(slot, groups)
void open_begin(bool boundary_due) {
#include "engine/slots.def"
}
#undef OPEN_begin
#undef OPEN_boundary
#define OPEN_begin(slot, groups)
#define OPEN_boundary(slot, groups)

#undef OPEN_solve
#define OPEN_solve(slot, groups) open_slot(slot, groups);
void open_solve() {
#include "engine/slots.def"
}
#undef OPEN_solve
#define OPEN_solve(slot, groups)

#undef OPEN_end
#define OPEN_end(slot, groups) open_slot(slot, groups);
void open_end() {
#include "engine/slots.def"
}
#undef SLOT

void fail(uint failure) {
  control_buffer.at[0].phase = kPhaseFailed;
  control_buffer.at[0].failure = failure;
  close_all();
}

#endif
