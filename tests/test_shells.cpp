// Mesh files of several parts: what they enclose together counts once.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "host/sampling/inset_sampling.h"
#include "host/sampling/shells.h"
#include "host/sampling/surface_sampling.h"
#include "tests/mesh_shapes.h"

namespace sluice::tests {
namespace {

using namespace sluice::io;

TriangleMesh moved(TriangleMesh mesh, Vec3 by, bool inside_out = false) {
  for (Vec3& v : mesh.vertices) v = v + by;
  if (inside_out)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

TriangleMesh together(const std::vector<TriangleMesh>& parts) {
  TriangleMesh all;
  for (const TriangleMesh& part : parts) {
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (const auto& [a, b, c] : part.triangles) all.triangles.push_back({first + a, first + b, first + c});
  }
  return all;
}

const Quat kTurn{0.8, 0.36, 0.48, 0};
TriangleMesh cube(double size, Quat turn = {}) { return box_mesh({size, size, size}, turn); }

}  // namespace

TEST_CASE("a part inside another is left out, a cavity stays, and an inside-out part beside others is flipped") {
  for (const Quat turn : {Quat{}, kTurn}) {
    TriangleMesh mesh = together({cube(0.2, turn), cube(0.12)});
    ShellFacts shells = unite_shells(mesh);
    CHECK(shells.hidden == 1);
    CHECK(shells.turned == 0);
    CHECK(shells.twice == 0);
    CHECK(mesh.triangles.size() == 12);
    CHECK(mesh_mass(mesh, shells.excess).mass == doctest::Approx(0.008).epsilon(1e-12));

    mesh = together({cube(0.12), moved(cube(0.05), {}, true), cube(0.2, turn)});
    shells = unite_shells(mesh);
    CHECK(shells.hidden == 2);
    CHECK(mesh_mass(mesh).mass == doctest::Approx(0.008).epsilon(1e-12));

    mesh = together({cube(0.2, turn), moved(cube(0.1), {}, true), cube(0.02)});
    shells = unite_shells(mesh);
    CHECK(shells.hidden + shells.turned == 0);
    CHECK(mesh.triangles.size() == 36);
    CHECK(mesh_mass(mesh, shells.excess).mass == doctest::Approx(0.008 - 0.001 + 8e-6).epsilon(1e-12));

    mesh = together({cube(0.2, turn), moved(cube(0.1), {1, 0, 0}, true)});
    shells = unite_shells(mesh);
    CHECK(shells.turned == 1);
    CHECK(mesh_mass(mesh).mass == doctest::Approx(0.009).epsilon(1e-12));

    // All of it inside out: the same, with the sign of all.
    mesh = together({moved(cube(0.2, turn), {}, true), moved(cube(0.12), {}, true)});
    shells = unite_shells(mesh);
    CHECK(shells.hidden == 1);
    CHECK(mesh_mass(mesh).mass == doctest::Approx(-0.008).epsilon(1e-12));
  }
}

TEST_CASE("parts that cross each other count once, to a thousandth of what they share") {
  // Two balls a radius apart share a lens of 5/12 pi r^3.
  const double r = 0.1, lens = 5.0 / 12 * 3.14159265358979323846 * r * r * r;
  const TriangleMesh ball = icosphere(5, r);
  TriangleMesh mesh = together({ball, moved(ball, {0.06, 0.08, 0})});
  ShellFacts shells = unite_shells(mesh);
  CHECK(shells.hidden + shells.turned == 0);
  CHECK(shells.twice == doctest::Approx(lens).epsilon(5e-3));  // the balls are polyhedra
  CHECK(mesh.triangles.size() == 2 * ball.triangles.size());
  const MassProperties balls = mesh_mass(mesh, shells.excess);
  CHECK(length(balls.center - Vec3{0.03, 0.04, 0}) < 1e-5);

  // A cross of two bars, 0.3 x 0.1 x 0.1 and 0.1 x 0.3 x 0.1: no corner of one lies inside the other.
  mesh = together({box_mesh({0.3, 0.1, 0.1}), box_mesh({0.1, 0.3, 0.1})});
  shells = unite_shells(mesh);
  CHECK(shells.twice == doctest::Approx(1e-3).epsilon(1e-3));
  const MassProperties cross_of = mesh_mass(mesh, shells.excess);
  CHECK(cross_of.mass == doctest::Approx(5e-3).epsilon(1e-3));
  const double bar = 3e-3 / 12, middle = 1e-3 / 12;
  CHECK(cross_of.inertia[2] == doctest::Approx(2 * bar * (0.09 + 0.01) - middle * 0.02).epsilon(1e-3));
  CHECK(length(cross_of.center) < 1e-5);

  // A bar through a frame's gap: both ends lie in the frame, the middle does not, so it may not be left out.
  mesh =
      together({box_mesh({0.1, 0.3, 0.1}), moved(box_mesh({0.1, 0.3, 0.1}), {0.3, 0, 0}), box_mesh({0.3, 0.02, 0.02})});
  shells = unite_shells(mesh);
  CHECK(shells.hidden == 0);
  CHECK(mesh_mass(mesh, shells.excess).mass ==
        doctest::Approx(2 * 3e-3 + 0.2 * 0.02 * 0.02 + 0.05 * 0.02 * 0.02).epsilon(1e-4));

  // Parts that only touch share nothing.
  mesh = together({cube(0.2), moved(cube(0.2), {0.2, 0, 0})});
  CHECK(unite_shells(mesh).twice == 0);
  // Half of a box within another, their lower faces in one plane.
  mesh = together({cube(0.2), moved(cube(0.1), {0.1, 0, -0.05})});
  CHECK(unite_shells(mesh).twice == doctest::Approx(0.0005).epsilon(1e-3));
}

TEST_CASE("no sample lies inside another part") {
  const double h = 0.02;
  TriangleMesh mesh = together({box_mesh({0.3, 0.1, 0.1}), box_mesh({0.1, 0.3, 0.12})});
  const ShellFacts shells = unite_shells(mesh);
  CHECK(shells.twice > 0);
  const MeshColumns columns = make_columns(mesh, inspect_mesh(mesh));
  const auto deep = [](Vec3 p) {
    const auto in = [&](double x, double y, double z) {
      return std::abs(p.x) < x - 1e-6 && std::abs(p.y) < y - 1e-6 && std::abs(p.z) < z - 1e-6;
    };
    return in(0.15, 0.05, 0.05) || in(0.05, 0.15, 0.06);
  };
  std::size_t inside = 0;
  for (const Vec3& p : sample_mesh(mesh, h, &columns)) inside += deep(p);
  CHECK(inside == 0);
  for (const Vec3& p : sample_mesh(mesh, h)) inside += deep(p);
  CHECK(inside > 20);
}

TEST_CASE("what is said of parts names their number and what they share") {
  ShellFacts shells;
  CHECK(describe_shells(shells, 1, "mesh a.obj").empty());
  shells.hidden = 1;
  shells.twice = 0.02;
  const std::vector<std::string> said = describe_shells(shells, 0.5, "mesh a.obj");
  REQUIRE(said.size() == 2);
  CHECK(said[0].find("mesh a.obj has a part inside another, which is left out") == 0);
  CHECK(said[1].find("mesh a.obj has parts that overlap: 0.02 m^3, 4 % of its volume") == 0);
}

}  // namespace sluice::tests
