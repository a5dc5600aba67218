// Records as they lie in device memory. Solver units: length h, time T0 (the scene's largest step),
// mass rho_ref h^3, so that everything is near 1 whatever the scene's scale.
#ifndef SLUICE_STATE_H
#define SLUICE_STATE_H
#include "shared/constants.h"

BEGIN_SHARED

struct Material {
  float mass;          // of a particle, rho / rho_ref
  float inverse_mass;
  float viscosity;     // dynamic: nu * mass, nu in h^2 / T0
  float padding;
};

// Toroidal cells: the cell index of each axis, deposited into the bits of its mask.
struct Grid {
  uint mask_x, mask_y, mask_z;
  uint cells;          // entries of the start table: all bits of the masks + 1
};

// Constant over a run. Written by the host.
struct Params {
  float gravity_x, gravity_y, gravity_z;  // h / T0^2
  float gravity_length;
  float cfl;                              // h a step
  float viscous_limit;                    // T0; the largest stable step of the explicit viscosity
  float boundary_speed;                   // h / T0; the fastest boundary sample
  float frame_length;                     // T0
  float tolerance_scale;                  // tolerance = max(2e-6, tolerance_scale * tau^2)
  float overlap_speed;                    // h / T0; <= 0: overlaps are corrected in one step
  float relaxation;                       // nu of PT23 eq. 4.4b
  float relaxation_rigid;                 // nu of eq. 4.4a and 4.6
  float gamma;                            // of eq. 3.2
  float warm_start_fluid;                 // share of the last pressure that a solve starts from
  float warm_start_rigid;
  uint paper_mode;                        // 1: beta unsquared and unweighted, s = 0 on restart
  uint nncg;                              // 0: plain projected Jacobi
  uint min_iterations, min_iterations_contact, max_iterations;
  uint mass_splitting;                    // 1: rows share bodies by the number of active rows that touch each
  uint friction_target;                   // 1: eq. 4.8; 0: eq. 4.1b
  uint staggered_friction;                // 1: friction from the velocities before the solve
  uint sample_weights;                    // 0: a rigid sample counts for a fluid particle as one, whatever its V0
  uint last_frame;
  uint boundary_moves;
  uint bodies;
  uint rigid;                             // dynamic bodies
  uint parts;                             // of their samples' sums
  uint sample_row;                        // row of sample 0; fluid particles have those before it
  uint sample_sort_digits;
  uint row_capacity;                      // entries of a row before its spill
  uint page_shift;                        // rows of a page, log2
  uint viscous;                           // 0: no material is viscous
  uint sort_digits, boundary_sort_digits; // of the widest pass of each sort
  uint contact_weights;                   // 1: a solid neighbour counts for a sample by its V0; 0: as one
  uint midpoint_slip;                     // 1: sliding is taken where friction acts; 0: at the samples, eq. 3.21
  float domain_low_x, domain_low_y, domain_low_z;     // h from the device's origin; what leaves it for good is taken out
  float domain_high_x, domain_high_y, domain_high_z;
  float step_low_x, step_low_y, step_low_z;           // likewise; what leaves this one for good no longer limits the step
  float step_high_x, step_high_y, step_high_z;
  float load_sharing;                     // share of a sample's diagonals that is its compliance; 0: none, as printed
  float contact_time_squared;             // T0^2; pressure's compliance is no less than in a step of this length
  uint own_friction;                      // 1: a sample's coefficient is its own body's; 0: its contacts', pair by pair
  uint round;                             // 1: some rigid body is one of revolution (RigidBody::round_axis)
  uint fixed_rows;                        // 1: samples of bodies that cannot move have rows; 0: only those of others
  uint carriers;                          // boundaries with row carriers: bodies behind the rigid ones
  uint restitution;                       // 1: some bodies rebound
  uint padding0, padding1, padding2;
  Grid grid;
  Grid boundary_grid;
  Grid sample_grid;
  Material materials[kMaxMaterials];
  // Coefficients by classes of bodies, a whole row after the other; < 0: has none. Uniforms hold no arrays of floats.
  vec4 pair_friction[kFrictionClasses * kFrictionClasses / 4];
  vec4 pair_restitution[kFrictionClasses * kFrictionClasses / 4];
};

