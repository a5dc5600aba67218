// What is not JSON: the place, and what to do.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "host/scene/scene_file.h"

using namespace sluice;
using namespace sluice::io;

namespace {

std::string error_of(const std::string& text) {
  try {
    parse_scene(text, "scene.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("syntax errors name the place and the remedy") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "1:1: the file is empty; a scene is an object: { \"particleSpacing\": ..., ... }"},
      {" // nothing\n", "2:1: the file is empty; a scene is an object: { \"particleSpacing\": ..., ... }"},
      {"{\n  \"time\": { \"end\": 1,\n",
       "3:1: /time: the file ends inside the object that was opened at 2:11; add the missing \"}\""},
      {"{\"a\": 1,}", "1:9: a comma may not stand before }; remove it or add a value"},
      {"{\"a\": [1, 2, ]}", "1:14: /a: a comma may not stand before ]; remove it or add a value"},
      {"{\"a\": [1,, 2]}", "1:10: /a: this , stands where a value or a key is expected; remove it"},
      {"{\"a\" 1}", "1:6: a : is missing after the key \"a\""},
      {"{\"a\": }", "1:7: the key \"a\" has no value; add : and a value"},
      {"{\"a\": 1 /* , */ \"b\": 2}", "1:17: a comma or \"}\" is missing before this"},
      {"{\"a\": [1 2]}", "1:10: /a: a comma or \"]\" is missing before this"},
      {"{\"a\": [1, 2}}", "1:12: /a: this } does not close the array that was opened at 1:7; that needs \"]\""},
      {"{a: 1}", "1:2: a key in double quotes must stand here, such as \"a\""},
      {"{'a': 1}", "1:2: texts and keys take double quotes: \""},
      {"{\"a\": NaN}", "1:7: NaN is not a finite number; write one that is"},
      {"{\"a\": -Infinity}", "1:7: -Infinity is not a finite number; write one that is"},
      {"{\"a\": [0, 1e999]}", "1:11: /a: \"1e999\" is too large for a number; the largest is 1.8e308"},
      {"{\"a\": True}", "1:7: \"True\" is written in lower case: true"},
      {"{\"a\": water}", "1:7: unknown word \"water\"; a text takes double quotes"},
      {"{\"a\": .5}",
       "1:7: \".5\" is not a JSON number; write it like -0.5 or 1e-3 (digits on both sides of the point, "
       "no + or 0 in front, no unit)"},
      {"{\"a\": 007}",
       "1:8: \"007\" is not a JSON number; write it like -0.5 or 1e-3 (digits on both sides of the point, "
       "no + or 0 in front, no unit)"},
      {"{\"ä\": \"b\n\"}", "1:7: this text is not closed on its line; add the missing \""},
      {"{\"a\": \"C:\\duck\"}",
       "1:7: a wrong backslash in this text; \\ must be followed by one of \" \\ / b f n r t or by u and four digits "
       "(pairs for U+10000 and more); a backslash itself is written \\\\"},
      {"{\"a\": 5 m}", "1:9: a comma or \"}\" is missing before this"},
      {"{\"a\": 5min}",
       "1:8: \"5min\" is not a JSON number; write it like -0.5 or 1e-3 (digits on both sides of the point, "
       "no + or 0 in front, no unit)"},
      {"{\"a\": [\"b\"5]}", "1:11: /a: a comma or \"]\" is missing before this"},
      {"{} {}", "1:4: the scene ended before this; nothing may follow it"},
      {"{ /* ", "1:3: this comment is not closed; add */"},
      {"{ # no\n}", "1:3: a comment starts with // or /*, not with #"},
      {"# a scene\n{}", "1:1: a comment starts with // or /*, not with #"},
      {"{ - }", "1:3: a key in double quotes must stand here"},
      {"{\"a\": 0,5}",
       "1:9: a key in double quotes must stand here; the decimal point of a number is a ., not a comma"},
      {"{\xE2\x80\x9C"
       "a\xE2\x80\x9D: 1}",
       "1:2: texts and keys take straight double quotes: \""},
      {"{\"a\": [\n'b']}", "2:1: /a: texts and keys take double quotes: \""},
      {"{\"a\": \xE9}", "1:7: byte 0xE9 is not valid here; save the file as UTF-8 text"},
      {std::string("\xFF\xFE{\0", 4), "1:1: byte 0xFF is not valid here; save the file as UTF-8 text"},
      {std::string("{}\0{", 4), "1:3: byte 0x00 is not valid here; save the file as UTF-8 text"},
      {"\xEF\xBB\xBF{]", "1:2: this ] does not close the object that was opened at 1:1; that needs \"}\""},
  };
  for (const auto& [text, error] : cases) CHECK(error_of(text) == "scene.json:" + error);
}

TEST_CASE("comments of both kinds are read over") {
  CHECK(error_of("// a tank\n{\"particleSpacing\": 1, /* m */ \"objects\": [{\"role\": \"boundary\", \"shape\": "
                 "{\"box\": [1, 1, 1]}}] // of 1 m\n}") == "no error");
}

TEST_CASE("a byte-order mark is accepted") {
  CHECK(error_of("\xEF\xBB\xBF{\"particleSpacing\": 1, \"objects\": [{\"role\": \"boundary\", \"shape\": {\"box\": [1, "
                 "1, 1]}}]}") == "no error");
}

TEST_CASE("deep nesting is refused, however deep") {
  const std::string error = ": arrays and objects are nested more than 64 deep here; a scene needs 5 levels";
  CHECK(error_of(std::string(1000000, '[')) == "scene.json:1:65" + error);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  CHECK(error_of(objects) == "scene.json:1:321" + error);
  CHECK(error_of(std::string(64, '[') + std::string(64, ']')) == "scene.json:1:1: must be an object, not an array");
}
