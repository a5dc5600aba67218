#include "host/io/mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "host/io/slivers.h"

#define TINYOBJLOADER_USE_DOUBLE
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

namespace sluice::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

[[noreturn]] void fail(const std::filesystem::path& path, std::size_t line, const std::string& sentence) {
  throw Error(path.string() + (line > 0 ? ":" + std::to_string(line) : "") + ": " + sentence);
}

// Reads the three coordinates after "v". tinyobjloader would read a word that is no number as 0.
Vec3 parse_vertex(std::string_view text, const std::filesystem::path& path, std::size_t line) {
  double value[3];
  const char* at = text.data();
  const char* end = at + text.size();
  for (double& v : value) {
    while (at != end && is_blank(*at)) ++at;
    if (at != end && *at == '+') ++at;
    const auto [after, status] = std::from_chars(at, end, v);
    if (status == std::errc::result_out_of_range)
      fail(path, line, "a coordinate does not fit a double; scale the model to metres and export it again");
    if (status != std::errc() || (after != end && !is_blank(*after)))
      fail(path, line, "a vertex needs three numbers; export the mesh again");
    if (!std::isfinite(v)) fail(path, line, "a coordinate is not a finite number; repair the mesh and export it again");
    at = after;
  }
  return {value[0], value[1], value[2]};
}

// The vertices of the file, correctly rounded on every platform (tinyobjloader's own numbers go through pow).
std::vector<Vec3> parse_vertices(std::string_view text, const std::filesystem::path& path) {
  std::vector<Vec3> vertices;
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++line;
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    std::string_view row = text.substr(begin, end - begin);
    while (!row.empty() && is_blank(row.front())) row.remove_prefix(1);
    if (row.size() > 1 && row[0] == 'v' && is_blank(row[1]))
      vertices.push_back(parse_vertex(row.substr(1), path, line));
    const bool crlf = end + 1 < text.size() && text[end] == '\r' && text[end + 1] == '\n';
    begin = end + (crlf ? 2 : 1);
  }
  return vertices;
}

bool before(Vec3 a, Vec3 b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); }
bool same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Leaves out triangles with the corners of an earlier one in the same order.
void drop_repeated_faces(TriangleMesh& mesh) {
  std::vector<std::pair<std::array<std::uint32_t, 3>, std::size_t>> faces;  // from the lowest corner on; place
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<std::uint32_t, 3> face = mesh.triangles[t];
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    faces.emplace_back(face, t);
  }
  std::sort(faces.begin(), faces.end());
  std::vector<bool> repeats(faces.size(), false);
  for (std::size_t i = 1; i < faces.size(); ++i) repeats[faces[i].second] = faces[i].first == faces[i - 1].first;
  std::vector<std::array<std::uint32_t, 3>> once;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (!repeats[t]) once.push_back(mesh.triangles[t]);
  const std::size_t repeated = mesh.triangles.size() - once.size();
  if (repeated == 0) return;
  // Two bodies that share a face list it twice, too, and need it.
  TriangleMesh without{mesh.vertices, std::move(once), repeated};
  if (inspect_mesh(without).open_edges > inspect_mesh(mesh).open_edges) return;
  mesh = std::move(without);
}

// Makes equal vertices one, as exporters split them along texture seams, and leaves out unused ones.
TriangleMesh weld(const std::vector<Vec3>& vertices, const std::vector<std::uint32_t>& corners) {
  std::vector<std::uint32_t> order(vertices.size()), first(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return before(vertices[a], vertices[b]) || (same(vertices[a], vertices[b]) && a < b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeats = i > 0 && same(vertices[order[i]], vertices[order[i - 1]]);
    first[order[i]] = repeats ? first[order[i - 1]] : order[i];
  }
  TriangleMesh mesh;
  constexpr std::uint32_t kUnused = ~0u;
  std::vector<std::uint32_t> index(vertices.size(), kUnused);
  for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
    const std::uint32_t old[3] = {first[corners[t]], first[corners[t + 1]], first[corners[t + 2]]};
    if (old[0] == old[1] || old[1] == old[2] || old[2] == old[0]) continue;
    std::array<std::uint32_t, 3> triangle;
    for (int k = 0; k < 3; ++k) {
      if (index[old[k]] == kUnused) {
        index[old[k]] = static_cast<std::uint32_t>(mesh.vertices.size());
        mesh.vertices.push_back(vertices[old[k]]);
      }
      triangle[k] = index[old[k]];
    }
    mesh.triangles.push_back(triangle);
  }
  drop_repeated_faces(mesh);
  if (!mesh.vertices.empty()) turn_slivers(mesh);
  return mesh;
}