// What the device decides: phase, time, counts, the state of the solve. `dispatches` are the indirect
// arguments of every gated dispatch (x, y, z groups).
struct Control {
  uint phase;
  uint failure;
  uint step;                // completed steps
  uint frame;               // completed frames
  uint particles;
  uint boundary_particles;
  uint samples;             // of rigid bodies, padding included
  uint contact_chunks;      // of kChunk samples with foreign neighbours, of one part each
  uint coupled;             // fluid particles with rigid neighbours
  uint contacts;            // samples with a foreign rigid or boundary neighbour
  uint boundary_dirty;      // 1: boundary samples must be placed and sorted
  uint samples_moved;       // 1: a rigid sample has another cell than when they were sorted last
  uint edits;               // of the host, applied so far
  uint spill_capacity;      // blocks of the pool
  uint spill_needed;
  float tau;                // this step, T0
  float last_tau;           // the step that made the stored pressures
  float frame_time;         // T0 since the last frame, and the part that a float cannot hold
  float frame_time_low;
  uint limit;               // kLimit...
  float tau_limit;          // largest step that CFL, viscosity and growth allow
  uint iteration;
  float tolerance;
  float residual;
  float residual_friction;
  float norm;               // of the last step's residual vector (solver norm)
  float beta;
  float best_residual;
  uint best_iteration;
  uint save_best;           // this iterate is the best so far: keep it
  uint restore_best;        // the cap is reached: end with the best iterate
  uint active_rows;
  float max_speed;
  uint crowded;             // samples whose rows touch more bodies than their records hold
  uint gaps;                // places among the others that strays leave
  uint strays;              // particles and bodies that the last step found to have left the domain for good
  uint lost_particles;      // taken out since the start
  uint lost_bodies;         // held where they left since the start
  float lost_mass;          // rho_ref h^3, of both
  float lost_weight;        // the same, as gravity sees it
  float lost_momentum_x, lost_momentum_y, lost_momentum_z;  // rho_ref h^4 / T0, as they left
  float last_limit;         // tau_limit of the last completed step, or 1
  uvec4 dispatches[kSlotCount];
};

// One record a step, in a ring that the host reads.
struct Status {
  uint step, frame, phase, failure;
  float frame_time;         // T0 after this step, within its frame
  float tau, tau_limit;
  uint limit;
  uint iterations;
  uint active_rows;
  uint contacts;
  float residual, residual_friction, tolerance;
  float density_error_avg, density_error_max;  // max(0, V0/V - 1)
  float kinetic_energy;                        // rho_ref h^5 / T0^2
  float max_speed;                             // h / T0
  float mass_moment_x, mass_moment_y, mass_moment_z;       // sum m x, rho_ref h^4, from the device's origin
  float momentum_x, momentum_y, momentum_z;                // rho_ref h^4 / T0
  float wall_force_x, wall_force_y, wall_force_z;          // on all boundaries, rho_ref h^4 / T0^2
  uint lost_particles, lost_bodies;                        // as Control has them
  float lost_mass, lost_weight;
  float lost_momentum_x, lost_momentum_y, lost_momentum_z;
};

// A kinematic body's pose and motion.
struct BodyState {
  uvec4 position;   // fixed point; w: friction class
  uvec4 low;        // low words; w: packed wraps
  vec4 orientation; // quaternion x, y, z, w
  vec4 velocity;    // h / T0; w: 1 if it moves
  vec4 spin;        // rad / T0; w: friction, < 0: the other body's counts
  vec4 sample_orientation;  // of its samples: as RigidState has it
  vec4 round_axis, round_center;  // as those of a RigidBody; from `position`; w of the centre: restitution
  // Written as a step begins: how it turns in that step of length dt. A point at p from `position` moves by
  // dt (velocity + spin x (x p + y spin x p)); z: 2 / dt.
  vec4 chord;
  vec4 sample_turn;  // by which the samples of one with a round axis turn in that step, unit quaternion
};

// A rigid body between steps. Angular momentum is state: without a torque it does not change at all.
struct RigidState {
  uvec4 position;          // of the centre of mass, fixed point; w unused
  uvec4 low;               // low words; w: packed wraps
  vec4 orientation;        // body to world
  vec4 velocity;           // h / T0; w: 1 if it left the domain and is held
  vec4 spin;               // rad / T0
  vec4 angular_momentum;   // about the centre of mass, rho_ref h^5 / T0
  vec4 sample_orientation;  // of its samples, which leave out a round body's turn about its axis; else `orientation`
};

