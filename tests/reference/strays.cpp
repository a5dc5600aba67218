#include "tests/reference/strays.h"

#include <algorithm>
#include <numeric>

namespace sluice::reference {

bool left_for_good(const Domain& box, Vec3 x, Vec3 v, Vec3 a, double radius) {
  const auto beyond = [&](double x_axis, double v_axis, double a_axis, double low, double high) {
    if (x_axis - radius > high) return v_axis >= 0 && a_axis >= 0;
    if (x_axis + radius < low) return v_axis <= 0 && a_axis <= 0;
    return false;
  };
  return beyond(x.x, v.x, a.x, box.low.x, box.high.x) || beyond(x.y, v.y, a.y, box.low.y, box.high.y) ||
         beyond(x.z, v.z, a.z, box.low.z, box.high.z);
}

Removal remove_strays(const std::vector<bool>& left) {
  Removal removal;
  removal.order.resize(left.size());
  std::iota(removal.order.begin(), removal.order.end(), 0u);
  removal.stay = static_cast<std::uint32_t>(std::count(left.begin(), left.end(), false));
  std::uint32_t filler = removal.stay;
  for (std::uint32_t gap = 0; gap < removal.stay; ++gap) {
    if (!left[gap]) continue;
    while (left[filler]) ++filler;
    std::swap(removal.order[gap], removal.order[filler++]);
  }
  return removal;
}

}  // namespace sluice::reference