std::size_t column_of(double value, double low, double high, std::size_t count) {
  if (!(high > low)) return 0;
  const double at = (value - low) / (high - low) * static_cast<double>(count);
  return at <= 0 ? 0 : std::min(count - 1, static_cast<std::size_t>(at));
}

// Whether the edge, seen along z, crosses the ray from p towards +x. Depends on the edge alone, not on the order of
// its ends, so that the faces at an edge agree and no ray slips between them.
bool edge_crosses(Vec3 a, Vec3 b, Vec3 p) {
  if ((a.y > p.y) == (b.y > p.y)) return false;
  if (a.y > b.y) std::swap(a, b);
  return (b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y) > 0;
}

}  // namespace

TriangleMesh parse_obj(const std::string& text, const std::filesystem::path& path) {
  const std::vector<Vec3> vertices = parse_vertices(text, path);
  if (vertices.empty()) fail(path, 0, "has no vertices; is it a Wavefront OBJ file?");

  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
  std::vector<tinyobj::material_t> materials;
  std::string warning, error;
  std::istringstream stream(text);
  const bool read = tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, &error, &stream, nullptr, true, false);
  const bool bad_index = warning.find("invalid vertex index") != std::string::npos ||
                         warning.find("Vertex indices out of bounds") != std::string::npos;
  if (!read || bad_index || attributes.vertices.size() != 3 * vertices.size()) {
    while (!error.empty() && (error.back() == '\n' || error.back() == '.')) error.pop_back();
    fail(path, 0,
         "a face names a vertex that the file does not have, or cannot be read; export the mesh again" +
             (error.empty() ? std::string() : " (" + error + ")"));
  }
  std::vector<std::uint32_t> corners;
  for (const tinyobj::shape_t& shape : shapes)
    for (const tinyobj::index_t& index : shape.mesh.indices) {
      if (index.vertex_index < 0 || static_cast<std::size_t>(index.vertex_index) >= vertices.size())
        fail(path, 0, "a face names a vertex that the file does not have; export the mesh again");
      corners.push_back(static_cast<std::uint32_t>(index.vertex_index));
    }
  if (corners.empty()) fail(path, 0, "has no faces; export the model as a mesh with faces, not as points or curves");
  TriangleMesh mesh = weld(vertices, corners);
  double area = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += triangle_area(mesh, t);
  if (!(area > 0)) fail(path, 0, "no face has an area; repair the mesh and export it again");
  return mesh;
}

TriangleMesh read_obj(const std::filesystem::path& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) fail(path, 0, "is a folder; name a Wavefront OBJ file");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, 0, "cannot be opened; mesh paths are relative to the scene file's folder");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) fail(path, 0, "cannot be read to its end; check the disk");
  if (text.empty()) fail(path, 0, "is empty; export the mesh again");
  return parse_obj(text, path);
}

double triangle_area(const TriangleMesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  return 0.5 * length(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
}

double triangle_height(const TriangleMesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  const double longest =
      std::max({length(mesh.vertices[b] - mesh.vertices[a]), length(mesh.vertices[c] - mesh.vertices[b]),
                length(mesh.vertices[a] - mesh.vertices[c])});
  return longest > 0 ? 2 * triangle_area(mesh, triangle) / longest : 0;
}

std::pair<Vec3, Vec3> bounds_of(const TriangleMesh& mesh) {
  Vec3 low = mesh.vertices.at(0), high = low;
  for (const Vec3& v : mesh.vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  return {low, high};
}

MeshFacts inspect_mesh(const TriangleMesh& mesh) {
  MeshFacts facts;
  std::tie(facts.low, facts.high) = bounds_of(mesh);
  const Vec3 middle = 0.5 * (facts.low + facts.high);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corner = mesh.triangles[t];
    facts.area += triangle_area(mesh, t);
    const Vec3 a = mesh.vertices[corner[0]] - middle, b = mesh.vertices[corner[1]] - middle,
               c = mesh.vertices[corner[2]] - middle;
    facts.volume += dot(a, cross(b, c)) / 6;
  }
  visit_edges(sides_of(mesh), [&](std::span<const MeshSide> sides) {
    const auto forward = static_cast<std::size_t>(
        std::count_if(sides.begin(), sides.end(), [](const MeshSide& side) { return side.forward; }));
    if (sides.size() % 2 == 1)
      ++facts.open_edges;
    else if (2 * forward != sides.size())
      ++facts.odd_edges;
  });
  return facts;
}

std::vector<MeshSide> sides_of(const TriangleMesh& mesh) {
  std::vector<MeshSide> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), t, from < to});
    }
  std::sort(sides.begin(), sides.end(), [](const MeshSide& l, const MeshSide& r) {
    return std::tie(l.a, l.b, l.triangle) < std::tie(r.a, r.b, r.triangle);
  });
  return sides;
}

