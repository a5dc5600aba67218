// The push constants of every pass, in step order; 128 bytes at most (engine/passes.cpp asserts it).
#ifndef SLUICE_ARGS_H
#define SLUICE_ARGS_H
#include "shared/state.h"

BEGIN_SHARED

// What every pass over neighbours reads: positions of both sets and the rows between them.
struct Neighbors {
  REF(uvec4) position;   // x, y, z fixed point; w: pressure, float bits
  REF(uvec4) boundary;   // x, y, z fixed point; w: weight | body << 16
  REF(uvec4) samples;    // of rigid bodies, body by body: x, y, z fixed point; w: weight << 20 | body, or kNoBody
  REF(uvec2) head;       // counts, first spill block
  REF(Page) pages;
  REF(uint) spill;
};

// Those of a pass that does not visit boundaries.
struct FluidNeighbors {
  REF(uvec4) position;
  REF(uvec4) samples;
  REF(uvec2) head;
  REF(Page) pages;
  REF(uint) spill;
};

struct GateArgs {
  REF(Params) params;
  REF(Control) control;
};

// A tick may begin a step only before `until`, and goes past a complete frame only if the host has taken it.
struct BeginStepArgs {
  REF(Params) params;
  REF(Control) control;
  REF(BodyState) bodies;
  REF(RigidState) states;
  REF(RigidBody) rigid;
  REF(Edit) edits;         // ring of kEditRing
  REF(uint) edit_steps;    // the steps after which they were applied
  uint edit_count;         // edits that this tick may see, since the start of the run
  uint edits_wait;         // 1: more have no room yet, so no step begins once these are applied
  uint frames_taken;
  uint until_frame;
  float until_time;        // T0 after that frame
  uint spill_blocks;       // of the pool that this tick has
};

// Particles that have left the domain for good, and those that take their places.
struct ListStraysArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) position, low, velocity;
  REF(StepPartial) partials;   // of the last step
  REF(RigidState) states;
  REF(RigidBody) bodies;
  REF(uint) gaps;              // indices of strays, ascending
  REF(uint) fillers;           // indices of the particles that stay and lie behind the new count
};

struct RemoveStraysArgs {
  REF(Control) control;
  REF(uint) gaps;
  REF(uint) fillers;
  REF(uvec4) position, low, velocity;
};

struct BeginBodiesArgs {
  REF(Params) params;
  REF(RigidState) states;
  REF(RigidBody) bodies;
  REF(RigidStep) steps;
  REF(BodyState) boundaries;
};

struct PlaceSamplesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(Chunk) chunks;
  REF(vec4) shapes;      // place in the body's frame, h; w: V0
  REF(RigidState) states;
  REF(RigidBody) bodies;
  REF(uvec4) samples;
  REF(vec4) velocity;
  REF(uint) last_keys;   // by which they were sorted last
  REF(uint) keys;
  REF(uint) values;
};

struct GatherSamplesArgs {
  REF(Control) control;
  REF(Chunk) chunks;
  REF(uint) order;
  REF(uvec4) samples;
  REF(uvec4) sorted_samples;  // w: index of the sample, and flags: kPadding and after
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
  REF(uvec2) sample_cells;
  REF(uvec4) sorted_samples;
  REF(uint) group_spills;   // blocks each workgroup needs; those of samples follow those of fluid
  REF(uint) group_coupled;  // fluid particles with rigid neighbours
  Neighbors neighbors;
};

struct NearChunksArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec2) cells;
  REF(uvec2) boundary_cells;
  REF(uvec2) sample_cells;
  REF(uvec4) samples;
  REF(uvec4) sorted_samples;
  REF(Chunk) chunks;
};

struct BuildSampleRowsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec2) cells;
  REF(uvec2) boundary_cells;
  REF(uvec2) sample_cells;
  REF(uvec4) sorted_samples;
  REF(Chunk) chunks;
  REF(SampleSolve) solve;
  REF(uint) group_spills;
  Neighbors neighbors;
};

