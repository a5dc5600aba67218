// Names of files.
#pragma once

#include <algorithm>
#include <string_view>

namespace sluice::io {

// On a file system that does not tell capitals (of ASCII).
inline bool is_same_file_name(std::string_view a, std::string_view b) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char c, char d) { return small(c) == small(d); });
}

}  // namespace sluice::io
