#include "host/sampling/obj_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace sluice::io {
namespace {

constexpr double kLargest = 1e30;  // products of six lengths still fit a double

struct Word {
  std::string_view text;
  std::size_t line;
};

struct Cursor {
  std::string_view text;
  std::size_t at = 0, line = 1;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }
bool is_end(char c) { return c == '\n' || c == '\r'; }

// Past "\n", "\r" or both.
void take_line_end(Cursor& cursor) {
  const std::string_view text = cursor.text;
  if (cursor.at >= text.size()) return;
  const bool both = text[cursor.at] == '\r' && cursor.at + 1 < text.size() && text[cursor.at + 1] == '\n';
  cursor.at += both ? 2 : 1;
  ++cursor.line;
}

// Where the line end lies behind a backslash at `at`; npos if the line does not go on there.
std::size_t line_end_behind(std::string_view text, std::size_t at) {
  if (text[at] != '\\') return std::string_view::npos;
  for (++at; at < text.size() && is_blank(text[at]);) ++at;
  return at < text.size() && is_end(text[at]) ? at : std::string_view::npos;
}

// Words of the next statement, which may take several lines; what follows a # is left out.
void next_statement(Cursor& cursor, std::vector<Word>& words) {
  words.clear();
  const std::string_view text = cursor.text;
  while (cursor.at < text.size()) {
    const char c = text[cursor.at];
    if (is_blank(c)) {
      ++cursor.at;
    } else if (c == '#') {
      cursor.at = std::min(text.find_first_of("\r\n", cursor.at), text.size());
    } else if (is_end(c)) {
      take_line_end(cursor);
      return;
    } else if (const std::size_t end = line_end_behind(text, cursor.at); end != std::string_view::npos) {
      cursor.at = end;
      take_line_end(cursor);
    } else {
      const std::size_t begin = cursor.at++;
      while (cursor.at < text.size() && !is_blank(text[cursor.at]) && !is_end(text[cursor.at]) &&
             text[cursor.at] != '#' && line_end_behind(text, cursor.at) == std::string_view::npos)
        ++cursor.at;
      words.push_back({text.substr(begin, cursor.at - begin), cursor.line});
    }
  }
}

std::string quoted(std::string_view word) {
  constexpr std::size_t kMost = 40;
  std::string out = "\"";
  for (const char c : word.substr(0, kMost)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return out + (word.size() > kMost ? "...\"" : "\"");
}

bool has_decimal_comma(std::string_view word) {
  const std::size_t comma = word.find(',');
  const auto digit = [&](std::size_t i) { return i < word.size() && word[i] >= '0' && word[i] <= '9'; };
  return comma != std::string_view::npos && digit(comma + 1) && (comma == 0 || digit(comma - 1) || comma == 1);
}

double parse_coordinate(const Word& word, const std::filesystem::path& path) {
  std::string_view digits = word.text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status == std::errc::result_out_of_range) {
    if (digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos) return 0;
    fail_at(path, word.line, "a coordinate does not fit a double; scale the model to metres and export it again");
  }
  if (status != std::errc() || end != digits.data() + digits.size()) {
    if (has_decimal_comma(digits))
      fail_at(
          path, word.line,
          quoted(word.text) + " has a decimal comma; export the mesh again with decimal points, or replace the commas");
    fail_at(path, word.line,
            "a vertex needs three numbers, and " + quoted(word.text) + " is none; export the mesh again");
  }
  if (!std::isfinite(value))
    fail_at(path, word.line, "a coordinate is not a finite number; repair the mesh and export it again");
  if (std::fabs(value) > kLargest)
    fail_at(
        path, word.line,
        "the coordinate " + quoted(word.text) + " is larger than any model's; scale it to metres and export it again");
  return value;
}

// An index as the file gives it: from 1 on, or back from the last vertex so far. Names a vertex that may still follow.
std::uint32_t parse_corner(const Word& word, std::size_t vertices, const std::filesystem::path& path) {
  const std::string_view index = word.text.substr(0, word.text.find('/'));
  long long value = 0;
  const char* begin = index.data() + (index.size() > 1 && index[0] == '+' && index[1] != '-' ? 1 : 0);
  const auto [end, status] = std::from_chars(begin, index.data() + index.size(), value);
  const bool out_of_range = status == std::errc::result_out_of_range;
  if ((status != std::errc() && !out_of_range) || end != index.data() + index.size() ||
      word.text.substr(index.size()).find_first_not_of("/+-0123456789") != std::string_view::npos)
    fail_at(path, word.line, "a face has a corner " + quoted(word.text) + ", which is no index; export the mesh again");
  if (value == 0 && !out_of_range)
    fail_at(path, word.line, "a face names vertex 0, but vertices count from 1; export the mesh again");
  if (out_of_range || value > static_cast<long long>(UINT32_MAX) || value < -static_cast<long long>(vertices))
    fail_at(path, word.line,
            "a face names vertex " + std::string(index.substr(0, 40)) + ", which the file does not have" +
                (value < 0 ? ": only " + std::to_string(vertices) + " stand before it" : "") +
                "; export the mesh again");
  return static_cast<std::uint32_t>(value > 0 ? value - 1 : static_cast<long long>(vertices) + value);
}

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// A binary STL file has 80 bytes, the number of triangles, and 50 bytes for each.
bool has_stl_size(std::string_view text) {
  if (text.size() < 84) return false;
  std::uint64_t count = 0;
  for (int i = 3; i >= 0; --i) count = count << 8 | static_cast<unsigned char>(text[80 + i]);
  return count > 0 && text.size() == 84 + 50 * count;
}

// Names a file's format by its first bytes; nullptr if that is unknown.
const char* format_of(std::string_view text) {
  if (has_stl_size(text)) return "an STL file";
  if (begins(text, "solid") && text.substr(0, 1000).find("facet") != std::string_view::npos) return "an STL file";
  if (begins(text, "ply\n") || begins(text, "ply\r")) return "a PLY file";
  if (begins(text, "glTF")) return "a glTF file";
  if (begins(text, "Kaydara FBX Binary") || begins(text, "; FBX")) return "an FBX file";
  if (begins(text, "BLENDER")) return "a Blender file";
  if (begins(text, "PK\x03\x04")) return "a ZIP or 3MF file";
  if (begins(text, "\x1F\x8B")) return "a compressed file";
  if (begins(text, "ISO-10303-21")) return "a STEP file";
  if (begins(text, "OFF\n") || begins(text, "OFF\r")) return "an OFF file";
  if (begins(text, "<?xml") || begins(text, "<COLLADA")) return "an XML (COLLADA or other) file";
  if (begins(text, "{") && text.find("\"asset\"") != std::string_view::npos) return "a glTF file";
  return nullptr;
}

// Names the format of a file without a vertex by the end of its name.
const char* format_by_name(const std::filesystem::path& path) {
  std::string end = path.extension().string();
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array<std::array<const char*, 2>, 14> kFormats{{{".stl", "an STL file"},
                                                                 {".ply", "a PLY file"},
                                                                 {".gltf", "a glTF file"},
                                                                 {".glb", "a glTF file"},
                                                                 {".fbx", "an FBX file"},
                                                                 {".3mf", "a 3MF file"},
                                                                 {".blend", "a Blender file"},
                                                                 {".dae", "a COLLADA file"},
                                                                 {".off", "an OFF file"},
                                                                 {".3ds", "a 3DS file"},
                                                                 {".step", "a STEP file"},
                                                                 {".stp", "a STEP file"},
                                                                 {".iges", "an IGES file"},
                                                                 {".igs", "an IGES file"}}};
  for (const auto& [name, what] : kFormats)
    if (end == name) return what;
  return nullptr;
}

constexpr const char* kExport = "; export the mesh as Wavefront OBJ (.obj)";

void check_text(std::string_view text, const std::filesystem::path& path) {
  if (begins(text, "\xFF\xFE") || begins(text, "\xFE\xFF"))
    fail_at(path, 0, "is text in UTF-16; save it as UTF-8 or plain text");
  if (const char* format = format_of(text)) fail_at(path, 0, std::string("is ") + format + kExport);
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return;
  if (const char* format = format_by_name(path)) fail_at(path, 0, std::string("is ") + format + kExport);
  Cursor cursor{text};
  while ((cursor.at = std::min(text.find_first_of("\r\n", cursor.at), nul)) < nul) take_line_end(cursor);
  fail_at(path, cursor.line, "holds a byte 0, so it is no Wavefront OBJ text, or damaged; export the mesh again");
}

}  // namespace

