// The push constants of every pass, in step order; 128 bytes at most (engine/passes.cpp asserts it).
#ifndef SLUICE_ARGS_H
#define SLUICE_ARGS_H
#include "shared/state.h"

BEGIN_SHARED

// What every pass over neighbours reads: positions of both sets and the rows between them.
struct Neighbors {
  REF(uvec4) position;   // x, y, z fixed point; w: pressure, float bits
  REF(uvec4) boundary;   // x, y, z fixed point; w: weight | body << 16
  REF(uvec2) head;       // counts, first spill block
  REF(Page) pages;
  REF(uint) spill;
};

struct GateArgs {
  REF(Params) params;
  REF(Control) control;
};

struct CellKeysArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) position;
  REF(uint) keys;
  REF(uint) values;
};

struct PlaceBoundaryArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) source;     // static: fixed point; moving: body coordinates in h, float bits; w: weight | body << 16
  REF(BodyState) bodies;
  REF(uvec4) placed;
  REF(uint) keys;
  REF(uint) values;
};

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

struct ReorderArgs {
  REF(Control) control;
  REF(uint) order;
  REF(uvec4) position, low, velocity;
  REF(uvec4) sorted_position, sorted_low, sorted_velocity;
};

struct GatherBoundaryArgs {
  REF(Control) control;
  REF(uint) order;
  REF(uvec4) placed;
  REF(uvec4) boundary;
};

struct BuildRowsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec2) cells;
  REF(uvec2) boundary_cells;
  REF(uint) group_spills;  // blocks each workgroup needs
  Neighbors neighbors;
};

struct SpillScanArgs {
  REF(Control) control;
  REF(uint) group_spills;
};

struct VolumesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(vec4) acceleration;  // w: V0 / V
  REF(vec4) wall;          // sum of w_b grad W_ib
  Neighbors neighbors;
};

struct ForcesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) low;
  REF(uvec4) velocity;
  REF(BodyState) bodies;
  REF(vec4) acceleration;  // xyz: v*
  REF(vec4) wall_forces;   // [group]: viscous force on the boundaries
  Neighbors neighbors;
};

struct DiagonalsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) low;
  REF(uvec4) velocity;     // becomes v*
  REF(BodyState) bodies;
  REF(vec4) acceleration;
  REF(vec4) wall;
  REF(vec4) solve;         // source, diagonal, s, p of the projected Jacobi step
  Neighbors neighbors;
};

struct SolveForcesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) low;
  REF(vec4) acceleration;
  REF(vec4) wall;
  Neighbors neighbors;
};

struct SolveErrorsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(vec4) acceleration;
  REF(vec4) wall;
  REF(vec4) solve;
  REF(SolvePartial) partials;
  Neighbors neighbors;
};

struct SolveStepArgs {
  REF(Params) params;
  REF(Control) control;
  REF(SolvePartial) partials;
};

struct SolveUpdateArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) position;
  REF(vec4) wall;          // w: p of the best iterate
  REF(vec4) solve;
};

struct IntegrateArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) sorted_position, sorted_low, sorted_velocity;
  REF(vec4) acceleration;
  REF(vec4) wall;
  REF(vec4) wall_forces;
  REF(uvec4) position, low, velocity;
  REF(StepPartial) partials;
};

struct MoveBodiesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(BodyState) bodies;
};

struct EndStepArgs {
  REF(Params) params;
  REF(Control) control;
  REF(StepPartial) partials;
  REF(Status) ring;
};

struct ProbeArgs {
  REF(uvec4) operands;
  REF(uint) result;        // kProbeWords a thread
  uint count;
};

END_SHARED
#endif