// What does not change. Symmetric tensors lie as their diagonal and (xy, xz, yz), in the body's frame.
struct RigidBody {
  vec4 inverse_mass;       // along the world's axes, 0 where it is held; w: mass
  vec4 inertia_diagonal;   // rho_ref h^5; w: gravity scale
  vec4 inertia_mixed;      // w: distance of the farthest sample from the centre of mass, h
  vec4 inverse_diagonal;   // of the inverse inertia; w: friction
  vec4 inverse_mixed;      // w: kTurn...
  vec4 force;              // rho_ref h^4 / T0^2; w: restitution
  vec4 torque;             // rho_ref h^5 / T0^2; w: friction class
  vec4 axis;               // world, unit; of a body that turns about it only; w: 1 / the least moment of inertia
  vec4 round_axis;         // of revolution, unit, in the body's frame; w: kRound...
  vec4 round_center;       // a point of that axis, or the ball's centre, from the centre of mass, body frame, h
  uint first_part, parts;  // of the sums over its samples
  uint first_chunk, chunks;
  uint boundary;           // whose carriers it has, if it stands for one
  uint padding0, padding1, padding2;
};
FLOAT_CONSTANT kRoundNone = 0.0f;
FLOAT_CONSTANT kRoundAxis = 1.0f;
FLOAT_CONSTANT kRoundBall = 2.0f;
FLOAT_CONSTANT kTurnFree = 0.0f;
FLOAT_CONSTANT kTurnAxis = 1.0f;
FLOAT_CONSTANT kTurnNone = 2.0f;

// How often a solid neighbour's V0 counts in a sample's volume error. Counted once, the lone layer of samples that a
// body or wall is lets others come to 0.749-0.757 h, as their lattices interlock; counted twice, to 1.000-1.001 h: as
// near as fluid, at any offset, and 1.45 times as stiff. So samples h/2 inside a surface make everything meet where it
// is drawn.
FLOAT_CONSTANT kContactWeight = 2.0f;

// The compliance of a pressure row falls with the load, so that what it gives way by, a volume error, grows with the
// pressure up to about this and then as its fourth root: under 10^4 times their own weight bodies sink in by 0.02 h,
// not by 10 h.
FLOAT_CONSTANT kElasticError = 0.0015f;

// Bodies part at this share of the speed at which fluid expands: what parts bodies stays as their speed, and a pile adds
// it up; fluid that is to resist an impact on a wall must expand at once.
FLOAT_CONSTANT kRigidOverlapShare = 0.1f;

// A body in the step that is being computed.
struct RigidStep {
  uvec4 center;            // fixed point; w: friction class
  vec4 inverse_mass;       // w: friction
  vec4 inverse_diagonal;   // of the inverse inertia in world axes; w: 1 / the least moment of inertia
  vec4 inverse_mixed;      // w: restitution
  vec4 velocity;           // at t, then v*; w: drag scale
  vec4 spin;               // at t, then omega*; w: samples in contact
  vec4 shift;              // displacement by the solver's forces, h
  vec4 turn;               // rotation by them, rad
  vec4 round_center;       // of a round body: from `center`, world axes
  vec4 round_axis;         // world; w: kRound...
};

// Sums over a chunk, a part, a body. w of the forces: contacts, drag.
struct RigidSum {
  vec4 contact_force, contact_torque;  // w: contacts, -
  vec4 fluid_force, fluid_torque;      // w: drag, -
};

// 16 samples of a body, the last ones perhaps missing.
struct Chunk {
  uint body;
  uint first;              // in the shape table
  uint count;
  uint body_first, body_count;  // samples of the whole body, padding included
  uint near;               // 1, this step: another body, fluid or a boundary may be within reach of its samples
  uint contact;            // a bit a sample, last step or this one: it has foreign neighbours; else its unknowns are 0
  uint part;
  uint contacts_before;    // samples of its part, before it, with foreign neighbours
  uint kind;               // kChunk...
};

// What a sample's rows are made of; constant within a solve. With G the weighted sum of grad W over its contacts and
// S the sum of W:
struct SampleRow {
  vec4 contact;   // G; w: sum of the weights by which contacts count in its sliding
  vec4 arm;       // from the sample to the point where its own friction acts; w: 1 / S [PT23 eq. 3.23]
  vec4 slide;     // sliding by v*, dt v_rel [eq. 3.21]; w: V_err by v* without the overlap [eq. 3.10]
  uvec4 body;     // bodies that the rows move: its own, then others; kNoBody, kManyBodies
  vec4 pressure;  // their parts of dV_err / dp
  vec4 friction;  // their parts of 1/3 tr dv_tang / dlambda
  vec4 volume;    // V0; radius of the friction cone for p = 1; 1 / V0 or 1, times which a neighbour's weight counts;
                  // compliance of the pressure without load
  vec4 turning;   // sum of the moments of G's parts about the own body's centre of mass, where they act; w: 1 - V0/V
  vec4 toward;    // direction of the normal force by all of grad W, before lib/round.glsl takes parts away
  vec4 face;      // normal of the face that it meets, to which friction is tangential; zero without a row
};
// The bodies' parts of a fluid particle's diagonal.
struct CoupledRow {
  uvec4 body;
  vec4 pressure;
};

