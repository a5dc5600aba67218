// What passes are given besides the table of buffers (engine/buffers.def): their own numbers, and buffers that are not of
// a simulation's state. With the table's address 128 bytes at most (engine/passes.h asserts it).
#ifndef SLUICE_ARGS_H
#define SLUICE_ARGS_H
#include "shared/state.h"

BEGIN_SHARED

// A tick may begin a step only before `until`, and goes past a complete frame only if the host has taken it.
struct BeginStepArgs {
  uint edit_count;         // edits that this tick may see, since the start of the run
  uint edits_wait;         // 1: more have no room yet, so no step begins once these are applied
  uint frames_taken;
  uint until_frame;
  float until_time;        // T0 after that frame
  uint spill_blocks;       // of the pool that this tick has
};

// Of a pass that makes keys: where a sort starts from, 0 or half-way through `sort_key` and `sort_value`.
struct KeysArgs {
  uint first;
};

struct ScanRowsArgs {
  uint coupled_capacity;   // fluid particles that the lists next to bodies have room for
};

struct MoveSamplesArgs {
  uint predicted;          // 1: v*; 0: the displacement by the solver's forces
};

// Sorts, and what they serve, have arrays by address: one set after the other, a benchmark's, a test's.
struct SortCountArgs {
  REF(uint) count;       // of keys, on the device
  REF(uint) keys;
  REF(uint) counts;      // [digit][block]
  uint shift, digits;    // digits = 1 << bits of this pass
};

struct SortSpineArgs {
  REF(uint) count;
  REF(uint) counts;
  REF(uint) totals;      // [digit]
};

struct SortScatterArgs {
  REF(uint) count;
  REF(uint) keys;
  REF(uint) values;
  REF(uint) counts;
  REF(uint) totals;
  REF(uint) sorted_keys;
  REF(uint) sorted_values;
  uint shift, digits;
};

struct ClearCellsArgs {
  REF(uvec2) cells;
  uint count;
};

struct CellRangesArgs {
  REF(uint) count;
  REF(uint) keys;
  REF(uvec2) cells;      // first and end index of each cell
};

struct ReportContactsArgs {
  REF(ContactShare) shares;  // in any order
  REF(uint) count;           // of shares, those included for which there was no room
  uint capacity;
};

struct DrawFluidArgs {
  REF(DrawUnits) units;
  REF(DrawnHeader) header;
  REF(vec4) drawn_position;       // by id: m from the origin; w: Pa
  REF(vec4) drawn_velocity;       // m/s; w: speed
  REF(float) drawn_density;       // kg/m^3
  REF(float) earlier_density;     // of the other side, for a step that has no densities yet
  uint ids;                       // particles at the start of the run
};

struct DrawBodiesArgs {
  REF(DrawUnits) units;
  REF(vec4) transforms;           // three rows a body: rigid ones, then boundaries
};

struct DrawSamplesArgs {
  REF(DrawUnits) units;
  REF(uint) place;                // among drawn samples, which have no padding; kNoBody for that
  REF(vec4) drawn_position;       // m from the origin; w: Pa
  REF(vec4) drawn_friction;       // N; w: share of the friction cone that is used
  REF(vec4) earlier_position;     // w is taken from here while a solve goes on
  REF(vec4) earlier_friction;
};

struct ProbeArgs {
  REF(uvec4) operands;
  REF(uint) result;        // kProbeWords a thread
  uint count;
};

END_SHARED
#endif
