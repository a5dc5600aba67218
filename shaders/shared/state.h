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
  float warm_start;
  uint paper_mode;                        // 1: beta unsquared and unweighted, s = 0 on restart
  uint nncg;                              // 0: plain projected Jacobi
  uint min_iterations, max_iterations;
  uint last_frame;
  uint boundary_moves;
  uint bodies;
  uint row_capacity;                      // entries of a row before its spill
  uint page_shift;                        // rows of a page, log2
  uint viscous;                           // 0: no material is viscous
  uint sort_digits, boundary_sort_digits; // of the widest pass of each sort
  Grid grid;
  Grid boundary_grid;
  Material materials[kMaxMaterials];
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
  uint boundary_dirty;      // 1: boundary samples must be placed and sorted
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
  float norm;               // of the last step's residual vector (solver norm)
  float beta;
  float best_residual;
  uint best_iteration;
  uint save_best;           // this iterate is the best so far: keep it
  uint restore_best;        // the cap is reached: end with the best iterate
  uint active_rows;
  float max_speed;
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
  float residual, tolerance;
  float density_error_avg, density_error_max;  // max(0, V0/V - 1)
  float kinetic_energy;                        // rho_ref h^5 / T0^2
  float max_speed;                             // h / T0
  float mass_moment_x, mass_moment_y, mass_moment_z;       // sum m x, rho_ref h^4, from the device's origin
  float momentum_x, momentum_y, momentum_z;                // rho_ref h^4 / T0
  float wall_force_x, wall_force_y, wall_force_z;          // of the fluid on all boundaries, rho_ref h^4 / T0^2
  uint padding;
};

// A kinematic body's pose and motion.
struct BodyState {
  uvec4 position;   // fixed point; w unused
  uvec4 low;        // low words; w: packed wraps
  vec4 orientation; // quaternion x, y, z, w
  vec4 velocity;    // h / T0; w: 1 if it moves
  vec4 spin;        // rad / T0
};

// Sums of a workgroup, in one fixed tree.
struct SolvePartial {
  float residual, norm;
  float active_rows, bad;  // counts of a workgroup: exact
};
struct StepPartial {
  float kinetic_energy, max_speed, density_error, density_error_max;
  float mass_moment_x, mass_moment_y, mass_moment_z, padding0;
  float momentum_x, momentum_y, momentum_z, padding1;
  float wall_force_x, wall_force_y, wall_force_z, padding2;
};

DECLARE_REF(Params, 16)
DECLARE_REF(Control, 16)
DECLARE_REF(Status, 4)
DECLARE_REF(BodyState, 16)
DECLARE_REF(SolvePartial, 16)
DECLARE_REF(StepPartial, 16)

// A table of pages; rows are reached page by page so that no index exceeds 32 bits. An entry is an
// address in two words: SwiftShader cannot load a reference from memory.
struct Page {
  uvec2 address;
};
DECLARE_REF(Page, 8)

END_SHARED
#endif
