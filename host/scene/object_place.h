// How messages about sampling name an object.
#pragma once

#include <cstdio>
#include <string>

#include "host/scene/scene_file.h"

namespace sluice::io {

inline std::string place_of(const SceneFile& file, const Object& object) {
  std::string place = file.path.string();
  if (object.line > 0) place.append(":").append(std::to_string(object.line) + ":" + std::to_string(object.column));
  return place.append(": ").append(object.place).append(" (\"").append(object.name).append("\"): ");
}

inline std::string quoted(const Object& object) { return "object \"" + object.name + "\""; }

inline std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// What `act` returns; its Error gets the object's place in front.
template <class Act>
auto named_errors(const SceneFile& file, const Object& object, Act act) {
  try {
    return act();
  } catch (const Error& error) {
    throw Error(place_of(file, object) + error.what());
  }
}

}  // namespace sluice::io
