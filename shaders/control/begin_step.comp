#version 460
#extension GL_GOOGLE_include_directive : require
// Opens the begin-of-step passes if a step is due; a closed gate makes the rest of a tick cost nothing.
#include "lib/edits.glsl"
#include "lib/gates.glsl"

layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push { BeginStepArgs args; };

// A thousandth of a step before it counts as reached, as the ends of frames do.
bool until_reached() {
  uint frame = args.control.at[0].frame;
  float remaining = args.until_time - args.control.at[0].frame_time;
  return frame > args.until_frame || (frame == args.until_frame && remaining < 0.001 * args.control.at[0].tau);
}

uint due_phase() {
  uint phase = args.control.at[0].phase;
  if (phase == kPhaseFrame && args.control.at[0].frame <= args.frames_taken) phase = kPhaseBegin;
  if (phase == kPhaseCapacity && args.control.at[0].spill_needed <= args.spill_blocks) {
    args.control.at[0].spill_capacity = args.spill_blocks;
    phase = kPhaseBegin;
  }
  if (phase == kPhaseBegin || phase == kPhaseHeld) phase = until_reached() ? kPhaseHeld : kPhaseBegin;
  args.control.at[0].phase = phase;
  return phase;
}

// Those that are due, in order; then the length of the step that begins is chosen anew.
void apply_edits() {
  uint first = args.control.at[0].edits;
  uint step = args.control.at[0].step;
  uint k = first;
  for (; k < args.edit_count; ++k) {
    Edit edit = args.edits.at[k % kEditRing];
    if (edit.step != kNextStep && edit.step > step) break;
    if (edit.kind == kEditMotion) apply_motion(args.params, args.bodies, edit);
    if (edit.kind == kEditForce) apply_force(args.rigid, edit);
    if (edit.kind == kEditImpulse || edit.kind == kEditPose) {
      apply_to_state(args.control, args.rigid, args.states, edit);
    }
    if (edit.kind == kEditGravity) apply_gravity(args.params, edit);
    args.edit_steps.at[k % kEditRing] = step;
  }
  if (k == first) return;
  args.control.at[0].edits = k;
  // The first step has none before it to outgrow.
  float last = step == 0 ? 1.0 : args.control.at[0].last_tau;
  choose_step(args.params, args.control, larger(args.control.at[0].max_speed, args.params.at[0].boundary_speed), last);
}

void main() {
  close_all(args.control);
  uint phase = due_phase();
  if (phase == kPhaseBegin) {
    apply_edits();
    if (args.edits_wait != 0 && args.control.at[0].edits == args.edit_count) {
      args.control.at[0].phase = kPhaseHeld;
      return;
    }
    if (args.control.at[0].tau < kShortestStep) {
      fail(args.control, kFailureStalled);
      return;
    }
    args.control.at[0].spill_needed = 0;
    open_begin(args.control, args.params, args.control.at[0].boundary_dirty != 0);
    if (args.control.at[0].strays > 0) open_slot(args.control, kSlotBeginStrays, 1);
  } else if (phase == kPhaseSolve) {
    open_solve(args.control, args.params);  // a solve goes on that did not converge in the last tick
  }
}
