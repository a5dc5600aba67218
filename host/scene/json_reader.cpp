#include "host/scene/json_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sluice::io {
namespace {

constexpr std::size_t kMostRemedies = 1000;  // looked for: a file of millions of wrong keys is told of in seconds
constexpr double kWide = 1e6;                // an upper limit like this is far from what anybody writes

std::string number_text(double value) {
  std::array<char, 32> buffer;
  char* const end = buffer.data() + buffer.size();
  const bool plain = std::abs(value) < 1e9 && value == std::floor(value);  // 100000 rather than 1e+05
  return {buffer.data(), plain ? std::to_chars(buffer.data(), end, value, std::chars_format::fixed).ptr
                               : std::to_chars(buffer.data(), end, value).ptr};
}

}  // namespace

Spot at(const Spot& object, std::string_view key) {
  return {child(*object.node, key), pointer_to(object.pointer, key)};
}
Spot at(const Spot& array, std::size_t index) {
  return {&array.node->children[index], pointer_to(array.pointer, index)};
}

void complain(Reader& reader, const Spot& spot, const std::string& sentence) {
  reader.problems.push_back({spot.node->place, spot.pointer, sentence});
}
void complain_at_key(Reader& reader, const Spot& spot, const std::string& sentence) {
  reader.problems.push_back({spot.node->key_place, spot.pointer, sentence});
}

void throw_problems(Reader& reader) {
  std::stable_sort(reader.problems.begin(), reader.problems.end(), [](const Problem& a, const Problem& b) {
    return a.place.line != b.place.line ? a.place.line < b.place.line : a.place.column < b.place.column;
  });
  const std::size_t shown = std::min<std::size_t>(reader.problems.size(), kMaxJsonErrors);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const Problem& problem = reader.problems[i];
    if (i > 0) text += '\n';
    text += format_error(reader.file, problem.place, problem.pointer, problem.sentence);
  }
  const std::size_t rest = reader.problems.size() - shown;
  if (rest > 0) text += "\n" + reader.file + ": " + std::to_string(rest) + (rest == 1 ? " more error" : " more errors");
  throw Error(text);
}

bool expect(Reader& reader, const Spot& spot, JsonKind kind, const std::string& hint) {
  if (spot.node->kind == kind) return true;
  complain(reader, spot,
           "must be " + std::string(kind_name(kind)) + hint + ", not " + std::string(kind_name(spot.node->kind)) +
               (spot.node->kind == JsonKind::null ? "; leave the key out if it has a default" : ""));
  return false;
}

// A key that another part of the file has was put here by mistake; one spelt as a key of this part comes before one
// spelt as a key of another.
std::string remedy_of(const Reader& reader, std::string_view key, const std::vector<std::string>& names) {
  if (reader.problems.size() > kMostRemedies) return "";
  if (!reader.elsewhere) return suggestion(key, names, "the keys here are ");
  if (const std::string sentence = reader.elsewhere(key, false); !sentence.empty()) return sentence;
  if (nearest_name(key, names).empty())
    if (const std::string sentence = reader.elsewhere(key, true); !sentence.empty()) return sentence;
  return suggestion(key, names, "the keys here are ");
}

void refuse_duplicates(Reader& reader, const Spot& object) {
  std::vector<const JsonNode*> sorted;
  for (const JsonNode& node : object.node->children) sorted.push_back(&node);
  std::stable_sort(sorted.begin(), sorted.end(), [](const JsonNode* a, const JsonNode* b) { return a->key < b->key; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i]->key != sorted[i - 1]->key) continue;
    const Place first = sorted[i - 1]->key_place;
    reader.problems.push_back({sorted[i]->key_place, object.pointer,
                               "the key " + in_quotes(sorted[i]->key) + " stands here a second time (before: " +
                                   std::to_string(first.line) + ":" + std::to_string(first.column) + "); remove one"});
  }
}

