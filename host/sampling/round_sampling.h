// Even samples of bodies of revolution: samples thrown at random leave holes that water passes, and turn wheels off
// their line.
#pragma once

#include <optional>
#include <vector>

#include "host/sampling/inset_sampling.h"
#include "host/scene/scene_file.h"
#include "sluice/scene.h"

namespace sluice::io {

// On a capsule of this radius along y, whose caps' centres are `height` apart; a sphere has height 0. One sample per
// h^2, a spiral at first: the turn from one to the next is the golden section of a circle, and each has the same area,
// that is, the same share of the height. A few steps in which neighbours repel each other then close the holes at the
// poles. Rings would leave rest volumes 17 % apart.
std::vector<Vec3> sample_capsule(double radius, double height, double h);

// Samples of a sphere or a capsule as above; of a cylinder, a cone or a torus in rings about y, at most h apart along
// the profile, whose corners carry one each, and with samples about h apart that begin in one plane through the axis.
// So a cylinder is the same seen from both ends. Nothing for another kind, and for a shape too thin to be round to h.
// on_surface: with an inset of 0.
std::optional<InsetSamples> sample_round(const Shape& shape, bool on_surface, double h);

}  // namespace sluice::io
