#include "host/scene/json_tree.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sluice/scene.h"

namespace sluice::io {
namespace {

constexpr std::size_t kMaxSuggested = 100;  // bytes; the distance takes quadratic time
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_in_number(char c) { return is_digit(c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E'; }

// Moves `place` over text[from, to).
Place advance(Place place, std::string_view text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (text[i] == '\n') {
      ++place.line;
      place.column = 1;
    } else if (!is_continuation(text[i])) {
      ++place.column;
    }
  }
  return place;
}

// The parser reports values but not where they stand: a Cursor walks the same text beside it.
struct Cursor {
  std::string_view text;
  std::size_t offset = 0;
  Place place;
};

void move_to(Cursor& cursor, std::size_t offset) {
  cursor.place = advance(cursor.place, cursor.text, cursor.offset, offset);
  cursor.offset = offset;
}

// The first offset from `i` on that is neither white space, a comment, a comma nor a colon.
// Stops at a comment that is not closed. `separator` receives the last comma or colon passed.
std::size_t next_token(std::string_view text, std::size_t i, char* separator = nullptr) {
  while (i < text.size()) {
    if (is_space(text[i])) {
      ++i;
    } else if (text[i] == ',' || text[i] == ':') {
      if (separator) *separator = text[i];
      ++i;
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find_first_of("\r\n", i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      if (end == std::string_view::npos) return i;
      i = end + 2;
    } else {
      return i;
    }
  }
  return i;
}

// One past the token that starts at `i`: a string, a number, a word or a single character.
std::size_t token_end(std::string_view text, std::size_t i) {
  if (i >= text.size()) return text.size();
  if (text[i] == '"') {
    for (++i; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\') ++i;
    }
    return std::min(i + 1, text.size());
  }
  if (is_letter(text[i])) {
    while (i < text.size() && is_letter(text[i])) ++i;
    return i;
  }
  // A number ends where its grammar does: 007 is 0 and what follows, as it is for the parser.
  const auto is = [&](std::size_t k, std::string_view any) { return k < text.size() && any.find(text[k]) != any.npos; };
  const auto digits = [&](std::size_t k) {
    while (k < text.size() && is_digit(text[k])) ++k;
    return k;
  };
  std::size_t end = i + is(i, "-");
  end = is(end, "0") ? end + 1 : digits(end);
  if (is(end, ".")) end = digits(end + 1);
  if (is(end, "eE")) end = digits(end + 1 + is(end + 1, "+-"));
  return std::max(end, i + 1);
}

struct Open {
  JsonNode node;
  std::string pointer;
};

// Receives the parser's events (the interface that nlohmann::json::sax_parse expects).
struct TreeBuilder {
  std::string_view text;
  std::string file;
  Cursor cursor;
  std::vector<Open> open;  // containers not yet closed, outermost first
  std::string pending_key;
  Place pending_key_place;
  bool has_key = false;
  JsonNode root;
  bool has_root = false;

  JsonNode begin(JsonKind kind) {
    JsonNode node;
    node.kind = kind;
    move_to(cursor, next_token(text, cursor.offset));
    node.place = cursor.place;
    move_to(cursor, token_end(text, cursor.offset));
    if (has_key) {
      node.key = std::move(pending_key);
      node.key_place = pending_key_place;
      has_key = false;
    }
    return node;
  }
  bool add(JsonNode node) {
    if (open.empty()) {
      root = std::move(node);
      has_root = true;
    } else {
      open.back().node.children.push_back(std::move(node));
    }
    return true;
  }
  std::string pointer_of(const JsonNode& node) const {
    if (open.empty()) return "";
    const JsonNode& parent = open.back().node;
    if (parent.kind == JsonKind::object) return pointer_to(open.back().pointer, node.key);
    return pointer_to(open.back().pointer, parent.children.size());
  }
  bool start(JsonKind kind) {
    JsonNode node = begin(kind);
    std::string pointer = pointer_of(node);
    if (open.size() >= kMaxJsonDepth) {
      throw Error(format_error(file, node.place, "",
                               "arrays and objects are nested more than " + std::to_string(kMaxJsonDepth) +
                                   " deep here; a scene needs 5 levels"));
    }
    open.push_back({std::move(node), std::move(pointer)});
    return true;
  }
  bool end() {
    move_to(cursor, token_end(text, next_token(text, cursor.offset)));
    JsonNode node = std::move(open.back().node);
    open.pop_back();
    return add(std::move(node));
  }
  bool add_number(double value) {
    JsonNode node = begin(JsonKind::number);
    node.number = value;
    return add(std::move(node));
  }

  bool null() { return add(begin(JsonKind::null)); }
  bool boolean(bool value) {
    JsonNode node = begin(JsonKind::boolean);
    node.boolean = value;
    return add(std::move(node));
  }
  bool number_integer(nlohmann::json::number_integer_t value) { return add_number(static_cast<double>(value)); }
  bool number_unsigned(nlohmann::json::number_unsigned_t value) { return add_number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return add_number(value); }
  bool string(std::string& value) {
    JsonNode node = begin(JsonKind::string);
    node.string = std::move(value);
    return add(std::move(node));
  }
  bool binary(nlohmann::json::binary_t&) { return false; }  // not in text
  bool start_object(std::size_t) { return start(JsonKind::object); }
  bool start_array(std::size_t) { return start(JsonKind::array); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(std::string& value) {
    move_to(cursor, next_token(text, cursor.offset));
    pending_key_place = cursor.place;
    pending_key = std::move(value);
    has_key = true;
    move_to(cursor, token_end(text, cursor.offset));
    return true;
  }
  bool parse_error(std::size_t position, const std::string& last_token, const nlohmann::json::exception& error);
};

std::string place_text(Place place) { return std::to_string(place.line) + ":" + std::to_string(place.column); }

std::string string_sentence(std::string_view parser_says) {
  const auto says = [&](std::string_view part) { return parser_says.find(part) != std::string_view::npos; };
  if (says("missing closing quote") || says("U+000A") || says("U+000D")) {
    return "this text is not closed on its line; add the missing \"";
  }
  if (says("control character")) return "a control character in this text; write a tab as \\t, others as \\u00XX";
  return "a wrong backslash in this text; \\ must be followed by one of \" \\ / b f n r t or by u and four digits "
         "(pairs for U+10000 and more); a backslash itself is written \\\\";
}

std::string number_sentence(std::string_view number) {
  return in_quotes(number) +
         " is not a JSON number; write it like -0.5 or 1e-3 (digits on both sides of the point, no "
         "+ or 0 in front, no unit)";
}

// Says what is wrong at text[at], the first character that the parser could not use.
std::string syntax_sentence(const TreeBuilder& builder, std::size_t at, std::string_view parser_says) {
  const std::string_view text = builder.text;
  const bool in_object = !builder.open.empty() && builder.open.back().node.kind == JsonKind::object;
  const std::string closer = in_object ? "\"}\"" : "\"]\"";
  const std::string container = in_object ? "object" : "array";
  if (at >= text.size()) {
    if (builder.open.empty()) return "the file is empty; a scene is an object: { \"particleSpacing\": ..., ... }";
    return "the file ends inside the " + container + " that was opened at " +
           place_text(builder.open.back().node.place) + "; add the missing " + closer;
  }
  char before = 0;  // the comma or colon between the last good token and here
  next_token(text, builder.cursor.offset, &before);
  const char c = text[at];
  if (c == '/') {
    return text.substr(at, 2) == "/*" ? "this comment is not closed; add */"
                                      : "a stray /; a comment starts with // or /*";
  }
  if (c == '"' && parser_says.find("invalid string") != std::string_view::npos) return string_sentence(parser_says);
  if (builder.open.empty() && builder.has_root) return "the scene ended before this; nothing may follow it";
  if (c == '}' || c == ']') {
    if (builder.open.empty()) return std::string("this ") + c + " closes nothing; a scene starts with {";
    if (before == ',') return std::string("a comma may not stand before ") + c + "; remove it or add a value";
    if (builder.has_key) return "the key " + in_quotes(builder.pending_key) + " has no value; add : and a value";
    return std::string("this ") + c + " does not close the " + container + " that was opened at " +
           place_text(builder.open.back().node.place) + "; that needs " + closer;
  }
  if (c == ',' && builder.has_key) return "the key " + in_quotes(builder.pending_key) + " has no value; add one";
  if (c == ',' || c == ':') return std::string("this ") + c + " stands where a value or a key is expected; remove it";
  const std::string word(text.substr(at, token_end(text, at) - at));
  const bool is_key = in_object && !builder.has_key;
  if (builder.has_key && before != ':') return "a : is missing after the key " + in_quotes(builder.pending_key);
  if (!builder.open.empty() && !builder.has_key && !builder.open.back().node.children.empty() && before != ',') {
    if (at == builder.cursor.offset && is_digit(text[at - 1]) && (is_in_number(c) || is_letter(c))) {
      std::size_t start = at, end = at;
      while (start > 0 && is_in_number(text[start - 1])) --start;
      while (end < text.size() && (is_in_number(text[end]) || is_letter(text[end]))) ++end;
      return number_sentence(text.substr(start, end - start));
    }
    return "a comma or " + closer + " is missing before this";
  }
  if (c == '#') return "a comment starts with // or /*, not with #";
  if (c == '\'') return "texts and keys take double quotes: \"";
  if (text.substr(at, 3) == "\xE2\x80\x9C" || text.substr(at, 3) == "\xE2\x80\x9D")
    return "texts and keys take straight double quotes: \"";
  if (is_key && is_digit(c) && at > 1 && text[at - 1] == ',' && is_digit(text[at - 2]))
    return "a key in double quotes must stand here; the decimal point of a number is a ., not a comma";
  if (is_key) return "a key in double quotes must stand here" + (is_letter(c) ? ", such as " + in_quotes(word) : "");
  if (is_in_number(c) || is_letter(c)) {
    std::size_t end = at;
    while (end < text.size() && (is_in_number(text[end]) || is_letter(text[end]))) ++end;
    const std::string_view all = text.substr(at, end - at);
    const std::size_t letters = all.find_first_not_of("+-");
    std::string lower(letters == std::string_view::npos ? "" : all.substr(letters));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char l) { return l >= 'A' && l <= 'Z' ? static_cast<char>(l - 'A' + 'a') : l; });
    if (lower == "nan" || lower == "inf" || lower == "infinity") {
      return std::string(all) + " is not a finite number; write one that is";
    }
    if (parser_says.find("number overflow") != std::string_view::npos) {
      return in_quotes(all) + " is too large for a number; the largest is 1.8e308";
    }
    if (lower == "true" || lower == "false" || lower == "null")
      return in_quotes(all) + " is written in lower case: " + lower;
    if (lower == "none") return in_quotes(all) + " is written null; better leave the key out";
    if (!is_letter(c)) return number_sentence(all);
    return "unknown word " + in_quotes(all) + "; a text takes double quotes";
  }
  std::size_t end = at + 1;
  while (end < text.size() && is_continuation(text[end])) ++end;
  return "nothing in JSON starts with " + in_quotes(text.substr(at, end - at)) + "; a value must stand here";
}

bool TreeBuilder::parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
  // The parser counts what it read: the offending token ends there, and is at most one character long if it is a
  // comma, a colon or a bracket. Everything between is skipped as next_token skips it.
  std::size_t at = std::min(next_token(text, cursor.offset), text.size());
  if (position > 0 && position - 1 >= cursor.offset && position - 1 < at) at = position - 1;
  const std::string pointer = open.empty() ? "" : open.back().pointer;
  throw Error(format_error(file, advance(cursor.place, text, cursor.offset, at), pointer,
                           syntax_sentence(*this, at, error.what())));
}

// The offset of the first byte that is not part of well-formed UTF-8 (Unicode 15, table 3-7), or npos.
std::size_t find_invalid_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    unsigned low = 0x80, high = 0xBF;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;  // surrogates
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    if (lead < 0xC2 || lead > 0xF4 || byte(i + 1) < low || byte(i + 1) > high) return i;
    for (std::size_t k = 2; k < length; ++k) {
      if ((byte(i + k) & 0xC0) != 0x80) return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

// Edits (insert, delete, replace, swap neighbours) that turn a into b, upper and lower case alike.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

JsonNode parse_json(const std::string& text, const std::string& file) {
  const std::size_t start = text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0 ? kByteOrderMark.size() : 0;
  const std::size_t nul = text.find('\0');
  const std::size_t invalid = find_invalid_utf8(text);
  if (const std::size_t bad = std::min(nul, invalid); bad != std::string::npos) {
    const char* hex = "0123456789ABCDEF";
    const auto value = static_cast<unsigned char>(text[bad]);
    const Place place = advance({}, text, std::min(start, bad), bad);
    throw Error(format_error(file, place, "",
                             std::string("byte 0x") + hex[value >> 4] + hex[value & 15] +
                                 " is not valid here; save the file as UTF-8 text"));
  }
  TreeBuilder builder;
  builder.text = text;
  builder.file = file;
  builder.cursor = {text, start, {}};
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder, nlohmann::json::input_format_t::json, true, true);
  return std::move(builder.root);
}

const JsonNode* child(const JsonNode& object, std::string_view key) {
  if (object.kind != JsonKind::object) return nullptr;
  for (const JsonNode& node : object.children) {
    if (node.key == key) return &node;
  }
  return nullptr;
}

std::string format_error(const std::string& file, Place place, const std::string& pointer,
                         const std::string& sentence) {
  return file + ":" + place_text(place) + ": " + (pointer.empty() ? "" : pointer + ": ") + sentence;
}

std::string pointer_to(const std::string& parent, std::string_view key) {
  std::string pointer = parent + "/";
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      pointer += '?';  // a message stays one line
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::string pointer_to(const std::string& parent, std::size_t index) { return parent + "/" + std::to_string(index); }

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown(text.substr(0, kLongest));
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && is_continuation(text[end])) --end;
    shown = std::string(text.substr(0, end)) + "...";
  }
  return nlohmann::json(shown).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  if (word.size() > kMaxSuggested) return "";
  std::size_t best = 2 + (word.size() > 4 ? word.size() / 4 : 0);  // any short word is two letters from another
  std::string near;
  for (const std::string& name : names) {
    if (const std::size_t distance = edit_distance(word, name); distance < best) {
      best = distance;
      near = name;
    }
  }
  return near;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names, const std::string& said) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + in_quotes(name);
  const std::string near = nearest_name(word, names);
  return near.empty() ? "; " + said + list : "; did you mean " + in_quotes(near) + "?";
}

std::string_view kind_name(JsonKind kind) {
  switch (kind) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "true or false";
    case JsonKind::number:
      return "a number";
    case JsonKind::string:
      return "a text";
    case JsonKind::array:
      return "an array";
    case JsonKind::object:
      return "an object";
  }
  return "";
}

}  // namespace sluice::io