std::vector<Vec3> face_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals;
  for (const auto& [a, b, c] : mesh.triangles)
    normals.push_back(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
  return normals;
}

MeshColumns make_columns(const TriangleMesh& mesh, const MeshFacts& facts) {
  MeshColumns columns;
  columns.low = facts.low;
  columns.high = facts.high;
  columns.oriented = facts.odd_edges == 0;
  const double side = std::sqrt(static_cast<double>(mesh.triangles.size()));
  columns.nx = columns.ny = std::clamp<std::size_t>(static_cast<std::size_t>(side), 1, 1024);
  columns.start.assign(columns.nx * columns.ny + 1, 0);
  for (const bool count : {true, false}) {
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const Vec3 a = mesh.vertices[mesh.triangles[t][0]], b = mesh.vertices[mesh.triangles[t][1]],
                 c = mesh.vertices[mesh.triangles[t][2]];
      const std::size_t x0 = column_of(std::min({a.x, b.x, c.x}), columns.low.x, columns.high.x, columns.nx);
      const std::size_t x1 = column_of(std::max({a.x, b.x, c.x}), columns.low.x, columns.high.x, columns.nx);
      const std::size_t y0 = column_of(std::min({a.y, b.y, c.y}), columns.low.y, columns.high.y, columns.ny);
      const std::size_t y1 = column_of(std::max({a.y, b.y, c.y}), columns.low.y, columns.high.y, columns.ny);
      for (std::size_t y = y0; y <= y1; ++y)
        for (std::size_t x = x0; x <= x1; ++x) {
          if (count)
            ++columns.start[y * columns.nx + x];
          else
            columns.triangles[--columns.start[y * columns.nx + x]] = t;
        }
    }
    if (count) {
      // Ends of the columns, which filling from the back turns into their beginnings.
      std::partial_sum(columns.start.begin(), columns.start.end(), columns.start.begin());
      columns.triangles.resize(columns.start.back());
    }
  }
  return columns;
}

bool inside_mesh(const TriangleMesh& mesh, const MeshColumns& columns, Vec3 p) {
  if (p.x < columns.low.x || p.x > columns.high.x || p.y < columns.low.y || p.y > columns.high.y ||
      p.z < columns.low.z || p.z > columns.high.z)
    return false;
  const std::size_t column = column_of(p.y, columns.low.y, columns.high.y, columns.ny) * columns.nx +
                             column_of(p.x, columns.low.x, columns.high.x, columns.nx);
  int winding = 0, crossings = 0;
  for (std::uint32_t i = columns.start[column]; i < columns.start[column + 1]; ++i) {
    const auto& corner = mesh.triangles[columns.triangles[i]];
    const Vec3 a = mesh.vertices[corner[0]], b = mesh.vertices[corner[1]], c = mesh.vertices[corner[2]];
    if (((edge_crosses(a, b, p) + edge_crosses(b, c, p) + edge_crosses(c, a, p)) & 1) == 0) continue;
    const Vec3 normal = cross(b - a, c - a);
    const double z = normal.z == 0 ? a.z : a.z - (normal.x * (p.x - a.x) + normal.y * (p.y - a.y)) / normal.z;
    if (z <= p.z) continue;
    ++crossings;
    winding += normal.z > 0 ? 1 : -1;
  }
  return columns.oriented ? winding != 0 : crossings % 2 == 1;
}

}  // namespace sluice::io
