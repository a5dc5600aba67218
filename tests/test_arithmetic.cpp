// The arithmetic that all drivers share: certified on both, and as accurate as its header says.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "shaders/shared/arithmetic.h"
#include "tests/gpu.h"

using namespace sluice;
using namespace sluice::tests;

namespace {

// Floats spread evenly over their exponents, in (1e-30, 1e30).
template <typename Test>
void for_magnitudes(Test test) {
  for (std::uint32_t bits = 0x0da24261u; bits < 0x7149f2cau; bits += 4999) test(std::bit_cast<float>(bits));
}

double relative(double found, double expected) { return std::fabs(found / expected - 1); }

bool is_plus_zero(float x) { return std::bit_cast<std::uint32_t>(x) == 0; }

}  // namespace

TEST_CASE("both drivers are certified: a million operations give the processor's bits") {
  for (Gpu* gpu : drivers()) {
    MessageGuard guard(*gpu);
    CHECK(certify_arithmetic(*gpu) == "");
  }
}

TEST_CASE("roots and reciprocals are as accurate as their comments say") {
  double root = 0, inverse_root = 0, inverse = 0;
  for_magnitudes([&](float x) {
    inverse_root = std::max(inverse_root, relative(gpu::rsqrt(x), 1 / std::sqrt(static_cast<double>(x))));
    root = std::max(root, relative(gpu::square_root(x), std::sqrt(static_cast<double>(x))));
    inverse = std::max({inverse, relative(gpu::reciprocal(x), 1.0 / x), relative(gpu::reciprocal(-x), -1.0 / x)});
  });
  CHECK(inverse_root < 2e-7);
  CHECK(inverse_root > 5e-8);  // the sweep meets hard values
  CHECK(root < 2.5e-7);
  CHECK(inverse < 2e-7);
  CHECK(is_plus_zero(0.0f * gpu::rsqrt(0.0f)));
  CHECK(gpu::square_root(0.0f) == 0.0f);
  CHECK(gpu::square_root(1e-31f) == 0.0f);
}

TEST_CASE("quotients are as accurate as their comment says, and tiny ones are zero") {
  Random random;
  double worst = 0;
  for (int k = 0; k < 300000; ++k) {
    const auto operand = [&] {
      return std::bit_cast<float>((random.word() & 0x807fffffu) | ((77u + random.word() % 100) << 23));
    };
    const float a = operand(), b = operand();
    const double expected = static_cast<double>(a) / b;
    // Remainders of quotients near 1e-30 vanish.
    if (std::fabs(expected) > 1e-22 && std::fabs(a) > 1e-20f)
      worst = std::max(worst, relative(gpu::divide(a, b), expected));
  }
  CHECK(worst < 1.2e-7);
  CHECK(worst > 5e-8);
  CHECK(gpu::divide(1.0f, 4.0f) == 0.25f);
  CHECK(gpu::divide(0.0f, -3.0f) == 0.0f);
  CHECK(gpu::divide(1e-31f, 1e-10f) == 0.0f);
}

TEST_CASE("sine and cosine are as accurate as their comment says up to 1e4 radians") {
  double worst = 0;
  for (int k = -400000; k <= 400000; ++k) {
    const float angle = 0.02499f * static_cast<float>(k);
    float s, c;
    gpu::sine_cosine(angle, s, c);
    const double x = angle;
    worst = std::max({worst, std::fabs(s - std::sin(x)), std::fabs(c - std::cos(x))});
  }
  CHECK(worst < 3e-7);
}

TEST_CASE("comparisons give plus zero and pass over a NaN as first argument") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(is_plus_zero(gpu::larger(-0.0f, -0.0f)));
  CHECK(is_plus_zero(gpu::larger(0.0f, -0.0f)));
  CHECK(is_plus_zero(gpu::smaller(-0.0f, 0.0f)));
  CHECK(gpu::larger(nan, 2.0f) == 2.0f);
  CHECK(gpu::smaller(nan, 2.0f) == 2.0f);
  CHECK(gpu::clamped(5.0f, -1.0f, 3.0f) == 3.0f);
  CHECK(gpu::clamped(-5.0f, -1.0f, 3.0f) == -1.0f);
  CHECK(gpu::clamped(nan, -1.0f, 3.0f) == -1.0f);
  CHECK(is_plus_zero(gpu::flush(-9e-31f)));
  CHECK(gpu::flush(-2e-30f) == -2e-30f);
  CHECK(gpu::finite(3e38f));
  CHECK_FALSE(gpu::finite(nan));
  CHECK_FALSE(gpu::finite(-std::numeric_limits<float>::infinity()));
}
