// Scenes that the method's published iteration counts and pressures can be compared on, y up, spacing 2 cm.
#pragma once

#include <vector>

#include "sluice/scene.h"

namespace sluice::reference {

// Fluid at ((i + 1) h, (j + 1) h, (k + 1) h), i and k < `columns`, j < `layers`; walls of one layer on the same lattice
// at 0 and (columns + 1) h, with a floor at 0 and an open top. Viscosity in m^2/s; steps of 1 ms; robust mode.
Scene water_column(int columns, int layers, double viscosity);

// Two balls of `diameter` h that fly at each other head on, each at `speed` m/s, without gravity or walls. The right
// one has half the density.
Scene colliding_balls(int diameter, double speed);

// min(1.2, gamma / sum W) over all of `positions` (in h), each sample itself included [PT23 eq. 3.2].
std::vector<double> boundary_weights(const std::vector<Vec3>& positions, double gamma);

// The settings of the paper as printed: nu 0.5, unsquared beta, no cap on the corrected overlap.
void use_paper_mode(SolverSettings& solver);

}  // namespace sluice::reference
