#version 460
#extension GL_GOOGLE_include_directive : require
// Opens the begin-of-step passes if a step is due; a closed gate makes the rest of a tick cost nothing.
#define SLUICE_ARGS BeginStepArgs
#include "lib/edits.glsl"
#include "lib/gates.glsl"

layout(local_size_x = 1) in;
// A thousandth of a step before it counts as reached, as the ends of frames do.
bool until_reached() {
  uint frame = CONTROL.frame;
  float remaining = args.until_time - CONTROL.frame_time;
  return frame > args.until_frame || (frame == args.until_frame && remaining < 0.001 * CONTROL.tau);
}

uint due_phase() {
  uint phase = CONTROL.phase;
  if (phase == kPhaseFrame && CONTROL.frame <= args.frames_taken) phase = kPhaseBegin;
  if (phase == kPhaseCapacity && CONTROL.spill_needed <= args.spill_blocks) {
    CONTROL.spill_capacity = args.spill_blocks;
    phase = kPhaseBegin;
  }
  if (phase == kPhaseBegin || phase == kPhaseHeld) phase = until_reached() ? kPhaseHeld : kPhaseBegin;
  CONTROL.phase = phase;
  return phase;
}

// Those that are due, in order; then the length of the step that begins is chosen anew.
void apply_edits() {
  uint first = CONTROL.edits;
  uint step = CONTROL.step;
  uint k = first;
  for (; k < args.edit_count; ++k) {
    Edit edit = edit_buffer.at[k % kEditRing];
    if (edit.step != kNextStep && edit.step > step) break;
    if (edit.kind == kEditMotion) apply_motion(edit);
    if (edit.kind == kEditForce) apply_force(edit);
    if (edit.kind == kEditImpulse || edit.kind == kEditPose) {
      apply_to_state(edit);
    }
    if (edit.kind == kEditGravity) apply_gravity(edit);
    edit_step_buffer.at[k % kEditRing] = step;
  }
  if (k == first) return;
  CONTROL.edits = k;
  // The first step has none before it to outgrow.
  float last = step == 0 ? 1.0 : CONTROL.last_tau;
  choose_step(larger(CONTROL.max_speed, PARAMS.boundary_speed), last);
}

void main() {
  close_all();
  uint phase = due_phase();
  if (phase == kPhaseBegin) {
    apply_edits();
    if (args.edits_wait != 0 && CONTROL.edits == args.edit_count) {
      CONTROL.phase = kPhaseHeld;
      return;
    }
    if (CONTROL.tau < kShortestStep) {
      fail(kFailureStalled);
      return;
    }
    CONTROL.spill_needed = 0;
    open_begin(CONTROL.boundary_dirty != 0);
    if (CONTROL.strays > 0) open_slot(kSlotBeginStrays, 1);
  } else if (phase == kPhaseSolve) {
    open_solve();  // a solve goes on that did not converge in the last tick
  }
}
