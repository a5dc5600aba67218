#include "tools/shader_tool/strict.h"

#include <map>
#include <set>
#include <unordered_map>

namespace sluice::shader_tool {
namespace {

// Numbers of the SPIR-V specification (unified1), the few that matter here.
enum Op : std::uint32_t {
  kExtInst = 12,
  kTypeInt = 21,
  kTypeFloat = 22,
  kTypeVector = 23,
  kTypeMatrix = 24,
  kSpecConstantOp = 52,
  kDecorate = 71,
  kAtomicStore = 228,
  kFunction = 54,
  kConvertFToU = 109,
  kConvertFToS = 110,
  kFNegate = 127,
  kFAdd = 129,
  kFSub = 131,
  kFMul = 133,
  kVectorTimesScalar = 142,
  kFOrdEqual = 180,
  kFUnordEqual = 181,
  kFOrdNotEqual = 182,
  kFUnordNotEqual = 183,
  kFOrdLess = 184,
  kFOrdGreater = 186,
  kFOrdLessEqual = 188,
  kFOrdGreaterEqual = 190,
  kFUnordGreaterEqual = 191,
};
constexpr std::uint32_t kNoContraction = 42;

// Correctly rounded by the standard, so exact once the compiler may not fuse them.
const std::set<std::uint32_t> kArithmetic{kFNegate, kFAdd, kFSub, kFMul, kVectorTimesScalar};

// Float results that move or make values without rounding that is left open.
const std::set<std::uint32_t> kMoves{1 /*Undef*/,
                                     43 /*Constant*/,
                                     44 /*ConstantComposite*/,
                                     46 /*ConstantNull*/,
                                     50 /*SpecConstant*/,
                                     51 /*SpecConstantComposite*/,
                                     55 /*FunctionParameter*/,
                                     57 /*FunctionCall*/,
                                     kFunction,
                                     61 /*Load*/,
                                     77 /*VectorExtractDynamic*/,
                                     78 /*VectorInsertDynamic*/,
                                     79 /*VectorShuffle*/,
                                     80 /*CompositeConstruct*/,
                                     81 /*CompositeExtract*/,
                                     82 /*CompositeInsert*/,
                                     83 /*CopyObject*/,
                                     111 /*ConvertSToF*/,
                                     124 /*Bitcast*/,
                                     169 /*Select*/,
                                     245 /*Phi*/,
                                     400 /*CopyLogical*/};

// GLSL.std.450: Trunc, FAbs, Floor and what works on integers. The others leave accuracy, zeros or NaN to the driver.
const std::set<std::uint32_t> kExactExtended{
    3 /*Trunc*/, 4 /*FAbs*/,  5 /*SAbs*/,    7 /*SSign*/,   8 /*Floor*/,     38 /*UMin*/,     39 /*SMin*/,
    41 /*UMax*/, 42 /*SMax*/, 44 /*UClamp*/, 45 /*SClamp*/, 73 /*FindILsb*/, 74 /*FindSMsb*/, 75 /*FindUMsb*/};

const std::map<std::uint32_t, const char*> kNames{
    {136, "OpFDiv (use divide() of lib/strict.glsl)"},
    {140, "OpFRem"},
    {141, "OpFMod"},
    {143, "OpMatrixTimesScalar"},
    {144, "OpVectorTimesMatrix"},
    {145, "OpMatrixTimesVector"},
    {146, "OpMatrixTimesMatrix"},
    {147, "OpOuterProduct"},
    {148, "OpDot (use dot3() of lib/strict.glsl)"},
    {112, "OpConvertUToF (SwiftShader rounds large ones twice; convert an int)"},
    {115, "OpFConvert"},
    {116, "OpQuantizeToF16"},
    {350, "OpGroupNonUniformFAdd (sums need one fixed tree)"},
    {352, "OpGroupNonUniformFMul"},
    {355, "OpGroupNonUniformFMin"},
    {358, "OpGroupNonUniformFMax"},
    {6035, "OpAtomicFAddEXT"}};
const std::map<std::uint32_t, const char*> kExtendedNames{{31, "sqrt (use square_root() of lib/strict.glsl)"},
                                                          {32, "inversesqrt (use rsqrt() of lib/strict.glsl)"},
                                                          {37, "min (use smaller())"},
                                                          {40, "max (use larger())"},
                                                          {43, "clamp (use clamped())"},
                                                          {50, "fma"},
                                                          {46, "mix"},
                                                          {66, "length"},
                                                          {69, "normalize"},
                                                          {13, "sin (use sine_cosine())"},
                                                          {14, "cos (use sine_cosine())"}};

std::string name_of(const std::map<std::uint32_t, const char*>& names, std::uint32_t id, const char* kind) {
  const auto found = names.find(id);
  return found != names.end() ? found->second : kind + std::to_string(id);
}

bool is_ordered_compare(std::uint32_t op) {
  return op == kFOrdEqual || op == kFOrdLess || op == kFOrdGreater || op == kFOrdLessEqual || op == kFOrdGreaterEqual ||
         op == kFUnordNotEqual;  // x != y, true for a NaN everywhere
}

// Instructions before the first of these belong to the annotations and what precedes them.
bool starts_types(std::uint32_t op) { return (op >= 19 && op <= 52) || op == 59 || op == 1; }

}  // namespace

StrictResult make_strict(const std::vector<std::uint32_t>& code) {
  StrictResult result;
  if (code.size() < 5 || code[0] != 0x07230203) {
    result.errors.push_back("not a SPIR-V module");
    return result;
  }
  std::set<std::uint32_t> float_types, matrix_types;
  std::unordered_map<std::uint32_t, std::uint32_t> type_of;  // of each result
  std::vector<std::uint32_t> exact;
  std::set<std::uint32_t> decorated;
  std::size_t types_at = 0;
  const auto offend = [&](const std::string& what, std::uint32_t id) {
    result.errors.push_back(what + " gives different bits on different drivers (result %" + std::to_string(id) + ")");
  };

  for (std::size_t i = 5; i < code.size();) {
    const std::uint32_t words = code[i] >> 16, op = code[i] & 0xffff;
    if (words == 0 || i + words > code.size()) {
      result.errors.push_back("the module is cut off");
      return result;
    }
    const std::uint32_t* w = &code[i];
    if (types_at == 0 && starts_types(op)) types_at = i;

    if (op == kDecorate && w[2] == kNoContraction) {
      decorated.insert(w[1]);
    } else if (op == kTypeFloat) {
      float_types.insert(w[1]);
      if (w[2] != 32) offend("a float of " + std::to_string(w[2]) + " bits", w[1]);
    } else if (op == kTypeVector && float_types.count(w[2])) {
      float_types.insert(w[1]);
    } else if (op == kTypeMatrix) {
      offend("a matrix type", w[1]);
    } else if (op == kExtInst) {
      // Whatever its result: packing halves gives a word, splitting a float a struct.
      type_of[w[2]] = w[1];
      if (!kExactExtended.count(w[4])) offend(name_of(kExtendedNames, w[4], "GLSL.std.450 instruction "), w[2]);
    } else if (op == kConvertFToU) {
      offend("OpConvertFToU (convert to an int)", w[2]);
    } else if (op == kAtomicStore && words > 4 && float_types.count(type_of[w[4]])) {
      offend("OpAtomicStore of a float", w[4]);
    } else if (op >= kFOrdEqual && op <= kFUnordGreaterEqual) {
      if (!is_ordered_compare(op)) offend("the unordered compare Op" + std::to_string(op), w[2]);
    } else if (op == 156 || op == 157 || op == 158 || op == 160) {
      offend("a float classification (use finite() of lib/strict.glsl), Op" + std::to_string(op), w[2]);
    } else if (op > kTypeMatrix && words > 2 && float_types.count(w[1]) && op != kDecorate) {
      // Instructions with a result type have it first; those without one have no float type id there.
      type_of[w[2]] = w[1];
      if (kArithmetic.count(op)) {
        if (!decorated.count(w[2])) exact.push_back(w[2]);
      } else if (op == kSpecConstantOp) {
        if (!kMoves.count(w[3])) offend("a specialization constant computed with floats", w[2]);
      } else if (!kMoves.count(op)) {
        // Type declarations name float types too, but in the place of a result.
        if (op > 52 && op != 59) offend(name_of(kNames, op, "Op"), w[2]);
      }
    }
    i += words;
  }
  if (!result.errors.empty()) return result;

  result.code.assign(code.begin(), code.begin() + types_at);
  for (const std::uint32_t id : exact)
    result.code.insert(result.code.end(), {3u << 16 | kDecorate, id, kNoContraction});
  result.code.insert(result.code.end(), code.begin() + types_at, code.end());
  return result;
}

}  // namespace sluice::shader_tool
