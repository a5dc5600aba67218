// Damaged OBJ files: whatever they hold, they are read or refused with a sentence that names the file.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "host/sampling/geometry.h"
#include "host/sampling/inset_sampling.h"
#include "host/sampling/mass.h"
#include "host/sampling/mesh.h"
#include "host/sampling/surface_sampling.h"
#include "tests/random_polygons.h"

namespace sluice::tests {
namespace {

using namespace sluice::io;

constexpr double kMostSamples = 200;

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> texts{
      "v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
      "# cube\r\no cube\r\nv -1 -1 -1\r\nv 1 -1 -1\r\nv 1 1 -1\r\nv -1 1 -1\r\nv -1 -1 1\r\nv 1 -1 1\r\nv 1 1 1\r\n"
      "v -1 1 1\r\nvt 0 0\r\nvn 0 0 1\r\nf 1/1/1 4/1/1 3/1/1 2/1/1\r\nf 5//1 6//1 7//1 8//1\r\nf 1 2 6 5\r\n"
      "f 2 3 7 6\r\nf 3 4 8 7\r\nf 4 1 5 8\r\n",
      "v 0 0 0\nv .3 .05 0\nv 0 .1 0\nv 0.05 0.05 0\nv 0 0 0.1\nv 0.3 0.05 0.1\nv 0 0.1 0.1\nv 5e-2 0.05 0.1\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
      "v -0.2 -0.2 -0.1\nv 0.2 -0.2 -0.1\nv 0.2 0.2 -0.1\nv 0 -0.1 -0.1\nv -0.2 0.2 -0.1\nv -0.2 -0.2 0.1\n"
      "v 0.2 -0.2 0.1\nv 0.2 0.2 0.1\nv 0 -0.1 0.1\nv -0.2 0.2 0.1\nf -6 -7 -8 -9 \\\n -10\nf 6 7 8 9 10\nf 1 2 7 6\n"
      "f 2 3 8 7\nf 3 4 9 8\nf 4 5 10 9\nf 5 1 6 10\n",
      "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0.5 0.5 0\nv 0.5 1.5 0\nv 1.5 1.5 0\nv 1.5 0.5 0\nf 1 2 3 4 1 5 6 7 8 5\n",
      "v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nv 0.05 0.05 0.05\n"
      "v 0.17 0.05 0.05\nv 0.05 0.17 0.05\nv 0.05 0.05 0.17\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n"};
  return texts;
}

// Ranges of the words, or of the lines with their ends.
std::vector<std::pair<std::size_t, std::size_t>> parts_of(const std::string& text, bool lines) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool end = text[i] == '\n' || (!lines && (text[i] == ' ' || text[i] == '\r'));
    if (!end) continue;
    if (lines || i > begin) out.emplace_back(begin, i + (lines ? 1 : 0) - begin);
    begin = i + 1;
  }
  return out;
}

std::string mutated(Pcg& random) {
  static const std::array<const char*, 44> kWords{"0",
                                                  "-1",
                                                  "1",
                                                  "-0",
                                                  "1e308",
                                                  "-1e308",
                                                  "1e-308",
                                                  "1e15",
                                                  "1e9",
                                                  "1e30",
                                                  "nan",
                                                  "inf",
                                                  "-inf",
                                                  "1e999",
                                                  "1e-999",
                                                  "4294967297",
                                                  "2147483648",
                                                  "-2147483649",
                                                  "99999999999999999999",
                                                  "1/2/3",
                                                  "1//1",
                                                  "1/",
                                                  "//",
                                                  "/",
                                                  "1/0/0",
                                                  "\\",
                                                  "\\\n",
                                                  "#",
                                                  "f",
                                                  "v",
                                                  "vt",
                                                  "l 1 2",
                                                  "0,5",
                                                  "+1",
                                                  "+-1",
                                                  "--1",
                                                  "0x10",
                                                  "1.",
                                                  ".5",
                                                  ".",
                                                  "1e",
                                                  "\xEF\xBB\xBF",
                                                  "f 1 2 3 4 5 6 7 8",
                                                  "v 1e3 1e3 1e3"};
  std::string text = seeds()[random.below(static_cast<std::uint32_t>(seeds().size()))];
  for (std::uint32_t count = 1 + random.below(4); count > 0 && !text.empty(); --count) {
    const auto place = [&] { return random.below(static_cast<std::uint32_t>(text.size())); };
    const auto pick = [&](bool lines) {
      const auto parts = parts_of(text, lines);
      return parts.empty() ? std::pair<std::size_t, std::size_t>{0, text.size()}
                           : parts[random.below(static_cast<std::uint32_t>(parts.size()))];
    };
    switch (random.below(10)) {
      case 0:
        text[place()] = static_cast<char>(random.below(256));
        break;
      case 1:
        text.insert(place(), 1, "0123456789.-+eE/ \t\r\n\\#vf,"[random.below(26)]);
        break;
      case 2:
        text.erase(place(), 1 + random.below(8));
        break;
      case 3: {
        const auto [at, size] = pick(false);
        text.replace(at, size, kWords[random.below(kWords.size())]);
        break;
      }
      case 4: {
        const auto [at, size] = pick(false);
        text.replace(at, size, std::to_string(static_cast<int>(random.below(25)) - 10));
        break;
      }
      case 5: {
        const auto [at, size] = pick(false);
        text.replace(at, size,
                     std::to_string(random.real(-1, 1) * std::pow(10.0, static_cast<int>(random.below(14)) - 4)));
        break;
      }
      case 6: {
        const auto [at, size] = pick(true);
        text.insert(place(), text.substr(at, size));
        break;
      }
      case 7: {
        const auto [at, size] = pick(true);
        text.erase(at, size);
        break;
      }
      case 8: {
        const auto [at, size] = pick(true);
        const std::string line = text.substr(at, size);
        const std::size_t to = pick(true).first;
        text.insert(to, line);
        break;
      }
      default:
        text.resize(place());
    }
  }
  return text;
}