// A sample's unknowns: xyz: lambda, w: p.
struct SampleSolve {
  vec4 value;
  vec4 next;       // of the projected Jacobi step; before it, of a crowded row: its diagonals
  vec4 direction;  // s
  vec4 best;
  vec4 error;      // v_tang dt, V_err
  vec4 slip;       // what the sample has slipped since it sticks, h
};

// Sums of a workgroup, in one fixed tree.
struct SolvePartial {
  float residual, norm;
  float active_rows, bad;  // counts of a workgroup: exact
};
struct ContactPartial {
  float residual, norm, active_rows, bad;
  float friction_residual, friction_norm, friction_rows, padding;
};
struct StepPartial {
  float kinetic_energy, max_speed, density_error, density_error_max;
  float mass_moment_x, mass_moment_y, mass_moment_z, padding0;
  float momentum_x, momentum_y, momentum_z, padding1;
  float wall_force_x, wall_force_y, wall_force_z;
  float strays;  // a count: exact
};

// A partner's part of what the row of a sample put on its body in the last solve, for the host to add up.
struct ContactShare {
  uint row;      // whose sample it is
  uint body;     // rigid, that sample's
  uint partner;  // rigid body, or kBoundaryPartner + boundary
  uint padding;
  vec4 point;     // where it acts, from the body's centre, h; w: -
  vec4 pressure;  // on the body, dt^2 F
  vec4 friction;
};

// A change that the host asks for; applied as a step begins, in the order of the calls.
struct Edit {
  uint kind;                // kEdit...
  uint body;                // kinematic for a motion, else rigid
  uint step;                // completed steps when it is due, or kNextStep
  float number;             // motion: the fastest boundary sample, h / T0; gravity: Params::tolerance_scale
  uvec4 position, low;      // pose
  vec4 a;                   // velocity; force; impulse; orientation; gravity, w its length
  vec4 b;                   // spin; torque; angular impulse
};

// Drawn state: what a renderer reads, in SI units. How to get there from solver units:
struct DrawUnits {
  uvec4 origin;             // fixed point; what is drawn is relative to it
  uvec4 origin_wraps;
  float spacing;            // h, m
  float velocity;           // m/s
  float density;            // kg/m^3
  float pressure;           // rho_ref h^2 / T0^2, Pa
  float force;              // N
  float time;               // s
  float frame_interval;     // s
  float padding;
};
// `points` and `quads` are VkDrawIndirectCommands: a point, or four vertices, a particle.
struct DrawnHeader {
  uint points[4];
  uint quads[4];
  uint step, frame;         // completed
  float frame_time;         // s since that frame
  float time;               // s since the start
  uint particles, samples, rigid_bodies, boundary_bodies;
};

DECLARE_REF(Params, 16)
DECLARE_REF(Control, 16)
DECLARE_REF(Status, 4)
DECLARE_REF(BodyState, 16)
DECLARE_REF(RigidState, 16)
DECLARE_REF(RigidBody, 16)
DECLARE_REF(RigidStep, 16)
DECLARE_REF(RigidSum, 16)
DECLARE_REF(Chunk, 4)
DECLARE_REF(SampleRow, 16)
DECLARE_REF(CoupledRow, 16)
DECLARE_REF(SampleSolve, 16)
DECLARE_REF(ContactPartial, 16)
DECLARE_REF(SolvePartial, 16)
DECLARE_REF(StepPartial, 16)
DECLARE_REF(ContactShare, 16)
DECLARE_REF(Edit, 16)
DECLARE_REF(DrawUnits, 16)
DECLARE_REF(DrawnHeader, 16)

// A table of pages; rows are reached page by page so that no index exceeds 32 bits. An entry is an
// address in two words: SwiftShader cannot load a reference from memory.
struct Page {
  uvec2 address;
};
DECLARE_REF(Page, 8)

END_SHARED
#endif
