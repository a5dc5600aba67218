// Build steps for shaders:
//   shader_tool strict IN.spv OUT.spv        checks and decorates strict arithmetic
//   shader_tool embed OUT.cpp SYMBOL NAME=FILE.spv ...   makes a C++ table of SPIR-V modules
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tools/shader_tool/strict.h"

namespace {

std::vector<std::uint32_t> read_words(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
  std::vector<std::uint32_t> words(bytes.size() / 4);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (int b = 3; b >= 0; --b) words[i] = words[i] << 8 | static_cast<unsigned char>(bytes[4 * i + b]);
  }
  return words;
}

int strict(const std::string& in, const std::string& out) {
  const auto result = sluice::shader_tool::make_strict(read_words(in));
  for (const std::string& error : result.errors) std::fprintf(stderr, "%s: %s\n", in.c_str(), error.c_str());
  if (!result.errors.empty()) return 1;
  std::ofstream file(out, std::ios::binary);
  file.write(reinterpret_cast<const char*>(result.code.data()), static_cast<std::streamsize>(result.code.size() * 4));
  file.close();
  return file ? 0 : 1;
}

int embed(int count, char** arguments) {
  std::ofstream out(arguments[0]);
  const std::string symbol = arguments[1];
  std::string table;
  out << "// Generated from shaders/; do not edit.\n#include \"engine/embedded_shaders.h\"\n\nnamespace sluice "
         "{\nnamespace {\n";
  for (int i = 2; i < count; ++i) {
    const std::string argument = arguments[i];
    const std::string name = argument.substr(0, argument.find('='));
    const std::vector<std::uint32_t> words = read_words(argument.substr(argument.find('=') + 1));
    out << "const std::uint32_t k_" << name << "[] = {";
    for (std::size_t k = 0; k < words.size(); ++k)
      out << (k == 0 ? "\n" : k % 12 == 0 ? ",\n" : ",") << words[k] << 'u';
    out << "};\n";
    table += "    {\"" + name + "\", k_" + name + "},\n";
  }
  out << "}  // namespace\n\nconst std::vector<EmbeddedShader>& " << symbol
      << "() {\n  static const std::vector<EmbeddedShader> shaders{\n"
      << table << "  };\n  return shaders;\n}\n\n}  // namespace sluice\n";
  out.close();
  return out ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "strict" && argc == 4) return strict(argv[2], argv[3]);
  if (command == "embed" && argc >= 4) return embed(argc - 2, argv + 2);
  std::fprintf(stderr, "usage: shader_tool strict IN.spv OUT.spv | embed OUT.cpp SYMBOL NAME=FILE.spv ...\n");
  return 2;
}