struct CountContactsArgs {
  REF(Params) params;
  REF(uvec2) parts;        // first chunk, number of chunks
  REF(Chunk) chunks;
  REF(uint) part_chunks;   // contact chunks of each part
};

struct ScanRowsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) group_spills, group_coupled;
  REF(uint) part_chunks;   // turns into the number before each part; one entry more than parts
  uint coupled_capacity;   // fluid particles that the lists next to bodies have room for
};

struct ListCoupledArgs {
  REF(Control) control;
  REF(uvec2) head;
  REF(uint) group_coupled;
  REF(uint) coupled_particles;  // in ascending order
  REF(uint) coupled_index;      // of a particle among them
};

struct ListContactsArgs {
  REF(Control) control;
  REF(Chunk) chunks;
  REF(uint) part_chunks;
  REF(uint) contact_samples;    // by part in ascending order, then kNoBody up to whole chunks
};

struct VolumesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(vec4) acceleration;  // w: V0 / V
  REF(vec4) wall;          // sum of w_b grad W_ib
  REF(RigidStep) steps;
  Neighbors neighbors;
};

struct SampleVolumesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(Chunk) chunks;
  REF(uint) contact_samples;
  REF(vec4) shapes;
  REF(RigidStep) steps;
  REF(vec4) velocity;      // w: V at t
  REF(SampleRow) rows;
  REF(uvec4) low;
  REF(RigidSum) partials;
  Neighbors neighbors;
};

struct SumPartsArgs {
  REF(Params) params;
  REF(uint) part_chunks;   // contact chunks before each part
  REF(RigidSum) partials;  // of contact chunks, in their order
  REF(RigidSum) sums;      // of parts
};

struct LimitDragArgs {
  REF(Params) params;
  REF(Control) control;
  REF(RigidBody) bodies;
  REF(RigidStep) steps;
  REF(RigidSum) sums;
};

struct SampleDragArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) contact_samples;
  REF(RigidStep) steps;
  REF(vec4) velocity;
  REF(uvec4) fluid_velocity;
  REF(uvec4) low;
  REF(RigidSum) partials;
  Neighbors neighbors;
};

struct PredictBodiesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(RigidState) states;
  REF(RigidBody) bodies;
  REF(RigidStep) steps;
  REF(RigidSum) sums;
  REF(RigidSum) drag;      // [body]
  REF(RigidSum) solved;    // [body]; none yet
};

struct MoveSamplesArgs {
  REF(Control) control;
  REF(uint) contact_samples;
  REF(uvec4) samples;
  REF(RigidStep) steps;
  REF(vec4) velocity;
  uint predicted;          // 1: v*; 0: the displacement by the solver's forces
};

struct SampleDiagonalsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) contact_samples;
  REF(RigidStep) steps;
  REF(vec4) velocity;
  REF(BodyState) bodies;
  REF(SampleRow) rows;
  REF(SampleSolve) solve;
  REF(vec4) load;          // lambda / S; w: V0^2 p
  REF(uint) crowded;       // samples whose rows touch many bodies, in any order
  Neighbors neighbors;
};

struct CoupledDiagonalsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) coupled_particles;
  REF(CoupledRow) coupled;
  REF(RigidStep) steps;
  Neighbors neighbors;
};

struct SampleForcesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) contact_samples;
  REF(RigidStep) steps;
  REF(SampleRow) rows;
  REF(SampleSolve) solve;
  REF(vec4) load;
  REF(RigidSum) partials;
  Neighbors neighbors;
};

struct SolveBodiesArgs {
  REF(Params) params;
  REF(RigidBody) bodies;
  REF(RigidStep) steps;
  REF(RigidSum) parts;
  REF(RigidSum) sums;      // [body]
  REF(uint) touching;      // [body]: active rows that move it
};

struct SampleErrorsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) contact_samples;
  REF(RigidStep) steps;
  REF(SampleRow) rows;
  REF(SampleSolve) solve;
  REF(vec4) velocity;
  REF(uint) touching;
  Neighbors neighbors;
};

