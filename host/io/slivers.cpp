#include "host/io/slivers.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace sluice::io {
namespace {

// Of a sliver's height, at most: of the mesh's length (files hold four to seven digits), and of its longest edge.
constexpr double kThin = 5e-4, kSlender = 0.01;
constexpr double kAgrees = 0.97;  // cosine of 14 degrees: a face turns by less

using Edge = std::pair<std::uint32_t, std::uint32_t>;  // the lower index first
using Triangle = std::array<std::uint32_t, 3>;

struct Turning {
  TriangleMesh& mesh;
  double thin = 0;                                   // m
  std::map<Edge, std::vector<std::uint32_t>> faces;  // of each edge
};

Vec3 normal_of(const TriangleMesh& mesh, const Triangle& t) {  // twice the area long
  return cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

// The triangle from the corner opposite its longest edge on, and its height over that edge, m.
std::pair<Triangle, double> from_apex(const TriangleMesh& mesh, Triangle t, double& longest) {
  Triangle best = t;
  longest = -1;
  for (int k = 0; k < 3; ++k) {
    std::rotate(t.begin(), t.begin() + 1, t.end());
    const double size = length(mesh.vertices[t[2]] - mesh.vertices[t[1]]);
    if (size <= longest) continue;
    longest = size;
    best = t;
  }
  return {best, longest > 0 ? length(normal_of(mesh, best)) / longest : 0};
}

double height_of(const TriangleMesh& mesh, const Triangle& t) {
  double longest;
  return from_apex(mesh, t, longest).second;
}

bool is_sliver(const Turning& turning, const Triangle& t) {
  double longest;
  return from_apex(turning.mesh, t, longest).second < std::min(turning.thin, kSlender * longest);
}

bool runs_along(const Triangle& t, std::uint32_t from, std::uint32_t to) {
  return (t[0] == from && t[1] == to) || (t[1] == from && t[2] == to) || (t[2] == from && t[0] == to);
}

void replace_face(Turning& turning, std::uint32_t a, std::uint32_t b, std::uint32_t old, std::uint32_t now) {
  std::vector<std::uint32_t>& faces = turning.faces[std::minmax(a, b)];
  std::replace(faces.begin(), faces.end(), old, now);
}

// Whether the face could be turned; the two that came of it are then `face` and `other`.
bool turn(Turning& turning, std::uint32_t face, std::uint32_t& other) {
  TriangleMesh& mesh = turning.mesh;
  double longest;
  const auto [sliver, height] = from_apex(mesh, mesh.triangles[face], longest);
  const auto [m, b, a] = sliver;
  const Edge along = std::minmax(a, b);
  for (const std::uint32_t u : turning.faces[along]) {
    // Where slivers of two faces lie along one edge, each belongs to the face that runs the other way.
    if (u == face || !runs_along(mesh.triangles[u], a, b)) continue;
    std::uint32_t c = a;
    for (const std::uint32_t v : mesh.triangles[u])
      if (v != a && v != b) c = v;
    const auto crossing = turning.faces.find(std::minmax(m, c));
    if (c == m || (crossing != turning.faces.end() && !crossing->second.empty())) continue;
    const Triangle left{m, b, c}, right{m, c, a};
    const Vec3 before = normal_of(mesh, mesh.triangles[u]);
    const auto agrees = [&](const Triangle& t) {
      const Vec3 after = normal_of(mesh, t);
      return dot(before, after) > kAgrees * length(before) * length(after);
    };
    if (!agrees(left) || !agrees(right)) continue;
    if (std::min(height_of(mesh, left), height_of(mesh, right)) <= height) continue;
    mesh.triangles[face] = left;
    mesh.triangles[u] = right;
    replace_face(turning, b, c, u, face);
    replace_face(turning, a, m, face, u);
    std::erase_if(turning.faces[along], [&](std::uint32_t t) { return t == face || t == u; });
    turning.faces[std::minmax(m, c)] = {face, u};
    other = u;
    return true;
  }
  return false;
}

}  // namespace

void turn_slivers(TriangleMesh& mesh) {
  const auto [low, high] = bounds_of(mesh);
  Turning turning{mesh, kThin * std::max({high.x - low.x, high.y - low.y, high.z - low.z}), {}};
  std::deque<std::uint32_t> due;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (is_sliver(turning, mesh.triangles[t])) due.push_back(t);
  if (due.empty()) return;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      turning.faces[std::minmax(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3])].push_back(t);
  // One that lies along another sliver waits for that to be turned: rounds over those left, until none turns.
  for (std::size_t turned = 1; turned > 0;) {
    turned = 0;
    for (std::size_t left = due.size(); left > 0; --left) {
      const std::uint32_t t = due.front();
      due.pop_front();
      std::uint32_t other = 0;
      if (!is_sliver(turning, mesh.triangles[t])) continue;
      if (!turn(turning, t, other)) {
        due.push_back(t);
        continue;
      }
      ++turned;
      for (const std::uint32_t made : {t, other})
        if (is_sliver(turning, mesh.triangles[made])) due.push_back(made);
    }
  }
}

}  // namespace sluice::io