bool expect_object(Reader& reader, const Spot& spot, std::span<const KeyRule> keys) {
  std::string example;
  for (const KeyRule& rule : keys)
    if (!rule.example.empty()) example += (example.empty() ? "" : ", ") + std::string(rule.example);
  const bool shows = !example.empty() && !spot.pointer.empty();  // a whole scene would be too long
  if (!expect(reader, spot, JsonKind::object, shows ? " such as { " + example + " }" : "")) return false;
  std::vector<std::string> names;
  for (const KeyRule& rule : keys) names.emplace_back(rule.key);
  for (const JsonNode& node : spot.node->children) {
    if (std::find(names.begin(), names.end(), node.key) != names.end()) continue;
    reader.problems.push_back(
        {node.key_place, spot.pointer, "unknown key " + in_quotes(node.key) + remedy_of(reader, node.key, names)});
  }
  for (const KeyRule& rule : keys) {
    if (rule.example.empty() || child(*spot.node, rule.key)) continue;
    complain(reader, spot,
             "the key " + in_quotes(rule.key) + " is missing; add it, such as " + std::string(rule.example));
  }
  refuse_duplicates(reader, spot);
  return true;
}

bool expect_in(Reader& reader, const Spot& spot, Range range) {
  if (!expect(reader, spot, JsonKind::number)) return false;
  const double value = spot.node->number;
  if ((range.with_low ? value >= range.low : value > range.low) &&
      (range.with_high ? value <= range.high : value < range.high)) {
    return true;
  }
  // Who wrote 0, a wrong sign or a wrong unit is helped by the limit that was passed, not by one far away.
  const bool wide = range.low >= 0 && range.high > kWide, below = !(value > range.low);
  std::string limits;
  if (!wide || below)
    limits = range.low > 0 && range.low < 1 && value <= 0 ? "greater than 0"
             : range.with_low                             ? "at least " + number_text(range.low)
                                                          : "greater than " + number_text(range.low);
  if (!wide || !below)
    limits += (limits.empty() ? "" : " and ") + std::string(range.with_high ? "at most " : "less than ") +
              number_text(range.high);
  complain(reader, spot, "must be " + limits + ", not " + number_text(value));
  return false;
}

void read_number(Reader& reader, const Spot& object, std::string_view key, Range range, double& out) {
  const Spot spot = at(object, key);
  if (spot && expect_in(reader, spot, range)) out = spot.node->number;
}

void read_integer(Reader& reader, const Spot& object, std::string_view key, Range range, int& out) {
  const Spot spot = at(object, key);
  if (!spot || !expect_in(reader, spot, range)) return;
  if (spot.node->number != std::floor(spot.node->number)) {
    return complain(reader, spot, "must be a whole number, not " + number_text(spot.node->number));
  }
  out = static_cast<int>(spot.node->number);
}

bool read_vector(Reader& reader, const Spot& object, std::string_view key, Range range, Vec3& out) {
  const Spot spot = at(object, key);
  if (!spot || !expect(reader, spot, JsonKind::array, " of 3 numbers, [x, y, z]")) return false;
  const std::size_t count = spot.node->children.size();
  if (count != 3) {
    complain(reader, spot, "must hold 3 numbers, [x, y, z], not " + std::to_string(count));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < 3; ++i) good = expect_in(reader, at(spot, i), range) && good;
  const auto& values = spot.node->children;
  if (good) out = {values[0].number, values[1].number, values[2].number};
  return good;
}

void read_bool(Reader& reader, const Spot& object, std::string_view key, bool& out) {
  const Spot spot = at(object, key);
  if (spot && expect(reader, spot, JsonKind::boolean)) out = spot.node->boolean;
}

int read_name_index(Reader& reader, const Spot& spot, std::span<const std::string_view> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + in_quotes(names[i]);
  }
  const bool is_text = spot.node->kind == JsonKind::string;
  const auto found = is_text ? std::find(names.begin(), names.end(), spot.node->string) : names.end();
  if (found != names.end()) return static_cast<int>(found - names.begin());
  complain(reader, spot,
           "must be " + list + ", not " +
               (is_text ? in_quotes(spot.node->string) : std::string(kind_name(spot.node->kind))));
  return -1;
}

}  // namespace sluice::io
