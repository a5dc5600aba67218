#include "host/io/round_sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "host/io/rotation.h"
#include "host/io/surface_sampling.h"

namespace sluice::io {

std::vector<Vec3> sample_capsule(double radius, double height, double h) {
  constexpr double kPi = 3.14159265358979323846;
  constexpr std::uint32_t kGolden = 2654435769u;  // 2^32 over the golden section
  constexpr double kPole = 0.46;                  // of a sample's share, between a pole and the first: 0.5 leaves holes
  const double length = height + 2 * radius, expected = std::round(2 * kPi * radius * length / (h * h));
  if (!(expected < kMaxParticles))
    throw Error("the shape would have more than 268 million samples; use a larger particleSpacing or smaller lengths");
  const auto count = static_cast<std::uint32_t>(std::max(expected, 4.0));
  std::vector<Vec3> samples;
  samples.reserve(count);
  for (std::uint32_t k = 0; k < count; ++k) {
    const double y = (2 * (k + kPole) / (count - 1 + 2 * kPole) - 1) * 0.5 * length;
    const double above = std::max(std::abs(y) - 0.5 * height, 0.0);  // the centre of the nearer cap
    const double around = std::sqrt(std::max(radius * radius - above * above, 0.0));
    const auto [sine, cosine] = sine_cosine(360.0 * ((k * kGolden) / 4294967296.0));
    samples.push_back({around * cosine, y, around * sine});
  }
  return samples;
}

}  // namespace sluice::io