// Does with a mesh what the program does; the samples at a spacing of a part of its length, at which there are not too
// many.
void use_mesh(const std::string& text, double part) {
  Geometry geometry;
  geometry.shape.kind = ShapeKind::mesh;
  geometry.shape.mesh = "fuzz.obj";
  geometry.mesh = parse_obj(text, "fuzz.obj");
  const auto [low, high] = bounds_of(geometry.mesh);
  const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  double h = part * size, area = 0;
  for (std::size_t t = 0; t < geometry.mesh.triangles.size(); ++t) area += triangle_area(geometry.mesh, t);
  h = std::max(h, std::sqrt(area / kMostSamples));
  finish_geometry(geometry, h);
  CHECK(std::isfinite(geometry.facts.volume));
  std::vector<Vec3> samples = sample_mesh(geometry.mesh, h, overlapping_columns(geometry));
  if (geometry.closed) {
    if (geometry.facts.volume < 0) flip_faces(geometry);
    const MassProperties mass = mesh_mass(geometry.mesh, geometry.shells.excess);
    CHECK(std::isfinite(mass.mass));
    const std::vector<Vec3> inset = sample_inset_mesh(geometry.mesh, geometry.columns, h).positions;
    samples.insert(samples.end(), inset.begin(), inset.end());
  } else {
    CHECK(std::isfinite(shell_mass(geometry.mesh).mass));
  }
  for (const Vec3& p : samples) {
    const bool beyond = !std::isfinite(p.x + p.y + p.z) || p.x < low.x - h || p.x > high.x + h || p.y < low.y - h ||
                        p.y > high.y + h || p.z < low.z - h || p.z > high.z + h;
    if (!beyond) continue;
    CHECK(!beyond);
    break;
  }
}

struct Fuzzed {
  int read = 0, refused = 0;
};

Fuzzed fuzz_meshes(std::uint64_t seed, int count) {
  Fuzzed out;
  for (int i = 0; i < count; ++i) {
    Pcg random(seed + static_cast<std::uint64_t>(i));
    const std::string text = mutated(random);
    CAPTURE(seed + static_cast<std::uint64_t>(i));
    CAPTURE(text);
    try {
      use_mesh(text, i % 2 ? 0.05 : 3.0);
      ++out.read;
    } catch (const Error& error) {
      ++out.refused;
      CHECK(std::string(error.what()).find("fuzz.obj") == 0);
    }
  }
  return out;
}

long long setting(const char* name, long long otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

}  // namespace

TEST_CASE("damaged OBJ files are read or refused by name") {
  const Fuzzed fuzzed = fuzz_meshes(1, 200);
  CHECK(fuzzed.read > 20);
  CHECK(fuzzed.refused > 20);
}

TEST_CASE("many damaged OBJ files are read or refused by name" * doctest::test_suite("fuzz") * doctest::skip()) {
  const int count = static_cast<int>(setting("SLUICE_FUZZ_COUNT", 10000));
  const Fuzzed fuzzed = fuzz_meshes(static_cast<std::uint64_t>(setting("SLUICE_FUZZ_SEED", 1)), count);
  CHECK(fuzzed.read + fuzzed.refused == count);
}

}  // namespace sluice::tests
