// Checked reading of a JSON tree: every problem is kept with its place, so that one run reports many.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/scene/json_tree.h"
#include "sluice/scene.h"

namespace sluice::io {

constexpr int kMaxJsonErrors = 10;  // that throw_problems writes out

struct Problem {
  Place place;
  std::string pointer, sentence;
};

struct Reader {
  std::string file;
  std::vector<Problem> problems;
  // Tells what is known about a key that does not stand where it should: the end of a sentence, or nothing. `near` asks
  // for keys that are spelt alike.
  std::string (*elsewhere)(std::string_view key, bool near) = nullptr;
};

// A value and its JSON pointer; the node is null where the file has none.
struct Spot {
  const JsonNode* node = nullptr;
  std::string pointer;
  explicit operator bool() const { return node != nullptr; }
};
Spot at(const Spot& object, std::string_view key);
Spot at(const Spot& array, std::size_t index);  // index below the number of children

// Both give the value's pointer; the first the value's place, the second its key's.
void complain(Reader& reader, const Spot& spot, const std::string& sentence);
void complain_at_key(Reader& reader, const Spot& spot, const std::string& sentence);

// Throws an Error with one line a problem, in file order.
[[noreturn]] void throw_problems(Reader& reader);

// False, and a problem, unless the value is of this kind.
bool expect(Reader& reader, const Spot& spot, JsonKind kind, const std::string& hint = "");

struct KeyRule {
  std::string_view key;
  std::string_view example;  // of a required key, for the message when it is missing; empty: the key is optional
};
// False unless the value is an object; unknown, repeated and missing keys are problems.
bool expect_object(Reader& reader, const Spot& spot, std::span<const KeyRule> keys);
void refuse_duplicates(Reader& reader, const Spot& object);

struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool with_low = true, with_high = true;
};
bool expect_in(Reader& reader, const Spot& spot, Range range);

// These leave `out` alone where the key is absent or its value wrong.
void read_number(Reader& reader, const Spot& object, std::string_view key, Range range, double& out);
void read_integer(Reader& reader, const Spot& object, std::string_view key, Range range, int& out);
bool read_vector(Reader& reader, const Spot& object, std::string_view key, Range range, Vec3& out);
void read_bool(Reader& reader, const Spot& object, std::string_view key, bool& out);

// Which of the names the value is, or -1 and a problem that lists them.
int read_name_index(Reader& reader, const Spot& spot, std::span<const std::string_view> names);

template <class T>
struct Named {
  std::string_view name;
  T value;
};
template <class T, std::size_t count>
std::string name_of(const Named<T> (&table)[count], T value) {
  for (const Named<T>& entry : table) {
    if (entry.value == value) return std::string(entry.name);
  }
  return "";
}
template <class T, std::size_t count>
bool match(Reader& reader, const Spot& spot, const Named<T> (&table)[count], T& out) {
  std::array<std::string_view, count> names;
  for (std::size_t i = 0; i < count; ++i) names[i] = table[i].name;
  const int index = read_name_index(reader, spot, names);
  if (index >= 0) out = table[index].value;
  return index >= 0;
}
template <class T, std::size_t count>
bool read_named(Reader& reader, const Spot& object, std::string_view key, const Named<T> (&table)[count], T& out) {
  const Spot spot = at(object, key);
  return spot && match(reader, spot, table, out);
}

}  // namespace sluice::io
