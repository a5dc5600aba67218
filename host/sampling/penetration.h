// How deep two drawn solids lie in each other.
#pragma once

#include "host/sampling/safe_start.h"

namespace sluice::io {

// m; not positive if they are apart. Of two convex solids it is the least way by which one must move to be free of the
// other: exact for boxes, wedges, pyramids and spheres, within a thousandth of the solids' size for others. Of a solid
// that is not convex, and of a container, it is the farthest that a drawn point of one lies below the other's surface,
// among its corners and samples; of an open mesh 0.
double penetration(const Scene& scene, const Surface& a, const Surface& b);

}  // namespace sluice::io
