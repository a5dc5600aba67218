// Scenes of rigid bodies whose motion is known, or whose iteration counts can be compared: y up, spacing 2 cm, steps of
// 1 ms, kappa such that the tolerance is 1e-5. Bodies are lattices of samples on the surface of a box; a box of n
// samples an edge is a solid of (n - 1) h an edge for its mass and inertia. Floors are single layers of samples.
// Gaps are between sample planes.
#pragma once

#include <vector>

#include "sluice/scene.h"

namespace sluice::reference {

struct BoxSamples {
  int x = 6, y = 6, z = 6;  // samples an edge, >= 2
};

// Gaps at which a box rests, in h, by lattice sums.
struct RestGaps {
  double floor;  // on a floor or on a larger box; as printed by its corners
  double box;    // on an aligned box of its own size
};
inline constexpr RestGaps kRestGaps{1.0, 1.0};
inline constexpr RestGaps kPaperRestGaps{0.816, 0.757};  // where solid neighbours count as one

// Samples with the rest volumes of eq. 3.2, gamma 0.7.
RigidShape box_shape(BoxSamples samples);
// Of the solid box of `samples`, at `position_in_h`; the body's shape is added to the scene unless it is there.
RigidBody& add_box(Scene& scene, BoxSamples samples, double density, Vec3 position_in_h);
// Samples (i - (nx - 1) / 2) h, turned by `degrees` about y, around `center_in_h`.
void add_floor(Scene& scene, int nx, int nz, Vec3 center_in_h, double degrees = 0);

// A box of 1000 kg/m^3 on a floor of 90 x 90 samples; gravity leans by `slope` degrees, so that down is +x. The floor's
// lattice is turned, because two aligned lattices interlock.
Scene incline(double friction, BoxSamples samples = {11, 6, 11}, double lattice_degrees = 20, double slope = 30,
              RestGaps gaps = kRestGaps);

// A cube of 1000 kg/m^3 above a floor and one of 10^6 above that, each one h over where it comes to rest.
Scene mass_ratio(RestGaps gaps = kRestGaps);

// Boxes of 1000 kg/m^3 on each other; box k is off by amplitude ((7919 k mod 13) / 6 - 1) h in x, half of it in z.
Scene stack(int count = 8, double amplitude = 0, RestGaps gaps = kRestGaps);

// water_column(8, layers, 0.01) under a box of 4 x 4 x 4 samples, 500 kg/m^3, that starts one h above the water.
Scene pillar_with_box(int layers);

// Two free boxes that hit each other without gravity, one spinning, the second of twice the density.
Scene rigid_collision(BoxSamples samples);

// A box of 9 x 5 x 9 samples that falls on a floor from `drop` h above where it rests, tilted by `tilt` degrees about
// x.
Scene rigid_drop(double drop, double lattice_degrees = 0, double tilt = 0);

// side x side cubes of 4 samples an edge, 5 h apart, each 100 times as heavy as the plate of four layers of samples
// that carries them; up to 2000 iterations a step.
Scene loaded_plate(int side = 5, RestGaps gaps = kRestGaps);

// The solver as printed: nu 0.5, own-body contact counts, eq. 4.8, unsquared beta, no cap on the corrected overlap.
// Contacts count as printed: build the scene with kPaperRestGaps.
void use_paper_rigid_mode(SolverSettings& solver);
Scene in_paper_mode(Scene scene);

}  // namespace sluice::reference
