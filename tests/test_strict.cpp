// The build step that keeps shaders strict, on shaders compiled here: each forbidden operation is named and rejected.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tools/shader_tool/strict.h"

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;

// A shader whose main body is `body`; r.f, r.v, r.u are floats, vectors and words to read and write.
Words compile(const std::string& body) {
  const fs::path folder = fs::temp_directory_path() / ("sluice_strict_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path source = folder / "shader.comp", output = folder / "shader.spv";
  std::ofstream(source) << "#version 460\n"
                           "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                           "#extension GL_EXT_shader_atomic_float : require\n"
                           "layout(local_size_x = 8) in;\n"
                           "layout(binding = 0, std430) buffer Data { float f[16]; uint u[16]; vec3 v[4]; } r;\n"
                           "void main() {\n  uint i = gl_LocalInvocationIndex;\n  "
                        << body << "\n}\n";
  const std::string command = std::string(SLUICE_GLSLANG) + " -V --target-env vulkan1.3 -o '" + output.string() +
                              "' '" + source.string() + "' > '" + (folder / "log").string() + "' 2>&1";
  const int result = std::system(command.c_str());
  std::ifstream in(output, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
  std::ifstream log(folder / "log");
  const std::string said(std::istreambuf_iterator<char>(log), {});
  fs::remove_all(folder);
  CAPTURE(said);
  REQUIRE(result == 0);
  Words words(bytes.size() / 4);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (int b = 3; b >= 0; --b) words[i] = words[i] << 8 | static_cast<unsigned char>(bytes[4 * i + b]);
  }
  return words;
}

struct Counts {
  std::map<std::uint32_t, int> decorations;  // NoContraction by id
  std::vector<std::uint32_t> operations;     // ids of float sums, differences, products, negations
};

Counts count(const Words& code) {
  Counts counts;
  for (std::size_t i = 5; i < code.size(); i += code[i] >> 16) {
    const std::uint32_t op = code[i] & 0xffff;
    if (op == 71 && code[i + 2] == 42) ++counts.decorations[code[i + 1]];
    if (op == 127 || op == 129 || op == 131 || op == 133 || op == 142) counts.operations.push_back(code[i + 2]);
  }
  return counts;
}

const std::string kGood =
    "vec3 a = r.v[0] * r.f[1] - r.v[1] * r.v[2];\n"
    "  float b = abs(-r.f[2]) + floor(r.f[3]) + trunc(r.f[4]);\n"
    "  float c = r.f[5] > b ? a.x : a.y;\n"
    "  if (c != c || r.f[6] <= 1.0) c = float(int(c)) + uintBitsToFloat(r.u[0]);\n"
    "  for (uint k = 0; k < r.u[1] % 7u; ++k) c += a[k % 3u];\n"
    "  atomicAdd(r.u[2], min(subgroupAdd(r.u[3]) / 3u, 9u));\n"
    "  r.f[i] = c;";

struct Offence {
  std::string what;
  std::string body;
  std::string named;  // in the error
};

}  // namespace

TEST_CASE("operations that drivers may round as they like are rejected and named") {
  const Offence offences[] = {
      {"dot", "r.f[i] = dot(r.v[0], r.v[1]);", "OpDot"},
      {"sqrt", "r.f[i] = sqrt(r.f[0]);", "sqrt"},
      {"inversesqrt", "r.f[i] = inversesqrt(r.f[0]);", "inversesqrt"},
      {"division", "r.f[i] = r.f[0] / r.f[1];", "OpFDiv"},
      {"division of vectors", "r.v[0] = r.v[1] / r.f[1];", "OpFDiv"},
      {"fma", "r.f[i] = fma(r.f[0], r.f[1], r.f[2]);", "fma"},
      {"mix", "r.f[i] = mix(r.f[0], r.f[1], r.f[2]);", "mix"},
      {"min", "r.f[i] = min(r.f[0], r.f[1]);", "min"},
      {"max", "r.v[0] = max(r.v[1], r.v[2]);", "max"},
      {"clamp", "r.f[i] = clamp(r.f[0], 0.0, 1.0);", "clamp"},
      {"mod", "r.f[i] = mod(r.f[0], r.f[1]);", "Op"},
      {"pow", "r.f[i] = pow(r.f[0], r.f[1]);", "GLSL.std.450"},
      {"sin", "r.f[i] = sin(r.f[0]);", "sin"},
      {"length", "r.f[i] = length(r.v[0]);", "length"},
      {"normalize", "r.v[0] = normalize(r.v[1]);", "normalize"},
      {"cross", "r.v[0] = cross(r.v[1], r.v[2]);", "GLSL.std.450"},
      {"fract", "r.f[i] = fract(r.f[0]);", "GLSL.std.450"},
      {"round", "r.f[i] = roundEven(r.f[0]);", "GLSL.std.450"},
      {"a matrix product", "r.v[0] = mat3(r.v[1], r.v[2], r.v[3]) * r.v[0];", "matrix"},
      {"a float sum over the subgroup", "r.f[i] = subgroupAdd(r.f[0]);", "OpGroupNonUniformFAdd"},
      {"a float maximum over the subgroup", "r.f[i] = subgroupMax(r.f[0]);", "OpGroupNonUniformFMax"},
      {"a float atomic", "atomicAdd(r.f[0], 1.0);", "OpAtomicFAdd"},
      {"double precision", "r.f[i] = float(double(r.f[0]) * 3.0lf);", "64 bits"},
      {"half precision by packing", "r.u[0] = packHalf2x16(r.v[0].xy);", "GLSL.std.450"},
      {"unsigned to float", "r.f[i] = float(r.u[0]);", "OpConvertUToF"},
      {"float to unsigned", "r.u[0] = uint(r.f[i]);", "OpConvertFToU"},
      {"isnan", "r.u[0] = isnan(r.f[0]) ? 1 : 0;", "classification"},
  };
  for (const Offence& offence : offences) {
    CAPTURE(offence.what);
    const auto result = sluice::shader_tool::make_strict(compile(offence.body));
    CHECK(result.code.empty());
    REQUIRE_FALSE(result.errors.empty());
    CHECK(result.errors.front().find(offence.named) != std::string::npos);
  }
}

TEST_CASE(
    "a good shader passes and each of its float operations is decorated just once, however often it is processed") {
  const auto once = sluice::shader_tool::make_strict(compile(kGood));
  for (const std::string& error : once.errors) MESSAGE(error);
  REQUIRE(once.errors.empty());
  const Counts counts = count(once.code);
  CHECK(counts.operations.size() > 6);
  CHECK(counts.decorations.size() == counts.operations.size());
  for (const std::uint32_t id : counts.operations) {
    const auto found = counts.decorations.find(id);
    CHECK((found != counts.decorations.end() && found->second == 1));
  }
  const auto twice = sluice::shader_tool::make_strict(once.code);
  CHECK(twice.errors.empty());
  CHECK((twice.code == once.code));
}

TEST_CASE("what is no SPIR-V module, or only half of one, is rejected") {
  Words code = compile(kGood);
  CHECK_FALSE(sluice::shader_tool::make_strict({}).errors.empty());
  CHECK_FALSE(sluice::shader_tool::make_strict({1, 2, 3, 4, 5, 6}).errors.empty());
  // Cut within an instruction: the last one, OpFunctionEnd, has one word.
  code.resize(code.size() - 1);
  code.back() = 5u << 16 | 61;
  CHECK_FALSE(sluice::shader_tool::make_strict(code).errors.empty());
}
