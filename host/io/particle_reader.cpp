// Reads back what write_vtp wrote. Files of other programs have other layouts, which VTK's reader knows.
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <string_view>

#include "host/io/atomic_file.h"
#include "host/io/particle_files.h"
#include "sluice/scene.h"

namespace sluice::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBlock = std::size_t{1} << 24;  // bytes; ours are 32 KiB

struct VtpFile {
  fs::path path;
  std::string text;
  std::string_view header, data;
  std::size_t points = 0;
};

[[noreturn]] void refuse(const VtpFile& file, const std::string& what) {
  throw Error(file.path.string() + ": " + what + "; this is no whole particle file of sluice: run the scene again");
}

// The value of `key` in a tag; empty if it has none.
std::string_view attribute(std::string_view tag, std::string_view key) {
  std::string start(key);
  start.insert(0, 1, ' ').append("=\"");
  const std::size_t at = tag.find(start);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = tag.substr(at + start.size());
  return rest.substr(0, std::min(rest.find('"'), rest.size()));
}

bool read_whole(std::string_view text, std::size_t& out) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// From the first tag that starts with `name` and has this attribute to its ">"; empty if there is none.
std::string_view find_tag(std::string_view text, std::string_view name, std::string_view key = {},
                          std::string_view value = {}) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::string_view tag = text.substr(at, std::min(text.find('>', at), text.size()) - at);
    if (key.empty() || attribute(tag, key) == value) return tag;
  }
  return {};
}

std::uint32_t word_at(const VtpFile& file, std::size_t at) {
  if (at > file.data.size() || file.data.size() - at < 4) refuse(file, "it ends too early");
  std::uint32_t word = 0;
  std::memcpy(&word, file.data.data() + at, sizeof word);
  return word;
}

// See append_packed in particle_files.cpp.
void unpack(const VtpFile& file, std::size_t at, char* out, std::size_t bytes) {
  const std::size_t blocks = word_at(file, at), block = word_at(file, at + 4), last = word_at(file, at + 8);
  const std::size_t whole = last > 0 ? blocks - 1 : blocks;
  if (blocks > file.data.size() / 4 || block > kMaxBlock || last > block || (last > 0 && blocks == 0) ||
      whole * block + last != bytes)
    refuse(file, "an array has another length than its header says");
  std::size_t from = at + 12 + 4 * blocks;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t packed = word_at(file, at + 12 + 4 * b), size = b < whole ? block : last;
    if (from > file.data.size() || file.data.size() - from < packed) refuse(file, "it ends too early");
    uLongf written = static_cast<uLongf>(size);
    const int result = uncompress(reinterpret_cast<Bytef*>(out), &written,
                                  reinterpret_cast<const Bytef*>(file.data.data() + from), static_cast<uLong>(packed));
    if (result != Z_OK || written != size) refuse(file, "an array cannot be unpacked");
    from += packed;
    out += size;
  }
}

// Empty if the file has no array of this name.
template <class T>
std::vector<T> read_array(const VtpFile& file, std::string_view name, std::string_view type, std::size_t components) {
  const std::string_view tag = find_tag(file.header, "<DataArray", "Name", name);
  if (tag.empty()) return {};
  std::size_t offset = 0, found = 0;
  if (attribute(tag, "type") != type || !read_whole(attribute(tag, "NumberOfComponents"), found) ||
      found != components || !read_whole(attribute(tag, "offset"), offset))
    refuse(file, std::string(name).append(" is of another type"));
  // Checked before memory is asked for: a packed byte holds at most about a thousand.
  if (file.points * sizeof(T) / 1100 > file.data.size()) refuse(file, "it ends too early");
  std::vector<T> values(file.points);
  unpack(file, offset, reinterpret_cast<char*>(values.data()), values.size() * sizeof(T));
  return values;
}

}  // namespace

ParticleFrame read_vtp(const fs::path& path) {
  VtpFile file{path, read_regular_file(path), {}, {}, 0};
  constexpr std::string_view kData = "<AppendedData encoding=\"raw\">\n_";
  const std::string_view text = file.text;
  const std::size_t split = text.find(kData);
  if (split == std::string_view::npos) refuse(file, "it has no packed data");
  file.header = text.substr(0, split);
  file.data = text.substr(split + kData.size());
  const std::string_view order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  const std::string_view root = find_tag(file.header, "<VTKFile");
  if (attribute(root, "byte_order") != order || attribute(root, "header_type") != "UInt32")
    refuse(file, "its words are of another kind than this machine's");
  if (!read_whole(attribute(find_tag(file.header, "<Piece"), "NumberOfPoints"), file.points) ||
      file.points > 0x7fffffff)
    refuse(file, "it does not say how many particles it holds");

  ParticleFrame frame;
  const std::size_t value = file.header.find('>', file.header.find("Name=\"TimeValue\""));
  if (value == std::string_view::npos ||
      std::from_chars(file.header.data() + value + 1, file.header.data() + file.header.size(), frame.time).ec !=
          std::errc())
    refuse(file, "it does not say its time");
  frame.position = read_array<std::array<double, 3>>(file, "Points", "Float64", 3);
  frame.id = read_array<std::uint32_t>(file, "id", "UInt32", 1);
  if (frame.position.size() != file.points || frame.id.size() != file.points)
    refuse(file, "it has no positions or ids");
  frame.velocity = read_array<std::array<float, 3>>(file, "velocity", "Float32", 3);
  frame.density = read_array<float>(file, "density", "Float32", 1);
  frame.pressure = read_array<float>(file, "pressure", "Float32", 1);
  frame.friction = read_array<std::array<float, 3>>(file, "friction", "Float32", 3);
  frame.friction_used = read_array<float>(file, "friction_used", "Float32", 1);
  frame.body = read_array<std::uint32_t>(file, "body", "UInt32", 1);
  return frame;
}

}  // namespace sluice::io