struct SolveCoupledArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) coupled_particles;
  REF(CoupledRow) coupled;
  REF(RigidStep) steps;
  REF(uint) touching;
  REF(vec4) solve;
  REF(SolvePartial) partials;
  Neighbors neighbors;
};

struct CrowdedDiagonalsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) crowded;
  REF(RigidStep) steps;
  REF(SampleRow) rows;
  REF(SampleSolve) solve;
  REF(vec4) velocity;
  REF(uint) touching;
  Neighbors neighbors;
};

struct SolveContactsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) contact_samples;
  REF(SampleRow) rows;
  REF(SampleSolve) solve;
  REF(vec4) velocity;
  REF(uint) touching;
  REF(ContactPartial) partials;
  Neighbors neighbors;
};

struct UpdateContactsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) contact_samples;
  REF(uvec4) samples;
  REF(SampleRow) rows;
  REF(SampleSolve) solve;
  REF(vec4) load;
};

struct IntegrateBodiesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(RigidState) states;
  REF(RigidBody) bodies;
  REF(RigidStep) steps;
  REF(RigidSum) sums;
  REF(RigidSum) drag;
  REF(StepPartial) partials;
};

struct ForcesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uvec4) low;
  REF(uvec4) velocity;
  REF(BodyState) bodies;
  REF(vec4) acceleration;  // xyz: v*
  REF(vec4) wall_forces;   // [group]: viscous force on the boundaries
  REF(RigidStep) steps;
  REF(vec4) sample_velocity;
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
  REF(vec4) solve;         // source, the fluid's part of the diagonal, s, p of the projected Jacobi step
  REF(vec4) sample_velocity;  // v*
  REF(RigidStep) steps;
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
  REF(vec4) sample_velocity;  // displacement by the solver's forces
  REF(uint) coupled_index;
  REF(CoupledRow) coupled;
  REF(uint) touching;
  REF(RigidStep) steps;
  FluidNeighbors neighbors;
};

struct SolveStepArgs {
  REF(Params) params;
  REF(Control) control;
  REF(SolvePartial) partials;          // of all fluid particles but the coupled ones
  REF(SolvePartial) coupled_partials;
  REF(ContactPartial) contact_partials;
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

struct ReportContactsArgs {
  REF(Params) params;
  REF(Control) control;
  REF(uint) contact_samples;
  REF(RigidStep) steps;
  REF(SampleRow) rows;
  REF(SampleSolve) solve;
  REF(ContactShare) shares;  // in any order
  REF(uint) count;           // of shares, those included for which there was no room
  Neighbors neighbors;
  uint capacity;
};

struct DrawFluidArgs {
  REF(Params) params;
  REF(Control) control;
  REF(DrawUnits) units;
  REF(uvec4) position, low, velocity;
  REF(uvec4) sorted_low, sorted_velocity;  // w: material and id, in the order of `acceleration`
  REF(vec4) acceleration;         // w: V0 / V
  REF(DrawnHeader) header;
  REF(vec4) drawn_position;       // by id: m from the origin; w: Pa
  REF(vec4) drawn_velocity;       // m/s; w: speed
  REF(float) drawn_density;       // kg/m^3
  REF(float) earlier_density;     // of the other side, for a step that has no densities yet
  uint ids;                       // particles at the start of the run
};

struct DrawBodiesArgs {
  REF(Params) params;
  REF(DrawUnits) units;
  REF(RigidState) states;
  REF(BodyState) bodies;
  REF(vec4) transforms;           // three rows a body: rigid ones, then boundaries
};

struct DrawSamplesArgs {
  REF(Params) params;
  REF(Control) control;
  REF(DrawUnits) units;
  REF(Chunk) chunks;
  REF(vec4) shapes;
  REF(RigidState) states;
  REF(RigidBody) bodies;
  REF(SampleRow) rows;
  REF(SampleSolve) solve;
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
