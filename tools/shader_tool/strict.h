// The strict-arithmetic step: what SPIR-V may do with floats so that every driver gives the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice::shader_tool {

struct StrictResult {
  std::vector<std::uint32_t> code;  // with NoContraction on every float operation
  std::vector<std::string> errors;  // a sentence an offence; empty: the shader is strict
};

StrictResult make_strict(const std::vector<std::uint32_t>& code);

}  // namespace sluice::shader_tool