void fail_at(const std::filesystem::path& path, std::size_t line, const std::string& sentence) {
  throw Error(path.string() + (line > 0 ? ":" + std::to_string(line) : "") + ": " + sentence);
}

ObjFaces read_obj_faces(std::string_view text, const std::filesystem::path& path) {
  if (begins(text, "\xEF\xBB\xBF")) text.remove_prefix(3);
  check_text(text, path);
  ObjFaces out;
  Cursor cursor{text};
  std::vector<Word> words;
  std::uint32_t highest = 0;
  Word highest_word{{}, 0};
  while (cursor.at < text.size()) {
    next_statement(cursor, words);
    if (words.empty()) continue;
    if (words[0].text == "v") {
      if (words.size() < 4) fail_at(path, words[0].line, "a vertex needs three numbers; export the mesh again");
      out.lines.push_back(words[0].line);
      out.vertices.push_back(
          {parse_coordinate(words[1], path), parse_coordinate(words[2], path), parse_coordinate(words[3], path)});
    } else if (words[0].text == "f") {
      for (std::size_t i = 1; i < words.size(); ++i) {
        out.corners.push_back(parse_corner(words[i], out.vertices.size(), path));
        if (highest_word.line > 0 && out.corners.back() <= highest) continue;
        highest = out.corners.back();
        highest_word = words[i];
      }
      // Edges and points, as some programs write them, have no area.
      if (words.size() < 4)
        out.corners.resize(out.corners.size() - (words.size() - 1));
      else
        out.ends.push_back(out.corners.size());
    }
  }
  if (out.vertices.empty()) {
    const char* format = format_by_name(path);
    fail_at(path, 0, format ? std::string("is ") + format + kExport : "has no vertices; is it a Wavefront OBJ file?");
  }
  if (highest_word.line > 0 && highest >= out.vertices.size())
    fail_at(path, highest_word.line,
            "a face names vertex " + std::to_string(std::uint64_t{highest} + 1) + ", but the file has " +
                std::to_string(out.vertices.size()) + (out.vertices.size() == 1 ? " vertex" : " vertices") +
                "; export the mesh again");
  if (out.ends.empty())
    fail_at(path, 0, "has no faces; export the model as a mesh with faces, not as points or curves");
  return out;
}

}  // namespace sluice::io
