// JSON text as a tree that remembers where everything stands, so that later checks can point at it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::io {

// Both count from 1; a column is a Unicode code point, a byte-order mark is none.
struct Place {
  int line = 1, column = 1;
};

enum class JsonKind { null, boolean, number, string, array, object };

struct JsonNode {
  JsonKind kind = JsonKind::null;
  Place place;      // of the value's first character
  std::string key;  // in an object; equal keys are all kept, in file order
  Place key_place;  // of the key's opening quote
  bool boolean = false;
  double number = 0;  // finite
  std::string string;
  std::vector<JsonNode> children;  // of an array or an object
};

constexpr int kMaxJsonDepth = 64;  // a scene needs 5; the limit bounds the recursion over a tree

// Parses JSON, in UTF-8 with or without a byte-order mark; comments (// and /* */) are allowed.
// Throws Error with format_error's text; `file` is only used in it.
JsonNode parse_json(const std::string& text, const std::string& file);

// The first child of an object with this key, or null.
const JsonNode* child(const JsonNode& object, std::string_view key);

// FILE:LINE:COLUMN: POINTER: SENTENCE; the pointer is left out where it is empty (the whole file).
std::string format_error(const std::string& file, Place place, const std::string& pointer, const std::string& sentence);

// Appends one step to a JSON pointer (RFC 6901: ~ and / in keys are written ~0 and ~1).
std::string pointer_to(const std::string& parent, std::string_view key);
std::string pointer_to(const std::string& parent, std::size_t index);

// In double quotes, control characters escaped, shortened when long: for messages.
std::string in_quotes(std::string_view text);

// Whether one of the names is near enough to be meant by `word`: which one, or nothing.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

// `; did you mean "radius"?` if one of the names is near enough, else `; SAID "a", "b"`.
std::string suggestion(std::string_view word, const std::vector<std::string>& names, const std::string& said);

// "a number", "an array", ...
std::string_view kind_name(JsonKind kind);

}  // namespace sluice::io
