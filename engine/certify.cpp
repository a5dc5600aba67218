// The arithmetic probe: whether a device gives the bits that all certified ones give.
#include <cstdio>

#include "engine/gpu_device.h"
#include "engine/passes.h"
#include "shaders/shared/probe.h"
#include "sluice/sluice.h"

namespace sluice {
namespace {

using namespace gpu;

constexpr std::uint32_t kCases = 1u << 16;  // 16 operations each: about a million

const char* const kNames[kProbeWords] = {
    "a + b",    "a - b",    "a * b",         "a * b + c",    "larger(a, b)",   "smaller(a, b)", "clamped(a, b, c)",
    "floor(a)", "rsqrt(a)", "reciprocal(a)", "divide(b, a)", "square_root(a)", "float(int n)",  "int(a)",
    "sine(a)",  "cosine(a)"};

// PCG-RXS-M-XS 32 [O'Neill 2014]: the same numbers everywhere.
std::uint32_t random_word(std::uint32_t& state) {
  state = state * 747796405u + 2891336453u;
  const std::uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

// Denormals count as zero on input too: the engine's own values are flushed.
float operand(std::uint32_t& state) {
  const std::uint32_t word = random_word(state);
  switch (random_word(state) & 7) {
    case 0:
      return uintBitsToFloat((word & 0x80000000u));  // signed zero
    case 1:
      return static_cast<float>(static_cast<std::int32_t>(word) >> 8) * 0.5f;  // ties of floor
    case 2:
      return uintBitsToFloat((word & 0x807fffffu) | ((28u + (word >> 8 & 7)) << 23));  // about 1e-30: products vanish
    case 3:
      return uintBitsToFloat((word & 0x80000fffu) | (127u << 23));  // near 1: ties of sums
    default:
      return uintBitsToFloat((word & 0x807fffffu) | ((97u + (random_word(state) % 60)) << 23));
  }
}

}  // namespace

std::string certify_arithmetic(Gpu& gpu) {
  vulkan::Device& device = device_of(gpu);
  std::vector<uvec4> operands(kCases);
  std::uint32_t state = 20231;
  for (uvec4& x : operands) {
    x = {floatBitsToUint(operand(state)), floatBitsToUint(operand(state)), floatBitsToUint(operand(state)),
         random_word(state)};
  }
  vulkan::Buffer<uvec4> in(device, kCases);
  vulkan::Buffer<uint> out(device, std::uint64_t{kCases} * kProbeWords);
  vulkan::upload<uvec4>(device, in, operands);
  const std::vector<vulkan::PipelineSource> sources = pipeline_sources(ShaderVariant::strict);
  const auto index = static_cast<std::size_t>(Pass::arithmetic_probe);
  const vulkan::SpecConstant group{kSpecGroupSize, kGroup};
  const vulkan::Pipelines pipelines(device, std::span(&sources[index], 1), std::span(&group, 1), {});
  vulkan::run_once(device, [&](VkCommandBuffer commands) {
    vulkan::Recorder recorder(device, commands, pipelines);
    const ProbeArgs args{in.ptr(), out.ptr(), kCases};
    recorder.dispatch(0, &args, sizeof(args), kCases / kGroup);
  });
  const std::vector<uint> results = vulkan::download(device, out, out.count);
  for (std::uint32_t i = 0; i < kCases; ++i) {
    for (std::uint32_t k = 0; k < kProbeWords; ++k) {
      const float a = uintBitsToFloat(operands[i].x), b = uintBitsToFloat(operands[i].y),
                  c = uintBitsToFloat(operands[i].z);
      const std::uint32_t expected = probe_word(k, a, b, c, operands[i].w);
      const std::uint32_t found = results[std::size_t{i} * kProbeWords + k];
      if (found == expected) continue;
      char text[256];
      std::snprintf(text, sizeof text,
                    "%s differs at a = %.9g, b = %.9g, c = %.9g, n = %u: bits 0x%08x here, 0x%08x expected", kNames[k],
                    a, b, c, operands[i].w, found, expected);
      return text;
    }
  }
  return {};
}

}  // namespace sluice
