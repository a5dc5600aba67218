// A JSON Schema check, as far as the project's own schemas need one.
#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

namespace sluice {

// JSON Schema draft 7, without formats; string lengths in bytes. An unknown keyword throws.
inline bool accepts_json(const nlohmann::json& root, const nlohmann::json& schema, const nlohmann::json& value) {
  if (schema.is_boolean()) return schema.get<bool>();
  const auto sub = [&](const nlohmann::json& s, const nlohmann::json& v) { return accepts_json(root, s, v); };
  if (schema.contains("$ref")) {
    return sub(root.at(nlohmann::json::json_pointer(schema["$ref"].get<std::string>().substr(1))), value);
  }
  bool good = true;
  for (const auto& [key, rule] : schema.items()) {
    if (key == "type") {
      const bool whole = value.is_number() && std::floor(value.get<double>()) == value.get<double>();
      good &= rule == "integer" ? whole : rule == "number" ? value.is_number() : rule == value.type_name();
    } else if (key == "enum") {
      good &= std::find(rule.begin(), rule.end(), value) != rule.end();
    } else if (key == "const") {
      good &= rule == value;
    } else if (key == "minimum") {
      good &= !value.is_number() || value.get<double>() >= rule.get<double>();
    } else if (key == "maximum") {
      good &= !value.is_number() || value.get<double>() <= rule.get<double>();
    } else if (key == "exclusiveMinimum") {
      good &= !value.is_number() || value.get<double>() > rule.get<double>();
    } else if (key == "exclusiveMaximum") {
      good &= !value.is_number() || value.get<double>() < rule.get<double>();
    } else if (key == "minItems") {
      good &= !value.is_array() || value.size() >= rule.get<std::size_t>();
    } else if (key == "maxItems") {
      good &= !value.is_array() || value.size() <= rule.get<std::size_t>();
    } else if (key == "uniqueItems") {
      for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
        good &= std::count(value.begin(), value.end(), value[i]) == 1;
      }
    } else if (key == "minLength") {
      good &= !value.is_string() || value.get<std::string>().size() >= rule.get<std::size_t>();
    } else if (key == "maxLength") {
      good &= !value.is_string() || value.get<std::string>().size() <= rule.get<std::size_t>();
    } else if (key == "pattern") {
      good &= !value.is_string() || std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
    } else if (key == "items") {
      for (const nlohmann::json& item : value.is_array() ? value : nlohmann::json::array()) good &= sub(rule, item);
    } else if (key == "properties") {
      for (const auto& [name, s] : rule.items()) good &= !value.contains(name) || sub(s, value[name]);
    } else if (key == "additionalProperties") {
      for (const auto& [name, v] : value.items()) {
        good &= (schema.contains("properties") && schema["properties"].contains(name)) || sub(rule, v);
      }
    } else if (key == "propertyNames") {
      for (const auto& [name, v] : value.items()) good &= sub(rule, name);
    } else if (key == "required") {
      for (const nlohmann::json& name : rule) good &= !value.is_object() || value.contains(name);
    } else if (key == "dependencies") {
      for (const auto& [name, s] : rule.items()) {
        if (value.is_object() && value.contains(name))
          good &= sub(s.is_array() ? nlohmann::json{{"required", s}} : s, value);
      }
    } else if (key == "not") {
      good &= !sub(rule, value);
    } else if (key == "anyOf" || key == "allOf" || key == "oneOf") {
      const auto count =
          std::count_if(rule.begin(), rule.end(), [&](const nlohmann::json& s) { return sub(s, value); });
      good &= key == "oneOf" ? count == 1 : key == "anyOf" ? count > 0 : count == static_cast<long>(rule.size());
    } else if (key == "if") {
      const char* branch = sub(rule, value) ? "then" : "else";
      good &= !schema.contains(branch) || sub(schema[branch], value);
    } else if (key != "$schema" && key != "title" && key != "description" && key != "default" && key != "definitions" &&
               key != "then" && key != "else") {
      throw std::runtime_error("the test knows no keyword " + key);
    }
  }
  return good;
}

}  // namespace sluice
